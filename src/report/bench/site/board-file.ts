import type { BenchmarkTexts, BoardFile, FigureSection, FigureTable } from "../../../api/benchmarks.ts";
import type { SplitDifference } from "../../../bench/contamination.ts";
import { judgeInWords, judgesInWords, signedNumber } from "../../../core/wording.ts";
import { mean } from "../../../stats/distribution.ts";
import { populationInWords, signedInterval, validityInWords } from "../benchmark-table.ts";
import { anchorRows, boardOf, dimensionScores, eachJudge, figure, ownBoard, tableSection } from "../board.ts";
import { type SiteData, withShownNames } from "./site-data.ts";
import { siteTexts } from "./texts.ts";

const UNKNOWN = "–";

/** The first page: the table, and everything that shows how far it can be believed. */
export function boardFile(given: SiteData, works: Pick<BenchmarkTexts, "humanWords" | "writtenWords">): BoardFile {
  const texts = siteTexts(given.language);
  const data = withShownNames(given);
  const { benchmark } = data;
  const board = boardOf(ownBoard(given.benchmark), new Map());
  const known = new Map(given.writers.map((writer) => [writer.writer, writer]));
  return {
    language: data.language,
    title: data.title,
    lead: texts.lead(
      benchmark.board.rows.length,
      benchmark.population.novels.length,
      texts.list(judgesInWords(given.judges.map(({ judge }) => judge))),
    ),
    first: { heading: texts.first, entries: benchmark.warnings },
    board: {
      ...board,
      writerRows: [
        ...board.writerRows.map((row) => {
          const { maker, released, costPerBook } = known.get(row.name) ?? {};
          return {
            ...row,
            ...(maker !== undefined && { maker }),
            ...(released !== undefined && { released }),
            ...(costPerBook !== undefined && { costPerBook }),
          };
        }),
        ...anchorRows(benchmark),
      ],
      headToHead: data.headToHead,
      texts: {
        ...{ novels: [], humanWords: works.humanWords, writtenWords: works.writtenWords },
        writers: given.writers.map(({ writer }, at) => ({ writer, name: data.writers[at]!.writer })),
      },
      notes: [populationInWords(benchmark), ...validityInWords(benchmark)],
    },
    boardHint: texts.boardHint(benchmark.board.judges !== null),
    dimensions: data.judges.map((one) =>
      dimensionScores(one.benchmark, one.names, texts.dimensionsHint(judgeInWords(one.judge))),
    ),
    sections: [conduct(data), judgesSection(data), contamination(data)],
  };
}

function conduct({ writers, language }: SiteData): FigureSection {
  const { conduct: heading, conductColumns, conductHint } = siteTexts(language);
  const share = (count: number, of: number) => (of === 0 ? UNKNOWN : `${((100 * count) / of).toFixed(1)} %`);
  const rows = writers.map(({ writer, rates, cost }) => [
    writer,
    rates.meanWords?.toFixed(0) ?? UNKNOWN,
    cost?.toFixed(2) ?? UNKNOWN,
    share(rates.refused, rates.asked),
    share(rates.unwritten - rates.refused, rates.asked),
    share(rates.cutOff, rates.asked),
    share(rates.offLength, rates.asked),
  ]);
  return tableSection(heading, conductColumns, rows, conductHint);
}

/** Agreement of every two judges, each judge's levels, steadiness and self-preference. */
function judgesSection(data: SiteData): FigureSection {
  const { benchmark, language } = data;
  const texts = siteTexts(language);
  const pairs = (benchmark.panel?.pairs ?? []).map(({ first, second, agreement: { spearman, kendall, writers } }) => [
    judgesInWords([first, second]).join(" · "),
    spearman.value?.toFixed(2) ?? UNKNOWN,
    kendall.value?.toFixed(2) ?? UNKNOWN,
    String(writers),
  ]);
  const { judges: sampled, ownFamily } = benchmark.board;
  const root = ({ variance }: { readonly variance: number }) => Math.sqrt(variance).toFixed(2);
  const inWords = ({ judge, advantage, interval }: (typeof ownFamily.advantages)[number]) =>
    `${judgeInWords(judge)} ${signedNumber(advantage, 2)}${interval ? ` (${signedInterval(interval)})` : ""}`;
  return {
    heading: texts.judges,
    tables: [
      ...(pairs.length > 0 ? [{ title: texts.agreement, headings: texts.agreementColumns, rows: pairs }] : []),
      ...eachJudge(benchmark),
      steadiness(data),
    ],
    hints: [
      ...(sampled ? [texts.judgesSampled(sampled.judges, root(sampled.writerByJudge), root(sampled.judge))] : []),
      ...(ownFamily.advantages.length > 0 ? [texts.ownFamilyHint(ownFamily.advantages.map(inWords))] : []),
    ],
  };
}

function steadiness({ benchmark, judges, language }: SiteData): FigureTable {
  const texts = siteTexts(language);
  const names = judgesInWords(judges.map(({ judge }) => judge));
  const rows = judges.map(({ judge, benchmark: own, stated, drift }, index) => {
    const last = drift.at(-1);
    const preference = benchmark.panel?.judges[index]?.selfPreference ?? own.selfPreference;
    const repeats = own.population.repeatability ?? [];
    const change = last?.interval ? ` (${signedInterval(last.interval)})` : "";
    return [
      { text: names[index]!, title: judge },
      stated.length === 0 ? UNKNOWN : texts.list(stated),
      String(repeats.length),
      repeats.length === 0 ? UNKNOWN : Math.max(...repeats.map((row) => row.interquartileRange)).toFixed(3),
      repeats.length === 0 ? UNKNOWN : mean(repeats.map(({ variance }) => variance)).toFixed(4),
      last ? texts.drift(signedNumber(last.change, 2), change, last.texts, last.date) : UNKNOWN,
      preference === null
        ? UNKNOWN
        : `${texts.list(preference.writers)}${preference.advantage === null || !preference.interval ? "" : ` ${signedNumber(preference.advantage, 2)} (${signedInterval(preference.interval)})`}`,
    ];
  });
  return { title: texts.steadiness, headings: texts.steadinessColumns, rows };
}

function contamination({ writers, language }: SiteData): FigureSection {
  const { contamination: heading, contaminationColumns, contaminationHint } = siteTexts(language);
  const split = (found: SplitDifference | null) =>
    found === null
      ? UNKNOWN
      : `${figure(found.difference)}${found.interval ? ` (${found.interval.map(figure).join(" … ")})` : ""}`;
  const rows = writers.map(({ writer, contamination: { overlap, cutOff, renamed, recognised } }) => [
    writer,
    overlap ? `${(100 * overlap.copied).toFixed(2)} %` : UNKNOWN,
    overlap ? { text: String(overlap.longest), title: overlap.passage.slice(0, 300) } : UNKNOWN,
    split(cutOff),
    split(renamed),
    recognised ? `${recognised.known} / ${recognised.asked}` : UNKNOWN,
  ]);
  return tableSection(heading, contaminationColumns, rows, contaminationHint);
}

import type { SplitDifference } from "../../../bench/contamination.ts";
import { isAtCeiling } from "../../../bench/validity.ts";
import { judgeInWords, judgesInWords, signedNumber } from "../../../core/wording.ts";
import { mean } from "../../../stats/distribution.ts";
import { escapeHtml, htmlFigure } from "../../markup.ts";
import { densityPlot, intervalDots, scatterPlot } from "../../plots/plots.ts";
import { populationInWords, signedInterval, validityInWords } from "../benchmark-table.ts";
import { dimensionHeatMap } from "../dimension-heat-map.ts";
import { pairMatrix, placedWritersPlot } from "../html-benchmark.ts";
import { reportWordsIn } from "../words.ts";
import { fileNames, paragraph, section, sitePage, table } from "./layout.ts";
import { type SiteData, type SiteWriter, withShownNames } from "./site-data.ts";
import { siteTexts } from "./texts.ts";

/** The first page: the table, and everything that says how far it can be believed. */
export function indexPage(given: SiteData): string {
  const texts = siteTexts(given.language);
  const judges = texts.list(judgesInWords(given.judges.map(({ judge }) => judge)));
  const data = withShownNames(given);
  const { benchmark, title } = data;
  const body = [
    `<header><div><h1>${escapeHtml(title)}</h1><p>${escapeHtml(texts.lead(benchmark.board.rows.length, benchmark.population.novels.length, judges))}</p></div></header>`,
    benchmark.warnings.length > 0 ? section(texts.first, list(benchmark.warnings, "warnings")) : "",
    section(
      texts.board,
      paragraph(texts.boardHint(benchmark.board.judges !== null)),
      searchField(data),
      boardTable(given),
      compositePlot(data),
    ),
    placedSection(data),
    costSection(data),
    section(
      texts.pairs,
      paragraph(texts.pairsHint),
      pairMatrix(benchmark.board, reportWordsIn(data.language)),
      paragraph(benchmark.board.comparisons.method),
    ),
    headToHeadSection(data),
    dimensionsSection(data),
    genreSection(data),
    conductSection(data),
    judgesSection(data),
    contaminationSection(data),
    section(texts.notes, list([populationInWords(benchmark), ...validityInWords(benchmark)], "checks")),
    section(texts.download, downloads(), `<h3>${texts.cite}</h3>`, '<p><a href="CITATION.cff">CITATION.cff</a></p>'),
  ];
  return sitePage(data, "board", body.filter(Boolean).join("\n"));
}

/** Shown by the page's script only: without it there is nothing that could search. */
function searchField({ language }: SiteData): string {
  const { search, sortHint } = siteTexts(language);
  return `<p class="search" hidden><label>${escapeHtml(search)} <input type="search" data-searches="board"></label> ${escapeHtml(sortHint)}</p>`;
}

function boardTable({ benchmark, language, writers }: SiteData): string {
  const texts = siteTexts(language);
  const { columns } = texts;
  const { board } = benchmark;
  const known = new Map(writers.map((writer) => [writer.writer, writer]));
  const files = fileNames(writers.map(({ writer }) => writer));
  const rows = board.rows.map((row) => {
    const about = known.get(row.writer);
    return [
      `${row.rank}. ${nameOf(row.writer, about, files)}`,
      `${figure(row.composite, 2)}${range(row.compositeInterval, 2)}`,
      isAtCeiling(row)
        ? `${row.level.toFixed(1)} ↑<small>${escapeHtml(texts.above)}</small>`
        : `${row.level.toFixed(1)}${range(row.interval, 1)}`,
      row.groups,
      String(row.novels),
      escapeHtml(about?.maker ?? texts.notMeasured),
      escapeHtml(about?.released ?? texts.notMeasured),
      about?.costPerBook == null ? texts.notMeasured : about.costPerBook.toFixed(2),
    ];
  });
  const anchors = benchmark.anchors;
  if (anchors) {
    rows.push([
      escapeHtml(reportWordsIn(language).anchors),
      texts.notMeasured,
      `${anchors.level.toFixed(1)}${range(anchors.interval, 1)}`,
      "",
      String(anchors.novels),
      ...["", "", ""],
    ]);
  }
  const { writer, composite, level, group, novels, maker, released, perBook } = columns;
  const head = [writer, composite, level, group, novels, maker, released, perBook];
  return table(texts.board, head, rows, "board");
}

/** As people call it, with its identity where that says more; it leads to its page. */
function nameOf(writer: string, about: SiteWriter | undefined, files: ReadonlyMap<string, string>): string {
  const name = escapeHtml(about?.name ?? judgeInWords(writer));
  const file = files.get(writer);
  const title = about?.name === undefined || about.name === writer ? "" : ` title="${escapeHtml(writer)}"`;
  return file === undefined
    ? `<span${title}>${name}</span>`
    : `<a href="writers/${encodeURIComponent(file)}.html"${title}>${name}</a>`;
}

/** Writers compared two by two; empty where nobody was. */
function headToHeadSection({ headToHead, language, writers }: SiteData): string {
  if (!headToHead) return "";
  const { duels, duelsHint, duelColumns, agrees } = siteTexts(language);
  const names = new Map(writers.map(({ writer, name }) => [writer, name ?? judgeInWords(writer)]));
  const rows = headToHead.rows.map(({ writer, rank, letters, strength, interval, won, meetings }) => [
    `${rank}. ${escapeHtml(names.get(writer) ?? writer)}`,
    `${figure(strength, 2)}${range(interval, 2)}`,
    letters,
    `${(100 * won).toFixed(0)} %`,
    String(Math.round(meetings)),
  ]);
  const people = headToHead.judges.flatMap(({ judge, withPeople }) =>
    withPeople ? [paragraph(agrees(judgeInWords(judge), withPeople.same, withPeople.of))] : [],
  );
  return section(duels, paragraph(duelsHint(headToHead.acrossJudges)), table(duels, duelColumns, rows), ...people);
}

/** The paper's Figure 1, and the lengths of what is compared. */
function placedSection({ benchmark, language, writers }: SiteData): string {
  const texts = siteTexts(language);
  const { population, board } = benchmark;
  const names = new Map(writers.map(({ writer, name }) => [writer, name ?? judgeInWords(writer)]));
  const plot = placedWritersPlot(
    population.novels.map(({ composite }) => composite),
    board.rows.map(({ writer, composite }) => ({ label: names.get(writer) ?? writer, score: composite })),
    texts.placed,
  );
  const human = population.novels.flatMap(({ words, chapters }) =>
    words === null || chapters === 0 ? [] : [words / chapters],
  );
  const written = board.rows.flatMap(({ meanWords }) => meanWords ?? []);
  const lengths =
    human.length === 0 || written.length === 0
      ? ""
      : paragraph(texts.lengths(mean(human).toFixed(0), mean(written).toFixed(0)));
  return section(texts.placed, htmlFigure(plot, texts.placedHint), lengths);
}

/** Empty where fewer than two prices are known. */
function costSection({ benchmark, language, writers }: SiteData): string {
  const texts = siteTexts(language);
  const composites = new Map(benchmark.board.rows.map(({ writer, composite }) => [writer, composite]));
  const points = writers.flatMap(({ writer, name, costPerBook }) => {
    const composite = composites.get(writer);
    return composite === undefined || costPerBook === null
      ? []
      : [{ x: costPerBook, y: composite, label: name ?? judgeInWords(writer) }];
  });
  if (points.length < 2 || points.every(({ x }) => x === 0)) return "";
  const { perBook, composite } = texts.columns;
  const plot = scatterPlot(points, { x: perBook, y: composite }, texts.costs, { named: true });
  return section(texts.costs, htmlFigure(plot, texts.costsHint));
}

function compositePlot({ benchmark, language, writers }: SiteData): string {
  const texts = siteTexts(language);
  const names = new Map(writers.map(({ writer, name }) => [writer, name ?? judgeInWords(writer)]));
  const { rows } = benchmark.board;
  const ends = rows.flatMap(({ composite, compositeInterval }) => compositeInterval ?? [composite]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const margin = (high - low) * 0.05 || 1;
  return htmlFigure(
    intervalDots(
      rows.map((row) => ({
        label: names.get(row.writer) ?? row.writer,
        value: row.composite,
        interval: row.compositeInterval ?? [row.composite, row.composite],
        note: row.groups,
      })),
      [low - margin, high + margin],
      texts.composites,
    ),
    "",
  );
}

function range(interval: readonly [number, number] | null, digits: number): string {
  return interval ? `<small>${figure(interval[0], digits)} – ${figure(interval[1], digits)}</small>` : "";
}

/** With a real minus, which stands apart from the dash of a range. */
function figure(value: number, digits: number): string {
  return value.toFixed(digits).replace("-", "−");
}

function list(items: readonly string[], name: string): string {
  return `<ul class="${name}">${items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`;
}

function downloads(): string {
  const files = [
    "leaderboard.csv",
    "leaderboard.json",
    "leaderboard.parquet",
    "pairs.csv",
    "scores.csv",
    "scores.parquet",
  ];
  return `<ul>${files.map((file) => `<li><a href="data/${file}">${file}</a></li>`).join("")}</ul>`;
}

/** Each judge's dimensions: a heat map of the writers, and the distribution of the human novels (the paper's Figure 4). */
function dimensionsSection({ judges, language }: SiteData): string {
  const texts = siteTexts(language);
  const parts = judges.flatMap(({ judge, benchmark, names }) => {
    const { population, board } = benchmark;
    const rows = board.rows.map(({ writer, dimensionMeans }) => ({ writer, scores: dimensionMeans }));
    const plots = names.map((name, index) =>
      densityPlot(
        population.novels.map(({ scores }) => scores[index]!),
        name,
        rows.map(({ scores }) => scores[index]!),
      ),
    );
    return [
      htmlFigure(dimensionHeatMap(names, rows, texts.dimensions), texts.dimensionsHint(judgeInWords(judge))),
      `<div class="grid-of-plots">${plots.join("")}</div>`,
    ];
  });
  return section(texts.dimensions, ...parts, paragraph(texts.distributions));
}

/** Levels within each genre; empty where no genre is known. */
function genreSection({ benchmark, language }: SiteData): string {
  const texts = siteTexts(language);
  const { genres, board } = benchmark;
  if (genres.length === 0) return "";
  const writers = board.rows.map(({ writer }) => writer);
  const rows = genres.map(({ genre, population, writers: own }) => [
    escapeHtml(genre),
    String(population),
    ...writers.map((writer) => {
      const found = own.find((row) => row.writer === writer);
      if (!found) return texts.notMeasured;
      const level = found.level === null ? "" : `${found.level.toFixed(1)} `;
      return `${level}<small>${figure(found.composite, 2)} (${found.novels})</small>`;
    }),
  ]);
  return section(texts.genres, table(texts.genres, [texts.genre, texts.humans, ...writers], rows));
}

function conductSection({ writers, language }: SiteData): string {
  const texts = siteTexts(language);
  const share = (count: number, of: number) => (of === 0 ? texts.notMeasured : `${((100 * count) / of).toFixed(1)} %`);
  const rows = writers.map(({ writer, name, rates, cost }) => [
    escapeHtml(name ?? judgeInWords(writer)),
    rates.meanWords === null ? texts.notMeasured : rates.meanWords.toFixed(0),
    cost === null ? texts.notMeasured : cost.toFixed(2),
    share(rates.refused, rates.asked),
    share(rates.unwritten - rates.refused, rates.asked),
    share(rates.cutOff, rates.asked),
    share(rates.offLength, rates.asked),
  ]);
  return section(texts.conduct, table(texts.conduct, texts.conductColumns, rows), paragraph(texts.conductHint));
}

/** Agreement of every two judges, each judge's levels, steadiness and self-preference. */
function judgesSection({ benchmark, judges, language }: SiteData): string {
  const texts = siteTexts(language);
  const number = (value: number | null | undefined, digits = 2) => value?.toFixed(digits) ?? texts.notMeasured;
  const pairs = (benchmark.panel?.pairs ?? []).map(({ first, second, agreement }) => [
    judgesInWords([first, second]).map(escapeHtml).join(" · "),
    number(agreement.spearman.value),
    number(agreement.kendall.value),
    String(agreement.writers),
  ]);
  const names = judgesInWords(judges.map(({ judge }) => judge));
  const steadiness = judges.map(({ judge, benchmark: own, stated, drift }, index) => {
    const last = drift.at(-1);
    const preference = benchmark.panel?.judges[index]?.selfPreference ?? own.selfPreference;
    const repeats = own.population.repeatability ?? [];
    const spreads = repeats.map(({ interquartileRange }) => interquartileRange);
    return [
      `<span title="${escapeHtml(judge)}">${escapeHtml(names[index]!)}</span>`,
      stated.length === 0 ? texts.notMeasured : stated.map(escapeHtml).join("<br>"),
      String(repeats.length),
      repeats.length === 0 ? texts.notMeasured : Math.max(...spreads).toFixed(3),
      repeats.length === 0 ? texts.notMeasured : mean(repeats.map(({ variance }) => variance)).toFixed(4),
      last
        ? escapeHtml(
            texts.drift(
              signedNumber(last.change, 2),
              last.interval ? ` (${signedInterval(last.interval)})` : "",
              last.texts,
              last.date,
            ),
          )
        : texts.notMeasured,
      preference === null
        ? texts.notMeasured
        : `${escapeHtml(preference.writers.join(", "))}${preference.advantage === null || !preference.interval ? "" : ` ${signedNumber(preference.advantage, 2)}<small>${signedInterval(preference.interval)}</small>`}`,
    ];
  });
  const levels = judges.flatMap(({ benchmark: own }, index) =>
    own.board.rows.map(({ writer, composite, level, groups }) => ({
      writer,
      index,
      composite,
      level,
      groups,
    })),
  );
  const byWriter = benchmark.board.rows.map(({ writer }) => [
    escapeHtml(writer),
    ...judges.map((_, index) => {
      const row = levels.find((one) => one.writer === writer && one.index === index);
      return row
        ? `${figure(row.composite, 2)} ${row.groups}<small>${row.level.toFixed(1)}</small>`
        : texts.notMeasured;
    }),
  ]);
  const isChinese = language === "zh";
  const { judges: sampled, ownFamily } = benchmark.board;
  const root = ({ variance }: { readonly variance: number }) => Math.sqrt(variance).toFixed(2);
  const inWords = ({ judge, advantage, interval }: (typeof ownFamily.advantages)[number]) =>
    `${judgeInWords(judge)} ${signedNumber(advantage, 2)}${interval ? ` (${signedInterval(interval)})` : ""}`;
  return section(
    texts.judges,
    paragraph(texts.judgesHint),
    pairs.length > 0
      ? table(
          texts.judges,
          isChinese
            ? ["两位评判", "斯皮尔曼 ρ", "肯德尔 τ", "作者数"]
            : ["Judges", "Spearman ρ", "Kendall τ", "Writers"],
          pairs,
        )
      : "",
    ...(judges.length > 1
      ? [table(texts.judges, [texts.columns.writer, ...names], byWriter), paragraph(texts.eachJudgeHint)]
      : []),
    table(texts.judges, texts.steadinessColumns, steadiness),
    sampled ? paragraph(texts.judgesSampled(sampled.judges, root(sampled.writerByJudge), root(sampled.judge))) : "",
    ownFamily.advantages.length === 0 ? "" : paragraph(texts.ownFamilyHint(ownFamily.advantages.map(inWords))),
  );
}

function contaminationSection({ writers, language }: SiteData): string {
  const texts = siteTexts(language);
  const split = (difference: SplitDifference | null) =>
    difference === null ? texts.notMeasured : `${figure(difference.difference, 2)}${range(difference.interval, 2)}`;
  const rows = writers.map(({ writer, name, contamination: { overlap, cutOff, renamed, recognised } }) => [
    escapeHtml(name ?? judgeInWords(writer)),
    overlap ? `${(100 * overlap.copied).toFixed(2)} %` : texts.notMeasured,
    overlap
      ? `<span title="${escapeHtml(overlap.passage.slice(0, 300))}">${overlap.longest}</span>`
      : texts.notMeasured,
    split(cutOff),
    split(renamed),
    recognised ? `${recognised.known} / ${recognised.asked}` : texts.notMeasured,
  ]);
  return section(
    texts.contamination,
    table(texts.contamination, texts.contaminationColumns, rows),
    paragraph(texts.contaminationHint),
  );
}

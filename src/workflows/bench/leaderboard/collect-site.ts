import { setImmediate } from "node:timers/promises";
import { benchFiles, chosenChapterSchema, type WrittenRow } from "../../../bench/bench-folder.ts";
import { benchmarkWriters } from "../../../bench/benchmark-writers.ts";
import { cutOffSplit, renamedDifference, type TextOverlap, textOverlap } from "../../../bench/contamination.ts";
import { hasDrifted } from "../../../bench/drift.ts";
import type { FrozenBenchmark } from "../../../bench/frozen.ts";
import type { ReferencePopulation } from "../../../bench/population/reference-population.ts";
import type { ScoredChapter } from "../../../bench/scored-chapter.ts";
import { wordsIn } from "../../../bench/words.ts";
import { placedNovels } from "../../../bench/writers/placed-novels.ts";
import { conductWarnings } from "../../../bench/writing.ts";
import { jsonLines } from "../../../core/json-lines.ts";
import { seededRandom } from "../../../core/random.ts";
import { fabulaVersion } from "../../../core/version.ts";
import { signedNumber } from "../../../core/wording.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import { costOf, type PriceTable, priceOf } from "../../../models/prices.ts";
import type { SiteData, SiteSample, SiteWriter } from "../../../report/bench/site/site-data.ts";
import { siteTexts } from "../../../report/bench/site/texts.ts";
import { sum } from "../../../stats/distribution.ts";
import { novelFacts } from "../folder.ts";
import type { WriterRun } from "../run.ts";
import { writingInWords } from "../writers.ts";
import type { LeaderboardOptions } from "./leaderboard-options.ts";
import type { MadeLeaderboard } from "./make-leaderboard.ts";

type NeededOptions =
  | ("folder" | "prompts" | "wholeNumbers" | "chapters" | "synopsisModel" | "repeats" | "seed")
  | ("maximumTokens" | "temperature" | "words" | "onProgress" | "signal");

export interface SiteOptions extends Pick<LeaderboardOptions, NeededOptions> {
  readonly title: string;
  readonly date: string;
  readonly prices: PriceTable;
  /** The prompts as they were kept; by default they are read where they are now. */
  readonly keptPrompts?: SiteData["methods"]["prompts"];
  /** What writers repeat of the originals, where that was measured before; by default it is measured. */
  readonly overlaps?: ReadonlyMap<string, TextOverlap>;
  /** The frozen benchmark that it is the site of. */
  readonly frozen?: FrozenBenchmark;
}

/** Everything that the site shows, out of what the leaderboard was made of. */
export async function collectSite(made: MadeLeaderboard, options: SiteOptions): Promise<SiteData> {
  const { populations, runs } = made;
  const population = populations.at(-1)!;
  const chapters = runs.flatMap((run) => run.chapters);
  const random = () => seededRandom(options.seed);
  const ofJudges = populations.slice(0, Math.max(1, populations.length - 1));
  const step = progressOf(options, ofJudges.length + 1 + runs.length);
  const judges: SiteData["judges"][number][] = [];
  for (const [index, own] of ofJudges.entries()) {
    await step();
    const rubric = await loadRubric(own.judge.id === "grader" ? "grader" : made.rubric);
    const names = own.dimensions.map((id) => rubric.criteria.find((criterion) => criterion.id === id)?.name ?? id);
    const opinion = opinionOf(chapters, population, index);
    const record = made.records.get(own.judge.id) ?? { stated: [], drift: [] };
    judges.push({ judge: own.judge.id, benchmark: benchmarkWriters(opinion, own, random()), names, ...record });
  }
  await step();
  const benchmark = benchmarkWriters(chapters, population, random());
  const order = new Map(benchmark.board.rows.map(({ writer }, rank) => [writer, rank]));
  const writers = await siteWriters(made, options, step);
  writers.sort((left, right) => (order.get(left.writer) ?? 1e9) - (order.get(right.writer) ?? 1e9));
  const warnings = [
    ...benchmark.warnings,
    ...driftWarnings(judges, population.language),
    ...conductWarnings(writers, population.language),
  ];
  return {
    title: options.title,
    language: population.language === "zh" ? "zh" : "en",
    date: options.date,
    version: fabulaVersion(),
    benchmark: { ...benchmark, warnings },
    judges,
    writers,
    samples: samplesOf(runs, populations, population),
    methods: await methodsOf(made, options),
  };
}

/** Judges whose scores of the same texts have moved, by their last round. */
function driftWarnings(judges: SiteData["judges"], language: string | undefined): string[] {
  return judges.flatMap(({ judge, drift }) => {
    const last = drift.at(-1);
    if (!last || !hasDrifted(last)) return [];
    return [wordsIn(language).warnings.drifted(judge, signedNumber(last.change, 2), last.texts, last.date)];
  });
}

/** What one judge said, as chapters in the order of its own dimensions. */
function opinionOf(
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  judge: number,
): ScoredChapter[] {
  if (!population.panel) return [...chapters];
  const size = population.panel[judge]!.dimensions.length;
  return chapters.map((chapter) => ({
    ...chapter,
    scores: chapter.seatScores?.[judge] ?? Array.from({ length: size }, () => null),
  }));
}

/** Says that the next step begins; the work of a step holds the thread, so the terminal and a Ctrl-C get their turn here. */
function progressOf({ onProgress, signal }: SiteOptions, total: number): () => Promise<void> {
  let done = 0;
  return async () => {
    onProgress?.({ stage: "Building the site", done: done++, total });
    await setImmediate();
    signal.throwIfAborted();
  };
}

async function siteWriters(
  made: MadeLeaderboard,
  options: SiteOptions,
  step: () => Promise<void>,
): Promise<SiteWriter[]> {
  const { runs, renamed, populations } = made;
  const population = populations.at(-1)!;
  const years = new Map<string, number>();
  for await (const { novel, year } of novelFacts(options.folder)) if (year) years.set(novel, year);
  const originals = options.overlaps ? new Map<string, string>() : await originalsOf(options.folder, runs);
  const writers: SiteWriter[] = [];
  for (const [index, run] of runs.entries()) {
    await step();
    const [own] = placedNovels(run.chapters, population);
    const [other] = placedNovels(renamed[index]?.chapters ?? [], population);
    const { cutOff, name, maker, date } = run.listed;
    const cost = costOfWriting(run.written, run.listed.model, options.prices);
    const books = new Set(run.written.map(({ novel }) => novel)).size;
    writers.push({
      writer: run.name,
      model: run.listed.model,
      ...(name !== undefined && { name }),
      ...(maker !== undefined && { maker }),
      ...(date !== undefined && { released: date }),
      rates: run.rates,
      cost,
      costPerBook: cost === null || books === 0 ? null : cost / books,
      contamination: {
        overlap: options.overlaps?.get(run.name) ?? textOverlap(writtenBesideOriginal(run.written, originals)),
        cutOff: own && cutOff !== null ? cutOffSplit(own.novels, (novel) => years.get(novel) ?? null, cutOff) : null,
        renamed: own && other ? renamedDifference(own.novels, other.novels) : null,
        recognised: made.recognised.get(run.listed.model) ?? null,
      },
    });
  }
  return writers;
}

/** The originals of what was written, by novel and chapter. */
export async function originalsOf(
  folder: string,
  runs: readonly Pick<WriterRun, "written">[],
): Promise<Map<string, string>> {
  const wanted = new Set(runs.flatMap(({ written }) => written.map(keyOf)));
  const originals = new Map<string, string>();
  for await (const chapter of jsonLines(benchFiles(folder).chapters, chosenChapterSchema)) {
    if (wanted.has(keyOf(chapter))) originals.set(keyOf(chapter), chapter.text);
  }
  return originals;
}

export function* writtenBesideOriginal(written: readonly WrittenRow[], originals: ReadonlyMap<string, string>) {
  for (const row of written) {
    const original = originals.get(keyOf(row));
    if (row.text !== null && original !== undefined) yield { written: row.text, original };
  }
}

function keyOf({ novel, chapter }: { readonly novel: string; readonly chapter: number }): string {
  return `${novel}\n${chapter}`;
}

function costOfWriting(rows: readonly WrittenRow[], model: string, prices: PriceTable): number | null {
  const price = priceOf(prices, model);
  if (!price) return null;
  return sum(
    rows.map(({ inputTokens = 0, outputTokens = 0 }) =>
      costOf(price, { inputTokens, outputTokens, cachedInputTokens: 0, reasoningTokens: 0 }),
    ),
  );
}

/** One chapter of each writer, of the first novel that all have written. */
function samplesOf(
  runs: MadeLeaderboard["runs"],
  populations: readonly ReferencePopulation[],
  population: ReferencePopulation,
): SiteSample[] {
  const scoredBy = (run: Pick<WriterRun, "chapters">) => new Set(run.chapters.map(keyOf));
  const [first, ...others] = runs.map(scoredBy);
  const shared = [...(first ?? [])].find((key) => others.every((keys) => keys.has(key)));
  return runs.flatMap((run) => {
    const chapter = run.chapters.find((one) => shared === undefined || keyOf(one) === shared);
    const row = chapter && run.written.find((one) => keyOf(one) === keyOf(chapter));
    if (!chapter || !row || row.text === null) return [];
    const scores = population.panel
      ? population.panel.map(({ judge }, index) => ({ judge: judge.id, scores: chapter.seatScores?.[index] ?? [] }))
      : [{ judge: populations[0]!.judge.id, scores: chapter.scores }];
    return [{ writer: run.name, novel: chapter.novel, chapter: chapter.chapter, text: row.text, scores }];
  });
}

async function methodsOf(
  { rubric, populations, runs, records }: MadeLeaderboard,
  options: SiteOptions,
): Promise<SiteData["methods"]> {
  const { criteria, language } = await loadRubric(rubric);
  const prompts =
    options.keptPrompts ??
    (await Promise.all(
      ["bench-synopsis", "bench-write", options.wholeNumbers ? "bench-score-whole" : "bench-score"].map(
        async (name) => {
          const { hash, sections } = await options.prompts(name, language);
          return {
            name,
            hash: hash.slice(0, 12),
            text: sections.map(({ role, body }) => `# ${role}\n\n${body}`).join("\n\n"),
          };
        },
      ),
    ));
  const last = populations.at(-1)!;
  const texts = siteTexts(last.language === "zh" ? "zh" : "en");
  const names = texts.settingNames;
  return {
    criteria: criteria.map(({ name, definition }) => ({ name, definition })),
    prompts,
    settings: [
      [names.corpus, texts.corpus(last.corpus.novels, last.corpus.hash.slice(0, 12))],
      [names.chapters, String(options.chapters)],
      [names.written, String(new Set(runs.flatMap(({ written }) => written.map(({ novel }) => novel))).size)],
      [names.synopses, options.synopsisModel],
      [names.writing, writingInWords(options)],
      [names.rubric, `${rubric} ${(populations[0]?.rubric.hash ?? "").slice(0, 12)}`],
      ...populations
        .slice(0, Math.max(1, populations.length - 1))
        .map(({ judge, prompt, settings }): [string, string] => {
          const { stated } = records.get(judge.id) ?? { stated: [] };
          const version = stated.length > 0 ? stated.join(", ") : texts.unstated;
          return [
            names.judge(judge.id),
            [version, ...(prompt ? [`prompt ${prompt}`] : []), ...(settings ? [settings] : [])].join(", "),
          ];
        }),
      [names.repeats, String(options.repeats)],
      [names.seed, String(options.seed)],
    ],
  };
}

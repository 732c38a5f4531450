import { setImmediate } from "node:timers/promises";
import { benchFiles, chosenChapterSchema, type WrittenRow } from "../../../bench/bench-folder.ts";
import { benchmarkWriters } from "../../../bench/benchmark-writers.ts";
import {
  cutOffSplit,
  renamedDifference,
  type TextOverlap,
  textOverlaps,
  type WrittenFromOriginal,
} from "../../../bench/contamination.ts";
import { hasDrifted } from "../../../bench/drift.ts";
import type { FrozenBenchmark } from "../../../bench/frozen.ts";
import type { ScoredChapter } from "../../../bench/population/novel-scores.ts";
import type { ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { wordsIn } from "../../../bench/words.ts";
import { placedNovels } from "../../../bench/writers/placed-novels.ts";
import { conductWarnings } from "../../../bench/writing.ts";
import { groupBy } from "../../../core/group-by.ts";
import { jsonLines } from "../../../core/json-lines.ts";
import type { ProgressListener } from "../../../core/progress.ts";
import { seededRandom } from "../../../core/random.ts";
import { fabulaVersion } from "../../../core/version.ts";
import { signedNumber } from "../../../core/wording.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import { costOf, type PriceTable, priceOf } from "../../../models/prices.ts";
import type { SiteData, SiteWriter } from "../../../report/bench/site/site-data.ts";
import { siteTexts } from "../../../report/bench/site/texts.ts";
import { sum } from "../../../stats/distribution.ts";
import { novelFacts } from "../folder.ts";
import { headToHeadIn } from "../run-duels.ts";
import type { LeaderboardOptions, MadeLeaderboard } from "./make-leaderboard.ts";

type NeededOptions =
  | ("folder" | "prompts" | "wholeNumbers" | "chapters" | "synopsisModel" | "repeats" | "seed")
  | ("maximumTokens" | "temperature" | "words" | "onProgress" | "signal");

export interface SiteOptions extends Pick<LeaderboardOptions, NeededOptions> {
  readonly title: string;
  readonly date: string;
  readonly prices: PriceTable;
  /** The prompts stored with a frozen benchmark; the current ones by default. */
  readonly keptPrompts?: SiteData["methods"]["prompts"];
  /** Overlaps with the originals that were measured earlier; measured now by default. */
  readonly overlaps?: ReadonlyMap<string, TextOverlap>;
  /** The frozen benchmark, when the site is made from one. */
  readonly frozen?: FrozenBenchmark;
}

/** Collects everything the site shows from the leaderboard's data. */
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
  const duels = await headToHeadIn(options.folder);
  const order = new Map(benchmark.board.rows.map(({ writer }, rank) => [writer, rank]));
  const writers = await siteWriters(made, options, step);
  writers.sort((left, right) => (order.get(left.writer) ?? 1e9) - (order.get(right.writer) ?? 1e9));
  const warnings = [
    ...benchmark.warnings,
    ...versionWarnings(judges, population.language),
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
    headToHead: duels?.board ?? null,
    methods: await methodsOf(made, options),
  };
}

/**
 * Warns about judges that changed midway: once a provider points a name to another model, it is no longer the judge
 * that built the population.
 */
function versionWarnings(judges: SiteData["judges"], language: string | undefined): string[] {
  return judges.flatMap(({ judge, stated }) =>
    stated.length < 2 ? [] : [wordsIn(language).warnings.versionChanged(judge, stated)],
  );
}

/** Warns about judges whose scores of the same texts had moved by their last round. */
function driftWarnings(judges: SiteData["judges"], language: string | undefined): string[] {
  return judges.flatMap(({ judge, drift }) => {
    const last = drift.at(-1);
    if (!last || !hasDrifted(last)) return [];
    return [wordsIn(language).warnings.drifted(judge, signedNumber(last.change, 2), last.texts, last.date)];
  });
}

/** One judge's scores as chapters, in the order of its own dimensions. */
function opinionOf(
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  judge: number,
): ScoredChapter[] {
  if (!population.panel) return [...chapters];
  const size = population.panel[judge]!.dimensions.length;
  return chapters.map((chapter) => ({
    ...chapter,
    scores: chapter.scoresByJudge?.[judge] ?? Array.from({ length: size }, () => null),
  }));
}

/** Announces the next step. A step blocks the thread, so this is when the terminal can redraw and Ctrl-C is noticed. */
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
  const overlaps =
    options.overlaps ??
    (await measuredOverlaps(
      options.folder,
      runs.flatMap(({ written }) => written),
      options,
    ));
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
        overlap: overlaps.get(run.name) ?? null,
        cutOff: own && cutOff !== null ? cutOffSplit(own.novels, (novel) => years.get(novel) ?? null, cutOff) : null,
        renamed: own && other ? renamedDifference(own.novels, other.novels) : null,
        recognised: made.recognised.get(run.listed.model) ?? null,
      },
    });
  }
  return writers;
}

/** Measures what each writer copies from the originals in a folder. */
export async function measuredOverlaps(
  folder: string,
  written: readonly WrittenRow[],
  { onProgress, signal }: { readonly onProgress?: ProgressListener; readonly signal?: AbortSignal } = {},
): Promise<Map<string, TextOverlap>> {
  const byChapter = groupBy(
    written.flatMap(({ text, ...row }) => (text === null ? [] : [{ ...row, text }])),
    keyOf,
  );
  async function* pairs(): AsyncGenerator<WrittenFromOriginal> {
    let done = 0;
    for await (const chapter of jsonLines(benchFiles(folder).chapters, chosenChapterSchema)) {
      const texts = byChapter.get(keyOf(chapter));
      if (!texts) continue;
      signal?.throwIfAborted();
      onProgress?.({ stage: "Comparing with the originals", done: done++, total: byChapter.size });
      // Comparing blocks the thread: this lets the terminal redraw and Ctrl-C be noticed.
      await setImmediate();
      yield { original: chapter.text, texts };
    }
  }
  return textOverlaps(pairs());
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
      [names.writing, texts.writing(options)],
      [names.rubric, `${rubric} ${(populations[0]?.rubric.hash ?? "").slice(0, 12)}`],
      ...populations
        .slice(0, Math.max(1, populations.length - 1))
        .map(({ judge, prompt, settings }): [string, string] => {
          const { stated } = records.get(judge.id) ?? { stated: [] };
          const version = stated.length > 0 ? texts.list(stated) : texts.unstated;
          return [names.judge(judge.id), texts.judging(version, prompt, settings)];
        }),
      [names.repeats, String(options.repeats)],
      [names.seed, String(options.seed)],
    ],
  };
}

import type { SynopsisRow } from "../../../bench/bench-folder.ts";
import type { ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { contentHash } from "../../../core/hash.ts";
import { seededRandom } from "../../../core/random.ts";
import type { Run } from "../../../runner/open-run.ts";
import { corpusFiles } from "../corpus.ts";
import { refuseForeignCorpus } from "../english-only.ts";
import { novelFacts } from "../folder/folder-facts.ts";
import { defaultRubric } from "../folder/rubric-of-folder.ts";
import { prepareBench } from "../prepare.ts";
import { runWriter, type WriterRun } from "../run.ts";
import { scorerNamed } from "../scorer.ts";
import { scoreEach } from "../scoring.ts";
import { makeSynopses } from "../synopses/make-synopses.ts";
import { sampleNovels, writeChapters } from "../writers.ts";
import { buildOnce } from "./build-once.ts";
import { corpusFacts } from "./corpus-facts.ts";
import { DoneOnce } from "./done-once.ts";
import type { LeaderboardOptions } from "./leaderboard-options.ts";
import { probeWriters, type Recognised } from "./probe-writers.ts";
import { renamedSynopses } from "./renamed-synopses.ts";
import type { ListedWriter } from "./writer-list.ts";

export interface MadeLeaderboard {
  readonly rubric: string;
  /** Each judge's own, and with several judges the panel's last. */
  readonly populations: readonly ReferencePopulation[];
  readonly runs: readonly (WriterRun & { readonly listed: ListedWriter })[];
  readonly renamed: readonly WriterRun[];
  /** Novels that each writer recognised, by its model; empty when it was not asked. */
  readonly recognised: ReadonlyMap<string, Recognised>;
}

/**
 * Prepare, build, synopses, writing, scoring: every step is done once and again only when what it rests on has changed, and
 * every call is kept, so a new writer costs only that writer and a run that was killed goes on where it was. Null for a
 * dry run.
 */
export async function makeLeaderboard(run: Run, options: LeaderboardOptions): Promise<MadeLeaderboard | null> {
  const { folder } = options;
  const files = await corpusFiles(options.corpus);
  if (options.judges.includes("pocket")) await refuseForeignCorpus(files, options.signal);
  const prepared = await prepareOnce(files, options);
  const rubric = options.rubric ?? (await defaultRubric(folder));
  const populations = await buildOnce(run, { ...options, rubric, prepared });
  const population = populations.at(-1) ?? null;
  const novels = await chosenNovels(options, population);
  const synopses = await makeSynopses(run, {
    ...options,
    model: options.synopsisModel,
    leakLimit: 0.1,
    attempts: 3,
    novels,
  });
  const recognised = options.probe ? await probeWriters(run, { ...options, novels }) : new Map<string, Recognised>();
  const variants = options.renamed ? await renamedSynopses(run, synopses, options) : null;
  if (population === null || run.dryRun) {
    await planWriting(run, options, rubric, [synopses, ...(variants ? [variants] : [])]);
    return null;
  }
  const runs: (WriterRun & { listed: ListedWriter })[] = [];
  const renamed: WriterRun[] = [];
  for (const listed of options.writers) {
    const work = { ...options, rubric, population, writer: listed.model };
    runs.push({ ...(await runWriter(run, { ...work, synopses })), listed });
    if (variants) renamed.push(await runWriter(run, { ...work, synopses: variants, variant: "renamed" }));
  }
  return { rubric, populations, runs, renamed, recognised };
}

/** Chooses chapters once; again when a book of the corpus or an option has changed. Returns what identifies the result. */
async function prepareOnce(files: readonly string[], options: LeaderboardOptions): Promise<string> {
  const done = await DoneOnce.in(options.folder);
  const facts = await corpusFacts(files);
  const { chapters, minimumWorks, similarity, seed, list } = options;
  const key = contentHash({ facts, chapters, minimumWorks, similarity, seed, list: list?.hash ?? null });
  if (done.isDone("prepare", key)) return key;
  const { novels, excluded, warnings } = await prepareBench({
    files,
    folder: options.folder,
    chapters,
    minimumWorks,
    similarity,
    seed,
    signal: options.signal,
    ...(list && { list }),
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
  for (const { file, warning } of warnings.slice(0, 20)) options.onNote(`${file}: ${warning}`);
  options.onNote(`${novels} novels are prepared, ${excluded.length} left out: the reasons are in the manifest.`);
  await done.note("prepare", key);
  return key;
}

/** As many novels as are to be written, from all over the population, so that only those are retold. */
async function chosenNovels(
  { folder, novels, seed }: LeaderboardOptions,
  population: ReferencePopulation | null,
): Promise<Set<string>> {
  const names: string[] = [];
  for await (const { novel } of novelFacts(folder)) names.push(novel);
  return new Set(sampleNovels(names, { novels, population, random: seededRandom(seed) }));
}

/** A dry run has no population yet: it counts what writing and scoring would ask. */
async function planWriting(
  run: Run,
  options: LeaderboardOptions,
  rubric: string,
  versions: readonly (readonly SynopsisRow[])[],
): Promise<void> {
  const scorers = await Promise.all(options.judges.map((judge) => scorerNamed(judge, { ...options, rubric }, run)));
  for (const { model } of options.writers) {
    for (const synopses of versions) {
      const written = await writeChapters(run, {
        ...options,
        writer: model,
        rubric: scorers[0]!.rubric,
        synopses,
        population: null,
        random: seededRandom(options.seed),
      });
      const texts = written.flatMap((row) => (row.text === null ? [] : [{ ...row, text: row.text }]));
      const work = { ...options, concurrency: run.concurrency, total: texts.length };
      for (const scorer of scorers) for await (const _ of scoreEach(texts, scorer, work));
    }
  }
}

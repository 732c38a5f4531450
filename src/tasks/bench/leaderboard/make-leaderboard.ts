import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { benchFiles, chosenChapterSchema, RENAMED, type SynopsisRow } from "../../../bench/bench-folder.ts";
import type { DriftRound } from "../../../bench/drift.ts";
import { UNKNOWN_WRITER } from "../../../bench/population/novel-scores.ts";
import { panelId } from "../../../bench/population/panel.ts";
import { loadPopulation, type ReferencePopulation } from "../../../bench/population/reference-population.ts";
import type { ChapterScorer } from "../../../bench/scoring.ts";
import type { Synopsis } from "../../../bench/synopsis.ts";
import { writeWholeFile } from "../../../core/files.ts";
import { contentHash } from "../../../core/hash.ts";
import { jsonLines } from "../../../core/json-lines.ts";
import type { ProgressListener } from "../../../core/progress.ts";
import { seededRandom } from "../../../core/random.ts";
import { makeNameMap, type Replacement, replaceNames } from "../../../judge/anonymise.ts";
import { recognise } from "../../../judge/probe/recognise.ts";
import { promptLanguage } from "../../../prompts/load-prompt.ts";
import type { PromptSource } from "../../../prompts/own-prompts.ts";
import { mapBounded } from "../../../runner/map-bounded.ts";
import type { Run } from "../../../runner/open-run.ts";
import { buildPopulations } from "../build.ts";
import { corpusFiles } from "../corpus.ts";
import { refuseForeignCorpus } from "../english-only.ts";
import { defaultRubric, type NovelList, novelFacts, rubricInNames } from "../folder.ts";
import { keepRecognised, type Recognised, writeCards, writerCards } from "../frozen/files.ts";
import { makeSynopses } from "../make-synopses.ts";
import { prepareBench } from "../prepare.ts";
import type { RepeatCheckOptions } from "../repeats.ts";
import { runWriter, type WriterRun } from "../run.ts";
import { scorerNamed } from "../scorer.ts";
import { scoreEach } from "../scoring.ts";
import { extendedDraw, writeChapters } from "../write-chapters.ts";
import type { ListedWriter } from "./writer-list.ts";

export interface LeaderboardOptions {
  /** The books: files and folders. */
  readonly corpus: readonly string[];
  /** Where the benchmark is kept between runs. */
  readonly folder: string;
  readonly writers: readonly ListedWriter[];
  readonly judges: readonly string[];
  /** The one the folder already uses, by default. */
  readonly rubric: string | undefined;
  readonly prompts: PromptSource;
  /** Whether the judges give whole-number scores, as in the paper. */
  readonly wholeNumbers: boolean;
  readonly synopsisModel: string;
  readonly chapters: number;
  readonly novels: number;
  readonly minimumWorks: number;
  readonly similarity: number;
  readonly list: NovelList | null;
  readonly anchors: string | null;
  readonly repeats: number;
  readonly check: RepeatCheckOptions;
  readonly maximumTokens: number;
  readonly temperature: number;
  readonly words: number;
  /** Also have every writer write with changed names, to see how much remembering a novel helps. */
  readonly renamed: boolean;
  /** Also ask every writer which of the novels it recognises. */
  readonly probe: boolean;
  readonly description: string;
  readonly seed: number;
  readonly onNote: (note: string) => void;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

/**
 * Records in the benchmark's folder which inputs each step was last done with; a step is repeated when its inputs
 * change.
 */
class DoneOnce {
  readonly #path: string;
  #keys: Readonly<Record<string, string>>;

  private constructor(path: string, keys: Readonly<Record<string, string>>) {
    this.#path = path;
    this.#keys = keys;
  }

  static async in(folder: string): Promise<DoneOnce> {
    const path = join(folder, "steps.json");
    try {
      return new DoneOnce(path, JSON.parse(await readFile(path, "utf8")) as Record<string, string>);
    } catch {
      return new DoneOnce(path, {});
    }
  }

  isDone(step: string, key: string): boolean {
    return this.#keys[step] === key;
  }

  /** The value that a step recorded, if any. */
  valueOf(step: string): string | null {
    return this.#keys[step] ?? null;
  }

  async note(step: string, key: string): Promise<void> {
    this.#keys = { ...this.#keys, [step]: key };
    await writeWholeFile(this.#path, `${JSON.stringify(this.#keys, null, 2)}\n`);
  }
}

const PASSAGE_CHARACTERS = 3000;

/** Shows every writer a passage of each novel that is written, without its title, and asks whether it knows the original. */
async function probeWriters(
  run: Run,
  {
    folder,
    writers,
    novels,
    signal,
  }: {
    readonly folder: string;
    readonly writers: readonly ListedWriter[];
    readonly novels: ReadonlySet<string>;
    readonly signal: AbortSignal;
  },
): Promise<ReadonlyMap<string, Recognised>> {
  const passages = new Map<string, { text: string; title: string; author: string; language: string | null }>();
  for await (const chapter of jsonLines(benchFiles(folder).chapters, chosenChapterSchema)) {
    const { novel, text, title, writer: author, language } = chapter;
    if (novels.has(novel) && !passages.has(novel))
      passages.set(novel, { text: text.slice(0, PASSAGE_CHARACTERS), title, author, language });
  }
  const found = new Map<string, Recognised>();
  for (const { model: name } of writers) {
    const model = await run.model(name);
    const answers = await mapBounded([...passages.values()], run.concurrency, ({ text, title, author, language }) =>
      recognise(
        model,
        text,
        { title, author: author === UNKNOWN_WRITER ? null : author },
        promptLanguage(language),
        signal,
      ),
    );
    const read = answers.flatMap((answer) => (answer.kind === "answered" ? [answer.value] : []));
    found.set(name, { known: read.filter(({ recognised }) => recognised).length, asked: read.length });
  }
  return found;
}

/** What a site needs of a writer's run. */
export interface PlacedRun
  extends Pick<WriterRun, "name" | "rates" | "written" | "chapters" | "scores" | "unwritten" | "unscored"> {
  readonly listed: ListedWriter;
}

export interface MadeLeaderboard {
  readonly rubric: string;
  /** Each judge's own population and, with several judges, the panel's last. */
  readonly populations: readonly ReferencePopulation[];
  readonly runs: readonly PlacedRun[];
  readonly renamed: readonly Pick<WriterRun, "chapters">[];
  /** Novels that each writer's model recognised, by model; empty when this was not asked. */
  readonly recognised: ReadonlyMap<string, Recognised>;
  /** What is known about the judges besides their scores. */
  readonly records: ReadonlyMap<string, JudgeRecord>;
}

export interface JudgeRecord {
  /** The model versions stated in its replies, in the order of their first appearance. */
  readonly stated: readonly string[];
  /** How its scores of the anchor texts have moved. */
  readonly drift: readonly DriftRound[];
}

/** Reads the model versions that a judge's replies stated from its files of scores. */
export async function statedVersions(files: readonly string[]): Promise<string[]> {
  const stated = new Set<string>();
  for (const file of files) {
    if (!existsSync(file)) continue;
    for await (const row of jsonLines(file, statedSchema)) if (row.stated !== undefined) stated.add(row.stated);
  }
  return [...stated];
}

const statedSchema = z.looseObject({ stated: z.string().optional() });

/**
 * Prepares, builds, retells, writes and scores. A step is repeated only if its inputs have changed, and every call is
 * stored, so adding a writer costs only that writer, and an interrupted run continues where it stopped. Null for a
 * dry run.
 */
export async function makeLeaderboard(run: Run, options: LeaderboardOptions): Promise<MadeLeaderboard | null> {
  const { folder } = options;
  const files = await corpusFiles(options.corpus);
  if (options.judges.includes("grader")) await refuseForeignCorpus(files, options.signal);
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
  const renamedRows = options.renamed ? await renamedSynopses(run, synopses, options) : [];
  // If no novel could be renamed there is nothing to compare, and the board goes without that check.
  const variants = renamedRows.some(({ synopsis }) => synopsis !== null) ? renamedRows : null;
  if (population === null || run.dryRun) {
    await planWriting(run, options, rubric, [synopses, ...(variants ? [variants] : [])]);
    return null;
  }
  const runs: (WriterRun & PlacedRun)[] = [];
  const renamed: WriterRun[] = [];
  for (const listed of options.writers) {
    const work = { ...options, rubric, population, writer: listed.model };
    runs.push({ ...(await runWriter(run, { ...work, synopses })), listed });
    if (variants) renamed.push(await runWriter(run, { ...work, synopses: variants, variant: RENAMED }));
  }
  // The web app and frozen benchmarks show these names.
  const listed = new Map(runs.map((one) => [one.name, { writer: one.name, ...one.listed }]));
  const others = (await writerCards(folder)).filter(({ writer }) => !listed.has(writer));
  await writeCards(folder, [...others, ...listed.values()]);
  await keepRecognised(folder, recognised);
  const records = new Map<string, JudgeRecord>();
  for (const [index, judge] of options.judges.entries()) {
    const variant = await rubricInNames(folder, judge, populations[index]!.rubric.id);
    const own = [benchFiles(folder).scores(judge, variant), ...runs.flatMap(({ scores }) => scores[index] ?? [])];
    records.set(judge, { stated: await statedVersions(own), drift: [] });
  }
  return { rubric, populations, runs, renamed, recognised, records };
}

/**
 * Chooses chapters, unless neither the books nor the options have changed since the last time. Returns a key of the
 * result.
 */
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
  options.onNote(
    `${novels === 1 ? "1 novel is" : `${novels} novels are`} prepared, ${excluded.length} left out: the reasons are in the manifest.`,
  );
  await done.note("prepare", key);
  return key;
}

/**
 * Draws as many novels as are to be written, spread over the whole population; only those are retold. Earlier draws
 * are kept: otherwise one more novel in a corpus of thousands would change every draw, and all writers would have to
 * write again.
 */
async function chosenNovels(
  { folder, novels, seed }: LeaderboardOptions,
  population: ReferencePopulation | null,
): Promise<Set<string>> {
  const names: string[] = [];
  for await (const { novel } of novelFacts(folder)) names.push(novel);
  const done = await DoneOnce.in(folder);
  const step = `draw ${seed}`;
  const before = z.array(z.string()).parse(JSON.parse(done.valueOf(step) ?? "[]"));
  const drawn = extendedDraw(before, names, { novels, population, random: seededRandom(seed) });
  if (population && drawn.join("\n") !== before.join("\n")) await done.note(step, JSON.stringify(drawn));
  return new Set(drawn.slice(0, novels));
}

/** Plans a dry run, which has no population yet: counts the calls for writing and scoring. */
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

/** Path, size and time of the last change. */
type FileFacts = readonly [string, number, number];

/**
 * Facts that change when a book of the corpus changes. For a book that is a folder, its files are listed, since
 * changing a chapter does not change the folder's date.
 */
export async function corpusFacts(books: readonly string[]): Promise<FileFacts[]> {
  return (await Promise.all(books.map(factsOf))).flat();
}

/** Empty for a broken link; reading the book skips it too. */
async function factsOf(path: string): Promise<FileFacts[]> {
  const found = await stat(path).catch(() => null);
  if (!found) return [];
  if (!found.isDirectory()) return [[path, found.size, found.mtimeMs]];
  const names = (await readdir(path)).sort();
  return corpusFacts(names.map((name) => join(path, name)));
}

/**
 * The synopses with other names for people and places, so that a writer cannot rely on remembering the novel. A model
 * makes one map of names per novel; a novel that it cannot do this for is left out, with a note.
 */
async function renamedSynopses(
  run: Run,
  synopses: readonly SynopsisRow[],
  { synopsisModel, onNote, signal }: Pick<LeaderboardOptions, "synopsisModel" | "onNote" | "signal">,
): Promise<SynopsisRow[]> {
  const model = await run.model(synopsisModel);
  const novels = [...new Set(synopses.map(({ novel }) => novel))].map((name) =>
    synopses.filter(({ novel }) => novel === name),
  );
  const renamed = await mapBounded(novels, run.concurrency, async (rows): Promise<SynopsisRow[]> => {
    const chapters = rows.flatMap(({ synopsis }, index) =>
      synopsis ? [{ index: index + 1, title: null, text: textOf(synopsis), words: 0 }] : [],
    );
    const map = await makeNameMap(model, { chapters }, promptLanguage(rows[0]!.language), signal);
    if (map.kind !== "answered" || (map.value.length === 0 && !run.dryRun)) {
      const reason = map.kind === "answered" ? "none was mapped" : map.reason;
      onNote(`The names in ${rows[0]!.novel} could not be changed (${reason}): it is not written with other names.`);
      return [];
    }
    return rows.map((row) => ({ ...row, synopsis: row.synopsis && renamedSynopsis(row.synopsis, map.value) }));
  });
  return renamed.flat();
}

function textOf({ characters, plot, scenes }: Synopsis): string {
  return [...characters.map(({ name, about }) => `${name}: ${about}`), ...plot, ...scenes].join("\n");
}

function renamedSynopsis({ characters, plot, scenes }: Synopsis, names: readonly Replacement[]): Synopsis {
  const renamed = (text: string) => replaceNames(text, names);
  return {
    characters: characters.map(({ name, about }) => ({ name: renamed(name), about: renamed(about) })),
    plot: plot.map(renamed),
    scenes: scenes.map(renamed),
  };
}

/**
 * The populations of the judges, and the panel's last: read where the same judges have built them of the same chapters, and
 * built otherwise. Empty for a dry run that would have to build.
 */
async function buildOnce(
  run: Run,
  options: LeaderboardOptions & { readonly rubric: string; readonly prepared: string },
): Promise<readonly ReferencePopulation[]> {
  const { folder, judges, prepared, repeats, check, anchors, description } = options;
  const scorers = await Promise.all(judges.map((judge) => scorerNamed(judge, options, run)));
  const bases = await Promise.all(
    scorers.map(async (scorer) => [scorer.id, scorer.version, (await scorer.basis?.())?.prompt ?? null]),
  );
  const key = contentHash({ prepared, bases, repeats, check, anchors, description });
  const step = `build ${judges.join(" ")}`;
  const done = await DoneOnce.in(folder);
  if (done.isDone(step, key)) return readBuilt(folder, scorers);
  const built = await buildPopulations(scorers, {
    folder,
    id: folder.replace(/\/+$/, ""),
    description,
    repeats,
    check,
    anchors,
    dryRun: run.dryRun,
    concurrency: run.concurrency,
    ...(options.onProgress && { onProgress: options.onProgress }),
    signal: options.signal,
  });
  // Gaps left by a provider's failures are filled the next time.
  const isWhole = built.every(({ unscored }) => unscored === 0);
  if (!run.dryRun && isWhole) await done.note(step, key);
  return built.map(({ population }) => population);
}

async function readBuilt(folder: string, scorers: readonly ChapterScorer[]): Promise<ReferencePopulation[]> {
  const files = benchFiles(folder);
  const variants = await Promise.all(scorers.map(({ id, rubric }) => rubricInNames(folder, id, rubric.id)));
  const names = scorers.map(({ id }, index) => files.population(id, variants[index]));
  if (scorers.length > 1) {
    const variant = variants.find((rubric) => rubric !== null) ?? null;
    names.push(files.population(panelId(scorers.map(({ id }) => id)), variant));
  }
  return Promise.all(names.map((name) => loadPopulation(name)));
}

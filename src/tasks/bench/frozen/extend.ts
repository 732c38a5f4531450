import { join } from "node:path";
import {
  benchFiles,
  type ChosenChapter,
  chosenChapterSchema,
  RENAMED,
  type ScoreRow,
  scoreRowSchema,
  synopsisRowSchema,
  type WrittenRow,
} from "../../../bench/bench-folder.ts";
import { type DriftRow, driftRowSchema } from "../../../bench/drift.ts";
import { FROZEN_FILE, type FrozenBenchmark, type FrozenJudge, fileHash, readFrozen } from "../../../bench/frozen.ts";
import { loadPopulation } from "../../../bench/population/reference-population.ts";
import type { ChapterScorer } from "../../../bench/scoring.ts";
import { FabulaError } from "../../../core/errors.ts";
import { writeWholeFile } from "../../../core/files.ts";
import { groupBy } from "../../../core/group-by.ts";
import { sha256 } from "../../../core/hash.ts";
import { jsonLines, readJsonLines, writeJsonLines } from "../../../core/json-lines.ts";
import type { ProgressListener } from "../../../core/progress.ts";
import { seededRandom } from "../../../core/random.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import type { PromptSource } from "../../../prompts/own-prompts.ts";
import { mapBounded } from "../../../runner/map-bounded.ts";
import type { Run } from "../../../runner/open-run.ts";
import { buildPopulations } from "../build.ts";
import { novelFacts } from "../folder.ts";
import type { ListedWriter } from "../leaderboard/writer-list.ts";
import type { RepeatCheckOptions } from "../repeats.ts";
import { assertBasisOf, assertJudgeOf, hasWholeScores, scorerNamed } from "../scorer.ts";
import { isUnscored, provenanceOf, scoreEach } from "../scoring.ts";
import { writeChapters, writerName } from "../write-chapters.ts";
import { driftFileOf, renamedRows, writeCards, writerCards, writerScoresIn, writtenRows } from "./files.ts";
import { frozenJudge } from "./freeze.ts";
import { measureOverlaps } from "./overlaps.ts";

export interface ExtendOptions {
  readonly folder: string;
  readonly writers: readonly ListedWriter[];
  /** Judges to add to those that the benchmark has. */
  readonly judges: readonly string[];
  /** A prepared folder with the originals' texts, which a new judge must read. */
  readonly originals: string | null;
  readonly check: RepeatCheckOptions;
  /** How many texts each judge used in this run scores a second time, to see whether it has changed. */
  readonly anchors: number;
  readonly prompts: PromptSource;
  readonly date: string;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

export interface ExtendResult {
  readonly folder: string;
  readonly version: number;
  readonly judges: readonly string[];
  readonly writers: readonly { readonly writer: string; readonly unwritten: number; readonly unscored: number }[];
  readonly added: { readonly writers: readonly string[]; readonly judges: readonly string[] };
}

/**
 * Adds writers and judges to a frozen benchmark, and fills gaps. Nothing in its files is asked for again, even if
 * this machine's store lacks it: the published rows are the record.
 */
export async function extendFrozen(run: Run, options: ExtendOptions): Promise<ExtendResult> {
  const { folder } = options;
  let frozen = await readFrozen(folder);
  const asked = { rubric: frozen.rubric.id, prompts: options.prompts };
  const population = await loadPopulation(join(folder, frozen.judges[0]!.population));
  const scorerOf = (judge: string) => scorerNamed(judge, { ...asked, wholeNumbers: hasWholeScores(population) }, run);
  const newJudges = [...new Set(options.judges)].filter((judge) => !frozen.judges.some(({ id }) => id === judge));
  for (const judge of newJudges) frozen = await addJudge(run, frozen, await scorerOf(judge), options);
  const before = await writtenRows(folder);
  const added: string[] = [];
  /** A dry run writes no files, so the chapters whose scores it counts are collected here. */
  const planned = new Map<string, readonly WrittenRow[]>();
  for (const listed of options.writers) {
    const name = writerName(listed.model, frozen.writing);
    if (!before.some(({ writer }) => writer === name)) added.push(name);
    const rows = await writeFrozen(run, frozen, listed, before, options);
    if (run.dryRun) planned.set(name, rows);
  }
  const written = new Map([...groupBy(await writtenRows(folder), ({ writer }) => writer), ...planned]);
  const gaps = new Map([...written.keys()].map((writer) => [writer, 0]));
  for (const judge of frozen.judges) {
    const base = await loadPopulation(join(folder, judge.population)).catch(() => null);
    const scorer = await scorerOf(judge.id);
    if (base) {
      assertJudgeOf(base, scorer);
      await assertBasisOf(base, scorer, frozen.repeats > 1);
    }
    const before: ScoreRow[] = [];
    let asked = 0;
    for (const [writer, rows] of written) {
      const { kept, fresh, unscored } = await scoreWriter(run, frozen, { judge, scorer, writer, rows }, options);
      gaps.set(writer, Math.max(gaps.get(writer)!, unscored));
      before.push(...kept);
      asked += fresh;
      const renamed = await renamedRows(folder, writer);
      if (renamed.length === 0) continue;
      const work = { judge, scorer, writer, rows: renamed, variant: RENAMED };
      asked += (await scoreWriter(run, frozen, work, options)).fresh;
    }
    if (asked > 0) await scoreAnchors(run, { judge, scorer, before, written: [...written.values()].flat() }, options);
  }
  if (!run.dryRun && options.originals !== null) await measureOverlaps(folder, options.originals);
  return {
    folder,
    version: frozen.version,
    judges: frozen.judges.map(({ id }) => id),
    writers: [...written].map(([writer, rows]) => ({
      writer,
      unwritten: rows.filter(({ text }) => text === null).length,
      unscored: gaps.get(writer)!,
    })),
    added: { writers: added, judges: newJudges },
  };
}

async function writeFrozen(
  run: Run,
  { writing, rubric, seed }: FrozenBenchmark,
  listed: ListedWriter,
  before: readonly WrittenRow[],
  options: ExtendOptions,
): Promise<readonly WrittenRow[]> {
  const { folder, prompts } = options;
  const name = writerName(listed.model, writing);
  const loaded = await loadRubric(rubric.id);
  const { hash } = await prompts("bench-write", loaded.language);
  if (hash.slice(0, 12) !== writing.prompt) {
    throw new FabulaError(
      "E_POPULATION_PROMPT",
      `The benchmark's writers were asked with another prompt (${writing.prompt}, now ${hash.slice(0, 12)}): use the version of Fabula that froze it, or its prompts with --prompts.`,
    );
  }
  const rows = await writeChapters(run, {
    ...options,
    ...writing,
    writer: listed.model,
    rubric: loaded,
    novels: Number.POSITIVE_INFINITY,
    population: null,
    random: seededRandom(seed),
    synopses: await readJsonLines(benchFiles(folder).synopses, synopsisRowSchema),
    kept: before.filter(({ writer }) => writer === name),
  });
  if (run.dryRun) return rows;
  const cards = await writerCards(folder);
  const { model, cutOff, ...about } = listed;
  const card = { ...cards.find(({ writer }) => writer === name), writer: name, model, cutOff, ...about };
  await writeCards(folder, [...cards.filter(({ writer }) => writer !== name), card]);
  return rows;
}

/** Has a new judge read the originals, which must be exactly the texts that the other judges read. */
async function addJudge(
  run: Run,
  frozen: FrozenBenchmark,
  scorer: ChapterScorer,
  options: ExtendOptions,
): Promise<FrozenBenchmark> {
  const { folder, date } = options;
  const source = options.originals ?? ("chapters.jsonl" in frozen.files ? folder : null);
  if (source === null) {
    throw new FabulaError(
      "E_USAGE",
      `${scorer.id} must read the human novels, whose texts are not in ${folder}: name the prepared folder that has them with --originals.`,
    );
  }
  const chapters = await checkedOriginals(folder, source);
  const [built] = await buildPopulations([scorer], {
    folder,
    id: frozen.title,
    description: "",
    repeats: frozen.repeats,
    check: options.check,
    anchors: null,
    chapters: { chapters: chapters.read(), total: chapters.total },
    dryRun: run.dryRun,
    concurrency: run.concurrency,
    ...(options.onProgress && { onProgress: options.onProgress }),
    signal: options.signal,
  });
  if (!built) {
    const planned: FrozenJudge = { id: scorer.id, rubric: frozen.rubric, population: "", scores: "planned.jsonl" };
    return { ...frozen, judges: [...frozen.judges, planned] };
  }
  const population = built.file.slice(folder.length).replace(/^[/\\]+/, "");
  const scores = population.replace(/^population\./, "scores.").replace(/\.json$/, ".jsonl");
  const judges = [...frozen.judges, frozenJudge(built.population, population, scores)];
  const version = frozen.version + 1;
  const extended: FrozenBenchmark = {
    ...frozen,
    version,
    date,
    judges,
    files: {
      ...frozen.files,
      [population]: await fileHash(join(folder, population)),
      [scores]: await fileHash(join(folder, scores)),
    },
    history: [
      ...frozen.history,
      {
        version,
        date,
        novels: frozen.novels.length,
        judges: judges.map(({ id }) => id),
        added: { novels: [], judges: [scorer.id] },
      },
    ],
  };
  await writeWholeFile(join(folder, FROZEN_FILE), `${JSON.stringify(extended, null, 1)}\n`);
  return extended;
}

/** Reads the chapters of the frozen manifest from a folder of originals and checks their hashes. */
async function checkedOriginals(folder: string, source: string) {
  const wanted = new Map<string, string>();
  for await (const { novel, chapters } of novelFacts(folder))
    for (const { index, sha256: hash } of chapters as { index: number; sha256: string }[])
      wanted.set(`${novel}\n${index}`, hash);
  const missing = new Set(wanted.keys());
  for await (const { novel, chapter, text } of jsonLines(benchFiles(source).chapters, chosenChapterSchema)) {
    const key = `${novel}\n${chapter}`;
    if (wanted.get(key) === sha256(text)) missing.delete(key);
  }
  if (missing.size > 0) {
    const [first] = [...missing];
    throw new FabulaError(
      "E_FROZEN_CHANGED",
      `${source} lacks ${missing.size} of the ${wanted.size} chapters that the benchmark was frozen with, or has other texts for them (first: ${first!.replace("\n", ", chapter ")}): prepare it from the same books with the same seed.`,
    );
  }
  async function* read(): AsyncGenerator<ChosenChapter> {
    for await (const row of jsonLines(benchFiles(source).chapters, chosenChapterSchema))
      if (wanted.has(`${row.novel}\n${row.chapter}`)) yield row;
  }
  return { read, total: wanted.size };
}

interface Scoring {
  readonly judge: FrozenJudge;
  readonly scorer: ChapterScorer;
  readonly writer: string;
  readonly rows: readonly WrittenRow[];
  readonly variant?: string;
}

/**
 * Has a judge score the anchor texts once more: those of its first round, or else some of the texts it scored before
 * this run.
 */
async function scoreAnchors(
  run: Run,
  {
    judge,
    scorer,
    before,
    written,
  }: Pick<Scoring, "judge" | "scorer"> & {
    readonly before: readonly ScoreRow[];
    readonly written: readonly WrittenRow[];
  },
  { folder, anchors, date, signal }: ExtendOptions,
): Promise<void> {
  const { opinion } = scorer;
  if (!opinion || anchors === 0) return;
  const file = driftFileOf(folder, judge);
  const rows = await readJsonLines(file, driftRowSchema).catch(() => []);
  const round = Math.max(0, ...rows.map((row) => row.round)) + 1;
  const pinned = rows.filter((row) => row.round === 1).map(({ textHash, first }) => ({ textHash, scores: first }));
  const chosen = pinned.length > 0 ? pinned : before.filter(({ repeat }) => repeat <= 1);
  const texts = new Map(written.flatMap(({ text }) => (text === null ? [] : [[sha256(text), text]])));
  const known = chosen
    .flatMap(({ textHash, scores }) => {
      const text = textHash === undefined ? undefined : texts.get(textHash);
      return text === undefined ? [] : [{ textHash: textHash!, text, first: scores }];
    })
    .sort((one, other) => (one.textHash < other.textHash ? -1 : 1))
    .slice(0, anchors);
  const again = await mapBounded(known, run.concurrency, async ({ textHash, text, first }): Promise<DriftRow> => {
    const { scores, stated } = await opinion(text, 0, signal, round);
    return { round, date, textHash, ...(stated !== undefined && { stated }), first, scores };
  });
  if (!run.dryRun && again.length > 0) await writeJsonLines(file, [...rows, ...again]);
}

/**
 * Scores the texts that have no score yet. Returns all rows, how many are new, and how many texts could not be
 * scored.
 */
async function scoreWriter(
  run: Run,
  frozen: FrozenBenchmark,
  { judge, scorer, writer, rows, variant }: Scoring,
  options: ExtendOptions,
): Promise<{ readonly kept: readonly ScoreRow[]; readonly fresh: number; readonly unscored: number }> {
  const file = writerScoresIn(options.folder, writer, judge, variant);
  const texts = rows.flatMap((row) => (row.text === null ? [] : [{ ...row, text: row.text }]));
  const kept = await readJsonLines(file, scoreRowSchema).catch(() => []);
  let fresh = 0;
  const remembering = await rememberingScorer(scorer, kept, frozen.repeats > 1, () => fresh++);
  const work = { ...options, repeats: frozen.repeats, concurrency: run.concurrency, total: texts.length };
  const scored: ScoreRow[] = [];
  for await (const one of scoreEach(texts, remembering, work)) scored.push(...one.rows);
  if (!run.dryRun) await writeJsonLines(file, scored);
  return { kept, fresh, unscored: scored.filter(isUnscored).length };
}

/** A scorer that reuses existing rows for the same text, judge and settings, and asks only for the rest. */
async function rememberingScorer(
  scorer: ChapterScorer,
  rows: readonly ScoreRow[],
  isRepeated: boolean,
  onAsked: () => void,
): Promise<ChapterScorer> {
  const made = await provenanceOf(scorer, isRepeated);
  const isSame = (row: ScoreRow) =>
    Object.entries(made).every(([name, value]) => row[name as keyof ScoreRow] === value) && !isUnscored(row);
  const known = new Map(rows.filter(isSame).map((row) => [`${row.textHash}\n${row.repeat}`, row]));
  const ask: NonNullable<ChapterScorer["opinion"]> =
    scorer.opinion ?? (async (text, repeat, signal) => ({ scores: await scorer.score(text, repeat, signal) }));
  const opinion: NonNullable<ChapterScorer["opinion"]> = async (text, repeat, signal) => {
    const row = known.get(`${sha256(text)}\n${repeat}`);
    if (!row) {
      onAsked();
      return ask(text, repeat, signal);
    }
    const { scores, reasons, stated } = row;
    return { scores, ...(reasons && { reasons }), ...(stated !== undefined && { stated }) };
  };
  return { ...scorer, opinion, score: async (...given) => (await opinion(...given)).scores };
}

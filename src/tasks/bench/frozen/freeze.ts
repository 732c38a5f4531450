import { existsSync } from "node:fs";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type BenchManifest,
  benchFiles,
  chosenChapterSchema,
  folderLanguage,
  manifestSchema,
  RENAMED,
  type ScoreRow,
  type SynopsisRow,
  scoreRowSchema,
  synopsisRowSchema,
  type WrittenRow,
} from "../../../bench/bench-folder.ts";
import {
  FROZEN_FILE,
  type FrozenBenchmark,
  type FrozenJudge,
  fileHash,
  frozenIn,
  PROMPTS_FILE,
  readFrozen,
  synopsisHash,
  type WriterCard,
} from "../../../bench/frozen.ts";
import { loadPopulation, type ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { FabulaError } from "../../../core/errors.ts";
import { makeFolder, writeWholeFile } from "../../../core/files.ts";
import { groupBy } from "../../../core/group-by.ts";
import { sha256 } from "../../../core/hash.ts";
import { jsonLines, readJsonLines, writeJsonLines } from "../../../core/json-lines.ts";
import { fabulaVersion } from "../../../core/version.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import { rubricHash } from "../../../criteria/rubric.ts";
import type { PromptSource } from "../../../prompts/own-prompts.ts";
import { rubricInNames } from "../folder.ts";
import { writeManifest } from "../prepare.ts";
import { copyDuels, keyOf } from "../run-duels.ts";
import { hasWholeScores } from "../scorer.ts";
import type { WritingSettings } from "../write-chapters.ts";
import {
  driftFileOf,
  keepRecognised,
  readRecognised,
  renamedRows,
  writeCards,
  writerCards,
  writerScoresIn,
  writtenRows,
} from "./files.ts";
import { measureOverlaps, OVERLAPS_FILE } from "./overlaps.ts";

export interface FreezeOptions {
  /** A benchmark's folder, made by `bench leaderboard` or by the single steps. */
  readonly bench: string;
  readonly out: string;
  /** The version that this one follows; it keeps that version's novels, synopses and texts. */
  readonly previous: string | null;
  readonly title: string | undefined;
  /** Also put the originals' texts into the folder. */
  readonly originals: boolean;
  readonly writing: WritingSettings;
  readonly seed: number;
  readonly prompts: PromptSource;
  /** ISO date. */
  readonly date: string;
}

export interface FrozenResult {
  readonly folder: string;
  readonly version: number;
  readonly novels: number;
  readonly chapters: number;
  readonly judges: readonly string[];
  readonly writers: readonly string[];
  /** What is new since the previous version. */
  readonly added: FrozenBenchmark["history"][number]["added"];
}

/** Freezes a benchmark: within a version, the sampled novels, the synopses and the populations cannot change. */
export async function freezeBench(options: FreezeOptions): Promise<FrozenResult> {
  const { bench, out, previous: earlier } = options;
  if (await frozenIn(out))
    throw new FabulaError("E_FROZEN_EXISTS", `${out} holds a frozen benchmark already: give --out a new folder.`);
  const previous = earlier === null ? null : await readFrozen(earlier);
  await makeFolder(out);
  const manifest = await mergedManifest(bench, earlier);
  const synopses = await mergedSynopses(bench, earlier, manifest);
  const judges = await copyJudges(options);
  const language = await folderLanguage(bench);
  const main = judges.find(({ rubric }) => rubric.id !== "grader") ?? judges[0]!;
  await writeManifest(benchFiles(out).manifest, {
    seed: manifest.seed,
    chapters: manifest.chaptersPerNovel,
    languages: manifest.languages ?? {},
    novels: manifest.novels,
    excluded: manifest.excluded,
  });
  await writeJsonLines(benchFiles(out).synopses, synopses);
  const prompts = await promptsOf(options.prompts, main, language);
  await writeWholeFile(join(out, PROMPTS_FILE), `${JSON.stringify(prompts, null, 2)}\n`);
  const fixed = [
    "manifest.json",
    "synopses.jsonl",
    PROMPTS_FILE,
    ...judges.flatMap(({ population, scores }) => [population, scores]),
  ];
  if (options.originals) {
    const drawn = new Set(manifest.novels.map(({ novel }) => novel));
    await writeJsonLines(benchFiles(out).chapters, chaptersOf(bench, drawn));
    fixed.push("chapters.jsonl");
  }
  const files = Object.fromEntries(
    await Promise.all(fixed.map(async (file) => [file, await fileHash(join(out, file))] as const)),
  );
  const novels = frozenNovels(synopses, manifest, await wordsOf(bench, earlier));
  const added = {
    novels: novels.flatMap(({ novel }) => (previous?.novels.some((old) => old.novel === novel) ? [] : [novel])),
    judges: judges.flatMap(({ id }) => (previous?.judges.some((old) => old.id === id) ? [] : [id])),
  };
  const version = (previous?.version ?? 0) + 1;
  const rubric = await loadRubric(main.rubric.id);
  const frozen: FrozenBenchmark = {
    schema: "fabula-frozen-benchmark-1",
    fabula: fabulaVersion(),
    title: options.title ?? previous?.title ?? (language === "zh" ? "小说写作排行榜" : "Novelists among human novels"),
    version,
    date: options.date,
    language,
    seed: options.seed,
    chaptersPerNovel: manifest.chaptersPerNovel,
    repeats: await repeatsOf(join(out, main.scores)),
    synopsesBy: synopses.find(({ model }) => model !== undefined)?.model ?? previous?.synopsesBy ?? null,
    rubric: { id: rubric.id, version: rubric.version, hash: rubricHash(rubric) },
    writing: previous?.writing ?? {
      ...options.writing,
      prompt: (await options.prompts("bench-write", rubric.language)).hash.slice(0, 12),
    },
    novels,
    judges,
    files,
    history: [
      ...(previous?.history ?? []),
      { version, date: options.date, novels: novels.length, judges: judges.map(({ id }) => id), added },
    ],
  };
  const writers = await copyWriters(options, frozen);
  // Written last: a folder without this file is not a frozen benchmark, so an interrupted copy cannot be mistaken for
  // one.
  await writeWholeFile(join(out, FROZEN_FILE), `${JSON.stringify(frozen, null, 1)}\n`);
  if (previous !== null) await keepEarlier(earlier!, out, judges);
  const drawn = new Set(novels.flatMap(({ novel, chapters }) => chapters.map((row) => keyOf({ novel, ...row }))));
  await copyDuels([...(earlier === null ? [] : [earlier]), bench], out, (row) => drawn.has(keyOf(row)));
  if (existsSync(benchFiles(bench).chapters)) await measureOverlaps(out, bench);
  return {
    folder: out,
    version,
    novels: novels.length,
    chapters: synopses.length,
    judges: judges.map(({ id }) => id),
    writers,
    added,
  };
}

/**
 * Keeps the previous version's record of the judges' drift and of overlaps with originals, which may no longer be
 * available.
 */
async function keepEarlier(earlier: string, out: string, judges: readonly FrozenJudge[]): Promise<void> {
  for (const judge of judges)
    if (existsSync(driftFileOf(earlier, judge))) await copyFile(driftFileOf(earlier, judge), driftFileOf(out, judge));
  const overlaps = join(earlier, OVERLAPS_FILE);
  if (existsSync(overlaps)) await copyFile(overlaps, join(out, OVERLAPS_FILE));
}

async function readManifest(folder: string): Promise<BenchManifest> {
  const source = await readFile(benchFiles(folder).manifest, "utf8").catch((cause) => {
    throw new FabulaError(
      "E_BENCH_EMPTY",
      `There is no benchmark in ${folder}: make one with \`fabula bench leaderboard\`, or with prepare, build and synopsis.`,
      { cause },
    );
  });
  return manifestSchema.parse(JSON.parse(source));
}

/**
 * Merges the manifests; entries of the previous version win. Folder paths are left out, since they describe
 * somebody's machine.
 */
async function mergedManifest(bench: string, earlier: string | null): Promise<BenchManifest> {
  const own = await readManifest(bench);
  const before = earlier === null ? null : await readManifest(earlier);
  const novels = new Map(own.novels.map((novel) => [novel.novel, novel]));
  for (const novel of before?.novels ?? []) novels.set(novel.novel, novel);
  return {
    ...own,
    novels: [...novels.values()].map((novel) => ({ ...novel, file: basename(novel.file) })),
    excluded: own.excluded.map((row) => ({ ...row, file: basename(row.file) })),
  };
}

/** The previous version's rows unchanged, then those of novels that it does not have. */
async function mergedSynopses(bench: string, earlier: string | null, manifest: BenchManifest): Promise<SynopsisRow[]> {
  const before = earlier === null ? [] : await readJsonLines(benchFiles(earlier).synopses, synopsisRowSchema);
  const known = new Set(before.map(({ novel }) => novel));
  const prepared = new Set(manifest.novels.map(({ novel }) => novel));
  const rows = await readJsonLines(benchFiles(bench).synopses, synopsisRowSchema).catch(() => []);
  const added = rows.filter(({ novel, synopsis }) => synopsis !== null && !known.has(novel) && prepared.has(novel));
  if (before.length + added.length === 0) {
    throw new FabulaError(
      "E_BENCH_EMPTY",
      `No chapter in ${bench} has a synopsis: run \`fabula bench synopsis ${bench}\` first.`,
    );
  }
  return [...before, ...added];
}

/**
 * Copies the folder's populations with the scores they were built from, and the previous version's where the folder
 * has none.
 */
async function copyJudges({ bench, out, previous }: FreezeOptions): Promise<FrozenJudge[]> {
  const judges = new Map<string, FrozenJudge>();
  for (const folder of [bench, ...(previous === null ? [] : [previous])]) {
    for (const file of (await readdir(folder)).filter((name) => /^population\..*\.json$/.test(name)).sort()) {
      const population = await loadPopulation(join(folder, file));
      const { judge } = population;
      if (population.panel || judges.has(judge.id)) continue;
      const scores = benchFiles(folder).scores(judge.id, await rubricInNames(folder, judge.id, population.rubric.id));
      // The id of a population is the path it was built in; only the last part is published.
      const named = { ...population, id: basename(population.id) };
      await writeWholeFile(join(out, file), `${JSON.stringify(named)}\n`);
      await copyFile(scores, join(out, basename(scores)));
      judges.set(judge.id, frozenJudge(population, file, basename(scores)));
    }
  }
  if (judges.size > 0) return [...judges.values()];
  throw new FabulaError(
    "E_POPULATION_MISSING",
    `No judge has scored the human novels in ${bench}: run \`fabula bench build ${bench}\` first.`,
  );
}

export function frozenJudge(
  { judge, rubric, prompt, settings }: ReferencePopulation,
  population: string,
  scores: string,
): FrozenJudge {
  return {
    id: judge.id,
    ...(judge.version !== undefined && { version: judge.version }),
    rubric,
    ...(prompt !== undefined && { prompt }),
    ...(settings !== undefined && { settings }),
    population,
    scores,
  };
}

async function promptsOf(source: PromptSource, { rubric, settings }: FrozenJudge, language: string | null) {
  const whole = hasWholeScores({ settings } as ReferencePopulation);
  const spoken = (await loadRubric(rubric.id)).language ?? language;
  return Promise.all(
    ["bench-synopsis", "bench-write", whole ? "bench-score-whole" : "bench-score"].map(async (name) => {
      const { hash, sections } = await source(name, spoken);
      const text = sections.map(({ role, body }) => `# ${role}\n\n${body}`).join("\n\n");
      return { name, hash: hash.slice(0, 12), text };
    }),
  );
}

async function* chaptersOf(bench: string, novels: ReadonlySet<string>) {
  for await (const row of jsonLines(benchFiles(bench).chapters, chosenChapterSchema))
    if (novels.has(row.novel)) yield row;
}

/** Lengths of the originals, by novel and chapter, as far as they are known. */
async function wordsOf(bench: string, earlier: string | null): Promise<Map<string, number>> {
  const words = new Map<string, number>();
  const before = earlier === null ? null : await frozenIn(earlier);
  for (const { novel, chapters } of before?.novels ?? [])
    for (const { chapter, words: count } of chapters) if (count !== null) words.set(`${novel}\n${chapter}`, count);
  const rows = jsonLines(benchFiles(bench).chapters, chosenChapterSchema);
  try {
    for await (const row of rows) words.set(`${row.novel}\n${row.chapter}`, row.words);
  } catch {
    // Without the originals their lengths stay unknown.
  }
  return words;
}

function frozenNovels(
  synopses: readonly SynopsisRow[],
  manifest: BenchManifest,
  words: ReadonlyMap<string, number>,
): FrozenBenchmark["novels"] {
  const facts = new Map(manifest.novels.map((novel) => [novel.novel, novel]));
  const byNovel = groupBy(synopses, ({ novel }) => novel);
  return [...byNovel].flatMap(([novel, rows]) => {
    const known = facts.get(novel);
    if (!known) return [];
    const hashes = new Map(known.chapters.map(({ index, sha256: hash }) => [index, hash]));
    const { title, author, genre, year, sha256: hash } = known;
    return [
      {
        ...{ novel, title, author, sha256: hash, genre: genre ?? null, year: year ?? null },
        chapters: rows.flatMap(({ chapter, synopsis }) =>
          synopsis
            ? [
                {
                  chapter,
                  sha256: hashes.get(chapter) ?? "",
                  words: words.get(`${novel}\n${chapter}`) ?? null,
                  synopsis: synopsisHash(synopsis),
                },
              ]
            : [],
        ),
      },
    ];
  });
}

async function repeatsOf(scores: string): Promise<number> {
  let highest = 1;
  for await (const { repeat } of jsonLines(scores, scoreRowSchema)) highest = Math.max(highest, repeat);
  return highest;
}

/** Copies the texts written from the frozen synopses, with their scores; the previous version's first. */
async function copyWriters({ bench, out, previous }: FreezeOptions, frozen: FrozenBenchmark): Promise<string[]> {
  const folders = [...(previous === null ? [] : [previous]), bench];
  const wanted = new Map(
    frozen.novels.flatMap(({ novel, chapters }) =>
      chapters.map(({ chapter, synopsis }) => [`${novel}\n${chapter}`, synopsis]),
    ),
  );
  const texts = new Map<string, Map<string, WrittenRow>>();
  for (const folder of folders) {
    for (const row of await writtenRows(folder)) {
      const key = `${row.novel}\n${row.chapter}`;
      if (wanted.get(key) !== row.synopsisHash) continue;
      const own = texts.get(row.writer) ?? new Map<string, WrittenRow>();
      texts.set(row.writer, own);
      if (!own.get(key)?.text) own.set(key, row);
    }
  }
  const cards = new Map<string, WriterCard>();
  for (const folder of folders)
    for (const card of await writerCards(folder)) if (!cards.has(card.writer)) cards.set(card.writer, card);
  for (const [writer, rows] of texts) {
    await writeJsonLines(benchFiles(out).written(writer), rows.values());
    if (!cards.has(writer)) {
      const model = [...rows.values()].find((row) => row.model !== undefined)?.model ?? writer;
      cards.set(writer, { writer, model, cutOff: null });
    }
    for (const judge of frozen.judges) {
      const scores = await keptScores(folders, writer, judge, rows);
      if (scores.length > 0) await writeJsonLines(writerScoresIn(out, writer, judge), scores);
    }
  }
  for (const writer of texts.keys()) await copyRenamed(folders, out, writer, frozen);
  for (const folder of folders) await keepRecognised(out, await readRecognised(folder));
  await writeCards(
    out,
    [...cards.values()].filter(({ writer }) => texts.has(writer)),
  );
  return [...texts.keys()];
}

/** Copies what a writer wrote with changed names for the frozen chapters, with its scores. */
async function copyRenamed(
  folders: readonly string[],
  out: string,
  writer: string,
  { novels, judges }: FrozenBenchmark,
): Promise<void> {
  const wanted = new Set(
    novels.flatMap(({ novel, chapters }) => chapters.map(({ chapter }) => `${novel}\n${chapter}`)),
  );
  const rows = new Map<string, WrittenRow>();
  for (const folder of folders) {
    for (const row of await renamedRows(folder, writer)) {
      const key = `${row.novel}\n${row.chapter}`;
      if (wanted.has(key) && !rows.get(key)?.text) rows.set(key, row);
    }
  }
  if (rows.size === 0) return;
  await writeJsonLines(benchFiles(out).written(writer, RENAMED), rows.values());
  for (const judge of judges) {
    const scores = await keptScores(folders, writer, judge, rows, RENAMED);
    if (scores.length > 0) await writeJsonLines(writerScoresIn(out, writer, judge, RENAMED), scores);
  }
}

/** Scores of the texts that are kept. Two chapters may have the same text, such as a refusal; each keeps its own scores. */
async function keptScores(
  folders: readonly string[],
  writer: string,
  judge: FrozenJudge,
  texts: ReadonlyMap<string, WrittenRow>,
  variant?: string,
): Promise<ScoreRow[]> {
  const hashes = new Map([...texts].map(([key, { text }]) => [key, text === null ? null : sha256(text)]));
  const rows = new Map<string, ScoreRow>();
  for (const folder of folders) {
    const file = writerScoresIn(folder, writer, judge, variant);
    for (const row of await readJsonLines(file, scoreRowSchema).catch(() => [])) {
      const chapter = `${row.novel}\n${row.chapter}`;
      const key = `${chapter}\n${row.repeat}`;
      if (row.textHash !== undefined && hashes.get(chapter) === row.textHash && !rows.has(key)) rows.set(key, row);
    }
  }
  return [...rows.values()];
}

import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { QuestionResult } from "../../api/questions.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder } from "../../core/files.ts";
import { contentHash, sha256 } from "../../core/hash.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { fabulaVersion } from "../../core/version.ts";
import { ownSummary } from "../../qa/grading.ts";
import { loadMetrics } from "../../qa/metrics/load-metrics.ts";
import { type AnswerColumns, answerColumns, sideBySide } from "../../qa/scoring/answer-sheet.ts";
import { compareSystems, type SystemComparison } from "../../qa/scoring/compare-systems.ts";
import { earlierScores, type Prediction } from "../../qa/scoring/prediction.ts";
import { sumBy } from "../../stats/distribution.ts";
import { scoreSystems } from "../../tasks/qa/score-systems.ts";
import { readJsonFile, writeJsonFile } from "../library/json-file.ts";

/** The files of a run of answers: the scored answers of each added file, the comparison of systems, and what raters gave. */
export function runFiles(folder: string) {
  return {
    answers: join(folder, "answers"),
    comparison: join(folder, "comparison.json"),
    ratings: join(folder, "ratings.json"),
    /** Summaries of the books in the question set. */
    summaries: join(folder, "summaries.json"),
  };
}

/** The files of a run's answers, in the order in which they were added. */
export async function answerFiles(folder: string): Promise<string[]> {
  const { answers } = runFiles(folder);
  const names = existsSync(answers) ? (await readdir(answers)).filter((name) => name.endsWith(".jsonl")).sort() : [];
  return names.map((name) => join(answers, name));
}

/** The file name contains a hash of the content, so that cached results can never belong to other answers. */
async function keepAnswers(folder: string, unfinished: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(unfinished), hash);
  const last = (await answerFiles(folder)).at(-1);
  const number = String(last === undefined ? 1 : Number.parseInt(basename(last), 10) + 1).padStart(5, "0");
  const kept = join(runFiles(folder).answers, `${number}-${hash.digest("hex").slice(0, 32)}.jsonl`);
  await makeFolder(runFiles(folder).answers, { mode: 0o700 });
  await rename(unfinished, kept);
  return kept;
}

/** Replaces all answer files with one file of the graded answers. */
export async function replaceAnswers(folder: string, graded: string): Promise<void> {
  const before = await answerFiles(folder);
  await keepAnswers(folder, graded);
  for (const file of before) for (const one of [file, sheetPath(file)]) await rm(one, { force: true });
}

const summariesSchema = z.record(z.string(), z.string());

/** These were checked on upload and written by us, so they are not checked again. */
const keptAnswer = z.custom<Prediction>();

export async function readAnswers(folder: string): Promise<Prediction[]> {
  const files = await answerFiles(folder);
  const rows = (await Promise.all(files.map((file) => readJsonLines(file, keptAnswer)))).flat();
  const summaries = await readJsonFile(runFiles(folder).summaries, summariesSchema);
  if (summaries === null) return rows;
  return rows.map((row) => {
    const summary = row.summary ?? summaries[row.document_id ?? ""];
    return summary === undefined ? row : { ...row, summary };
  });
}

/** What a comparison needs of a file of answers, without their texts, which take most of the time to read. */
interface ScoreSheet {
  readonly rules: string;
  readonly systems: readonly (Omit<AnswerColumns<string | null>, "scores"> & {
    /** Null where there is no score. */
    readonly scores: Readonly<Record<string, readonly (number | null)[]>>;
  })[];
  readonly hasSummary: boolean;
  /** Books of answers without a summary of their own. */
  readonly documents: readonly string[];
}

const keptSheet = z.custom<ScoreSheet>();

/** Other releases may read or compare scores differently, so the version is part of the cache key. */
const rules = () => `1-${fabulaVersion()}`;

function sheetPath(answers: string): string {
  return answers.replace(/\.jsonl$/, ".scores.json");
}

/** The cached sheet beside the answers, or a new one. */
async function scoreSheet(answers: string): Promise<ScoreSheet> {
  const kept = await readJsonFile(sheetPath(answers), keptSheet).catch(() => null);
  if (kept?.rules === rules()) return kept;
  const predictions = await readJsonLines(answers, keptAnswer);
  const items = predictions.map((row) =>
    row.prediction === null
      ? ({ kind: "unscored", reason: row.unscored ?? "no answer" } as const)
      : ({ kind: "scored", scores: earlierScores(row) } as const),
  );
  const columns = answerColumns(
    [{ name: "answers", predictions, items }],
    ({ title, document_id }) => title ?? document_id ?? null,
  );
  const sheet: ScoreSheet = {
    rules: rules(),
    systems: columns.map(({ answers: given, questions, keys, scores, ...system }) => ({
      ...system,
      answers: given.map((answer) => answer && ""),
      questions: questions.map(({ book }) => book),
      keys: keys.map((key) => sha256(key).slice(0, 32)),
      scores: Object.fromEntries(
        Object.entries(scores).map(([id, values]) => [
          id,
          Array.from(values, (one) => (Number.isNaN(one) ? null : one)),
        ]),
      ),
    })),
    hasSummary: predictions.some((row) => ownSummary(row) !== null),
    documents: [
      ...new Set(predictions.flatMap(({ summary, document_id = "" }) => (summary === undefined ? document_id : []))),
    ],
  };
  await writeJsonFile(sheetPath(answers), sheet);
  return sheet;
}

export interface ScoreFileInput {
  readonly path: string;
  /** The sender's name for the file; it names the system if the rows do not. */
  readonly name: string;
  /** The run's own folder, where the scored answers of all its files are kept. */
  readonly folder: string;
  /** The systems that the run has already. */
  readonly known: readonly string[];
}

export type ScoredFile = Pick<QuestionResult, "items" | "metrics" | "systems" | "leftOut">;

/** Scores a file of answers with their references, metric by metric, and adds it to its run. */
export async function scoreFile(
  { path, name, folder, known }: ScoreFileInput,
  { signal }: { readonly signal: AbortSignal },
): Promise<ScoredFile> {
  const output = join(folder, `${randomUUID()}.jsonl`);
  const { comparison, files: reports } = await scoreSystems({
    inputs: [path],
    nameOf: () => name,
    output,
    seed: 1,
    signal,
    onProgress: () => {},
  });
  const systems = comparison!.systems.map(({ system }) => system);
  const twice = systems.find((system) => known.includes(system));
  if (twice !== undefined) {
    await rm(output, { force: true });
    throw new FabulaError(
      "E_CONFLICT",
      `"${name}" has answers of ${twice}, which this run has already: name the system differently in "system".`,
    );
  }
  await scoreSheet(await keepAnswers(folder, output));
  const leftOut = reports[0]!.badLines;
  const means = (await loadMetrics()).flatMap(({ id }) => {
    const own = comparison!.systems.flatMap(({ metrics }) => metrics[id] ?? []);
    const n = sumBy(own, (one) => one.n);
    return n === 0 ? [] : [{ id, n, mean: sumBy(own, (one) => one.n * one.mean) / n }];
  });
  return {
    ...(leftOut && { leftOut }),
    items: sumBy(comparison!.systems, ({ questions }) => questions),
    metrics: means,
    systems,
  };
}

export interface KeptComparison extends SystemComparison {
  readonly hasSummaries: boolean;
  /** What was compared. */
  readonly key: string;
}

/** A plain loop: `Float64Array.from` takes several times as long for millions of scores. */
function withGaps(scores: readonly (number | null)[]): Float64Array {
  const values = new Float64Array(scores.length);
  for (let at = 0; at < scores.length; at++) values[at] = scores[at] ?? Number.NaN;
  return values;
}

/** The inputs of a comparison and its cache key, which changes when a file or summaries are added. */
async function comparedFiles(folder: string) {
  const files = await answerFiles(folder);
  const summaries = await readJsonFile(runFiles(folder).summaries, summariesSchema);
  return {
    files,
    summaries: summaries ?? {},
    key: contentHash([rules(), files.map((file) => basename(file)), summaries]),
  };
}

export async function comparisonKey(folder: string): Promise<string> {
  return (await comparedFiles(folder)).key;
}

/** Compares the systems of a run by the scores that their answers carry, and keeps the comparison. */
export async function compareAnswers({ folder }: { readonly folder: string }): Promise<KeptComparison> {
  const { files, summaries, key } = await comparedFiles(folder);
  const sheets = await Promise.all(files.map(scoreSheet));
  const columns = sheets.flatMap(({ systems }) =>
    systems.map(({ questions, scores, ...system }) => ({
      ...system,
      questions: questions.map((book) => ({ book })),
      scores: Object.fromEntries(Object.entries(scores).map(([id, values]) => [id, withGaps(values)])),
    })),
  );
  const ofSet = (document: string) => (summaries[document] ?? "").trim() !== "";
  const kept = {
    key,
    ...compareSystems(sideBySide(columns), { seed: 1 }),
    hasSummaries: sheets.some(({ hasSummary, documents }) => hasSummary || documents.some(ofSet)),
  };
  await writeJsonFile(runFiles(folder).comparison, kept);
  return kept;
}

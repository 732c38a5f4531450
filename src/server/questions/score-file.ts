import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { QuestionResult } from "../../api/questions.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder } from "../../core/files.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { ownSummary } from "../../qa/grading.ts";
import { loadMetrics } from "../../qa/metrics/load-metrics.ts";
import { answerSheet } from "../../qa/scoring/answer-sheet.ts";
import { compareSystems, type SystemComparison } from "../../qa/scoring/compare-systems.ts";
import { earlierScores, type Prediction } from "../../qa/scoring/prediction.ts";
import { sumBy } from "../../stats/distribution.ts";
import { scoreSystems } from "../../workflows/qa/score-systems.ts";
import { readJsonFile, writeJsonFile } from "../library/json-file.ts";

/** What a run of answers keeps: the scored answers of each file that was added, the systems compared, and what raters gave. */
export function runFiles(folder: string) {
  return {
    answers: join(folder, "answers"),
    /** Where earlier versions kept the answers of all files. */
    earlier: join(folder, "answers.jsonl"),
    comparison: join(folder, "comparison.json"),
    ratings: join(folder, "ratings.json"),
    /** Of the books of the set that the answers are to. */
    summaries: join(folder, "summaries.json"),
  };
}

/** The files of a run's answers, in the order in which they were added. */
export async function answerFiles(folder: string): Promise<string[]> {
  const { answers, earlier } = runFiles(folder);
  const names = existsSync(answers) ? (await readdir(answers)).filter((name) => name.endsWith(".jsonl")).sort() : [];
  return [...(existsSync(earlier) ? [earlier] : []), ...names.map((name) => join(answers, name))];
}

/** Written by us and checked when they came: reading them again needs no second check. */
const keptAnswer = z.custom<Prediction>();

export async function readAnswers(folder: string): Promise<Prediction[]> {
  const files = await answerFiles(folder);
  const rows = (await Promise.all(files.map((file) => readJsonLines(file, keptAnswer)))).flat();
  const summaries = await readJsonFile(runFiles(folder).summaries, z.record(z.string(), z.string()));
  if (summaries === null) return rows;
  return rows.map((row) => {
    const summary = row.summary ?? summaries[row.document_id ?? ""];
    return summary === undefined ? row : { ...row, summary };
  });
}

export interface ScoreFileInput {
  readonly path: string;
  /** As its sender named it: names the system where the rows do not. */
  readonly name: string;
  /** The run's own folder, where the scored answers of all its files are kept. */
  readonly folder: string;
  /** The systems that the run has already. */
  readonly known: readonly string[];
}

export type ScoredFile = Pick<QuestionResult, "items" | "metrics" | "systems" | "leftOut">;

/** Scores a file of answers with their references, metric by metric, and adds it to what its run has. */
export async function scoreFile(
  { path, name, folder, known }: ScoreFileInput,
  { signal }: { readonly signal: AbortSignal },
): Promise<ScoredFile> {
  const { answers, comparison: compared } = runFiles(folder);
  await makeFolder(answers, { mode: 0o700 });
  const output = join(answers, `${String((await answerFiles(folder)).length + 1).padStart(5, "0")}.jsonl`);
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
  await rm(compared, { force: true });
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
}

/** Compares the systems of a run by the scores that their answers carry, and keeps the comparison. */
export async function compareAnswers({ folder }: { readonly folder: string }): Promise<KeptComparison> {
  const predictions = await readAnswers(folder);
  const items = predictions.map((row) =>
    row.prediction === null
      ? ({ kind: "unscored", reason: row.unscored ?? "no answer" } as const)
      : ({ kind: "scored", scores: earlierScores(row) } as const),
  );
  const sheet = answerSheet(
    [{ name: "answers", predictions, items }],
    ({ title, document_id }) => title ?? document_id ?? null,
  );
  const kept = {
    ...compareSystems(sheet, { seed: 1 }),
    hasSummaries: predictions.some((row) => ownSummary(row) !== null),
  };
  await writeJsonFile(runFiles(folder).comparison, kept);
  return kept;
}

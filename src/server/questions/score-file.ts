import { existsSync } from "node:fs";
import type { QuestionResult } from "../../api/questions.ts";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files/write-whole-file.ts";
import { readFittingLines } from "../../core/json-lines.ts";
import { loadMetrics } from "../../qa/metrics/load-metrics.ts";
import { predictionSchema } from "../../qa/scoring/prediction.ts";
import { mean, sumBy } from "../../stats/distribution.ts";
import { scoreSystems } from "../../workflows/qa/score-systems.ts";
import { runFiles } from "./question-runs.ts";

export interface ScoreFileInput {
  readonly path: string;
  /** As its sender named it: names the system where the rows do not. */
  readonly name: string;
  /** The run's own folder, where the scored answers of all its files are kept. */
  readonly folder: string;
}

/** A file of answers with their references, metric by metric, added to what its run has. */
export async function scoreFile(
  { path, name, folder }: ScoreFileInput,
  { signal }: { readonly signal: AbortSignal },
): Promise<Pick<QuestionResult, "items" | "metrics" | "leftOut">> {
  const files = runFiles(folder);
  const inputs = existsSync(files.rows) ? [files.rows, path] : [path];
  if (inputs.length > 1) await refuseKnownSystems(files.rows, path, name);
  const known = await loadMetrics();
  const { comparison, files: reports } = await scoreSystems({
    inputs,
    nameOf: (input) => (input === path ? name : "answers"),
    output: files.rows,
    seed: 1,
    signal,
    onProgress: () => {},
  });
  await writeWholeFile(files.comparison, `${JSON.stringify(comparison)}\n`);
  const means = (id: string) => comparison!.systems.flatMap((system) => system.metrics[id]?.mean ?? []);
  const leftOut = reports.at(-1)!.badLines;
  return {
    ...(leftOut && { leftOut }),
    items: sumBy(comparison!.systems, ({ questions }) => questions),
    metrics: known.map(({ id, name: shown }) => ({
      id,
      name: shown,
      mean: means(id).length === 0 ? null : mean(means(id)),
    })),
  };
}

/** Two sets of answers under one name could not be told apart afterwards. */
async function refuseKnownSystems(rows: string, path: string, name: string): Promise<void> {
  const systemsIn = async (file: string) =>
    new Set(
      (await readFittingLines(file, predictionSchema)).rows.map(
        (row) => `${row.system ?? row.model} ${row.setting ?? ""}`,
      ),
    );
  const [before, added] = [await systemsIn(rows), await systemsIn(path)];
  const twice = [...added].find((system) => before.has(system));
  if (twice === undefined) return;
  throw new FabulaError(
    "E_CONFLICT",
    `"${name}" has answers of ${twice.trim()}, which this run has already: name the system differently in "system".`,
  );
}

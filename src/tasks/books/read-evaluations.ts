import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { type BookEvaluation, bookEvaluationSchema } from "../../judge/evaluation.ts";
import type { EvaluationSettings } from "../../judge/settings.ts";

const oneOrMany = z.union([
  bookEvaluationSchema.transform((one) => [one]),
  z.array(bookEvaluationSchema),
  z.object({ evaluations: z.array(bookEvaluationSchema) }).transform(({ evaluations }) => evaluations),
]);

/** Reads saved evaluations: a JSON file of one or several, a JSONL file, or a folder of JSON files. */
export async function readEvaluations(path: string): Promise<BookEvaluation[]> {
  const files = await filesAt(path);
  const evaluations: BookEvaluation[] = [];
  for (const file of files) {
    const isLines = /\.(jsonl|ndjson)(\.gz)?$/i.test(file);
    const read = isLines ? await readJsonLines(file, bookEvaluationSchema) : await readOne(file);
    for (const evaluation of read) evaluations.push(evaluation);
  }
  if (evaluations.length === 0) {
    throw new FabulaError(
      "E_EVALUATIONS_EMPTY",
      `"${path}" holds no evaluations: write some with \`fabula evaluate --out\`.`,
    );
  }
  return evaluations;
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    return (await readdir(path))
      .filter((name) => /\.(json|jsonl)$/i.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch (cause) {
    throw new FabulaError("E_FILE_READ", `"${path}": there is no such file or folder. Check the path.`, { cause });
  }
}

async function readOne(file: string): Promise<BookEvaluation[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new FabulaError("E_FILE_READ", `"${file}" could not be read. Check the path.`, { cause });
  }
  return parseEvaluations(text, `"${file}"`);
}

/** What `fabula evaluate --json` prints for one book or several. */
export function parseEvaluations(text: string, source: string): BookEvaluation[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new FabulaError(
      "E_EVALUATION_READ",
      `${source} is not readable as JSON: give what \`fabula evaluate --out\` wrote.`,
      { cause },
    );
  }
  const parsed = oneOrMany.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new FabulaError(
    "E_EVALUATION_READ",
    `${source} is not an evaluation: give what \`fabula evaluate --out\` wrote.`,
    {
      cause: parsed.error,
    },
  );
}

/** The settings of the first evaluation in a file. */
export async function savedSettings(file: string): Promise<EvaluationSettings> {
  const [evaluation] = await readEvaluations(file);
  if (evaluation?.settings) return evaluation.settings;
  throw new FabulaError(
    "E_USAGE",
    `"${file}" holds no evaluation with its settings: give one that \`fabula evaluate\` wrote.`,
  );
}

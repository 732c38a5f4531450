import { csvLine } from "../../core/csv.ts";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files.ts";
import type { TrustTable } from "../../stats/meta-evaluation/trust-study.ts";
import { writeTable } from "../tables.ts";

/** One text with all its scores and ratings. */
interface RatedText {
  readonly id: string;
  readonly text: string | null;
  /** System, item and kind, if known. */
  readonly about: Readonly<Record<string, string>>;
  readonly people: readonly { readonly name: string; readonly score: number }[];
  readonly judges: readonly { readonly name: string; readonly runs: readonly number[] }[];
}

type Shape = (texts: readonly RatedText[]) => object;

/** The last two extensions of a file's name select the format; `readVerdictTable` reads each of them. */
const SHAPES: Readonly<Record<string, Shape>> = {
  "inspect.json": inspectLog,
  "promptfoo.json": promptfooResults,
  "langfuse.jsonl": langfuseScores,
  "langsmith.jsonl": langsmithFeedback,
};

/** The formats in which scores can be returned as text, without Parquet. */
export const VERDICT_SHAPES = ["csv", "jsonl", ...Object.keys(SHAPES)];

/** Judges' and people's scores together, in one of the formats. */
export function verdictText(shape: string, data: TrustTable, textOf: (at: number) => string | null): string {
  const texts = ratedTexts(data, textOf);
  const written = SHAPES[shape]?.(texts);
  if (written && !Array.isArray(written)) return `${JSON.stringify(written, null, 1)}\n`;
  const { names, rows } = tableOf(texts);
  const lines =
    shape === "csv"
      ? [csvLine(names), ...rows.map((row) => csvLine(names.map((name) => row[name] ?? null)))]
      : (written ?? rows).map((row: object) => JSON.stringify(row));
  return lines.map((line: string) => `${line}\n`).join("");
}

/** Writes judges' and people's scores together, in the format that the file's name asks for. */
export async function writeVerdicts(path: string, data: TrustTable, textOf: (at: number) => string | null) {
  const shape = Object.keys(SHAPES).find((ending) => path.toLowerCase().endsWith(`.${ending}`));
  if (shape) return writeWholeFile(path, verdictText(shape, data, textOf));
  if (!/\.(?:csv|jsonl|parquet)$/i.test(path)) {
    throw new FabulaError(
      "E_USAGE",
      `"${path}": end the name of the export with .csv, .jsonl, .parquet, ${Object.keys(SHAPES)
        .map((ending) => `.${ending}`)
        .join(", ")}.`,
    );
  }
  const { names, rows } = tableOf(ratedTexts(data, textOf));
  const words = new Set(["id", "system", "item", "kind"]);
  return writeTable(
    path,
    names.map((name) => ({ name, type: words.has(name) ? ("STRING" as const) : ("DOUBLE" as const) })),
    rows,
  );
}

function ratedTexts(data: TrustTable, textOf: (at: number) => string | null): RatedText[] {
  return data.texts.map((id, at): RatedText => {
    const about = { system: data.system?.[at], item: data.item?.[at], kind: data.kind?.[at] };
    return {
      id,
      text: textOf(at),
      about: Object.fromEntries(
        Object.entries(about).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      people: data.raters.flatMap(({ name, scores }) =>
        Number.isNaN(scores[at]!) ? [] : [{ name, score: scores[at]! }],
      ),
      judges: data.judges.map(({ name, runs }) => ({ name, runs: runs[at]! })),
    };
  });
}

function tableOf(texts: readonly RatedText[]) {
  const rows = texts.map(
    ({ id, about, people, judges }): Record<string, string | number> => ({
      id,
      ...about,
      ...Object.fromEntries(people.map(({ name, score }) => [name, score])),
      ...Object.fromEntries(
        judges.flatMap(({ name, runs }) =>
          runs.map((score, run) => [runs.length === 1 ? name : `${name}#${run + 1}`, score] as const),
        ),
      ),
    }),
  );
  return { names: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows };
}

/** A log of inspect_ai: one epoch per run, with people's ratings in the metadata. */
function inspectLog(texts: readonly RatedText[]): object {
  const samples = texts.flatMap(({ id, text, about, people, judges }) =>
    Array.from({ length: Math.max(1, ...judges.map(({ runs }) => runs.length)) }, (_, run) => ({
      id,
      epoch: run + 1,
      input: text ?? id,
      target: "",
      metadata: { ...about, human: people.map(({ score }) => score) },
      scores: Object.fromEntries(
        judges.flatMap(({ name, runs }) => (runs[run] === undefined ? [] : [[name, { value: runs[run] }]])),
      ),
    })),
  );
  const spec = { eval_id: "fabula", run_id: "fabula", task_id: "fabula", created: new Date(0).toISOString() };
  return {
    version: 2,
    status: "success",
    eval: { ...spec, task: "fabula", task_version: 0, dataset: {}, model: "none", config: {} },
    samples,
  };
}

function promptfooResults(texts: readonly RatedText[]): object {
  const results = texts.flatMap(({ id, text, about, people, judges }, testIdx) =>
    judges.flatMap(({ name, runs }) =>
      runs.map((score) => ({
        testIdx,
        vars: { id, ...about, ...(text !== null && { text }), human: people.map((one) => one.score) },
        provider: { id: name },
        success: true,
        score,
        response: { output: String(score) },
      })),
    ),
  );
  return { results: { version: 3, results } };
}

function langfuseScores(texts: readonly RatedText[]): object {
  return texts.flatMap(({ id, people, judges }) => {
    const row = (name: string, value: number, source: string, run: number) => ({
      id: `${id} ${name} ${run + 1}`,
      traceId: id,
      name,
      value,
      dataType: "NUMERIC",
      source,
    });
    return [
      ...people.map(({ name, score }) => row(name, score, "ANNOTATION", 0)),
      ...judges.flatMap(({ name, runs }) => runs.map((score, run) => row(name, score, "EVAL", run))),
    ];
  });
}

function langsmithFeedback(texts: readonly RatedText[]): object {
  return texts.flatMap(({ id, people, judges }) => [
    ...people.map(({ name, score }) => ({ run_id: id, key: name, score, feedback_source: { type: "app" } })),
    ...judges.flatMap(({ name, runs }) =>
      runs.map((score) => ({ run_id: id, key: name, score, feedback_source: { type: "model" } })),
    ),
  ]);
}

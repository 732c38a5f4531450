import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { readTable } from "../../core/table/read-table.ts";
import type { Table } from "../../core/table/table.ts";

/**
 * Reads verdicts and ratings made elsewhere, as one row per text: a column for each judge (NAME, or NAME#1, NAME#2 …
 * for its runs) and `human` for people's ratings. Logs of inspect_ai (.json, .eval), results of promptfoo, scores of
 * Langfuse and feedback of LangSmith are recognised by their structure; anything else is a table with named columns.
 */
export async function readVerdictTable(path: string): Promise<Table> {
  if (/\.eval$/i.test(path)) return wideTable(path, inspectVerdicts(inspectArchive(await bytesOf(path), path)));
  if (/\.json$/i.test(path)) {
    const document: unknown = JSON.parse(new TextDecoder().decode(await bytesOf(path)));
    const inspect = inspectSchema.safeParse(document);
    if (inspect.success) return wideTable(path, inspectVerdicts(inspect.data));
    const promptfoo = promptfooSchema.safeParse(document);
    if (promptfoo.success) return wideTable(path, promptfooVerdicts(promptfoo.data));
  }
  const table = (await pagedTable(path)) ?? (await readTable(path));
  const has = (...names: string[]) => names.every((name) => table.columns.includes(name));
  if (has("traceId", "name", "value")) return wideTable(path, langfuseVerdicts(table));
  if (has("run_id", "key", "score")) return wideTable(path, langsmithVerdicts(table));
  return table;
}

/** Reads an API response: rows under `data`, beside the number of pages. */
async function pagedTable(path: string): Promise<Table | null> {
  if (!/\.json$/i.test(path)) return null;
  const paged = pagedSchema.safeParse(JSON.parse(new TextDecoder().decode(await bytesOf(path))));
  if (!paged.success) return null;
  const rows = paged.data.data;
  return { source: path, columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows };
}
const pagedSchema = z.object({ data: z.array(z.record(z.string(), z.unknown())).min(1), meta: z.unknown() });

/** One verdict on, or rating of, one text, by a judge or a person. */
interface Said {
  readonly id: string;
  /** Null for a person. */
  readonly judge: string | null;
  readonly score: number;
  /** Other facts about the text. */
  readonly about?: Readonly<Record<string, unknown>>;
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new FabulaError("E_TABLE_READ", `"${path}": there is no such file, or it cannot be read. Check the path.`, {
      cause,
    });
  }
}

function wideTable(source: string, said: readonly Said[]): Table {
  if (said.length === 0) throw new FabulaError("E_TABLE_EMPTY", `"${source}" holds no scores.`);
  const rows = new Map<string, Record<string, unknown>>();
  const human = new Map<string, number[]>();
  for (const { id, judge, score, about } of said) {
    const row = rows.get(id) ?? { id };
    rows.set(id, row);
    Object.assign(row, about);
    if (judge === null) {
      human.set(id, [...(human.get(id) ?? []), score]);
    } else {
      let run = 1;
      while (Object.hasOwn(row, `${judge}#${run}`)) run++;
      row[`${judge}#${run}`] = score;
    }
  }
  for (const [id, ratings] of human) rows.get(id)!.human = ratings;
  const all = [...rows.values()];
  return { source, columns: [...new Set(all.flatMap((row) => Object.keys(row)))], rows: all };
}

const identifier = z.union([z.string(), z.number()]).transform(String);
const inspectSchema = z.looseObject({
  eval: z.looseObject({ task: z.string().optional() }),
  samples: z.array(
    z.looseObject({
      id: identifier,
      input: z.unknown(),
      target: z.unknown(),
      metadata: z.record(z.string(), z.unknown()).nullish(),
      scores: z.record(z.string(), z.looseObject({ value: z.unknown() })).nullish(),
    }),
  ),
});

/** A log in an archive: `header.json` and a file for each sample and epoch. */
function inspectArchive(bytes: Uint8Array, path: string): z.infer<typeof inspectSchema> {
  try {
    const files = unzipSync(bytes);
    const json = (name: string): unknown => JSON.parse(new TextDecoder().decode(files[name]));
    const samples = Object.keys(files).filter((name) => /^samples\/.+\.json$/.test(name));
    return inspectSchema.parse({ eval: {}, samples: samples.sort().map(json) });
  } catch (cause) {
    throw new FabulaError("E_TABLE_READ", `"${path}" is not a log of inspect_ai with samples.`, { cause });
  }
}

/** Correct, partly correct, incorrect, no answer, with the values that inspect_ai gives them. */
const GRADES: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

function inspectVerdicts({ samples }: z.infer<typeof inspectSchema>): Said[] {
  return samples.flatMap(({ id, input, target, metadata, scores }) => {
    const about = { ...metadata, ...(typeof input === "string" && { text: input }) };
    const given = Object.entries(scores ?? {}).flatMap(([judge, { value }]): Said[] => {
      const values =
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.entries(value).map(([part, own]) => [`${judge}.${part}`, own] as const)
          : [[judge, value] as const];
      return values.flatMap(([name, own]) => {
        const score = numberIn(own);
        return score === null ? [] : [{ id, judge: name, score, about }];
      });
    });
    const rating = numberIn(target);
    // Every epoch repeats the target; the sample's metadata may contain the ratings instead.
    return rating === null ? given : given.map((one) => ({ ...one, about: { ...about, human: rating } }));
  });
}

const promptfooSchema = z.looseObject({
  results: z.looseObject({
    results: z.array(
      z.looseObject({
        vars: z.record(z.string(), z.unknown()).optional(),
        testIdx: z.number().optional(),
        provider: z.union([z.string(), z.looseObject({ id: z.string() })]).optional(),
        score: z.number().nullish(),
        response: z.looseObject({ output: z.unknown() }).nullish(),
      }),
    ),
  }),
});

/** A provider whose output is a number is the judge; otherwise the result of the assertions is the score. */
function promptfooVerdicts({ results: { results } }: z.infer<typeof promptfooSchema>): Said[] {
  return results.flatMap(({ vars = {}, testIdx, provider, score, response }, at): Said[] => {
    const judge = typeof provider === "string" ? provider : (provider?.id ?? "promptfoo");
    const given = numberIn(response?.output) ?? score ?? null;
    const id = vars.id ?? testIdx ?? at;
    return given === null ? [] : [{ id: String(id), judge, score: given, about: vars }];
  });
}

function langfuseVerdicts({ rows }: Table): Said[] {
  return rows.flatMap((row): Said[] => {
    const score = numberIn(row.value);
    const isPerson = row.source === "ANNOTATION";
    return score === null ? [] : [{ id: String(row.traceId), judge: isPerson ? null : String(row.name), score }];
  });
}

function langsmithVerdicts({ rows }: Table): Said[] {
  return rows.flatMap((row): Said[] => {
    const score = numberIn(row.score);
    const source = row.feedback_source;
    const type =
      typeof source === "object" && source !== null
        ? Reflect.get(source, "type")
        : (row["feedback_source.type"] ?? source);
    return score === null ? [] : [{ id: String(row.run_id), judge: type === "app" ? null : String(row.key), score }];
  });
}

function numberIn(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = GRADES[value.trim()] ?? Number(value);
  return Number.isFinite(number) ? number : null;
}

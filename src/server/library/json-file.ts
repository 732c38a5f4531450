import { readFile } from "node:fs/promises";
import type { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files.ts";

/** Reads a file of the library through its schema: null if it does not exist, one sentence if it is damaged. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw damaged(path, cause);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw damaged(path, cause);
  }
}

export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await writeWholeFile(path, `${JSON.stringify(value)}\n`);
}

const writing = new Map<string, Promise<void>>();

/** Changes a file, one change after the other, because two at once would overwrite each other. */
export function changeJsonFile<T>(path: string, schema: z.ZodType<T>, change: (known: T | null) => T): Promise<void> {
  const next = (writing.get(path) ?? Promise.resolve())
    .catch(() => {})
    .then(async () => writeJsonFile(path, change(await readJsonFile(path, schema))));
  writing.set(path, next);
  return next.finally(() => {
    if (writing.get(path) === next) writing.delete(path);
  });
}

/** An object with one entry changed; null removes it. */
export function withEntry<Value>(
  all: Readonly<Record<string, Value>>,
  key: string,
  value: Value | null,
): Record<string, Value> {
  const { [key]: _before, ...others } = all;
  return value === null ? others : { ...others, [key]: value };
}

function damaged(path: string, cause: unknown): FabulaError {
  return new FabulaError("E_LIBRARY_DAMAGED", `"${path}" of the library cannot be read: delete it and add it again.`, {
    cause,
  });
}

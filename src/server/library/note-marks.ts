import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { NoteMark } from "../../api/notes.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";

const marksSchema = z.record(z.string(), z.enum(["done", "ignored"]));
export type NoteMarks = z.infer<typeof marksSchema>;

const FILE = "marks.json";

/** What the writer said of notes on a book, by the notes' names. */
export async function readMarks(folder: string): Promise<NoteMarks> {
  return (await readJsonFile(join(folder, FILE), marksSchema)) ?? {};
}

const writing = new Map<string, Promise<void>>();

/** One change after the other: two at once would each overwrite the other's. */
export function setMark(folder: string, note: string, mark: NoteMark | null): Promise<void> {
  const change = async () => {
    const { [note]: _, ...others } = await readMarks(folder);
    await writeJsonFile(join(folder, FILE), mark === null ? others : { ...others, [note]: mark });
  };
  const next = (writing.get(folder) ?? Promise.resolve()).catch(() => {}).then(change);
  writing.set(folder, next);
  return next.finally(() => {
    if (writing.get(folder) === next) writing.delete(folder);
  });
}

/** A note on a sentence that is still there is still done in the next draft. */
export async function copyMarks(from: string, to: string): Promise<void> {
  await copyFile(join(from, FILE), join(to, FILE)).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
}

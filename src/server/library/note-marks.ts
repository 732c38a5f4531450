import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { NoteMark } from "../../api/notes.ts";
import { changeJsonFile, readJsonFile } from "./json-file.ts";

const marksSchema = z.record(z.string(), z.enum(["done", "ignored"]));
export type NoteMarks = z.infer<typeof marksSchema>;

const FILE = "marks.json";

/** What the writer said of notes on a book, by the notes' names. */
export async function readMarks(folder: string): Promise<NoteMarks> {
  return (await readJsonFile(join(folder, FILE), marksSchema)) ?? {};
}

export function setMark(folder: string, note: string, mark: NoteMark | null): Promise<void> {
  return changeJsonFile(join(folder, FILE), marksSchema, (known) => {
    const { [note]: _, ...others } = known ?? {};
    return mark === null ? others : { ...others, [note]: mark };
  });
}

/** A note on a sentence that is still there is still done in the next draft. */
export async function copyMarks(from: string, to: string): Promise<void> {
  await copyFile(join(from, FILE), join(to, FILE)).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
}

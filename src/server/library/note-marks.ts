import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { NoteMark } from "../../api/notes.ts";
import { changeJsonFile, readJsonFile, withEntry } from "./json-file.ts";

const marksSchema = z.record(z.string(), z.enum(["done", "ignored"]));
export type NoteMarks = z.infer<typeof marksSchema>;

const FILE = "marks.json";

/** The writer's marks on the notes on a book, by the notes' ids. */
export async function readMarks(folder: string): Promise<NoteMarks> {
  return (await readJsonFile(join(folder, FILE), marksSchema)) ?? {};
}

export function setMark(folder: string, note: string, mark: NoteMark | null): Promise<void> {
  return changeJsonFile(join(folder, FILE), marksSchema, (known) => withEntry(known ?? {}, note, mark));
}

/** A note that was marked done stays done in the next draft if its sentence is still there. */
export async function copyMarks(from: string, to: string): Promise<void> {
  await copyFile(join(from, FILE), join(to, FILE)).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
}

import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { FINDING_MARKS } from "../../api/letters.ts";
import type { StoryCorrections } from "../../text/corrections/story-corrections.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";

const markSchema = z.object({
  /** Null: it was marked once, and is open again. */
  mark: z.enum(FINDING_MARKS).nullable(),
  why: z.string().optional(),
  /** Words of its first passage: another reading may find the same under another id. */
  passage: z.string().optional(),
});
const saidSchema = z.object({
  findings: z.record(z.string(), markSchema).default({}),
  facts: z.array(z.string()).default([]),
});
export type WriterSays = z.infer<typeof saidSchema>;

const FILE = "story.json";

/** What the writer said of the findings and of the story, in the folder of a book of the library. */
export async function readWriterSays(folder: string): Promise<WriterSays> {
  return (await readJsonFile(join(folder, FILE), saidSchema)) ?? { findings: {}, facts: [] };
}

const writing = new Map<string, Promise<void>>();

/** One change after the other: two at once would each overwrite the other's. */
export function changeWriterSays(folder: string, change: (said: WriterSays) => WriterSays): Promise<void> {
  const next = (writing.get(folder) ?? Promise.resolve())
    .catch(() => {})
    .then(async () => writeJsonFile(join(folder, FILE), change(await readWriterSays(folder))));
  writing.set(folder, next);
  return next.finally(() => {
    if (writing.get(folder) === next) writing.delete(folder);
  });
}

/** What is meant in one draft is meant in the next: both have the same passages, or the mark holds for nothing. */
export async function inheritWriterSays(from: string, to: string): Promise<void> {
  if ((await readJsonFile(join(to, FILE), saidSchema)) !== null) return;
  await copyFile(join(from, FILE), join(to, FILE)).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
}

/** As a reading is told; null where nothing was said that it should know. */
export function storyCorrectionsFrom({ findings, facts }: WriterSays): StoryCorrections | null {
  const intended = Object.entries(findings)
    .filter(([, { mark }]) => mark === "intended")
    .map(([finding, { why, passage }]) => ({ finding, ...(passage && { passage }), ...(why && { why }) }));
  return intended.length + facts.length === 0 ? null : { intended, facts: [...facts] };
}

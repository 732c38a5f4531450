import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { type DraftRecord, draftRecordSchema } from "../judge/drafts/draft-record.ts";

const archiveSchema = z.object({ drafts: z.array(draftRecordSchema) });

/**
 * Judged drafts lie beside the store, a file for each run: they hold hashes, notes and replies, never the text. A run's
 * calls alone would not do, since they do not say which chapter they were about.
 */
function placeOf(store: string, run: string): string {
  return join(dirname(store), "drafts", `${run.replace(/[^\w-]/g, "")}.json`);
}

export async function archiveDrafts(store: string, run: string, drafts: readonly DraftRecord[]): Promise<void> {
  const path = placeOf(store, run);
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.unfinished`;
  await writeFile(unfinished, JSON.stringify({ drafts }));
  await rename(unfinished, path);
}

/** The draft that a run judged; of several, the one with this title or the only one. */
export async function findDraft(store: string, run: string, title: string): Promise<DraftRecord> {
  let source: string;
  try {
    source = await readFile(placeOf(store, run), "utf8");
  } catch (cause) {
    throw new FabulaError(
      "E_DRAFT_MISSING",
      `There is no judged draft of run "${run}": only \`evaluate --method aggregate\` with a language model leaves one. See \`fabula runs list\`.`,
      { cause },
    );
  }
  const { drafts } = archiveSchema.parse(JSON.parse(source));
  const draft = drafts.find((candidate) => candidate.title === title) ?? (drafts.length === 1 ? drafts[0] : undefined);
  if (draft) return draft;
  throw new FabulaError(
    "E_DRAFT_MISSING",
    `Run "${run}" judged ${drafts.length} books, none of them called "${title}".`,
  );
}

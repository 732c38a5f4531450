import { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import { type DraftRecord, draftRecordSchema } from "../judge/drafts/draft-record.ts";
import { withStore } from "./past-runs.ts";

const archiveSchema = z.object({ drafts: z.array(draftRecordSchema) });

/** A run's calls alone would not do, since they do not say which chapter they were about. */
const PAPER = "drafts";

/** Judged drafts are kept with the run: hashes, notes and replies, never the text. */
export async function archiveDrafts(location: string, runId: string, drafts: readonly DraftRecord[]): Promise<void> {
  const at = systemClock.now().toISOString();
  await withStore(location, (store) => store.savePaper({ runId, name: PAPER, body: JSON.stringify({ drafts }), at }));
}

/** The draft that a run judged; of several, the one with this title or the only one. */
export async function findDraft(location: string, run: string, title: string): Promise<DraftRecord> {
  const paper = await withStore(location, (store) => store.findPaper(run, PAPER));
  if (!paper) {
    throw new FabulaError(
      "E_DRAFT_MISSING",
      `There is no judged draft of run "${run}": only \`evaluate\` of a book with a language model leaves one. See \`fabula runs list\`.`,
    );
  }
  const { drafts } = archiveSchema.parse(JSON.parse(paper.body));
  const draft = drafts.find((candidate) => candidate.title === title) ?? (drafts.length === 1 ? drafts[0] : undefined);
  if (draft) return draft;
  throw new FabulaError(
    "E_DRAFT_MISSING",
    `Run "${run}" judged ${drafts.length} books, none of them called "${title}".`,
  );
}

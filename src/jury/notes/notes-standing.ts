import { type GroundModel, standingOf } from "../ground.ts";
import type { PreparedText } from "../prepare-text.ts";
import { reasonNotToRead } from "../readable.ts";

/** Whether line notes can be given on a text, and what must stand beside them. */
export interface NotesStanding {
  /** Why there are no notes, or null. */
  readonly unscored: string | null;
  /** Such as "outside what this juror learnt from"; null when there is nothing to add. */
  readonly caveat: string | null;
}

/** Notes on texts shorter than this say nothing; the editor's own limit. */
const MINIMUM_WORDS = 40;

/** Notes are the editor's: what it cannot score gets none, and its caveat is theirs. */
export function standingOfNotes(ground: GroundModel, texts: readonly PreparedText[]): NotesStanding {
  const unreadable = reasonNotToRead(texts, MINIMUM_WORDS);
  if (unreadable !== null) return { unscored: unreadable, caveat: null };
  const { ground: place, reason } = standingOf(ground, "editor", texts);
  return place === "far outside" ? { unscored: reason, caveat: null } : { unscored: null, caveat: reason };
}

import type { LineNotesPart, NotedSentence } from "../../judge/letter/line-notes-part.ts";
import type { ManuscriptMap } from "../../prose/map/manuscript-map.ts";
import type { ComparedFigure, ReferenceNovels } from "../../prose/reference/reference-novels.ts";
import type { Quoter } from "./quote-passages.ts";

/** What a letter is made from. */
export interface LetterSource {
  readonly map: ManuscriptMap;
  /** Null for a language that the reference novels are not in. */
  readonly reference: ReferenceNovels | null;
  readonly figures: readonly ComparedFigure[];
  /** Null where no line notes can be given. */
  readonly notes: LineNotesPart | null;
  /** Whether the book is unlike the prose that the notes were learnt from. */
  readonly isOutside: boolean;
  /** Why the text is not connected prose; null for a text that is, or in a language where that cannot be told. */
  readonly notConnected: string | null;
  /** By chapter: the passage an editor is least likely to change. */
  readonly calm: ReadonlyMap<number, NotedSentence>;
  readonly quoter: Quoter;
}

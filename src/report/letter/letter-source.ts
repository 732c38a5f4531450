import type { Finding } from "../../core/finding.ts";
import type { LineNotesPart } from "../../judge/letter/line-notes-part.ts";
import type { ManuscriptMap } from "../../prose/map/manuscript-map.ts";
import type { ComparedFigure, ReferenceNovels } from "../../prose/reference/reference-novels.ts";
import type { Quoter } from "./quote-passages.ts";

/** What a letter is made from. */
export interface LetterSource {
  readonly map: ManuscriptMap;
  /** What was found by code. */
  readonly counted: readonly Finding[];
  /** Null for a language that the reference novels are not in. */
  readonly reference: ReferenceNovels | null;
  readonly figures: readonly ComparedFigure[];
  /** Null where no line notes can be given. */
  readonly notes: LineNotesPart | null;
  /** Why the text is not connected prose; null for a text that is, or in a language where that cannot be told. */
  readonly notConnected: string | null;
  readonly quoter: Quoter;
}

import { SPEECH_VERBS, WEAK_SPEECH_VERBS } from "../../prose/speakers/speech-verbs.ts";

export interface StrayTags {
  /** Tags that begin where a sentence should, with nothing said before them: a line that opens with "said Emma". */
  readonly stray: number;
  /** Tags after a closing quotation mark. */
  readonly attached: number;
}

const VERBS = [...SPEECH_VERBS].filter((verb) => !WEAK_SPEECH_VERBS.has(verb)).join("|");
/** "said", "he said", in small letters, with the mark before it and whether a line ended there. */
const TAG = new RegExp(`(^|[^\\s])(\\s*)(?:(?:he|she|they) )?(?:${VERBS})(?![\\p{L}’'-])`, "gu");
const QUOTE = /["“”'‘’«»‹›]/;

/**
 * Speech tags with and without their speech. A file that lost its dialogue, such as a conversion that passed over the quotations,
 * keeps the tags: they then begin a line in small letters, or follow a full stop.
 */
export function countStrayTags(texts: readonly string[]): StrayTags {
  let stray = 0;
  let attached = 0;
  for (const text of texts) {
    for (const [, before, gap] of text.matchAll(TAG)) {
      if (QUOTE.test(before!)) attached++;
      // Within a line only a full stop tells: without quotation marks, "Ready? he asked" is speech and its tag.
      else if (before === "" || gap!.includes("\n") || (before === "." && gap !== "")) stray++;
    }
  }
  return { stray, attached };
}

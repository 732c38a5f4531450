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
const NEWLINE = 10;
const FULL_STOP = 46;
const SMALL_A = 97;
const SMALL_Z = 122;
const QUOTE = /["“”'‘’«»‹›]/;

/**
 * No fewer than the stray tags of the texts, at a small part of the cost of counting them: lines that begin in a small letter, and
 * small letters after a full stop. Prose has hardly any.
 */
export function mostStrayTags(texts: readonly string[]): number {
  let most = 0;
  for (const text of texts) {
    let isOpen = true;
    let before = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE || (before === FULL_STOP && isSpace(code))) isOpen = true;
      else if (isOpen && !isSpace(code)) {
        if (code >= SMALL_A && code <= SMALL_Z) most++;
        isOpen = false;
      }
      before = code;
    }
  }
  return most;
}

/** As `\s` in a pattern has it. */
function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return /\s/.test(String.fromCharCode(code));
}

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

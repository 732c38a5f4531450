import { assetPath } from "../core/assets.ts";
import { type DomainModel, domainMatch } from "./domain.ts";
import { readJuror } from "./juror-file.ts";
import { LinearJudge } from "./linear-judge.ts";
import type { PreparedText } from "./prepare-text.ts";
import { reasonNotToRead } from "./readable.ts";

/** How likely a professional would change a sentence, and why. Offsets point into the text. */
export interface LineNote {
  readonly start: number;
  readonly end: number;
  /** The probability of a change, from 0 to 1. */
  readonly change: number;
  /** The likeliest kind of change; null if none stands out. */
  readonly why: string | null;
}

export interface LineNotes {
  readonly version: string;
  /** The kinds of change it can name. */
  readonly reasons: readonly string[];
  /** One note per sentence, in order. */
  read(text: PreparedText): LineNote[];
}

export const NOTES_FILE = "notes.bin";

export function loadLineNotes(folder = assetPath("models", "editor")): LineNotes {
  const { model, head, digest } = readJuror(folder, NOTES_FILE, "notes");
  const linear = new LinearJudge(model);
  const { intercept, slope, reasonLimits } = head.notes!;
  const width = head.outputs.length;
  const reasons = head.outputs.slice(1);
  const likeliestReason = (sums: Float64Array): string | null => {
    let best: number | null = null;
    for (let reason = 0; reason < reasons.length; reason++) {
      const above = sums[reason + 1]! - reasonLimits[reason]!;
      if (above >= 0 && (best === null || above > sums[best + 1]! - reasonLimits[best]!)) best = reason;
    }
    return best === null ? null : reasons[best]!;
  };
  return {
    version: digest.slice(0, 12),
    reasons,
    read({ prose, counts }) {
      const sums = linear.scoreSentences(linear.read(prose, counts));
      return Array.from({ length: prose.sentenceCount }, (_, sentence) => {
        const own = sums.subarray(sentence * width, (sentence + 1) * width);
        return {
          start: prose.starts[sentence]!,
          end: prose.ends[sentence]!,
          change: 1 / (1 + Math.exp(-(intercept + slope * own[0]!))),
          why: likeliestReason(own),
        };
      });
    },
  };
}

/** Notes on shorter pieces would concern a label, a heading or an abbreviation. */
const FEWEST_WORDS = 4;

const LONGEST_TITLE = 8;

const MARKUP = /[*_#>]/;
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
/** A stage direction, or an editor's remark: all of it in brackets. */
const BRACKETED = /^[[(][^\])]*[\])][.!?]?$/;
/** A speaker's name before a speech: "HAMLET.", "Mrs Alving:". */
const SPEAKER = /^(?:\p{Lu}[\p{Lu}\s.'’-]+|\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}:)$/u;
/** "Chapter 4", "PART TWO", "Act III, scene 2". */
const HEADING =
  /^(?:chapter|part|book|act|scene|canto|letter|volume|section)\s+(?:[ivxlcdm]+|\d+|the|one|two|three|four|five|six|seven|eight|nine|ten|first|second|third|last)\b[^.!?]*[.:]?$/iu;
/** Does not end with a mark that ends a sentence: a heading, a caption, a line of a list. */
const ENDS = /[.!?…:;—–-]["'”’)\]*_]*$|["'”’)]$/u;

/**
 * Whether a piece of text is a sentence that an editor could change. Headings, stage directions, names of speakers
 * and abbreviations that the scanner took for sentences ("viz.") get no note, because line notes on them mean
 * nothing.
 */
export function isNotable(sentence: string): boolean {
  const text = (MARKUP.test(sentence) ? sentence.replace(/[*_#>]+/g, "") : sentence).trim();
  const words = countUpTo(text, LONGEST_TITLE + 1);
  if (words < FEWEST_WORDS) return false;
  if (BRACKETED.test(text) || SPEAKER.test(text) || HEADING.test(text)) return false;
  const isShouted = text === text.toUpperCase() && !ENDS.test(text);
  const isUnended = !ENDS.test(text) && words <= LONGEST_TITLE && !/^\p{Ll}|["“”]/u.test(text);
  return !isShouted && !isUnended;
}

/** The number of words in a text, counted up to `most`. */
function countUpTo(text: string, most: number): number {
  WORD.lastIndex = 0;
  let count = 0;
  while (count < most && WORD.test(text)) count++;
  return count;
}

/** Whether line notes can be given on a text, and what must be said beside them. */
export interface NotesApplicability {
  /** Why there are no notes, or null. */
  readonly unscored: string | null;
  /** Such as that the text is unlike the training data; null if there is nothing to add. */
  readonly caveat: string | null;
}

/** Notes on shorter texts mean nothing; this is the editor's own limit. */
const MINIMUM_WORDS = 40;

/** Notes come from the editor: a text that it cannot score gets none, and its caveat applies to them too. */
export function applicabilityOfNotes(domain: DomainModel, texts: readonly PreparedText[]): NotesApplicability {
  const unreadable = reasonNotToRead(texts, MINIMUM_WORDS);
  if (unreadable !== null) return { unscored: unreadable, caveat: null };
  const { domain: place, reason } = domainMatch(domain, "editor", texts);
  return place === "far outside" ? { unscored: reason, caveat: null } : { unscored: null, caveat: reason };
}

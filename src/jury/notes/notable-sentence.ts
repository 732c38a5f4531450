/** A note on fewer words than this would be a note on a label, a heading or an abbreviation. */
const FEWEST_WORDS = 4;

const LONGEST_TITLE = 8;

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
/** A direction in a play or a script, or a remark of an editor: the whole of it in brackets. */
const BRACKETED = /^[[(][^\])]*[\])][.!?]?$/;
/** A speaker's name before a speech: "HAMLET.", "Mrs Alving:". */
const SPEAKER = /^(?:\p{Lu}[\p{Lu}\s.'’-]+|\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}:)$/u;
/** "Chapter 4", "PART TWO", "Act III, scene 2". */
const HEADING =
  /^(?:chapter|part|book|act|scene|canto|letter|volume|section)\s+(?:[ivxlcdm]+|\d+|the|one|two|three|four|five|six|seven|eight|nine|ten|first|second|third|last)\b[^.!?]*[.:]?$/iu;
/** Ends without a mark that ends a sentence: a heading, a caption, a line of a list. */
const ENDS = /[.!?…:;—–-]["'”’)\]*_]*$|["'”’)]$/u;

/**
 * Whether a stretch of text is a sentence that an editor could change. Headings, stage directions, names of speakers and
 * abbreviations that the scanner took for sentences ("viz.") get no note: what line notes say of them means nothing.
 */
export function isNotable(sentence: string): boolean {
  const text = sentence.replace(/[*_#>]+/g, "").trim();
  const words = text.match(WORD) ?? [];
  if (words.length < FEWEST_WORDS) return false;
  if (BRACKETED.test(text) || SPEAKER.test(text) || HEADING.test(text)) return false;
  const isShouted = text === text.toUpperCase() && !ENDS.test(text);
  const isUnended = !ENDS.test(text) && words.length <= LONGEST_TITLE && !/^\p{Ll}|["“”]/u.test(text);
  return !isShouted && !isUnended;
}

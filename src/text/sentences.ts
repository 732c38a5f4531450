/** A sentence as offsets into the text it was found in: `text.slice(start, end)`, without the space around it. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
}

/**
 * Splits prose into sentences by one pass over the characters. A sentence ends at `.`, `!`, `?`, an ellipsis or their
 * full-width forms, with the closing quotes and brackets that follow, or at the end of a paragraph. It does not end after
 * an abbreviation or an initial, nor where the next word starts in lower case (“Stop!” he said).
 *
 * @example
 * ```ts
 * const text = "Mr. Bell rang. Who came?";
 * splitSentences(text).map(({ start, end }) => text.slice(start, end)); // ["Mr. Bell rang.", "Who came?"]
 * ```
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  forEachSentence(text, (start, end) => sentences.push({ start, end }));
  return sentences;
}

/** The same without a list, for passes over whole novels. */
export function forEachSentence(text: string, visit: (start: number, end: number) => void): void {
  const length = text.length;
  let start = 0;
  let position = 0;
  const close = (end: number) => {
    let from = start;
    let to = end;
    while (from < to && isSpace(text.charCodeAt(from))) from++;
    while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
    if (to > from) visit(from, to);
    start = end;
  };
  while (position < length) {
    const unit = text.charCodeAt(position);
    if (unit === NEWLINE) {
      let next = position + 1;
      while (next < length && isBlank(text.charCodeAt(next))) next++;
      if (next < length && text.charCodeAt(next) === NEWLINE) close(position);
      position = next;
      continue;
    }
    if (isWideTerminator(unit)) {
      position = afterClosers(text, position);
      close(position);
      continue;
    }
    if (isTerminator(unit)) {
      const after = afterClosers(text, position);
      const isEnd = after >= length || (isSpace(text.charCodeAt(after)) && endsHere(text, position, after, start));
      position = after;
      if (isEnd) close(after);
      continue;
    }
    position++;
  }
  close(length);
}

const NEWLINE = 10;

/** Titles, honorifics and the like: a full stop after them does not end a sentence. */
const ABBREVIATIONS = new Set(
  "mr mrs ms dr st prof rev hon capt col gen lt sgt maj esq messrs mme mlle sr jr vs viz cf no vol fig pp ch ed etc i.e e.g mt ft gov sen rep pres supt adm cmdr bros"
    .split(" ")
    .concat(["hr", "fr", "bzw", "z.b", "d.h", "sra", "sig", "dott"]),
);
/** Abbreviations that often end a sentence: they do if a capital follows. */
const AMBIGUOUS = new Set(["etc", "esq", "jr", "sr", "no", "ed", "ch"]);

function endsHere(text: string, terminator: number, after: number, sentenceStart: number): boolean {
  let next = after;
  while (next < text.length && isSpace(text.charCodeAt(next))) next++;
  if (next >= text.length) return true;
  if (hasParagraphBreak(text, after, next)) return true;
  let opening = next;
  while (opening < text.length && isOpener(text.charCodeAt(opening))) opening++;
  if (startsInLowerCase(text, opening)) return false;
  if (text.charCodeAt(terminator) !== 0x2e || after > terminator + 1) return true;
  return !isAbbreviation(text, terminator, sentenceStart);
}

function isAbbreviation(text: string, stop: number, sentenceStart: number): boolean {
  let begin = stop;
  while (begin > sentenceStart && isWordUnit(text.charCodeAt(begin - 1))) begin--;
  const word = text.slice(begin, stop);
  // An initial: one capital letter, but not the pronoun I.
  if (word.length === 1) return word !== "I" && word !== word.toLowerCase();
  const lower = word.toLowerCase();
  return ABBREVIATIONS.has(lower) && !AMBIGUOUS.has(lower);
}

function hasParagraphBreak(text: string, from: number, to: number): boolean {
  // Only these few characters are checked: searching the whole text for a missing newline would cost its length each time.
  let newlines = 0;
  for (let position = from; position < to; position++) if (text.charCodeAt(position) === NEWLINE) newlines++;
  return newlines >= 2;
}

function startsInLowerCase(text: string, position: number): boolean {
  const unit = text.charCodeAt(position);
  if (unit >= 97 && unit <= 122) return true;
  if (unit < 0xdf) return false;
  const character = text.charAt(position);
  return character !== character.toUpperCase();
}

/** Past the terminators and closing marks that belong to the sentence. */
function afterClosers(text: string, position: number): number {
  let after = position + 1;
  while (after < text.length) {
    const unit = text.charCodeAt(after);
    if (!isTerminator(unit) && !isWideTerminator(unit) && !isCloser(unit)) break;
    after++;
  }
  return after;
}

function isTerminator(unit: number): boolean {
  return unit === 0x2e || unit === 0x21 || unit === 0x3f || unit === 0x2026;
}
function isWideTerminator(unit: number): boolean {
  return unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff0e;
}
/** " ' ) ] » ’ ” and the corner brackets. */
function isCloser(unit: number): boolean {
  return (
    unit === 0x22 ||
    unit === 0x27 ||
    unit === 0x29 ||
    unit === 0x5d ||
    unit === 0xbb ||
    unit === 0x2019 ||
    unit === 0x201d ||
    unit === 0x300d ||
    unit === 0x300f ||
    unit === 0xff09
  );
}
function isOpener(unit: number): boolean {
  return (
    unit === 0x22 ||
    unit === 0x27 ||
    unit === 0x28 ||
    unit === 0x5b ||
    unit === 0xab ||
    unit === 0x2018 ||
    unit === 0x201c ||
    unit === 0x2014 ||
    unit === 0x5f
  );
}
function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 13 || unit === 0xa0 || unit === 0x3000;
}
function isSpace(unit: number): boolean {
  return unit === NEWLINE || isBlank(unit);
}
/** Letters, digits, and the inner stops of "i.e". */
function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 0x2e || unit >= 0xc0;
}

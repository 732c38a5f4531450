import { EMPTY_HASH, extended, finished, HashIndex, hashOf } from "./hashing.ts";
import { CONTRACTED, FUNCTION_WORD, ScanBuffer, type ScannedProse } from "./scanned-prose.ts";
import {
  characterKind,
  DIGIT,
  FOREIGN,
  FUNCTION_WORDS,
  LOWER,
  lowerCaseOf,
  MARKUP,
  NEWLINE,
  PUNCTUATION,
  shapeOf,
  UPPER,
} from "./word-shape.ts";

/** Lines that are not prose: headings, rules, word counts, "the end". A judge that read them would grade the layout. */
const LAYOUT_LINES = [
  /^\s*#{1,6}\s/,
  /^[^\p{L}\p{N}]*(?:chapter|part|prologue|epilogue|interlude|scene|act|book)\b[^.!?]{0,80}$/iu,
  /^[^\p{L}\p{N}]*(?:the end|fin|end of (?:chapter|part|book|story|scene)\b.{0,60})[^\p{L}\p{N}]*$/iu,
  /^[^\p{L}\p{N}]*chapter \w+ ends[^\p{L}\p{N}]*$/iu,
  /^[^\p{L}\p{N}]*(?:approximate |total |final |chapter \d+ )?word ?count\b/iu,
  /^[^\p{L}\p{N}]*to be continued[^\p{L}\p{N}]*$/iu,
  /^\s*\*\*[^*]{1,120}\*\*\s*$/,
  /^[^\p{L}\p{N}]+$/u,
];

const LONGEST_LAYOUT_LINE = 140;

function isLayoutLine(line: string): boolean {
  return line.length <= LONGEST_LAYOUT_LINE && LAYOUT_LINES.some((pattern) => pattern.test(line));
}

/**
 * Whether single line breaks occur inside sentences, as in text wrapped at a fixed width. Then only a blank line ends
 * a paragraph; otherwise every line break does.
 */
function isHardWrapped(text: string): boolean {
  let inside = 0;
  let lines = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) {
    const next = text.charCodeAt(end + 1);
    const last = lastVisible(text, end);
    if (last === -1 || next === 10 || next === 13 || Number.isNaN(next)) continue;
    lines++;
    if (/[\p{Ll},;]/u.test(text[last]!)) inside++;
  }
  return lines >= 4 && inside > 0.3 * lines;
}

/** The position of the last non-space character before `end` on its line; -1 on a blank line. */
function lastVisible(text: string, end: number): number {
  for (let position = end - 1; position >= 0; position--) {
    const code = text.charCodeAt(position);
    if (code === 10) return -1;
    if (code !== 32 && code !== 9 && code !== 13) return position;
  }
  return -1;
}

export const NAME = hashOf("<name>");
export const NUMBER = hashOf("<number>");

export const MARK_HASHES: ReadonlyMap<string, number> = new Map(
  [...'".,;:?!()-—…'].map((mark): [string, number] => [mark, hashOf(mark)]),
);
const markOf = (mark: string): number => MARK_HASHES.get(mark)!;
const QUOTE = markOf('"');
const STOP = markOf(".");
const QUESTION = markOf("?");
const EXCLAMATION = markOf("!");
const ELLIPSIS = markOf("…");
const HYPHEN = markOf("-");
const DASH = markOf("—");
const functionWords = HashIndex.ofWords(FUNCTION_WORDS);
const abbreviations = HashIndex.ofWords(["mr", "mrs", "ms", "dr", "st", "mme", "mlle", "prof", "rev", "capt", "col"]);
/** The only English words that are always capitalised without being names. */
const FIRST_PERSON = HashIndex.ofWords(["i", "i'm", "i'd", "i've", "i'll"]);

/**
 * Reads prose once, character by character, into tokens and sentences. A capitalised word that does not open a
 * sentence or a speech becomes the token "name", so that the judge does not learn who the story is about. Case and
 * kinds of quotation mark, dash and ellipsis are normalised, and Markdown and headings are skipped, so that it does
 * not learn the layout of a file either. Whether a word is masked depends only on its own sentence, so a text gives
 * the same tokens in whatever pieces it is read.
 */
export function scanProse(text: string): ScannedProse {
  const buffer = new ScanBuffer(text.length);
  const hardWrapped = isHardWrapped(text);
  let position = 0;
  while (position < text.length) {
    const lineEnd = endOfLine(text, position);
    const line = lineEnd - position <= 160 ? text.slice(position, lineEnd) : null;
    if (line !== null && line.trim() === "") buffer.endParagraph();
    else if (line !== null && isLayoutLine(line)) buffer.endParagraph();
    else {
      scanLine(text, position, lineEnd, buffer);
      if (!hardWrapped) buffer.endParagraph();
    }
    position = lineEnd + 1;
  }
  buffer.endParagraph();
  return buffer.finish();
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function scanLine(text: string, from: number, to: number, buffer: ScanBuffer): void {
  let position = from;
  while (position < to) {
    const code = text.charCodeAt(position);
    const kind = characterKind(code);
    if (kind === LOWER || kind === UPPER) position = scanWord(text, position, to, buffer);
    else if (kind === DIGIT) position = scanNumber(text, position, to, buffer);
    else if (kind === PUNCTUATION) position = scanPunctuation(text, position, to, buffer);
    else {
      if (kind === FOREIGN) buffer.foreignLetters++;
      position++;
    }
  }
}

function scanWord(text: string, start: number, to: number, buffer: ScanBuffer): number {
  let hash = EMPTY_HASH;
  let position = start;
  let contracted = false;
  while (position < to) {
    const code = text.charCodeAt(position);
    const kind = characterKind(code);
    if (kind === LOWER || kind === UPPER) hash = extended(hash, lowerCaseOf(code));
    else if (isApostrophe(code) && position + 1 < to && isLetter(text.charCodeAt(position + 1))) {
      contracted = true;
      hash = extended(hash, 39);
    } else break;
    position++;
  }
  const word = finished(hash);
  const capital = characterKind(text.charCodeAt(start)) === UPPER;
  buffer.beforeWord(capital);
  if (capital && !buffer.expectsCapital && !FIRST_PERSON.has(word)) {
    buffer.addWord(NAME, NAME, start, position, 0);
    return position;
  }
  const isFunctionWord = functionWords.has(word);
  const traits = (isFunctionWord ? FUNCTION_WORD : 0) | (contracted ? CONTRACTED : 0);
  buffer.addWord(word, isFunctionWord ? word : shapeOf(text, start, position), start, position, traits);
  return position;
}

function scanNumber(text: string, start: number, to: number, buffer: ScanBuffer): number {
  let position = start + 1;
  while (position < to && characterKind(text.charCodeAt(position)) === DIGIT) position++;
  buffer.beforeWord(true);
  buffer.addMark(NUMBER, start, position);
  return position;
}

function scanPunctuation(text: string, start: number, to: number, buffer: ScanBuffer): number {
  const code = text.charCodeAt(start);
  let end = start + 1;
  switch (code) {
    case 0x27: // '
    case 0x2018: // ‘
    case 0x2019: // ’
      // Between letters it was read as part of the word; here it is a quotation mark or a stray apostrophe.
      if (isOpening(text, start, to)) {
        buffer.beforeOpening();
        buffer.addMark(QUOTE, start, end, true);
      } else if (isStop(text.charCodeAt(start - 1))) buffer.addMark(QUOTE, start, end, false);
      return end;
    case 0x22: // "
    case 0x201c: // “
    case 0x201d: // ”
    case 0x201e: // „
    case 0xab: // «
    case 0xbb: // »
      if (code === 0x201c || (code !== 0x201d && isOpening(text, start, to))) {
        buffer.beforeOpening();
        buffer.addMark(QUOTE, start, end, true);
      } else buffer.addMark(QUOTE, start, end, false);
      return end;
    case 0x2e: // .
      while (end < to && text.charCodeAt(end) === 0x2e) end++;
      if (end - start > 1) return ellipsis(start, end, buffer);
      buffer.addMark(STOP, start, end);
      if (!abbreviations.has(buffer.lastWord)) buffer.stop();
      return end;
    case 0x2026: // …
      return ellipsis(start, end, buffer);
    case 0x3f: // ?
    case 0x21: // !
      buffer.addMark(code === 0x3f ? QUESTION : EXCLAMATION, start, end);
      buffer.stop();
      return end;
    case 0x2d: // -
      while (end < to && text.charCodeAt(end) === 0x2d) end++;
      return dashOrHyphen(text, start, end, to, buffer);
    case 0x2010: // ‐
    case 0x2011: // ‑
    case 0x2013: // –
    case 0x2014: // —
    case 0x2015: // ―
      return dashOrHyphen(text, start, end, to, buffer);
    default: {
      const mark = code === 0x3a || code === 0x28;
      buffer.addMark(markOf(String.fromCharCode(code)), start, end, mark);
      return end;
    }
  }
}

function ellipsis(start: number, end: number, buffer: ScanBuffer): number {
  buffer.addMark(ELLIPSIS, start, end, true);
  buffer.stop();
  return end;
}

/** One short stroke between letters is a hyphen; everything else is a dash, however it was typed. */
function dashOrHyphen(text: string, start: number, end: number, to: number, buffer: ScanBuffer): number {
  const code = text.charCodeAt(start);
  const long = code === 0x2014 || code === 0x2015 || end - start > 1;
  const between = start > 0 && isLetter(text.charCodeAt(start - 1)) && end < to && isLetter(text.charCodeAt(end));
  if (!long && between) buffer.addMark(HYPHEN, start, end);
  else buffer.addMark(DASH, start, end, true);
  return end;
}

function isLetter(code: number): boolean {
  const kind = characterKind(code);
  return kind === LOWER || kind === UPPER;
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019;
}

function isStop(code: number): boolean {
  return code === 0x2e || code === 0x2c || code === 0x3f || code === 0x21 || code === 0x2026 || code === 0x2014;
}

/** A mark that follows a space (or a dash, or nothing) and is directly followed by text opens a speech. */
function isOpening(text: string, position: number, to: number): boolean {
  const next = position + 1 < to ? characterKind(text.charCodeAt(position + 1)) : NEWLINE;
  if (next !== LOWER && next !== UPPER && next !== DIGIT && next !== PUNCTUATION && next !== MARKUP) return false;
  if (position === 0) return true;
  const before = text.charCodeAt(position - 1);
  const kind = characterKind(before);
  return before === 0x2014 || !(kind === LOWER || kind === UPPER || kind === DIGIT || isStop(before));
}

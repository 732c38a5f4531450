import type { Recognition } from "../manuscript.ts";
import { recogniseEastAsian } from "./east-asian.ts";
import { HEADING_LANGUAGES } from "./heading-words.ts";
import { parseArabic, parseHan, parseRoman, parseSpelled } from "./numbers.ts";
import { isTitleCase } from "./title-case.ts";

/** 제3장 돌아온 사람, 3화, 제2부; 제삼장 in words needs its 제. */
const NUMBERED = /^(?:(?:제\s*)?(\d{1,4})|제\s*([일이삼사오육칠팔구십백]{1,7}))\s*([장화회부권])(?=$|[\s:.,])(.*)$/u;
/** 프롤로그, 외전 2, 에필로그: 그 후. Korean has no capitals, so only a mark or the line's end closes the word. */
const KOREAN_NAMED =
  /^(프롤로그|에필로그|서장|종장|서문|머리말|후기|외전|막간|들어가며)(?:\s*\d{1,3})?(?=$|\s*[:：.—–-])(.*)$/u;
const SINO_KOREAN = "일이삼사오육칠팔구십백";
const HAN = "一二三四五六七八九十百";

function recogniseKorean(line: string): Recognition | null {
  const numbered = NUMBERED.exec(line);
  if (numbered) {
    const [, digits, words = "", unit = "", rest = ""] = numbered;
    const number =
      digits === undefined ? parseHan(words.replace(/./gu, (sign) => HAN[SINO_KOREAN.indexOf(sign)]!)) : Number(digits);
    return { kind: "부권".includes(unit) ? "division" : "chapter", series: `제…${unit}`, number, rest: tidy(rest) };
  }
  const named = KOREAN_NAMED.exec(line);
  return named ? { kind: "named", series: named[1]!, number: null, rest: tidy(named[2]!) } : null;
}

function tidy(rest: string): string {
  return rest.replace(/^[\s.:：,—–-]+/u, "").trim();
}

/** Headings above text that is usually not part of the story. */
const BOILERPLATE =
  /^(?:the )?(?:table of )?(?:contents|list of (?:illustrations|plates|maps)|illustrations|index|cover|half ?title|title ?page|copyright|uncopyright|imprint|colophon|errata|(?:the )?(?:full )?project gutenberg.*|transcriber.*|by the same author|(?:other books|also) by.*|目录|目錄|目次|もくじ|版权|版權|版权页|inhalt|inhaltsverzeichnis|impressum|register|table|table des matières|sommaire|du même auteur|índice|indice|tabla de contenidos?|sommario|содержание|оглавление)$/iu;

/** Headings of what real editors, publishers and authors write around a story. Novels invent editors, so each is reported. */
const EDITORIAL =
  /^(?:promotion|dramatis personae|cast of characters|list of characters|glossary|bibliography|acknowledge?ments|advertisements?|dedication|about the author|biographical .*|a? ?note on the text|(?:publisher|editor|translator)'s .*|maps|remerciements|dédicace|danksagung|widmung|agradecimientos|dedicatoria|ringraziamenti|dedica|посвящение|作者简介|内容简介|內容簡介|内容提要)$/iu;

export function isBoilerplate(series: string): boolean {
  return BOILERPLATE.test(series);
}

/** Sections under these headings are written in sentences, but are not part of the story. */
export function isLegal(series: string): boolean {
  return /copyright|imprint|impressum|colophon|gutenberg|transcriber|errata|版权|版權/iu.test(series);
}

export function isEditorial(series: string): boolean {
  return EDITORIAL.test(series);
}

/** Whether a heading says that what follows is not part of the story. */
export function isOutsideStory(recognition: Recognition | null): boolean {
  return recognition?.kind === "paratext" && (isBoilerplate(recognition.series) || isEditorial(recognition.series));
}

/** The series of headings over a publisher's pages: "Also by A. Writer", "Praise for The Lamp", "An excerpt from The Rope". */
const PROMOTION = "promotion";
/** The first words of such headings. */
const PROMOTION_WORDS = [
  ...["also", "other", "more", "books", "praise", "newsletter", "reading", "discussion"],
  ...["excerpt", "preview", "sneak"],
];
const PROMOTIONS =
  /^(?:also by|(?:other|more) (?:books|novels|titles|works) (?:by|from)|books by|praise for|(?:an? )?(?:excerpt from|preview of|sneak peek (?:at|of)))\s+\p{Lu}.{0,60}$|^(?:newsletter|(?:a )?reading group (?:guide|questions)|discussion questions)$/iu;

function isPromotion(line: string): boolean {
  return PROMOTIONS.test(line.trim()) && !/[.,;!?]["”’']?$/.test(line);
}

const MONTHS = [
  "jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december",
  "januar|februar|märz|mai|juni|juli|oktober|dezember",
  "janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre",
  "de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)",
  "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|dicembre",
  "января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря",
];
const MONTH = new RegExp(`^(?:of )?(?:${MONTHS.join("|")})(?=\\s*(?:$|[.,:;—–-]|\\d))`, "iu");
const NAME_OF_MONTH = new RegExp(`(?<!\\p{L})(?:${MONTHS.join("|")})(?!\\p{L})`, "iu");

/** "3 May. Bistritz." heads an entry of a diary; "3. March of the Dead" is a title. */
export function beginsWithMonth(text: string): boolean {
  return MONTH.test(text);
}

/** "September 2nd", "Bath, 3 June": the head of a letter or an entry, whatever space is above it. */
export function isDate(line: string): boolean {
  // The quick searches first: most lines have no digit, and those of digits alone no month.
  return /\d/.test(line) && /\p{L}{3}/u.test(line) && NAME_OF_MONTH.test(line);
}

/**
 * Ornaments around a heading, or alone between two scenes; for use inside a regular expression's class. ○ is left out because
 * Chinese numbers use it for zero.
 */
export const ORNAMENTS = "❦❧☙✦✧❖❉❈❋✿❀✾✶✴✻✽✲☆★◆◇■□●▲△▼▽※◎◉⁂⁕⁑†‡♦♢♣♧♠♤♥♡•·∙◦";

/** A line longer than this is prose, whatever it begins with. */
const LONGEST_HEADING = 160;
const LONGEST_LABEL = 24;

/**
 * Reads a line as a heading; null if it cannot be one. Only its words count here. Whether it begins a chapter is decided later,
 * together with all other headings.
 */
export function recogniseHeading(line: string): Recognition | null {
  // For a short line, the lookup is faster than the checks below.
  const known = line.length <= LONGEST_LABEL ? remembered.get(line) : undefined;
  if (known !== undefined) return known;
  if (line.length > LONGEST_HEADING || !mayOpenHeading(line)) return null;
  const knownTitle = line.length > LONGEST_LABEL ? remembered.get(line) : undefined;
  if (knownTitle !== undefined) return knownTitle;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const recognition = recognise(line);
  remembered.set(line, recognition);
  return recognition;
}

/** Every heading is recognised several times, and a file may consist of nothing but headings. */
const remembered = new Map<string, Recognition | null>();
const MOST_REMEMBERED = 50_000;

function recognise(line: string): Recognition | null {
  const label = LABEL_AND_NUMBER.exec(line);
  if (label) {
    const series = label[1]!.toLowerCase();
    const kind = HEADING_WORDS.get(series);
    const number = parseArabic(label[2]!);
    if (kind && number !== null) return { kind, series, number, rest: "" };
  }
  const bare = undecorated(line);
  if (bare === "") return null;
  const korean = recogniseKorean(bare);
  if (korean) return korean;
  if (DIGITS.test(bare)) return numeral(bare);
  if (bare.charCodeAt(0) >= 0x2e80) return recogniseEastAsian(bare);
  if (/[\u2e80-\u9fff]/.test(bare)) return recogniseEastAsian(bare) ?? numbered(bare);
  const isQuoted = /^\s*["“«]/.test(line);
  // A quotation that continues in the next lines is somebody reading from a book with chapters.
  if (isQuoted && !/["”»]\W*$/.test(line.trim().slice(1))) return null;
  if (!/\p{L}/u.test(bare)) return isQuoted ? null : numeral(bare);
  // “I—I—” is stammering, and “1. He was forty” is read out by somebody: in quotes a bare number is not a heading.
  return numbered(bare) ?? named(bare) ?? (isQuoted ? null : numeral(bare));
}

/** "Chapter 12", the form in most books: no other pattern need be tried. */
const LABEL_AND_NUMBER = /^([A-Za-z]+) (\d+)$/;

const DIGITS = /^\d+$/;

/**
 * Almost every line of a book is prose, and its first word rules it out quickly: a heading begins with a number, with one of the
 * known words, or in a script without spaces between words.
 */
function mayOpenHeading(line: string): boolean {
  let start = 0;
  while (start < line.length && isDecoration(line.charCodeAt(start))) start++;
  const first = line.charCodeAt(start);
  if (Number.isNaN(first)) return false;
  if ((first >= 48 && first <= 57) || first >= 0x2e80 || (first > 0x7f && !isLetter(first))) return true;
  if (first === OPENING_BRACKET) return NUMBER_SIGN.test(line.trim());
  let end = start;
  while (end < line.length && isLetter(line.charCodeAt(end))) end++;
  if (end === start) return false;
  const word = line.slice(start, end);
  const lower = smallLetters(word);
  if (FIRST_WORDS.has(lower)) return !LEADING_ARTICLES.has(lower) || mayOpenHeading(line.slice(end));
  return ("IVXLC".includes(word.charAt(0)) && /^[IVXLC]+$/.test(word)) || (end - start <= 7 && SMALL_ROMAN.test(line));
}

const OPENING_BRACKET = 0x28;

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 0xc0 && unit < 0x2000);
}

/** Space and the marks that `undecorated` strips. */
function isDecoration(unit: number): boolean {
  // Almost every line begins with a letter.
  if (unit > 96 ? unit < 123 : unit > 64 && unit < 91) return false;
  return unit <= 32 || DECORATIONS.includes(String.fromCharCode(unit));
}

const DECORATIONS = '*_=~#<>[]"“”«»—–-\u00a0\u3000';

const LEADING_DECORATION = new RegExp(`^[\\s*_=~#<>[\\]"“”«»—–${ORNAMENTS}-]+`, "u");
const TRAILING_DECORATION = new RegExp(`[\\s*_=~#<>[\\]"“”«»—–${ORNAMENTS}-]+$`, "u");

/** Asterisks, underscores, rules, brackets and ornaments that set a heading off from the text. */
function undecorated(line: string): string {
  return line.replace(LEADING_DECORATION, "").replace(TRAILING_DECORATION, "");
}

type HeadingWordKind = "chapter" | "division";

const HEADING_WORDS = new Map<string, HeadingWordKind>();
const NUMBERS = new Map<string, number>();
const NAMED = new Map<string, "named" | "paratext">();
for (const language of HEADING_LANGUAGES) {
  for (const word of language.chapter) HEADING_WORDS.set(word, "chapter");
  for (const word of language.division) HEADING_WORDS.set(word, "division");
  for (const word of language.named) NAMED.set(word, "named");
  for (const word of language.paratext) NAMED.set(word, "paratext");
  for (const [word, value] of Object.entries(language.numbers)) NUMBERS.set(word, value);
}

/** What a heading may begin with. */
const FIRST_WORDS = new Set<string>();
for (const words of [HEADING_WORDS, NUMBERS, NAMED]) {
  // "l'envoi" begins with "l": words end at an apostrophe here.
  for (const phrase of words.keys()) FIRST_WORDS.add(/^[\p{L}\p{M}]+/u.exec(phrase)?.[0] ?? phrase);
}

/** Vietnamese puts "thứ" before an ordinal. */
const ARTICLES = new Set(["the", "la", "le", "el", "il", "das", "der", "die", "lo", "het", "de", "thứ"]);
/** "An excerpt from …": before a number, "a" and "an" are not articles. */
const LEADING_ARTICLES = new Set([...ARTICLES, "a", "an"]);
for (const article of LEADING_ARTICLES) FIRST_WORDS.add(article);
for (const word of ["no", "nr", ...PROMOTION_WORDS]) FIRST_WORDS.add(word);
const TOKEN = /[\p{L}\p{M}\p{Nd}]+(?:['’][\p{L}\p{M}]+)*[.°ºª]?/gu;

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** "Chapter the First", "CHAPTER IV. TITLE", "Erstes Kapitel", "Глава 3". */
function numbered(line: string): Recognition | null {
  const tokens = firstTokens(line, 7);
  const begin = tokens[0] && ARTICLES.has(tokens[0].word) ? 1 : 0;
  const label = tokens[begin];
  if (!label) return null;
  const kind = HEADING_WORDS.get(label.word);
  if (kind) {
    const first = tokens[begin + 1] && ARTICLES.has(tokens[begin + 1]!.word) ? begin + 2 : begin + 1;
    const number = longestNumber(line, tokens, first);
    if (!number || !isSeparated(line, number.end)) return null;
    return { kind, series: label.word, number: number.value, rest: restOf(line, number.end) };
  }
  const number = longestNumber(line, tokens, begin);
  const headingWord = number && tokens[number.next];
  const wordKind = headingWord && HEADING_WORDS.get(headingWord.word);
  if (!number || !headingWord || !wordKind || !/^[\s.-]*$/.test(line.slice(number.end, headingWord.start))) return null;
  // "One night I was sitting": if the number comes first, only a mark or the line's end closes the label.
  if (!/^\s*(?:$|[.:—–-])/.test(line.slice(headingWord.end)) && line.charAt(headingWord.end - 1) !== ".") return null;
  return { kind: wordKind, series: headingWord.word, number: number.value, rest: restOf(line, headingWord.end) };
}

function firstTokens(line: string, limit: number): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(line); match !== null; match = TOKEN.exec(line)) {
    const [text] = match;
    const word = PLAIN.test(text) ? text.toLowerCase() : wordOf(text);
    tokens.push({ word, start: match.index, end: match.index + text.length });
    if (tokens.length === limit) break;
  }
  return tokens;
}

const PLAIN = /^[A-Za-z0-9]+$/;

function wordOf(token: string): string {
  return smallLetters(token.replace(/[.°ºª]$/, "").replaceAll("’", "'"));
}

/** In lower case, the Turkish İ becomes an i with a separate second dot. */
function smallLetters(word: string): string {
  const lower = word.toLowerCase();
  return lower.includes("\u0307") ? lower.replaceAll("i\u0307", "i") : lower;
}

function longestNumber(line: string, tokens: readonly Token[], from: number) {
  const first = tokens[from];
  if (!first) return null;
  const single = parseArabic(first.word) ?? parseRoman(first.word);
  if (single !== null) return { value: single, end: first.end, next: from + 1 };
  for (let count = Math.min(5, tokens.length - from); count >= 1; count--) {
    const run = tokens.slice(from, from + count);
    const between = run.slice(1).every((token, index) => /^[\s-]$/.test(line.slice(run[index]!.end, token.start)));
    const value = between
      ? parseSpelled(
          run.map(({ word }) => word),
          NUMBERS,
        )
      : null;
    const last = run.at(-1);
    if (value !== null && last) return { value, end: last.end, next: from + count };
  }
  return null;
}

/** After the label comes nothing, a mark, or a title that begins like one: "Letter I received" is prose. */
function isSeparated(line: string, end: number): boolean {
  const rest = line.slice(end);
  if (/^\s*$/.test(rest) || /^\s*[.:,;)\]—–-]/.test(rest) || line.charAt(end - 1) === ".") return true;
  return /^\s+["“‘'«(_]?[\p{Lu}\p{Lo}\d]/u.test(rest);
}

function restOf(line: string, end: number): string {
  return line
    .slice(end)
    .replace(/^[\s.:,;)\]—–-]+/, "")
    .trim();
}

/** "PROLOGUE", "Preface to the Second Edition", "CONTENTS." */
function named(line: string): Recognition | null {
  if (line.length > 70) return null;
  const plain = line.replaceAll("’", "'").toLowerCase();
  const whole = plain.replace(/[\s.:—–-]+$/, "");
  const exact = NAMED.get(whole) ?? NAMED.get(whole.replace(/^the /, ""));
  if (exact) return { kind: exact, series: whole, number: null, rest: "" };
  if (isPromotion(line)) return { kind: "paratext", series: PROMOTION, number: null, rest: "" };
  // "First Interlude", "INTERLUDE II": pieces that are not numbered chapters but are counted.
  const words = whole.replace(/^the /, "").split(" ");
  for (const [word = "", number = ""] of words.length === 2 ? [words, words.toReversed()] : []) {
    const isCounted = NUMBERS.has(number) || parseArabic(number) !== null || parseRoman(number) !== null;
    if (NAMED.get(word) === "named" && isCounted) return { kind: "named", series: word, number: null, rest: "" };
  }
  // Before a mark, or in capitals: "Epilogue: Ten Years After", "PREFACE TO THE FIRST EDITION".
  const head = /^[\p{L}']+(?: [\p{L}']+)?(?=\s*[.:—–-]|\s)/u.exec(plain)?.[0] ?? "";
  for (const candidate of [head, head.split(" ")[0] ?? ""]) {
    const kind = NAMED.get(candidate);
    if (!kind) continue;
    const after = line.slice(candidate.length);
    const isMarked = /^\s*[.:—–]/.test(after) || /^\s+-/.test(after);
    const isCapitals = line === line.toUpperCase();
    if (!isMarked && !isCapitals && kind === "paratext") return null;
    if (isMarked || isCapitals || /^(preface|introduction)$/.test(candidate)) {
      if (/[,;?!]$/.test(line) || (!isCapitals && /\.$/.test(line) && line.length > 50)) return null;
      return { kind, series: candidate, number: null, rest: restOf(line, candidate.length) };
    }
  }
  return null;
}

/** "§ 4", "No. 4", "(4)": a number alone, with the sign for one. */
const NUMBER_SIGN = /^(?:§\s*|№\s*|N(?:o|r)\.\s*|\()(\d{1,3}|[IVXLC]+)\)?\.?$/;

/** "iv" in lower case, with nothing after it. */
const SMALL_ROMAN = /^\s*([ivxlc]{1,7})\.?\s*$/;

/** "IV", "4.", "XII. The Wedding", "1203. Home", "TWELVE", "Twelve". Four digits without a mark are a year. */
function numeral(line: string): Recognition | null {
  const small = parseRoman(SMALL_ROMAN.exec(line)?.[1] ?? "");
  if (small !== null) return { kind: "numeral", series: "small roman", number: small, rest: "" };
  const match = /^([IVXLC]+|\d{1,3}|\d{4}(?=[.)]))([.)]?)(?:[\s—–|-]+(.*))?$/.exec(line.replace(NUMBER_SIGN, "$1"));
  if (match) {
    const [, sign = "", mark = "", title = ""] = match;
    const number = parseArabic(sign) ?? parseRoman(sign);
    if (number === null || number === 0) return null;
    const series = /\d/.test(sign) ? "arabic" : "roman";
    if (title === "") return { kind: "numeral", series, number, rest: "" };
    if (series === "arabic" && beginsWithMonth(title)) return null;
    return isTitle(title, mark !== "") ? { kind: "numeral", series, number, rest: title.trim() } : null;
  }
  if (line.length > 30 || (line !== line.toUpperCase() && !/^\p{Lu}/u.test(line))) return null;
  const words = line
    .toLowerCase()
    .replace(/\.$/, "")
    .split(/[\s-]+/);
  const number = parseSpelled(words, NUMBERS);
  return number === null || number === 0 ? null : { kind: "numeral", series: "spelled", number, rest: "" };
}

/** In scripts without capitals, a title is recognised by its length and its end alone. */
const LONGEST_CASELESS_TITLE = 30;

function isTitle(text: string, isMarked: boolean): boolean {
  if (text.length > 90 || /[,;]$/.test(text)) return false;
  if (text === text.toUpperCase() && /\p{Lu}/u.test(text)) return true;
  if (!isMarked) return text.length <= 60 && isTitleCase(text);
  if (/^["“‘'«]?\p{Lo}/u.test(text)) return text.length <= LONGEST_CASELESS_TITLE && !/[.?!…]["”’']?$/u.test(text);
  return /^["“‘'«]?\p{Lu}/u.test(text) && !(/[.]$/.test(text) && text.length > 60);
}

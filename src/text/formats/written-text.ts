import type { Removal } from "../book.ts";
import { recogniseHeading } from "../chapters/recognise.ts";
import { isShortTitle } from "../chapters/title-case.ts";
import { headingBlock } from "../clean/html-blocks.ts";
import type { Block, HeadingBlock, Metadata } from "../manuscript.ts";
import { authorInByline, isBelowTitle, isNameOfWriter, WORD_COUNT } from "../title-page.ts";
import { countWords, singleSpaced } from "../words.ts";

/** A line break inside a paragraph; Unicode's line separator. */
export const LINE_BREAK = "\u2028";

/** A paragraph of a word processor's file (DOCX, ODT, RTF), with what its style and formatting say about it. */
export interface WrittenParagraph {
  text: string;
  /** 1–6 for a heading by its style, 0 for anything else. */
  level: number;
  role: "title" | "subtitle" | "author" | "contents" | "letter" | null;
  isCentred: boolean;
  /** All of its text is bold. */
  isBold: boolean;
  /** It begins a new page. */
  startsPage: boolean;
}

/** The style names of Fabula's own letter to the author begin with this; the letter is not part of the book. */
export const LETTER_STYLE = "Fabula letter";

/** Empty paragraphs are space above the next one; a file may hold millions of them. */
const MOST_EMPTY = 5;

export function addWritten(paragraphs: WrittenParagraph[], paragraph: WrittenParagraph): void {
  const last = paragraphs.at(-1);
  const isRunOfEmpty =
    paragraph.text.trim() === "" &&
    paragraphs.length >= MOST_EMPTY &&
    paragraphs.slice(-MOST_EMPTY).every(({ text }) => text.trim() === "");
  if (isRunOfEmpty && last) last.startsPage ||= paragraph.startsPage;
  else paragraphs.push(paragraph);
}

/** Puts each note, "[3] …", after the paragraph that refers to it; notes without a reference go to the end. */
export function withNotes(
  paragraphs: readonly WrittenParagraph[],
  notes: readonly WrittenParagraph[],
): readonly WrittenParagraph[] {
  if (notes.length === 0) return paragraphs;
  const bySign = new Map<string, WrittenParagraph[][]>();
  let sign = "";
  for (const note of notes) {
    const own = NOTE_SIGN.exec(note.text)?.[0];
    if (own !== undefined || sign === "") {
      sign = own ?? "[]";
      const others = bySign.get(sign);
      if (others) others.push([]);
      else bySign.set(sign, [[]]);
    }
    bySign.get(sign)!.at(-1)!.push(note);
  }
  const placed = paragraphs.flatMap((paragraph) => {
    const signs = paragraph.text.includes("[") ? (paragraph.text.match(NOTE_SIGNS) ?? []) : [];
    return [paragraph, ...signs.flatMap((own) => bySign.get(own)?.shift() ?? [])];
  });
  return [...placed, ...[...bySign.values()].flat(2)];
}

const NOTE_SIGN = /^\[[^\]\s]{0,12}\]/;
const NOTE_SIGNS = /\[[^\]\s]{0,12}\]/g;

interface WrittenBlocks {
  readonly blocks: readonly Block[];
  readonly removed: readonly Removal[];
  /** The data on the title page. The file's properties are less reliable: they often name whoever installed the program. */
  readonly metadata: Metadata;
}

/** The space that represents a page: more than any blank line leaves. */
const PAGE_SPACE = 4;
/** A centred line counts as set apart, like a title in a plain text. */
const CENTRED_SPACE = 3;

/** The paragraphs of a file as blocks. Headings by style keep their level; a line that only looks like a heading is a candidate. */
export function writtenBlocks(all: readonly WrittenParagraph[], where: string): WrittenBlocks {
  const contents: string[] = [];
  const letter = all.filter(({ role }) => role === "letter");
  const paragraphs = letter.length === 0 ? all : all.filter(({ role }) => role !== "letter");
  const page = titlePage(paragraphs);
  const removed: Removal[] = [];
  if (letter.length > 0) {
    const text = letter.map((paragraph) => lines(paragraph.text).join("\n")).join("\n");
    removed.push({ rule: "letter by Fabula", where: "front", text: text.slice(0, 4000) });
  }
  if (page.to > 0) {
    const text = paragraphs.slice(0, page.to).map(({ text }) => lines(text).join("\n"));
    removed.push({ rule: "title page", where: "front", text: text.filter(Boolean).join("\n") });
  }
  const blocks: Block[] = [];
  let space = 0;
  let startsPage = false;
  for (const paragraph of paragraphs.slice(page.to)) {
    startsPage ||= paragraph.startsPage;
    const own = lines(paragraph.text);
    if (own.length === 0) {
      space++;
      continue;
    }
    const { level, role, isCentred, isBold } = paragraph;
    const above = startsPage ? PAGE_SPACE : space;
    if (startsPage && blocks.length > 0) blocks.push({ kind: "break", isPage: true });
    [space, startsPage] = [0, false];
    if (role === "contents") contents.push(own.join(" "));
    else if (level > 0 || role === "title" || role === "subtitle") {
      blocks.push(headingBlock(own, level || (role === "title" ? 1 : 2)));
    } else if (ORNAMENT.test(own.join(""))) blocks.push({ kind: "break" });
    else if (isShortTitle(own) && (isCentred || isBold)) {
      const last = blocks.at(-1);
      if (above === 0 && last?.kind === "heading" && isTitleOver(last, own)) {
        blocks[blocks.length - 1] = { ...last, lines: [...last.lines, ...own] };
        continue;
      }
      blocks.push({
        ...{ kind: "heading", lines: own, level: 0 },
        ...(isCentred && { space: Math.max(above, CENTRED_SPACE) }),
      });
    } else blocks.push({ kind: "paragraph", text: own.join("\n") });
  }
  if (contents.length > 0) removed.push({ rule: "table of contents", where, text: contents.join("\n").slice(0, 4000) });
  return { blocks, removed, metadata: page.metadata };
}

/** "ANNA" right above "Laide, in the winter" is one heading; a line with a number is a heading of its own. */
function isTitleOver({ level, lines: own }: HeadingBlock, next: readonly string[]): boolean {
  return level === 0 && own.length === 1 && next.length === 1 && recogniseHeading(next[0]!) === null;
}

function lines(text: string): string[] {
  return text.split(LINE_BREAK).map(singleSpaced).filter(Boolean);
}

/** A line of asterisks or a hash between two scenes. */
const ORNAMENT = /^[*#~•⁂∗✱–—-](?:\s*[*#~•⁂∗✱–—-]){0,9}$/u;

const LATEST_BYLINE = 40;
const MOST_WORDS_OF_TITLE_PAGE = 120;
const LONGEST_BOOK_TITLE = 100;

/**
 * The title page a manuscript begins with: Word's Title style, or the standard format for submissions (the writer's address, the
 * number of words, the title in the middle, "by Jane Doe").
 */
function titlePage(paragraphs: readonly WrittenParagraph[]): { to: number; metadata: Metadata } {
  const styled = paragraphs.filter(({ role, text }) => role === "title" && text.trim() !== "");
  const first = paragraphs.slice(0, LATEST_BYLINE);
  const titleAt = styled.length === 1 ? first.indexOf(styled[0]!) : -1;
  if (titleAt >= 0 && wordsIn(first.slice(0, titleAt)) <= MOST_WORDS_OF_TITLE_PAGE) {
    let to = titleAt + 1;
    let author: string | undefined;
    for (; to < paragraphs.length; to++) {
      const { role, text, level, isCentred } = paragraphs[to]!;
      const line = singleSpaced(text);
      const isName = role === "author" || (isCentred && level === 0 && author === undefined && isNameOfWriter(line));
      const byline = authorInByline(line) ?? (isName ? line : undefined);
      const isAround = line === "" || role === "subtitle" || (level === 0 && isBelowTitle(line));
      if (!isAround && byline === undefined) break;
      author ??= byline;
    }
    return { to, metadata: { title: lines(styled[0]!.text).join(": "), ...(author && { author }) } };
  }
  return titlePageWithByline(first) ?? centredTitlePage(first) ?? { to: 0, metadata: {} };
}

type TitlePage = ReturnType<typeof titlePage>;

/** A title and a name, both centred, above the first heading. */
function centredTitlePage(first: readonly WrittenParagraph[]): TitlePage | null {
  const written = first.filter(
    ({ text }, at) => singleSpaced(text) !== "" && (at === 0 || !isBelowTitle(singleSpaced(text))),
  );
  const [title, author, heading] = written;
  if (!title?.isCentred || !author?.isCentred || title.level > 0 || author.level > 0 || !heading?.level) return null;
  const name = singleSpaced(author.text);
  if (!isNameOfWriter(name) || singleSpaced(title.text).length > LONGEST_BOOK_TITLE) return null;
  return { to: first.indexOf(author) + 1, metadata: { title: singleSpaced(title.text), author: name } };
}

function titlePageWithByline(first: readonly WrittenParagraph[]): TitlePage | null {
  for (const [at, { text, level }] of first.entries()) {
    if (level > 0) break;
    const line = singleSpaced(text);
    const isBy = /^by$/i.test(line);
    const author = isBy ? nextLine(first, at) : authorInByline(line);
    if (author === undefined) continue;
    const above = first.slice(0, at).filter((paragraph) => singleSpaced(paragraph.text) !== "");
    const last = above.at(-1);
    const isUnderTitle = above.at(-2)?.isCentred && isBelowTitle(singleSpaced(last!.text));
    const title = isUnderTitle ? above.at(-2) : last;
    const name = singleSpaced(title?.text ?? "");
    const isTitle = title?.isCentred && name.length <= LONGEST_BOOK_TITLE && !WORD_COUNT.test(name);
    if (!isTitle || wordsIn(first.slice(0, at)) > MOST_WORDS_OF_TITLE_PAGE) break;
    const to = isBy ? first.findIndex((paragraph, index) => index > at && singleSpaced(paragraph.text) === author) : at;
    return { to: to + 1, metadata: { title: name, author } };
  }
  return null;
}

function nextLine(paragraphs: readonly WrittenParagraph[], at: number): string | undefined {
  return paragraphs
    .slice(at + 1)
    .map(({ text }) => singleSpaced(text))
    .find((line) => line !== "");
}

function wordsIn(paragraphs: readonly WrittenParagraph[]): number {
  return paragraphs.reduce((sum, { text }) => sum + countWords(text), 0);
}

/** Names of heading styles as word processors translate them. Word itself never does. */
const HEADING_NAME =
  /^(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|titlu|başlık|заголовок|επικεφαλίδα|标题|標題|見出し|제목) ?([1-9])$/iu;

/** Word counts outline levels from 0; 9 is body text. */
export function levelOfOutline(outline: number | null): number | null {
  return outline !== null && outline >= 0 && outline < 9 ? Math.min(6, outline + 1) : null;
}

/** The meaning of a paragraph style's name; null if it has none. */
export function styleNamed(name: string): Pick<WrittenParagraph, "level" | "role"> | null {
  if (name.toLowerCase().startsWith(LETTER_STYLE.toLowerCase())) return { level: 0, role: "letter" };
  const number = HEADING_NAME.exec(name)?.[1];
  if (number !== undefined) return { level: Math.min(6, Number(number)), role: null };
  if (/^(?:toc|table of contents|contents)(?: ?\d| ?heading)?$/i.test(name)) return { level: 0, role: "contents" };
  if (/^title$/i.test(name)) return { level: 0, role: "title" };
  if (/^subtitle$/i.test(name)) return { level: 0, role: "subtitle" };
  return /^author$/i.test(name) ? { level: 0, role: "author" } : null;
}

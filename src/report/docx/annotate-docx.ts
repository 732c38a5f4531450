import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { escapeHtml } from "../markup.ts";
import { type DocumentLetters, documentLetters, lettersOf, type TextRun } from "./document-letters.ts";

/** A sentence of a book with its surroundings, because a short sentence may occur in many places. */
export interface WantedSentence {
  readonly before: string;
  readonly sentence: string;
  readonly after: string;
}

const CONTEXT = 60;

/** The sentence at a position of a chapter, with its surroundings. */
export function wantedSentence(chapterText: string, start: number, end: number): WantedSentence {
  return {
    before: lettersOf(chapterText.slice(Math.max(0, start - 3 * CONTEXT), start)).slice(-CONTEXT),
    sentence: lettersOf(chapterText.slice(start, end)),
    after: lettersOf(chapterText.slice(end, end + 3 * CONTEXT)).slice(0, CONTEXT),
  };
}

/**
 * Where each sentence's letters begin in a document's letters, or null. Sentences come in reading order, so each is
 * searched after the previous one, first with its surroundings and without them only if those differ (for example,
 * because of a heading in between). Without any surroundings it must be the only occurrence left: a comment at
 * another "He nodded." is worse than none.
 */
export function findSentences(letters: string, wanted: readonly WantedSentence[]): (number | null)[] {
  let from = 0;
  return wanted.map(({ before, sentence, after }) => {
    if (sentence === "") return null;
    for (const [left, right] of [
      [before, after],
      ["", after],
      [before, ""],
      ["", ""],
    ] as const) {
      const behind = Math.max(0, from - left.length);
      const found = letters.indexOf(left + sentence + right, behind);
      if (found === -1) continue;
      if (left === "" && right === "" && letters.includes(sentence, found + 1)) return null;
      from = found + left.length;
      return from;
    }
    return null;
  });
}

/** The range of a comment: from one letter of the document to another. */
interface CommentRange {
  readonly id: number;
  readonly firstLetter: number;
  readonly lastLetter: number;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** At the same position, ends come before beginnings. */
  readonly order: number;
}

const OPENING = /["“‘«「『([¿¡—–-]/u;
const CLOSING = /[^\s\p{L}\p{N}]/u;

/**
 * Adds comment marks around the given ranges. Runs are split if a range begins or ends inside one; nothing else
 * changes.
 */
function placeComments(
  xml: string,
  { pieces, pieceOf, offsets }: DocumentLetters,
  ranges: readonly CommentRange[],
): string {
  const insertions = ranges.flatMap(({ id, firstLetter, lastLetter }): Insertion[] => {
    const [first, last] = [pieces[pieceOf[firstLetter]!]!, pieces[pieceOf[lastLetter]!]!];
    let start = offsets[firstLetter]!;
    while (start > 0 && OPENING.test(first.text[start - 1]!)) start--;
    let end = offsets[lastLetter]! + 1;
    while (end < last.text.length && CLOSING.test(last.text[end]!)) end++;
    const reference = `<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`;
    return [
      { ...split(first, start, `<w:commentRangeStart w:id="${id}"/>`), order: 1 },
      { ...split(last, end, reference), order: 0 },
    ];
  });
  const spaces = keptSpaces(xml, insertions, pieces);
  return [...insertions, ...spaces]
    .sort((left, right) => right.at - left.at || right.order - left.order)
    .reduce((text, { at, text: inserted }) => text.slice(0, at) + inserted + text.slice(at), xml);
}

/** A mark before or after a whole run, or within its text, where the run is split in two with the same format. */
function split(piece: TextRun, offset: number, mark: string): Pick<Insertion, "at" | "text"> {
  if (offset === 0 && piece.isFirst) return { at: piece.run.start, text: mark };
  if (offset === piece.text.length && piece.isLast) return { at: piece.run.end, text: mark };
  const again = `<w:r>${piece.run.properties}<w:t xml:space="preserve">`;
  return { at: piece.places[offset]!, text: `</w:t></w:r>${mark}${again}` };
}

/** The first half of a split text may end in a space, which Word preserves only if told to. */
function keptSpaces(xml: string, insertions: readonly Insertion[], pieces: readonly TextRun[]): Insertion[] {
  const splitAt = new Set(insertions.map(({ at }) => at));
  return pieces.flatMap(({ open, start, places }) => {
    const isSplit = places.some((place) => splitAt.has(place) && place >= start);
    const tag = xml.slice(open, start);
    if (!isSplit || tag.includes("xml:space")) return [];
    return [{ at: open + "<w:t".length, text: ' xml:space="preserve"', order: 0 }];
  });
}

/** A note on a sentence of the manuscript. */
export interface SentenceNote {
  readonly wanted: WantedSentence;
  readonly paragraphs: readonly string[];
}

export interface AnnotatedDocx {
  readonly bytes: Uint8Array;
  /** How many notes were placed at their sentences; the other sentences were not found in the document. */
  readonly placed: number;
}

const DOCUMENT = "word/document.xml";

/**
 * Adds comments to a Word document, at the given sentences in reading order, and one on its first words. Everything
 * else in the file is unchanged, byte for byte.
 */
export function annotateDocx(
  file: Uint8Array,
  notes: readonly SentenceNote[],
  atTheTop: readonly string[] = [],
): AnnotatedDocx {
  const entries = unzipSync(file);
  const xml = strFromU8(entries[DOCUMENT]!);
  const letters = documentLetters(xml);
  const places = findSentences(
    letters.letters,
    notes.map(({ wanted }) => wanted),
  );
  let id = firstFreeId(entries);
  const ranges: CommentRange[] = [];
  const comments: Comment[] = [];
  if (atTheTop.length > 0 && letters.letters.length > 0) {
    ranges.push({ id, firstLetter: 0, lastLetter: endOfRun(letters, 0) });
    comments.push({ id: id++, paragraphs: atTheTop });
  }
  for (const [at, place] of places.entries()) {
    if (place === null) continue;
    const { wanted, paragraphs } = notes[at]!;
    ranges.push({ id, firstLetter: place, lastLetter: place + wanted.sentence.length - 1 });
    comments.push({ id: id++, paragraphs });
  }
  if (comments.length === 0) return { bytes: file, placed: 0 };
  entries[DOCUMENT] = strToU8(placeComments(xml, letters, ranges));
  addComments(entries, comments);
  return { bytes: zipSync(entries), placed: places.filter((place) => place !== null).length };
}

/** The last letter of the paragraph that contains a letter. */
function endOfRun({ pieces, pieceOf }: DocumentLetters, letter: number): number {
  const { paragraph } = pieces[pieceOf[letter]!]!;
  let last = letter;
  while (last + 1 < pieceOf.length && pieces[pieceOf[last + 1]!]!.paragraph === paragraph) last++;
  return last;
}

/** A comment as paragraphs of plain text. */
interface Comment {
  readonly id: number;
  readonly paragraphs: readonly string[];
}

type Entries = Record<string, Uint8Array>;

const COMMENTS = "word/comments.xml";
const RELATIONS = "word/_rels/document.xml.rels";
const TYPES = "[Content_Types].xml";
const AUTHOR = "Fabula";
const NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments";
const TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml";

/** The first id that is not used by a comment of the document. */
function firstFreeId(entries: Entries): number {
  const ids = [...text(entries, COMMENTS).matchAll(/<w:comment [^>]*w:id="(\d+)"/g)].map(([, id]) => Number(id));
  return ids.reduce((most, id) => Math.max(most, id + 1), 0);
}

/** Adds comments to the document's existing ones, or adds the part for them, with its relationship and content type. */
function addComments(entries: Entries, comments: readonly Comment[]): void {
  const written = comments.map(commentXml).join("");
  const existing = text(entries, COMMENTS);
  entries[COMMENTS] = strToU8(
    existing.includes("</w:comments>")
      ? existing.replace("</w:comments>", () => `${written}</w:comments>`)
      : `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="${NAMESPACE}">${written}</w:comments>`,
  );
  const relations = text(entries, RELATIONS);
  if (!relations.includes(RELATION)) {
    const relation = `<Relationship Id="${freeRelation(relations)}" Type="${RELATION}" Target="comments.xml"/>`;
    entries[RELATIONS] = strToU8(
      relations.includes("</Relationships>")
        ? relations.replace("</Relationships>", `${relation}</Relationships>`)
        : `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation}</Relationships>`,
    );
  }
  const types = text(entries, TYPES);
  if (!types.includes(TYPE)) {
    entries[TYPES] = strToU8(
      types.replace("</Types>", `<Override PartName="/${COMMENTS}" ContentType="${TYPE}"/></Types>`),
    );
  }
}

function commentXml({ id, paragraphs }: Comment): string {
  const inside = paragraphs.map((line) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(line)}</w:t></w:r></w:p>`);
  return `<w:comment w:id="${id}" w:author="${AUTHOR}" w:initials="F">${inside.join("")}</w:comment>`;
}

/** XML does not allow control characters, even escaped. */
export function escapeXml(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return escapeHtml(line.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""));
}

function freeRelation(relations: string): string {
  let number = 1;
  while (relations.includes(`"rIdFabula${number}"`)) number++;
  return `rIdFabula${number}`;
}

function text(entries: Entries, name: string): string {
  const bytes = entries[name];
  return bytes ? strFromU8(bytes) : "";
}

import { extname } from "node:path";
import type { Book } from "./book.ts";
import { headingKey } from "./chapters/titles.ts";

/** Project Gutenberg's names for the files of one book: 768.txt, 768-0.txt, 768-8.txt, 768-h.htm. */
const EDITION = /^(.+?)(?:-(?:0|8|h))?\.(txt|html?|xhtml|epub)$/i;

/**
 * If the files of a folder are one book in several formats: the one to read and, if there is one, another to compare it with.
 * UTF-8 text comes first, because nothing in it has to be guessed; then EPUB and HTML.
 */
export function editionsOf(names: readonly string[]): { readonly first: string; readonly other: string | null } | null {
  const editions = names.filter((name) => !name.startsWith("@")).map((name) => ({ name, match: EDITION.exec(name) }));
  const stems = new Set(editions.map(({ match }) => match?.[1]));
  const kinds = new Set(editions.map(({ name }) => extname(name).toLowerCase()));
  // If some file is not an edition, such as a chapter or book.yaml, the folder is something else.
  if (stems.has(undefined)) return null;
  if (editions.length < 2 || stems.size !== 1 || (kinds.size < 2 && !/^\d+$/.test([...stems][0] ?? ""))) return null;
  const [first, ...rest] = editions.map(({ name }) => name).sort((one, other) => rank(one) - rank(other));
  const other = rest.find((name) => extname(name).toLowerCase() !== extname(first!).toLowerCase()) ?? null;
  return { first: first!, other };
}

function rank(name: string): number {
  if (/-0\.txt$/i.test(name)) return 0;
  if (/\.epub$/i.test(name)) return 1;
  if (/\.x?html?$/i.test(name)) return 2;
  return /-8\.txt$/i.test(name) ? 4 : 3;
}

const TOLERANCE = 0.005;
const MOST_LISTED = 3;

/** The parts of an edition that are compared. */
export interface Edition {
  readonly file: string;
  readonly words: number;
  readonly chapters: readonly { readonly index: number; readonly title: string | null }[];
  /** Null if the text is not available. */
  readonly lastParagraph: string | null;
}

export function editionOf(book: Book): Edition {
  const { words, chapters } = book;
  return { file: book.source.file, words, chapters, lastParagraph: lastParagraph(book) };
}

/** The differences between two editions of one book: one of them was misread, or the files do differ. */
export function compareEditions(one: Edition, other: Edition): string[] {
  const found: string[] = [];
  if (one.chapters.length !== other.chapters.length) {
    found.push(`${one.chapters.length} chapters against ${other.chapters.length}`);
  }
  if (Math.abs(one.words - other.words) > TOLERANCE * one.words) {
    found.push(`${one.words.toLocaleString("en-GB")} words against ${other.words.toLocaleString("en-GB")}`);
  }
  const place = one.chapters.find((chapter, at) => {
    const twin = other.chapters[at];
    return twin && headingKey(chapter.title ?? "") !== headingKey(twin.title ?? "");
  });
  if (place) {
    const twin = other.chapters[one.chapters.indexOf(place)];
    found.push(`chapter ${place.index} is “${place.title ?? ""}” against “${twin?.title ?? ""}”`);
  }
  const bothKnown = one.lastParagraph !== null && other.lastParagraph !== null;
  if (bothKnown && one.lastParagraph !== other.lastParagraph) found.push("the last paragraphs");
  if (found.length === 0) return [];
  return [`${one.file} and ${other.file} differ: ${found.slice(0, MOST_LISTED).join("; ")}.`];
}

/** Only letters and digits: editions set quotation marks and dashes differently. */
export function lastParagraph({ chapters }: Book): string {
  const text = chapters.at(-1)?.text ?? "";
  return headingKey(text.slice(text.lastIndexOf("\n\n") + 1));
}

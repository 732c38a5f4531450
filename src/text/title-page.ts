import type { Removal } from "./book.ts";
import { recogniseHeading } from "./chapters/recognise.ts";
import { isTitleCase, mayBeTitle } from "./chapters/title-case.ts";
import type { Metadata } from "./manuscript.ts";

const BYLINE = /^(?:\S.{0,30}\s)?(?:by|By|BY)\s+(\p{Lu}[\p{L}.'’ -]{1,60})$/u;

/** The writer named on a line of a title page: "by Jane Doe", "A novel by Jane Doe". */
export function authorInByline(line: string): string | undefined {
  return BYLINE.exec(line)?.[1];
}

const KIND_OF_BOOK =
  /^(?:(?:an?|eine?|une?|una|uno)\s+)?(?:[\p{L}’'-]+\s+){0,2}(?:novel|novella|romance|thriller|mystery|memoir|saga|roman|erzählung|novelle|récit|novela|romanzo)(?:\s+(?:in|of|en|aus)\s+.{1,40})?$/iu;
const DRAFT =
  /^\(?(?:(?:first|second|third|fourth|fifth|final|rough|revised|working)\s+(?:draft|title|version)|(?:draft|version)\s+\S{1,8})\)?$/iu;

/** A line between title and writer that describes the book ("A Novel", "Second draft") and is not its title. */
export function isBelowTitle(line: string): boolean {
  return KIND_OF_BOOK.test(line) || DRAFT.test(line);
}

export const WORD_COUNT = /^(?:about|approx(?:imately|\.)?|~)?\s*[\d,.]+\s*(?:words|wörter|mots|palabras)/i;
const DEDICATION = /^(?:for|to|in memory of|dedicated to|für|pour|para)\s/i;

/** "Jane Doe", but neither "A Novel" nor "Part One" nor "For Anna". */
export function isNameOfWriter(line: string): boolean {
  if (DEDICATION.test(line) || isBelowTitle(line) || recogniseHeading(line) !== null) return false;
  return /^\p{Lu}[\p{L}.'’-]*(?: [\p{L}.'’-]+){0,3} \p{Lu}[\p{L}'’-]+$/u.test(line);
}

const MOST_LINES = 14;
const LONGEST_LINE = 100;

/**
 * What stands above the first chapter, where nothing else names the book: a title over "by Jane Doe", a title and a name of which
 * one is in capitals, or a title alone. A dedication, a motto and a list of contents name nothing.
 */
export function titlePageIn(removed: readonly Removal[]): Metadata {
  const page = removed.find(({ rule, where }) => rule === "front matter" && where === "front");
  const all = (page?.text ?? "").split("\n").map((line) => line.trim());
  const lines = all.filter((line) => line !== "" && !isBelowTitle(line) && !WORD_COUNT.test(line));
  if (lines.length === 0 || lines.length > MOST_LINES || lines.some(({ length }) => length > LONGEST_LINE)) return {};
  const at = lines.findIndex((line) => /^by$/i.test(line) || authorInByline(line) !== undefined);
  if (at > 0) {
    const author = authorInByline(lines[at]!) ?? lines[at + 1];
    return isTitle(lines[at - 1]!) && author !== undefined ? { title: lines[at - 1]!, author } : {};
  }
  const [first, second] = lines as [string, string | undefined];
  if (second === undefined) return isTitle(first) ? { title: first } : {};
  if (lines.length > 2 || isInCapitals(first) === isInCapitals(second)) return {};
  const [title, author] = isInCapitals(first) ? [first, second] : [second, first];
  return isTitle(title) && isNameOfWriter(author) ? { title, author } : {};
}

function isTitle(line: string): boolean {
  if (DEDICATION.test(line) || recogniseHeading(line) !== null || !mayBeTitle([line])) return false;
  return isInCapitals(line) || isTitleCase(line);
}

function isInCapitals(line: string): boolean {
  return /\p{Lu}/u.test(line) && !/\p{Ll}/u.test(line);
}

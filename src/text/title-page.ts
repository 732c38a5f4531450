import type { Removal } from "./book.ts";
import { recogniseHeading } from "./chapters/recognise.ts";
import { isTitleCase, mayBeTitle } from "./chapters/title-case.ts";
import type { Metadata } from "./manuscript.ts";

const BYLINE = /^(?:(\S.{0,30})\s)?(?:by|By|BY)\s+(\p{Lu}[\p{L}.'’ -]{1,60})$/u;

/** The writer named on a line of a title page: "by Jane Doe", "A novel by Jane Doe", but not "Translated by Jane Doe". */
export function authorInByline(line: string): string | undefined {
  const [, before = "", author] = BYLINE.exec(line) ?? [];
  const kind = before.replace(/[\s,:]*(?:\bwritten)?$/i, "");
  return kind === "" || isBelowTitle(kind) ? author : undefined;
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
const DEDICATION = /^(?:for|to|in (?:loving )?memory of|dedicated to|für|mein(?:er|em|en)|pour|à|para)\s/i;
const NO_TITLE = /^(?:by|copyright|all rights|draft|confidential|\p{L}+ed by)(?!\p{L})/iu;

/** "Jane Doe", but neither "A Novel" nor "Part One" nor "For Anna". */
export function isNameOfWriter(line: string): boolean {
  if (DEDICATION.test(line) || isBelowTitle(line) || recogniseHeading(line) !== null) return false;
  return /^\p{Lu}[\p{L}.'’-]*(?: [\p{L}.'’-]+){0,3} \p{Lu}[\p{L}'’-]+$/u.test(line);
}

const MOST_LINES = 14;
const LONGEST_LINE = 100;

/**
 * The title and author above the first chapter, if nothing else names them: one line over "by Jane Doe", or a title alone. A
 * wrong title misleads more than none, so nothing is taken that may be something else: of two lines without "by", either may be
 * the writer.
 */
export function titlePageIn(removed: readonly Removal[]): Metadata {
  const page = removed.find(({ rule, where }) => rule === "front matter" && where === "front");
  const all = (page?.text ?? "").split("\n").map((line) => line.trim());
  const lines = all.filter((line) => line !== "" && !isBelowTitle(line));
  if (lines.length > MOST_LINES || lines.some(({ length }) => length > LONGEST_LINE)) return {};
  const at = lines.findIndex((line) => /^(?:written )?by$/i.test(line) || authorInByline(line) !== undefined);
  const author = at < 0 ? undefined : (authorInByline(lines[at]!) ?? lines[at + 1] ?? "");
  const above = author === undefined ? lines : withoutSender(lines.slice(0, at), author);
  const [title = "", ...others] = above.filter((line) => !WORD_COUNT.test(line));
  if (others.length > 0 || !isTitle(title)) return {};
  if (author === undefined) return isTitleAlone(title) ? { title } : {};
  return isNameOfWriter(author) ? { title, author } : {};
}

/** Without the name at the top of a page for submissions, and the address between it and the number of words. */
function withoutSender(above: readonly string[], author: string): readonly string[] {
  const [first = ""] = above;
  const address = first.slice(author.length);
  // The lines of an address may have been joined to the name.
  const isSender = first.toLowerCase().startsWith(author.toLowerCase()) && (address === "" || /[\d@]/.test(address));
  if (!isSender) return above;
  return above.slice(Math.max(1, above.findIndex((line) => WORD_COUNT.test(line)) + 1));
}

function isTitle(line: string): boolean {
  if (DEDICATION.test(line) || NO_TITLE.test(line) || recogniseHeading(line) !== null || !mayBeTitle([line]))
    return false;
  return isInCapitals(line) || isTitleCase(line);
}

const ARTICLE = /^(?:the|an?|der|die|das|eine?|les?|la|une?)\s/i;
const NO_TITLE_ALONE =
  /^\S+ (?:maps?|notes?|words?|work|list|author|editor|publisher)\b|^an? (?:\S+ )?(?:story|tale)$|\sby\s|\d{4}/i;

/** "The Storm". Without an article a line may as well name a person, a place or a day. */
function isTitleAlone(line: string): boolean {
  return ARTICLE.test(line) && !NO_TITLE_ALONE.test(line);
}

function isInCapitals(line: string): boolean {
  return /\p{Lu}/u.test(line) && !/\p{Ll}/u.test(line);
}

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

import { FabulaError } from "../../core/errors.ts";
import type { Table } from "../../core/table/table.ts";
import { STARS } from "../predictor/personal-model.ts";
import { type MarkKind, markIn, scaleProblem, starsFrom } from "../predictor/rating-scale.ts";
import {
  isUsable,
  type ProfileReview,
  profileReviewSchema,
  withoutRepeats,
  withoutReviewed,
} from "./reader-profile.ts";

type Row = Table["rows"][number];

/** Converts a mark into stars, or refuses it and names its row. A platform's average is always in stars. */
interface ReadRating {
  own(given: unknown): number | undefined;
  average(given: unknown, isOfPlatform?: boolean): number | undefined;
}

interface Source {
  readonly name: string;
  /** The columns by which an export is recognised. */
  readonly columns: readonly string[];
  review(row: Row, read: ReadRating): Record<string, unknown>;
  /** Whether the row says that the reader has read the book. */
  isRead(row: Row): boolean;
}

export interface ImportedReviews {
  readonly source: string;
  /** Whether it is the export of a whole library, so that a shelf without books is empty and not unknown. */
  readonly isLibrary: boolean;
  readonly reviews: readonly ProfileReview[];
  /** The books that the reader wants to read, as far as the export describes them. */
  readonly toRead: readonly ProfileReview[];
  /** Books that the reader has read without rating or reviewing them. */
  readonly unrated: readonly ProfileReview[];
  /** Rows that hold neither stars nor words and are not on the to-read shelf. */
  readonly without: number;
  readonly repeats: number;
}

const SOURCES: readonly Source[] = [
  {
    name: "Goodreads",
    columns: ["My Rating", "Exclusive Shelf", "Title"],
    isRead: (row) => isReadShelf(row["Exclusive Shelf"]),
    review: (row, read) => ({
      title: row.Title,
      author: row.Author,
      ...sortedShelves(row.Bookshelves, row["Exclusive Shelf"]),
      // Goodreads writes 0 for "not rated", and for the average of a book that nobody has rated.
      rating: read.own(row["My Rating"]),
      average_rating: read.average(row["Average Rating"], true),
      review: withoutTags(row["My Review"]),
      date: isoDate(row["Date Read"]) ?? isoDate(row["Date Added"]),
    }),
  },
  {
    name: "StoryGraph",
    columns: ["Star Rating", "Read Status", "Title"],
    isRead: (row) => isReadShelf(row["Read Status"]),
    review: (row, read) => ({
      title: row.Title,
      author: row.Authors,
      ...sortedShelves(row.Tags, row["Read Status"]),
      moods: listed(row.Moods),
      pace: row.Pace,
      rating: read.own(row["Star Rating"]),
      review: withoutTags(row.Review),
      date: isoDate(row["Last Date Read"]) ?? isoDate(row["Date Added"]),
    }),
  },
];

/** Any other table: columns named as Fabula names them, a rating on the scale that is given. */
const PLAIN: Source = {
  name: "a table of reviews",
  columns: [],
  isRead: () => true,
  review: (row, read) => ({
    ...row,
    rating: read.own(row.rating),
    average_rating: read.average(row.average_rating),
    date: isoDate(row.date),
  }),
};

/**
 * Reads an export of Goodreads or StoryGraph, or a table with `rating` or `review` columns, into reviews. Without a scale
 * the ratings must be stars: one above five is refused, since those up to five could mean anything.
 */
export function importReviews(table: Table, scale?: number): ImportedReviews {
  const known = SOURCES.find(({ columns }) => columns.every((column) => table.columns.includes(column)));
  const source = known ?? PLAIN;
  if (!known && !table.columns.includes("rating") && !table.columns.includes("review")) {
    throw new FabulaError(
      "E_PROFILE_COLUMNS",
      `"${table.source}" has neither a "rating" nor a "review" column, and is not a Goodreads or StoryGraph export. Export the library again, or rename the columns to title, author, genres, rating and review. It has: ${table.columns.slice(0, 20).join(", ")}.`,
    );
  }
  const read = table.rows.map((row, at) => {
    const review = profileReviewSchema.parse(source.review(row, ratingsOf(table, at, scale)));
    // A shelf such as "want-to-read-again" holds books that were read: what has stars or words is a review.
    return review.status === "to-read" && isUsable(review) ? { ...review, status: undefined } : review;
  });
  const toRead = read.filter(({ status, title }) => status === "to-read" && title !== undefined);
  const usable = read.filter(isUsable);
  const { kept, repeats } = withoutRepeats(usable);
  const unrated = read.filter(
    (review, at) =>
      !isUsable(review) && review.status !== "to-read" && review.title !== undefined && source.isRead(table.rows[at]!),
  );
  return {
    source: source.name,
    isLibrary: source !== PLAIN,
    reviews: kept,
    toRead: withoutRepeats(toRead).kept,
    unrated: withoutReviewed(withoutRepeats(unrated).kept, kept),
    without: read.length - usable.length - toRead.length,
    repeats,
  };
}

/** Whether a table lists books without ratings or reviews. */
export function isListOfBooks({ columns }: Table): boolean {
  return columns.includes("title") && !columns.includes("rating") && !columns.includes("review");
}

/** Columns that say in a list of books how far each was read. */
const SHELF_COLUMN = /^(?:(?:exclusive[ _-]?)?shelf|(?:read(?:ing)?[ _-]?)?status)$/i;

/** Whether a row of a list of books says that the reader is done with the book. */
export function isDoneWith(row: Row): boolean {
  return Object.entries(row).some(([column, shelf]) => {
    if (!SHELF_COLUMN.test(column) || typeof shelf !== "string") return false;
    return isReadShelf(shelf) || plainShelf(shelf) === "finished" || GIVEN_UP.test(plainShelf(shelf));
  });
}

/** The books of a table, with what it says about them: averages, genres, descriptions. The reader's own stars are ignored. */
export function importBooks(table: Table): ProfileReview[] {
  const source = SOURCES.find(({ columns }) => columns.every((column) => table.columns.includes(column))) ?? PLAIN;
  if (source === PLAIN && !table.columns.includes("title")) {
    throw new FabulaError(
      "E_PROFILE_COLUMNS",
      `"${table.source}" has no "title" column: a table of books has title, author, average_rating, genres, premise, plot_summary or characters. It has: ${table.columns.slice(0, 20).join(", ")}.`,
    );
  }
  const unread = { rating: undefined, "My Rating": undefined, "Star Rating": undefined };
  return table.rows.map((row, at) => {
    const { own, average } = ratingsOf(table, at, undefined);
    // No scale can be given for such a table.
    const read: ReadRating = { own, average: (given) => average(given, true) };
    return profileReviewSchema.parse(source.review({ ...row, ...unread }, read));
  });
}

function ratingsOf({ rows, source }: Table, at: number, scale: number | undefined): ReadRating {
  const title = rows[at]!.Title ?? rows[at]!.title;
  const place = `Row ${at + 1} of "${source}"${typeof title === "string" && title !== "" ? `, “${title}”` : ""}`;
  const starsOn = (kind: MarkKind, given: unknown, own: number | undefined): number | undefined => {
    if (given === null || given === undefined || (typeof given === "string" && given.trim() === "")) return undefined;
    const mark = markIn(given);
    const problem = scaleProblem(mark, own, kind);
    if (problem === null) return mark === 0 ? undefined : starsFrom(mark, own ?? STARS.maximum);
    const wrong = Number.isNaN(mark) ? `${JSON.stringify(given)} is ${problem}` : problem;
    throw new FabulaError("E_RATING_SCALE", `${place}: the ${kind === "rating" ? "rating" : "average"} ${wrong}.`);
  };
  return {
    own: (given) => starsOn("rating", given, scale),
    average: (given, isOfPlatform = false) =>
      isOfPlatform ? starsOn("platform's average", given, undefined) : starsOn("average", given, scale),
  };
}

/** A book was finished unless a shelf or a status says otherwise; a shelf for books being read now has no review yet. */
const GIVEN_UP =
  /^(?:dnf(?:'?d|ed)?\b.*|did-?n[o']?t-?finish(?:ed)?|could-?n[o']?t-finish|not-?finished|abandoned|unfinished|quit|gave-?up.*|given-up.*|.*-(?:dnf|abandoned|did-not-finish))$/;
/** Exclusive shelves of the reader's own making are often kinds of to-read: "tbr-owned", "to-read-next", "want-to-read-2024". */
const TO_READ =
  /^(?!(?:not|no|never|don'?t|do|won'?t|will|how)-)(?:(?:[a-z0-9]+-)*(?:to-read|tbr|want-to-read|to-be-read)(?:-[a-z0-9]+)*|(?:my-)?wish-?list|maybe(?:-someday|-later)?|someday|up-next|next-up|not-yet-read|unread)$/;

/** Words of shelves that organise books: years, owners, formats, places, plans, praise. They say nothing about the book itself. */
const HOUSEKEEPING =
  /\d{4}|\b(?:reads?|reading|tbr|dnf|own(?:ed)?(?!-?voices)|library|libby|overdrive|kindle|nook|kobo|audio|audiobooks?|audible|e-?books?|paperbacks?|hardcovers?|arcs?|netgalley|edelweiss|giveaways?|borrowed|loaned|bought|buy|wish-?list|wanted|gifts?|book-?clubs?|buddy|challenge|bingo|favou?rites?|faves?|best|stars?|meh|maybe|someday|soon|next|priority|unread|re-?reads?|finished|unfinished|abandoned|default|shelf|shelves|school|class|work|recommended|reviewed?|did-not-finish|currently)\b/;

/** Words that occur in the names of genres, in the spelling of the large platforms. */
const GENRE_WORDS =
  /\b(?:fantasy|romant(?:asy|ic)|romances?|myster(?:y|ies)|thrillers?|horror|science|sci-?fi|sf|sff|speculative|dystopi(?:a|an)|historical|history|contemporary|literary|literature|lit|fiction|non-?fiction|classics?|crime|cozy|detective|suspense|noir|gothic|paranormal|supernatural|urban|vampires?|witch(?:es)?|fae|magic(?:al)?|dragons?|mytholog(?:y|ical)|retellings?|fairy-?tales?|young-adult|ya|new-adult|adult|middle-grade|children'?s?|kids|picture-books?|graphic-novels?|comics?|manga|poetry|poems|plays?|drama|essays?|memoirs?|biograph(?:y|ies)|autobiograph(?:y|ies)|true-crime|self-help|psycholog(?:y|ical)|philosophy|politics|religion|travel|cook(?:books?|ing)|humou?r|comedy|satire|adventure|action|war|military|western|space-opera|cyberpunk|steampunk|time-travel|apocalyptic|erotica?|smut|lgbtq?\+?|queer|sapphic|gay|feminism|short-stor(?:y|ies)|anthology|novellas?|novels?|espionage|spy|legal|medical|sports?|regency|chick-lit|womens?|women's|family|saga|coming-of-age|christian|inspirational|holiday|christmas|romcom|rom-com|epic|dark|hard|high|weird)\b/;

/** Sorts shelves into genres, other shelves that say something about a book, and how far it was read. */
function sortedShelves(shelves: unknown, status: unknown) {
  const names = [...new Set([...listed(shelves), ...listed(status)].map(plainShelf))];
  const isStatus = (name: string) => GIVEN_UP.test(name) || TO_READ.test(name);
  const own = names.filter((name) => !isStatus(name) && !HOUSEKEEPING.test(name));
  const spoken = (name: string) => name.replaceAll("-", " ");
  const exclusive = plainShelf(typeof status === "string" ? status : "");
  return {
    genres: own.filter((name) => GENRE_WORDS.test(name)).map(spoken),
    shelves: own.filter((name) => !GENRE_WORDS.test(name)).map(spoken),
    status: statusOf(exclusive, names),
  };
}

/**
 * A shelf besides the exclusive one may say that a book was given up, but not that it is still to be read: books stay on such
 * shelves after they were read.
 */
function statusOf(exclusive: string, names: readonly string[]): ProfileReview["status"] {
  if (TO_READ.test(exclusive)) return "to-read";
  if (exclusive === "currently-reading") return undefined;
  return names.some((name) => GIVEN_UP.test(name)) ? "did-not-finish" : undefined;
}

function isReadShelf(shelf: unknown): boolean {
  return typeof shelf === "string" && plainShelf(shelf) === "read";
}

function plainShelf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");
}

function listed(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Reviews come with the page's markup: `<br/>`, `<i>`, `&amp;`. */
function withoutTags(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value
    .replace(/<br\s*\/?>|<\/(?:p|div)>/gi, "\n")
    .replace(/<[^<>]{1,200}>/g, "")
    .replace(/&(?:#(\d{1,7})|([a-z]{2,4}));/g, (written, code?: string, name?: string) =>
      code === undefined ? (ENTITIES[name!] ?? written) : characterOf(Number(code), written),
    )
    .trim();
  return text === "" ? undefined : text;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function characterOf(code: number, written: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

function isoDate(value: unknown): string | undefined {
  const match = typeof value === "string" ? /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(value.trim()) : null;
  return match ? `${match[1]}-${match[2]!.padStart(2, "0")}-${match[3]!.padStart(2, "0")}` : undefined;
}

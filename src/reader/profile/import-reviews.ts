import { FabulaError } from "../../core/errors.ts";
import type { Table } from "../../core/table/table.ts";
import { STARS } from "../predictor/personal-model.ts";
import { scaleProblem, starsFrom } from "../predictor/rating-scale.ts";
import { isUsable, type ProfileReview, profileReviewSchema, withoutRepeats } from "./reader-profile.ts";

type Row = Table["rows"][number];

interface Source {
  readonly name: string;
  /** The columns by which an export is known. */
  readonly columns: readonly string[];
  review(row: Row, scale: number | undefined): Record<string, unknown>;
}

export interface ImportedReviews {
  readonly source: string;
  readonly reviews: readonly ProfileReview[];
  /** Rows that hold neither stars nor words: books on the shelf that were never reviewed. */
  readonly without: number;
  readonly repeats: number;
}

const SOURCES: readonly Source[] = [
  {
    name: "Goodreads",
    columns: ["My Rating", "Exclusive Shelf", "Title"],
    review: (row) => ({
      title: row.Title,
      author: row.Author,
      genres: shelves(row.Bookshelves),
      // Goodreads writes 0 for "not rated".
      rating: Number(row["My Rating"]) > 0 ? row["My Rating"] : undefined,
      average_rating: row["Average Rating"],
      review: withoutTags(row["My Review"]),
      date: isoDate(row["Date Read"]) ?? isoDate(row["Date Added"]),
    }),
  },
  {
    name: "StoryGraph",
    columns: ["Star Rating", "Read Status", "Title"],
    review: (row) => ({
      title: row.Title,
      author: row.Authors,
      genres: shelves(row.Tags),
      rating: row["Star Rating"],
      review: withoutTags(row.Review),
      date: isoDate(row["Last Date Read"]) ?? isoDate(row["Date Added"]),
    }),
  },
];

/** Any other table: columns named as Fabula names them, a rating on the scale that is given. */
const PLAIN: Source = {
  name: "a table of reviews",
  columns: [],
  review: (row, scale) => ({
    ...row,
    rating: starsOn(scale, row.rating),
    average_rating: starsOn(scale, row.average_rating),
    date: isoDate(row.date),
  }),
};

/**
 * Reads an export of Goodreads or StoryGraph, or a table with `rating` or `review` columns, into reviews. Without a scale
 * the ratings of a table must be stars: one above five is refused, since those up to five could mean anything.
 */
export function importReviews(table: Table, scale?: number): ImportedReviews {
  const known = SOURCES.find(({ columns }) => columns.every((column) => table.columns.includes(column)));
  const source = known ?? PLAIN;
  if (!known && !table.columns.includes("rating") && !table.columns.includes("review")) {
    throw new FabulaError(
      "E_PROFILE_COLUMNS",
      `"${table.source}" has neither a "rating" nor a "review" column, and is not a Goodreads or StoryGraph export. It has: ${table.columns.slice(0, 20).join(", ")}.`,
    );
  }
  const read = table.rows.map((row) => profileReviewSchema.parse(source.review(row, scale)));
  const usable = read.filter(isUsable);
  const { kept, repeats } = withoutRepeats(usable);
  return { source: source.name, reviews: kept, without: read.length - usable.length, repeats };
}

/** Zero is "not rated". A comma before the decimals is what most of Europe writes. */
function starsOn(scale: number | undefined, given: unknown): number | undefined {
  if (given === "" || given === null || given === undefined) return undefined;
  const mark = Number(typeof given === "string" ? given.trim().replace(/^(\d+),(\d+)$/, "$1.$2") : given);
  if (Number.isNaN(mark)) {
    throw new FabulaError(
      "E_RATING_SCALE",
      `The rating "${given}" is not a number: write it as one, or leave it empty where nothing was rated.`,
    );
  }
  const problem = scaleProblem(mark, scale);
  if (problem !== null) throw new FabulaError("E_RATING_SCALE", `A rating of ${problem}.`);
  return mark === 0 ? undefined : starsFrom(mark, scale ?? STARS.maximum);
}

const STATUS_SHELVES = new Set(["to-read", "currently-reading", "read", "favorites", "owned", "did-not-finish"]);

function shelves(value: unknown): string[] {
  if (typeof value !== "string") return [];
  return value
    .split(",")
    .map((shelf) => shelf.trim().replaceAll("-", " "))
    .filter((shelf) => shelf !== "" && !STATUS_SHELVES.has(shelf.replaceAll(" ", "-")));
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

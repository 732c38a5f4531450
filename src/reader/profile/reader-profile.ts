import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { groupBy } from "../../core/group-by.ts";
import { pastReviewSchema } from "../predictor/story.ts";
import { storedComparisonSchema } from "./past-comparison.ts";

/** A review in a profile: what the predictor reads, and what is needed to recognise another edition of the same book. */
export const profileReviewSchema = pastReviewSchema.extend({
  author: z.string().trim().min(1).optional().catch(undefined),
  /** When it was written or the book was finished, as the source gave it, ISO 8601 where that could be read. */
  date: z.string().optional().catch(undefined),
});

const nameSchema = z
  .string()
  .transform((name) => name.normalize("NFC").trim().replace(/\s+/g, " "))
  .pipe(
    z
      .string()
      .regex(
        /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’-]{0,62}$/u,
        "a reader's name is made of letters, digits, spaces, hyphens and apostrophes, 63 at most",
      ),
  );

export const readerProfileSchema = z.object({
  name: nameSchema,
  /** The language reviews for this reader are written in: ISO 639-1. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z]+)?$/)
    .default("en"),
  reviews: z.array(profileReviewSchema),
  /** The to-read shelf of the export that the profile was made from: what `reader rank` ranks without `--books`. */
  toRead: z.array(profileReviewSchema).optional(),
  /** Books of that export which the reader has read and not rated: what `reader questions` asks about. */
  unrated: z.array(profileReviewSchema).optional(),
  /** Which of two stories the reader preferred before. */
  comparisons: z.array(storedComparisonSchema).optional(),
});

export type ProfileReview = z.infer<typeof profileReviewSchema>;
export type ReaderProfile = z.infer<typeof readerProfileSchema>;

export function profileName(given: string): string {
  const result = nameSchema.safeParse(given);
  if (result.success) return result.data;
  throw new FabulaError("E_PROFILE_NAME", `"${given}" cannot name a profile: ${result.error.issues[0]!.message}.`);
}

/** The name of a profile's file: "Anna B" and "anna-b" are one reader, also if file names ignore case. */
export function profileKey(name: string): string {
  return profileName(name).toLowerCase().replaceAll(" ", "-");
}

/** A review without stars and without words says nothing about its writer, unless the book was given up. */
export function isUsable(review: ProfileReview): boolean {
  return review.rating !== undefined || Boolean(review.review) || review.status === "did-not-finish";
}

/** Whether it counts as stars: a book given up counts as the average rating of such books. */
export function isOpinion({ rating, status }: ProfileReview): boolean {
  return rating !== undefined || status === "did-not-finish";
}

/**
 * One review per book, the latest: later by date where both have one, else later in the file. What the earlier one knew
 * about the story and the later one does not is kept.
 */
export function withoutRepeats(reviews: readonly ProfileReview[]): { kept: ProfileReview[]; repeats: number } {
  const kept = new Set<Edition>();
  const byBook = new Map<string, Edition[]>();
  for (const review of reviews) {
    const { key, subtitle } = bookKey(review);
    const editions = byBook.get(key) ?? [];
    const before = editions.find((edition) => isSameBook(edition.subtitle, subtitle));
    const edition = before
      ? { subtitle: subtitle || before.subtitle, review: merged(before.review, review) }
      : { subtitle, review };
    if (before) kept.delete(before);
    kept.add(edition);
    byBook.set(key, [...editions.filter((other) => other !== before), edition]);
  }
  return { kept: Array.from(kept, ({ review }) => review), repeats: reviews.length - kept.size };
}

/** Facts about a book, as opposed to a reader's opinion. */
const OF_THE_BOOK = ["average_rating", "premise", "plot_summary", "characters"] as const;

/**
 * Fills in missing facts about a book from a list of books: by title and author, or, if either side names no author, by a title
 * that only one book of the list has. Known facts are kept.
 */
export function completedFrom<Book extends Pick<ProfileReview, "title" | "author" | "genres">>(
  list: readonly ProfileReview[],
): (book: Book) => Book {
  const keyOf = (book: Pick<ProfileReview, "title" | "author">) => bookKey({ ...book, genres: [] });
  const titleOf = (key: string) => key.slice(0, key.lastIndexOf("|"));
  const titled = list.filter(({ title }) => title !== undefined);
  const byTitle = groupBy(titled, (book) => titleOf(keyOf(book).key));
  return (book) => {
    if (book.title === undefined) return book;
    const { key, subtitle } = keyOf(book);
    const alike = (byTitle.get(titleOf(key)) ?? []).filter((other) => isSameBook(keyOf(other).subtitle, subtitle));
    const same = alike.filter((other) => keyOf(other).key === key);
    const open = alike.filter((other) => other.author === undefined || book.author === undefined);
    const [found, another] = same.length > 0 ? same : open;
    if (found === undefined || (another !== undefined && same.length === 0)) return book;
    const known = Object.fromEntries(OF_THE_BOOK.map((field) => [field, found[field]]));
    return {
      ...withoutGaps(known),
      ...withoutGaps(book),
      genres: book.genres.length > 0 ? book.genres : found.genres,
    } as Book;
  };
}

/** The reader's review of a story, in any edition; a story without an author is identified by its title. */
export function reviewOf<Review extends ProfileReview>(
  story: { readonly title?: string | undefined; readonly author?: string | undefined },
  reviews: readonly Review[],
): Review | undefined {
  if (story.title === undefined) return undefined;
  const { key, subtitle } = bookKey({ ...story, genres: [] });
  return reviews.find((review) => {
    const own = bookKey(story.author === undefined ? { ...review, author: undefined } : review);
    return own.key === key && own.subtitle === subtitle;
  });
}

/** The books of a shelf that no review is about, in any edition. */
export function withoutReviewed(shelf: readonly ProfileReview[], reviews: readonly ProfileReview[]): ProfileReview[] {
  const reviewed = groupBy(reviews.map(bookKey), ({ key }) => key);
  return shelf.filter((book) => {
    const { key, subtitle } = bookKey(book);
    return !reviewed.get(key)?.some((other) => isSameBook(other.subtitle, subtitle));
  });
}

function withoutGaps(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

interface Edition {
  readonly subtitle: string;
  readonly review: ProfileReview;
}

function merged(before: ProfileReview, after: ProfileReview): ProfileReview {
  const [older, newer] = before.date && after.date && before.date > after.date ? [after, before] : [before, after];
  return { ...older, ...withoutGaps(newer), genres: newer.genres.length > 0 ? newer.genres : older.genres };
}

/** An edition may leave the subtitle out; two different ones are two books: "Mistborn: The Final Empire", "Mistborn: Secret History". */
function isSameBook(left: string, right: string): boolean {
  return left === "" || right === "" || left === right;
}

/** Title and author without case, punctuation and the series that Goodreads puts in brackets, and the subtitle by itself. */
function bookKey({ title, author, plot_summary, review }: ProfileReview): { key: string; subtitle: string } {
  if (title === undefined) return { key: `untitled:${plot_summary ?? ""}:${review ?? ""}`, subtitle: "" };
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const [main, ...rest] = title.replace(/\s*\([^)]*\)\s*$/, "").split(/:\s/);
  return { key: `${plain(main!)}|${plain(author ?? "")}`, subtitle: plain(rest.join(" ")) };
}

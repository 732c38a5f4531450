import { z } from "zod";
import { FabulaError } from "../../src/core/errors.ts";
import { jsonLines, readJsonLines } from "../../src/core/json-lines.ts";
import { reviewTerms } from "../../src/reader/predictor/personal-model.ts";
import { type Story, storySchema } from "../../src/reader/predictor/story.ts";

const bookRow = storySchema.extend({ id: z.string(), average_rating: z.number().min(1).max(5) });
const reviewRow = z.object({
  book: z.string(),
  reviewer: z.string(),
  rating: z.number().min(1).max(5),
  aspects: z.record(z.string(), z.string()),
  conclusion: z.string().nullish(),
});

/** Which part of a structured review stands for its words. */
export type ReviewForm = "whole" | "aspects" | "conclusion";

/** Reviews by readers who wrote at least two, sorted by reader; everything by number, so that folds are cheap. */
export interface ReviewTable {
  readonly books: readonly (Story & { readonly average_rating: number })[];
  readonly readers: number;
  readonly rows: number;
  readonly book: Uint32Array;
  readonly reader: Uint32Array;
  readonly rating: Float64Array;
  /** Whether the words say that the reader gave the book up. */
  readonly gaveUp: readonly boolean[];
  termsOf(row: number, form?: ReviewForm): Uint32Array;
}

/** Reads books and reviews. A reader who reviewed a book twice is heard once, with what came last. */
export async function readTrainingData(
  booksPath: string,
  reviewsPath: string,
  forms: readonly ReviewForm[] = ["whole"],
): Promise<ReviewTable> {
  const books = await readJsonLines(booksPath, bookRow);
  const bookNumbers = new Map(books.map((book, number) => [book.id, number]));
  const byReader = new Map<string, Map<number, z.infer<typeof reviewRow>>>();
  for await (const row of jsonLines(reviewsPath, reviewRow)) {
    const book = bookNumbers.get(row.book);
    if (book === undefined) continue;
    const reviews = byReader.get(row.reviewer) ?? new Map<number, z.infer<typeof reviewRow>>();
    byReader.set(row.reviewer, reviews.set(book, row));
  }
  const kept = [...byReader.values()].filter((reviews) => reviews.size >= 2);
  const rows = kept.reduce((sum, reviews) => sum + reviews.size, 0);
  if (rows === 0) {
    throw new FabulaError(
      "E_TRAINING_DATA",
      `No reader in "${reviewsPath}" reviewed two of the books in "${booksPath}".`,
    );
  }
  const book = new Uint32Array(rows);
  const reader = new Uint32Array(rows);
  const rating = new Float64Array(rows);
  const gaveUp: boolean[] = [];
  const terms = new Map(forms.map((form) => [form, new Array<Uint32Array>(rows)]));
  let row = 0;
  kept.forEach((reviews, readerNumber) => {
    for (const [bookNumber, review] of reviews) {
      book[row] = bookNumber;
      reader[row] = readerNumber;
      rating[row] = review.rating;
      gaveUp.push(saysGivenUp(wordsOf(review, "whole")));
      for (const form of forms) terms.get(form)![row] = reviewTerms(wordsOf(review, form)).slice();
      row++;
    }
  });
  return {
    books,
    readers: kept.length,
    rows,
    book,
    reader,
    rating,
    gaveUp,
    termsOf: (position, form = forms[0]!) => terms.get(form)![position]!,
  };
}

const GIVEN_UP = new RegExp(
  [
    String.raw`\bDNF(?:['’]?d|ed)?\b`,
    String.raw`\b(?:did not|didn['’]t|could not|couldn['’]t) finish\b(?!(?: \w+){0,3} (?:fast|quickly|soon)\b)`,
    // Not "stopped reading at midnight".
    String.raw`\bstopped reading(?: (?:it|this|the book|halfway|after|because|at (?:about |around )?(?:\d|the \w+ (?:mark|way))|around \d)|\s*[.,;!?]|\s*$)`,
    String.raw`\b(?:gave|giving) up (?:on (?:this|the|it)|at|after|halfway|reading)\b`,
  ].join("|"),
  "im",
);
const NEARLY = /\b(?:almost|nearly|considered|tempted|wanted to|feared|would have)\b[^.]{0,60}$/i;

/** "I almost DNF'd this" is no book given up. */
export function saysGivenUp(words: string): boolean {
  const found = GIVEN_UP.exec(words);
  return found !== null && !NEARLY.test(words.slice(0, found.index));
}

function wordsOf(review: z.infer<typeof reviewRow>, form: ReviewForm): string {
  const aspects = Object.values(review.aspects);
  switch (form) {
    case "whole":
      return [...aspects, review.conclusion ?? ""].join("\n");
    case "aspects":
      return aspects.join("\n");
    case "conclusion":
      return review.conclusion ?? "";
    default:
      return form satisfies never;
  }
}

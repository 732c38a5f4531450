import { basename } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { groupBy } from "../../core/group-by.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { readTable } from "../../core/table/read-table.ts";
import { hasColumn, nameColumn, numberColumn } from "../../core/table/table.ts";
import type { Verdict } from "../../core/verdict.ts";
import { aspectRows, type BookEvaluation } from "../../judge/evaluation.ts";
import type { ReaderAgreementReport, ReaderAgreementRow } from "../../report/agreement/reader-agreement.ts";
import { type AgreementOptions, itemAgreement } from "../../stats/meta-evaluation/agreement.ts";
import { compareMetrics } from "../../stats/meta-evaluation/compare-metrics.ts";
import { keyOf, wayOf, waysOfJudging } from "./read-judgements.ts";

export interface AgreeReadersRequest {
  readonly ratings: string;
  readonly human: string;
  /** The column that names the book; by default the first of title, id and file that exists. */
  readonly book?: string;
  readonly evaluations: readonly BookEvaluation[];
  readonly resamples: number;
  readonly seed: number;
  readonly onProgress: ProgressListener;
}

const NAME_COLUMNS = ["title", "id", "file"];
const PERMUTATIONS = 2000;

/**
 * Measures how well each judge and method agrees with average reader ratings, overall and by aspect, from our own
 * evaluations.
 */
export async function agreeWithReaders(request: AgreeReadersRequest): Promise<ReaderAgreementReport> {
  const table = await readTable(request.ratings);
  const column = request.book ?? NAME_COLUMNS.find((name) => hasColumn(table, name));
  if (column === undefined) {
    throw new FabulaError(
      "E_TABLE_COLUMN",
      `"${request.ratings}" has no column title, id or file: name the books' column with --book.`,
    );
  }
  const ratings = numberColumn(table, request.human);
  const ratingOf = new Map(nameColumn(table, column).map((name, row) => [folded(name), ratings[row]!]));
  const matched = request.evaluations.flatMap((evaluation) => {
    const rating = namesOf(evaluation)
      .map((name) => ratingOf.get(name))
      .find((found) => found !== undefined);
    return rating === undefined ? [] : [{ evaluation, rating }];
  });
  if (matched.length === 0) {
    throw new FabulaError(
      "E_NO_MATCH",
      `No evaluated book is named in column "${column}" of "${request.ratings}": check --book.`,
    );
  }
  const ways = waysOfJudging(request.evaluations);
  const judged = groupBy(matched, ({ evaluation }) => wayOf(evaluation, ways));
  for (const [way, books] of judged) refuseRepeats(way, books);
  let done = 0;
  return {
    ratings: request.ratings,
    human: request.human,
    resamples: request.resamples,
    seed: request.seed,
    unmatched: request.evaluations
      .filter((evaluation) => !matched.some((match) => match.evaluation === evaluation))
      .map(({ book }) => book.title),
    rows: [...judged].map(([, books]) => {
      request.onProgress({ stage: "measuring agreement", done: done++, total: judged.size });
      return { ...readerRow(books, request), apart: ways.get(keyOf(books[0]!.evaluation)) ?? null };
    }),
    comparisons: compareJudges(judged, request.seed),
  };
}

interface RatedEvaluation {
  readonly evaluation: BookEvaluation;
  readonly rating: number;
}

/** Makes sure that each book counts only once. */
function refuseRepeats(way: string, books: readonly RatedEvaluation[]): void {
  const seen = new Set<string>();
  for (const { evaluation } of books) {
    const name = `${folded(evaluation.book.title)}\n${evaluation.book.file}`;
    if (seen.has(name)) {
      throw new FabulaError(
        "E_EVALUATIONS_REPEATED",
        `"${evaluation.book.title}" was evaluated twice in the same way (${way}): keep one evaluation of each book.`,
      );
    }
    seen.add(name);
  }
}

function readerRow(
  books: readonly RatedEvaluation[],
  { resamples, seed }: AgreeReadersRequest,
): Omit<ReaderAgreementRow, "apart"> {
  const settings: AgreementOptions = { resamples, seed, confidence: 0.95, interval: "percentile", over: "items" };
  const human = Float64Array.from(books, ({ rating }) => rating);
  const agreement = (verdictOf: (evaluation: BookEvaluation) => Verdict | undefined) => {
    const metric = Float64Array.from(books, ({ evaluation }) => scoreOf(verdictOf(evaluation)));
    const { n, missing, kendall } = itemAgreement({ human, metric, system: null, item: null }, settings);
    return { n, missing, kendall };
  };
  const { judge, method, aspects } = books[0]!.evaluation;
  return {
    judge,
    method,
    books: books.length,
    overall: agreement(({ overall }) => overall),
    aspects: aspectRows(aspects).map(({ result: { id, name, abbreviation }, label }) => ({
      id,
      name: label,
      abbreviation: abbreviation ?? name,
      ...agreement((evaluation) => evaluation.aspects.find((aspect) => aspect.id === id)?.verdict),
    })),
  };
}

/** Judges are compared on their overall scores of the books that both have judged. */
function compareJudges(judged: ReadonlyMap<string, readonly RatedEvaluation[]>, seed: number) {
  if (judged.size < 2) return [];
  const ratings = new Map(
    [...judged.values()].flat().map(({ evaluation, rating }) => [namesOf(evaluation)[0]!, rating]),
  );
  const books = [...ratings.keys()];
  const metrics = [...judged].map(([name, evaluations]) => {
    const scores = new Map(evaluations.map(({ evaluation }) => [namesOf(evaluation)[0]!, scoreOf(evaluation.overall)]));
    return { name, scores: Float64Array.from(books, (book) => scores.get(book) ?? Number.NaN) };
  });
  return compareMetrics(Float64Array.from(ratings.values()), metrics, { seed, permutations: PERMUTATIONS });
}

function scoreOf(verdict: Verdict | undefined): number {
  return verdict?.kind === "scored" ? verdict.score : Number.NaN;
}

/** The names a book may have in the ratings: its title, its file, or its file's name without the ending. */
function namesOf({ book }: BookEvaluation): string[] {
  const file = basename(book.file);
  return [book.title, file, file.replace(/\.[^.]+$/, ""), book.file].map(folded);
}

/** Case, accents, punctuation and spacing are ignored when names are compared. */
function folded(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

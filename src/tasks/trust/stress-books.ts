import type { ProgressListener } from "../../core/progress.ts";
import { randomInteger, seededRandom } from "../../core/random.ts";
import type { ScoredVerdict } from "../../core/verdict.ts";
import { ALL_CHANGES, type Damage } from "../../judge/stress/damages.ts";
import { type Reaction, type StressRow, type StressVerdict, stressBook } from "../../judge/stress/stress-test.ts";
import type { JurorId } from "../../jury/juror.ts";
import { type Jury, loadJury } from "../../jury/jury.ts";
import type { PreparedText } from "../../jury/prepare-text.ts";
import { mean, quantile } from "../../stats/distribution.ts";
import type { Book } from "../../text/book.ts";
import { fileOf, openBook } from "../books/open-book.ts";
import type { BookInput } from "../define/shared-fields.ts";
import { STRESS_NOISE } from "./score-differences.ts";

export interface StressRequest {
  readonly files: readonly BookInput[];
  readonly judge: JurorId;
  readonly seed: number;
  /** From 0 to 1: how much of the book is damaged. */
  readonly strength: number;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

export interface StressedBook {
  readonly file: string;
  readonly title: string;
  readonly rows: readonly StressRow[];
}

/** One kind of damage over all books: how often the judge reacted correctly, not at all, or the wrong way. */
export interface StressSummary {
  readonly damage: string;
  readonly name: string;
  readonly harmless: boolean;
  readonly aspect: string;
  readonly counts: Readonly<Record<Reaction, number>>;
  /** The mean change of the score, over books of which both versions were scored… */
  readonly meanMove: number | null;
  /** …and its 95% interval: for one book over its chapters, for several over the books; null if there are too few. */
  readonly interval: readonly [number, number] | null;
}

export interface StressReport {
  readonly judge: string;
  readonly seed: number;
  readonly strength: number;
  /** In words: how large a change counts as a reaction of the judge. */
  readonly threshold: string;
  readonly books: readonly StressedBook[];
  readonly summary: readonly StressSummary[];
}

/** Has an embedded judge score every book and its damaged versions. */
export async function stressBooks(request: StressRequest): Promise<StressReport> {
  const jury = await loadJury();
  const read = await Promise.all(request.files.map((file) => openBook(file)));
  const books: StressedBook[] = [];
  for (const [place, book] of read.entries()) {
    let done = 0;
    const rows = await stressBook(book, {
      judge: async (version) => verdictOf(jury, request.judge, version),
      damages: ALL_CHANGES,
      seed: request.seed,
      strength: request.strength,
      // Another of the books supplies the foreign passages; with a single book this damage is not tried.
      donor: read.length > 1 ? read[(place + 1) % read.length]! : null,
      noise: () => STRESS_NOISE[request.judge],
      signal: request.signal,
      onDamage: ({ name }: Damage) => {
        request.signal.throwIfAborted();
        request.onProgress({
          stage: `Stress test of ${book.title}`,
          done: done++,
          total: ALL_CHANGES.length,
          note: name,
        });
      },
    });
    books.push({ file: fileOf(request.files[place]!), title: book.title, rows });
  }
  return {
    judge: request.judge,
    seed: request.seed,
    strength: request.strength,
    threshold: jurorThreshold(request.judge),
    books,
    summary: summarise(books),
  };
}

/** Unchanged chapters are prepared only once. */
const prepared = new WeakMap<Book["chapters"][number], PreparedText>();

function verdictOf(jury: Jury, judge: JurorId, book: Book): StressVerdict {
  const chapters = book.chapters.map((chapter) => {
    const text = prepared.get(chapter) ?? jury.prepare(chapter.text);
    prepared.set(chapter, text);
    return text;
  });
  const { overall, chapters: parts } = jury.jurors[judge].judge(chapters);
  return { aspects: { overall }, parts: { overall: parts }, texts: book.chapters.map(({ text }) => text) };
}

export function summarise(books: readonly StressedBook[]): StressSummary[] {
  const first = books[0]?.rows ?? [];
  return first.map(({ damage, name, harmless, aspect }) => {
    const rows = books.flatMap((book) => book.rows.filter((row) => row.damage === damage && row.aspect === aspect));
    const moves = rows.flatMap(({ move }) => (move === null ? [] : [move]));
    const count = (reaction: Reaction) => rows.filter((row) => row.reaction === reaction).length;
    return {
      damage,
      name,
      harmless,
      aspect,
      counts: {
        right: count("right"),
        blind: count("blind"),
        wrong: count("wrong"),
        "not tried": count("not tried"),
        "cannot be told": count("cannot be told"),
      },
      meanMove: moves.length === 0 ? null : mean(moves),
      interval: rows.length === 1 ? rows[0]!.interval : intervalOver(moves),
    };
  });
}

const RESAMPLES = 500;
const FEWEST_BOOKS = 3;

function intervalOver(moves: readonly number[]): [number, number] | null {
  if (moves.length < FEWEST_BOOKS) return null;
  const random = seededRandom(1);
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(moves.map(() => moves[randomInteger(random, moves.length)]!)),
  );
  const [low, high] = [quantile(means, 0.025), quantile(means, 0.975)];
  return high - low > 1e-9 ? [low, high] : null;
}

function jurorThreshold(juror: JurorId): string {
  return `The ${juror} counts as having reacted when its score moves by more than ${STRESS_NOISE[juror]} points (the most by which its scores for the two halves of one novel differed) and the interval of the move, over chapters drawn with replacement, excludes zero.`;
}

/**
 * A language model's noise is not known in advance, so the threshold is a part of its scale, or of the range that it
 * gives its own score.
 */
const PART_OF_SCALE = 0.01;
const PART_OF_RANGE = 0.1;

export function modelNoise(
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  { interval }: ScoredVerdict,
): number {
  return Math.max(PART_OF_SCALE * (maximum - minimum), interval ? PART_OF_RANGE * (interval[1] - interval[0]) : 0);
}

export const MODEL_THRESHOLD =
  "A judge counts as having reacted when the score moves by more than a tenth of the range it gives that score, and by more than a hundredth of its scale, and the interval of the move, over chapters drawn with replacement, excludes zero.";

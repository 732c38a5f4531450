import type { ProgressListener } from "../../core/progress.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { MethodName } from "../../judge/methods/method.ts";
import { ALL_CHANGES } from "../../judge/stress/damages.ts";
import { compareVersions, damagedVersions, type StressVerdict } from "../../judge/stress/stress-test.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { RunOutcome, RunServices, RunSettings } from "../../runner/open-run.ts";
import { judgeBooks } from "../books/judge-books.ts";
import { fileOf, openBook } from "../books/open-book.ts";
import type { BookInput } from "../define/shared-fields.ts";
import { MODEL_THRESHOLD, modelNoise, type StressedBook, type StressReport, summarise } from "./stress-books.ts";

export interface ModelStressRequest {
  readonly files: readonly BookInput[];
  readonly judge: string | ChatModel;
  readonly seed: number;
  readonly strength: number;
  readonly method: MethodName;
  /** How often the judge judges each version. */
  readonly runs: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

/**
 * The stress test of a language model: judges every version of every book as `evaluate` would, in one resumable run.
 * The same seed damages the same places, so that answers already paid for are found again when the run is resumed.
 */
export async function stressWithModels(request: ModelStressRequest): Promise<RunOutcome<StressReport>> {
  const { files, judge, seed, strength, method, runs, settings, services, onProgress } = request;
  const read = await Promise.all(files.map((file) => openBook(file)));
  const tested = read.map((book, place) => ({
    book,
    versions: [
      ...damagedVersions(book, {
        damages: ALL_CHANGES,
        seed,
        strength,
        donor: read.length > 1 ? read[(place + 1) % read.length]! : null,
      }),
    ],
  }));
  const outcome = await judgeBooks(
    {
      kind: "read",
      books: tested.flatMap(({ book, versions }) => [book, ...versions.flatMap((one) => one.book ?? [])]),
    },
    { judges: [judge], method, runs, settings, services, onProgress },
  );
  const evaluations = outcome.result[Symbol.iterator]();
  const next = (): StressVerdict | null => {
    const { value, done } = evaluations.next();
    return done ? null : verdictOf(value);
  };
  const books = tested.flatMap(({ book, versions }, place): StressedBook[] => {
    const original = next();
    const judged = versions.map(({ damage, book: changed }) => ({ damage, verdict: changed && next() }));
    // A dry run has no scores.
    if (original === null) return [];
    const { scale } = outcome.result[0]!;
    const rows = compareVersions(original, judged, { seed, noise: (_aspect, verdict) => modelNoise(scale, verdict) });
    return [{ file: fileOf(files[place]!), title: book.title, rows }];
  });
  return {
    ...outcome,
    result: {
      judge: typeof judge === "string" ? judge : judge.id,
      seed,
      strength,
      threshold: MODEL_THRESHOLD,
      books,
      summary: summarise(books),
    },
  };
}

/** Compared by segment if the method judges segments, else by repeated run. */
function verdictOf({ overall, overallCourse, repeats, aspects }: BookEvaluation): StressVerdict {
  const topLevel = aspects.filter(({ parent }) => parent === undefined);
  const scores = (course: readonly { readonly verdict: Verdict }[]) =>
    course.map(({ verdict }) => (verdict.kind === "scored" ? verdict.score : null));
  return {
    aspects: Object.fromEntries([["overall", overall], ...topLevel.map(({ id, verdict }) => [id, verdict] as const)]),
    parts: Object.fromEntries([
      ["overall", overallCourse.length > 0 ? scores(overallCourse) : (repeats?.scores ?? [])],
      ...topLevel.map(
        ({ id, course, repeats }) => [id, course.length > 0 ? scores(course) : (repeats?.scores ?? [])] as const,
      ),
    ]),
  };
}

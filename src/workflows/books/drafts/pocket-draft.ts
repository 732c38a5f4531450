import { isScored, type Verdict } from "../../../core/verdict.ts";
import { type AlignedChapters, alignChapters } from "../../../judge/drafts/align-chapters.ts";
import type { Change, DraftChanges } from "../../../judge/drafts/change-schema.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import { sum } from "../../../stats/distribution/sum.ts";
import { normalQuantile } from "../../../stats/special/normal.ts";
import type { Book } from "../../../text/book.ts";
import { readBook } from "../../../text/read-book.ts";
import { evaluateWithPocket, type PocketEvaluationOptions } from "../evaluate-with-pocket.ts";
import { changesInWords } from "./changes-in-words.ts";

/** The share of a normal that lies within the judge's own interval for one text. */
const OWN_INTERVAL = 0.9;

/**
 * An evaluation with what changed since an earlier draft, by the judge that ships inside. It has no noise of its own: the
 * same chapter always gets the same score. A change counts as more than noise when it exceeds what the judge may err by on
 * the changed chapters, as if its errors on the two versions had nothing in common; that is on the safe side.
 */
export async function withPocketChanges(
  evaluation: BookEvaluation,
  book: Book,
  earlierDraft: { readonly file: string; readonly language: string | undefined },
  options: PocketEvaluationOptions,
): Promise<BookEvaluation> {
  const { file, language } = earlierDraft;
  const earlier = await readBook(file, language === undefined ? {} : { metadata: { language } });
  const { onProgress: _, ...quiet } = options;
  const before = await evaluateWithPocket(earlier, quiet);
  const aligned = alignChapters(earlier.chapters, book.chapters);
  const changes = changesOf(file, before, evaluation, aligned);
  const again =
    "a chapter that did not change keeps its score, and the noise is what the judge may err by on the others";
  return { ...evaluation, changes, notes: [...evaluation.notes, ...changesInWords(changes, again)] };
}

type Course = BookEvaluation["overallCourse"];

function changesOf(
  file: string,
  before: BookEvaluation,
  after: BookEvaluation,
  { chapters, removed }: AlignedChapters,
): DraftChanges {
  const changed = chapters.filter(({ same }) => !same);
  const goneOrReplaced = new Set([
    ...removed.map(({ index }) => index),
    ...changed.flatMap((chapter) => chapter.before?.index ?? []),
  ]);
  const changedNow = new Set(changed.map(({ chapter }) => chapter.index));
  const whole = (earlier: Scores, now: Scores): Change =>
    change(
      earlier.verdict,
      now.verdict,
      varianceOf(before, earlier.course, goneOrReplaced) + varianceOf(after, now.course, changedNow),
    );
  const single = (earlier: Course, now: Course, index: number, old: number | undefined): Change => {
    const [was, is] = [earlier.find(({ chapter }) => chapter === old), now.find(({ chapter }) => chapter === index)];
    return change(was?.verdict, is?.verdict, ownVariance(was?.verdict) + ownVariance(is?.verdict));
  };
  const aspectOf = (evaluation: BookEvaluation, id: string) => evaluation.aspects.find((aspect) => aspect.id === id)!;
  const ids = after.aspects.filter(({ verdict }) => isScored(verdict)).map(({ id }) => id);
  return {
    run: file,
    title: before.book.title,
    unchanged: chapters.length - changed.length,
    removed: removed.length,
    overall: whole(
      { verdict: before.overall, course: before.overallCourse },
      { verdict: after.overall, course: after.overallCourse },
    ),
    aspects: Object.fromEntries(ids.map((id) => [id, whole(aspectOf(before, id), aspectOf(after, id))])),
    segments: changed.map(({ chapter, before: old }) => ({
      title: chapter.title ?? `Chapter ${chapter.index}`,
      chapters: [chapter.index],
      overall: single(before.overallCourse, after.overallCourse, chapter.index, old?.index),
      aspects: Object.fromEntries(
        ids.map((id) => [
          id,
          single(aspectOf(before, id).course, aspectOf(after, id).course, chapter.index, old?.index),
        ]),
      ),
    })),
  };
}

interface Scores {
  readonly verdict: Verdict;
  readonly course: Course;
}

/** The variance of a book's mean that comes from the judge's error on some of its chapters. */
function varianceOf({ book }: BookEvaluation, course: Course, chapters: ReadonlySet<number>): number {
  const words = new Map(book.chapters.map((chapter) => [chapter.index, chapter.words]));
  const scored = course.filter(({ verdict }) => isScored(verdict));
  const total = sum(scored.map(({ chapter }) => words.get(chapter) ?? 0));
  return sum(
    scored
      .filter(({ chapter }) => chapters.has(chapter))
      .map(({ chapter, verdict }) => ((words.get(chapter) ?? 0) / Math.max(1, total)) ** 2 * ownVariance(verdict)),
  );
}

function ownVariance(verdict: Verdict | undefined): number {
  if (!verdict || !isScored(verdict) || !verdict.interval) return 0;
  return ((verdict.interval[1] - verdict.interval[0]) / 2 / normalQuantile((1 + OWN_INTERVAL) / 2)) ** 2;
}

function change(before: Verdict | undefined, after: Verdict | undefined, variance: number): Change {
  const [was, is] = [before, after].map((verdict) => (verdict && isScored(verdict) ? verdict.score : null));
  const ends = { before: was ?? null, after: is ?? null };
  if (was === null || is === null || was === undefined || is === undefined)
    return { ...ends, difference: null, interval: null, beyondNoise: false };
  const half = normalQuantile(0.975) * Math.sqrt(variance);
  const difference = is - was;
  return {
    ...ends,
    difference,
    interval: [difference - half, difference + half],
    beyondNoise: Math.abs(difference) > half,
  };
}

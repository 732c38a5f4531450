import { isScored, type Verdict } from "../../../core/verdict.ts";
import { type AlignedChapters, alignChapters } from "../../../judge/drafts/align-chapters.ts";
import type { Change, DraftChanges, JurorChange } from "../../../judge/drafts/change-schema.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import type { ReferenceNovels } from "../../../prose/reference/reference-novels.ts";
import { sum } from "../../../stats/distribution/sum.ts";
import { normalQuantile } from "../../../stats/special/normal.ts";
import type { Book } from "../../../text/book.ts";
import { evaluateWithJury, type JuryOptions } from "../jury/evaluate-with-jury.ts";
import { changesInWords } from "./changes-in-words.ts";
import { draftDetails, shortened } from "./draft-details.ts";

/** The share of a normal that lies within a juror's range for one text. */
const OWN_INTERVAL = 0.9;

/**
 * An evaluation with what changed since an earlier draft, by the headline juror. It has no noise of its own: the same
 * chapter always gets the same score. A change counts as more than noise when it exceeds what the juror may err by on the
 * changed chapters, as if its errors on the two versions had nothing in common; that is on the safe side.
 */
export async function withJuryChanges(
  evaluation: BookEvaluation,
  book: Book,
  earlier: Book,
  options: JuryOptions,
): Promise<BookEvaluation> {
  const { onProgress: _, maskInjection: _onlyTheLater, ...quiet } = options;
  const before = await evaluateWithJury(earlier, { ...quiet, letter: false });
  const reference = options.letter ? options.letter.reference : undefined;
  const changes = await juryChanges(
    earlier.source.file,
    { book: earlier, evaluation: before },
    { book, evaluation },
    reference,
  );
  const again =
    "an unchanged chapter keeps its score, and a difference counts only if it exceeds the juror's error on the changed ones";
  return {
    ...evaluation,
    changes: { ...shortened(changes), words: changesInWords(changes, again) },
  };
}

export interface JudgedDraft {
  readonly book: Book;
  readonly evaluation: BookEvaluation;
}

/** Everything that changed between two drafts both of which the jury has judged: scores, text, line notes, figures. */
export async function juryChanges(
  name: string,
  before: JudgedDraft,
  after: JudgedDraft,
  reference?: ReferenceNovels,
): Promise<DraftChanges> {
  const aligned = alignChapters(before.book.chapters, after.book.chapters);
  return {
    ...changesOf(name, before.evaluation, after.evaluation, aligned),
    ...(await draftDetails(before.book, after.book, reference)),
  };
}

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
      varianceOf(before, earlier, goneOrReplaced) + varianceOf(after, now, changedNow),
    );
  const single = (earlier: Scores, now: Scores, index: number, old: number | undefined): Change => {
    const was = earlier.course.find(({ chapter }) => chapter === old);
    const is = now.course.find(({ chapter }) => chapter === index);
    return change(was?.verdict, is?.verdict, ownVariance(earlier.verdict) + ownVariance(now.verdict));
  };
  const overallOf = ({ overall, overallCourse }: BookEvaluation): Scores => ({
    verdict: overall,
    course: overallCourse,
  });
  const aspectOf = (evaluation: BookEvaluation, id: string) => evaluation.aspects.find((aspect) => aspect.id === id)!;
  const ids = after.aspects.filter(({ verdict }) => isScored(verdict)).map(({ id }) => id);
  return {
    run: file,
    title: before.book.title,
    unchanged: chapters.length - changed.length,
    removed: removed.length,
    overall: whole(overallOf(before), overallOf(after)),
    aspects: Object.fromEntries(ids.map((id) => [id, whole(aspectOf(before, id), aspectOf(after, id))])),
    jurors: jurorChanges(before, after, whole),
    segments: changed.map(({ chapter, before: old }) => ({
      title: chapter.title ?? `Chapter ${chapter.index}`,
      chapters: [chapter.index],
      overall: single(overallOf(before), overallOf(after), chapter.index, old?.index),
      aspects: Object.fromEntries(
        ids.map((id) => [id, single(aspectOf(before, id), aspectOf(after, id), chapter.index, old?.index)]),
      ),
    })),
  };
}

/** Each juror that judged both, on its own scale; one that refused a draft has nothing to compare. */
function jurorChanges(
  before: BookEvaluation,
  after: BookEvaluation,
  whole: (earlier: Scores, now: Scores) => Change,
): JurorChange[] {
  return (after.jury?.jurors ?? []).flatMap(({ id, speaker, scale, overall }) => {
    const earlier = before.jury?.jurors.find((juror) => juror.id === id);
    if (!earlier) return [];
    const change = whole(
      { verdict: earlier.overall, course: before.overallCourse },
      { verdict: overall, course: after.overallCourse },
    );
    return [{ id, speaker, scale, ...change }];
  });
}

interface Scores {
  readonly verdict: Verdict;
  readonly course: BookEvaluation["overallCourse"];
}

/** How much of a book's mean is at the mercy of the juror's error on some of its chapters. */
function varianceOf({ book }: BookEvaluation, { verdict, course }: Scores, chapters: ReadonlySet<number>): number {
  const words = new Map(book.chapters.map((chapter) => [chapter.index, chapter.words]));
  const total = sum(course.map(({ chapter }) => words.get(chapter) ?? 0));
  return sum(
    course
      .filter(({ chapter }) => chapters.has(chapter))
      .map(({ chapter }) => ((words.get(chapter) ?? 0) / Math.max(1, total)) ** 2 * ownVariance(verdict)),
  );
}

/** A juror errs on a chapter about as much as on the book: its range stops narrowing at a few hundred words. */
function ownVariance(verdict: Verdict): number {
  if (!isScored(verdict) || !verdict.interval) return 0;
  const [low, high] = verdict.interval;
  // One end may have met the end of the scale.
  const half = Math.max(verdict.score - low, high - verdict.score);
  return (half / normalQuantile((1 + OWN_INTERVAL) / 2)) ** 2;
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

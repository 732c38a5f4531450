import { isScored, type ScoredVerdict, type Verdict } from "../../../core/verdict.ts";
import { type AlignedChapters, alignChapters } from "../../../judge/drafts/align-drafts.ts";
import type { Change, DraftChanges, JurorChange } from "../../../judge/drafts/change-schema.ts";
import { changeFrom } from "../../../judge/drafts/draft-changes.ts";
import type { BookEvaluation, JurorResult } from "../../../judge/evaluation.ts";
import type { ReferenceNovels } from "../../../prose/reference/reference-novels.ts";
import type { Book } from "../../../text/book.ts";
import { bookDifference, type ChapterPair, versionDifference } from "../../trust/score-differences.ts";
import { draftDetails } from "./draft-details.ts";

export interface JudgedDraft {
  readonly book: Book;
  readonly evaluation: BookEvaluation;
}

/**
 * Everything that changed between two drafts that the jury has judged: scores, text, line notes, figures. A juror has
 * no noise of its own: the same chapter always gets the same score. Whether a change is more than its error is
 * decided by the error model that `--baseline` uses.
 */
export async function juryChanges(
  before: JudgedDraft,
  after: JudgedDraft,
  reference?: ReferenceNovels,
): Promise<DraftChanges> {
  const aligned = alignChapters(before.book.chapters, after.book.chapters);
  return {
    ...changesOf(before.book.source.file, before.evaluation, after.evaluation, aligned),
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
  const headline = after.jury!.headline;
  const whole = (earlier: Scores, now: Scores): Change => {
    const ends = { before: scoreOf(earlier.verdict), after: scoreOf(now.verdict) };
    if (!isScored(earlier.verdict) || !isScored(now.verdict)) return { ...ends, ...NOT_COMPARED };
    const pairs =
      removed.length > 0 || chapters.some((chapter) => !chapter.before)
        ? null
        : pairsOf(
            { chapters, removed },
            { book: before.book, chapters: earlier.chapters },
            { book: after.book, chapters: now.chapters },
          );
    return changeFrom(ends, versionDifference(now.juror, earlier.verdict, now.verdict, pairs));
  };
  const single = (earlier: Scores, now: Scores, index: number, old: number | undefined): Change => {
    const place = (evaluation: BookEvaluation, chapter: number | undefined) =>
      evaluation.book.chapters.findIndex((one) => one.index === chapter);
    const [was, is] = [earlier.chapters[place(before, old)], now.chapters[place(after, index)]];
    const ends = { before: was ?? null, after: is ?? null };
    if (typeof was !== "number" || typeof is !== "number") return { ...ends, ...NOT_COMPARED };
    // A juror's error on a chapter is about as large as on the book: its range stops narrowing at a few hundred
    // words.
    const around = (score: number, { verdict }: Scores) => {
      const half = isScored(verdict) && verdict.interval ? halfWidth(verdict) : 0;
      return { kind: "scored" as const, score, interval: [score - half, score + half] as [number, number] };
    };
    return changeFrom(ends, bookDifference(around(was, earlier), around(is, now)));
  };
  const overallOf = (evaluation: BookEvaluation): Scores => {
    const juror = evaluation.jury!.jurors.find(({ id }) => id === headline)!;
    return { verdict: evaluation.overall, juror: headline, chapters: juror.chapters };
  };
  const aspectOf = (evaluation: BookEvaluation, id: string): Scores => ({
    ...overallOf(evaluation),
    verdict: evaluation.aspects.find((aspect) => aspect.id === id)!.verdict,
  });
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

/** Compares each juror that judged both drafts, on its own scale; one that refused a draft has nothing to compare. */
function jurorChanges(
  before: BookEvaluation,
  after: BookEvaluation,
  whole: (earlier: Scores, now: Scores) => Change,
): JurorChange[] {
  return (after.jury?.jurors ?? []).flatMap(({ id, speaker, scale, overall, chapters }) => {
    const earlier = before.jury?.jurors.find((juror) => juror.id === id);
    if (!earlier) return [];
    const change = whole(
      { verdict: earlier.overall, juror: id, chapters: earlier.chapters },
      { verdict: overall, juror: id, chapters },
    );
    return [{ id, speaker, scale, ...change }];
  });
}

interface Scores {
  readonly verdict: Verdict;
  readonly juror: JurorResult["id"];
  readonly chapters: readonly (number | null)[];
}

interface JudgedScores {
  readonly book: BookEvaluation["book"];
  readonly chapters: readonly (number | null)[];
}

const NOT_COMPARED = { difference: null, interval: null, beyondNoise: false } as const;

function scoreOf(verdict: Verdict): number | null {
  return isScored(verdict) ? verdict.score : null;
}

/** One end of the range may be cut off at the end of the scale, so the longer side counts. */
function halfWidth({ score, interval }: ScoredVerdict): number {
  return interval ? Math.max(score - interval[0], interval[1] - score) : 0;
}

/** Pairs of chapters with the scores the juror gave each one by itself. */
function pairsOf(aligned: AlignedChapters, before: JudgedScores, after: JudgedScores): ChapterPair[] {
  const places = (chapters: readonly { readonly index: number }[]) =>
    new Map(chapters.map(({ index }, at) => [index, at]));
  const [then, now] = [places(before.book.chapters), places(after.book.chapters)];
  return aligned.chapters.flatMap(({ chapter, before: earlier }) => {
    const was = earlier && before.chapters[then.get(earlier.index) ?? -1];
    const is = after.chapters[now.get(chapter.index) ?? -1];
    return typeof was === "number" && typeof is === "number"
      ? [{ before: was, after: is, weight: (earlier!.words + chapter.words) / 2 }]
      : [];
  });
}

import { type BookEvaluation, NO_PROSE } from "../../judge/evaluation.ts";

/** A book of a batch that could not be judged, and why. */
export interface FailedBook {
  readonly file: string;
  readonly reason: string;
}

export type FailedBookListener = (failed: FailedBook, error: unknown) => void | Promise<void>;

/** Opens one book of a batch. One that cannot be opened is reported and gives null, so that it does not end the others. */
export async function openOrReport<Opened>(
  file: string,
  open: () => Promise<Opened>,
  onFailed: FailedBookListener | undefined,
  signal: AbortSignal,
): Promise<Opened | null> {
  try {
    return await open();
  } catch (error) {
    if (!onFailed || signal.aborted) throw error;
    await onFailed({ file, reason: error instanceof Error ? error.message : String(error) }, error);
    return null;
  }
}

/**
 * What this run left unscored although the judge could have scored it: a chapter, the overall score, a juror's score, or an
 * aspect a language model was asked for. That no embedded judge grades plot or characters, and that an outline has no prose
 * to grade, is stated in the report but is no gap.
 */
export function gapsOf(evaluation: BookEvaluation): string[] {
  const { overall, coverage, jury } = evaluation;
  return [
    ...(overall.kind === "unscored" ? [`overall (${overall.reason})`] : []),
    ...coverage.skipped.map(({ chapter }) => `chapter ${chapter}`),
    ...(jury?.jurors.flatMap((juror) => (juror.overall.kind === "unscored" ? [`the ${juror.id}`] : [])) ?? []),
    ...unscoredAspects(evaluation),
  ];
}

export function hasGaps(evaluation: BookEvaluation): boolean {
  return gapsOf(evaluation).length > 0;
}

/** How much of a book is unscored, from 0 to 1: by words, by jurors or by aspects, whichever is most. */
export function gapShare(evaluation: BookEvaluation): number {
  const { overall, coverage, jury, aspects } = evaluation;
  if (overall.kind === "unscored") return 1;
  const silent = jury?.jurors.filter((juror) => juror.overall.kind === "unscored").length ?? 0;
  return Math.max(
    coverage.skipped.length > 0 ? 1 - coverage.share : 0,
    silent / Math.max(1, jury?.jurors.length ?? 0),
    unscoredAspects(evaluation).length / Math.max(1, aspects.length),
  );
}

/** The gaps of all books in one line. */
export function gapsInWords(evaluations: readonly BookEvaluation[]): string {
  const open = evaluations.flatMap((evaluation) => {
    const gaps = gapsOf(evaluation);
    const more = gaps.length > MOST_NAMED ? [`${gaps.length - MOST_NAMED} more`] : [];
    return gaps.length === 0 ? [] : [`${evaluation.book.title}: ${[...gaps.slice(0, MOST_NAMED), ...more].join(", ")}`];
  });
  const more = open.length > MOST_NAMED ? `; and ${open.length - MOST_NAMED} more books` : "";
  return `Unscored: ${open.slice(0, MOST_NAMED).join("; ")}${more}.`.replace(/\s+/g, " ");
}

const MOST_NAMED = 5;

function unscoredAspects({ jury, aspects }: BookEvaluation): string[] {
  if (jury) return [];
  return aspects.flatMap(({ id, verdict }) => (verdict.kind === "unscored" && verdict.reason !== NO_PROSE ? [id] : []));
}

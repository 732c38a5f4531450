import { signedNumber } from "../../../core/signed-number.ts";
import type { Change, DraftChanges, FigureChange } from "../../../judge/drafts/change-schema.ts";

/** What differs from an earlier draft, in sentences; `again` says what was judged again. */
export function changesInWords(changes: DraftChanges, again: string): string[] {
  const { run, unchanged, removed, overall, aspects, segments } = changes;
  const change = ({ difference, interval, beyondNoise }: Change) => {
    if (difference === null) return "cannot be compared";
    if (interval === null)
      return segments.length + removed === 0 ? "as it was" : `${signedNumber(difference, 1)} from ${ONE_RUN}`;
    return `${signedNumber(difference, 1)} [${interval[0].toFixed(1)}, ${interval[1].toFixed(1)}], ${beyondNoise ? "more than the judge's noise" : "no clear difference"}`;
  };
  const real = Object.entries(aspects).filter(([, aspect]) => aspect.beyondNoise);
  return [
    `Against ${run}: ${segments.length} segments changed, ${unchanged} did not, ${removed} are gone; ${again}. Overall ${change(overall)}.`,
    ...real.map(([id, aspect]) => `${id}: ${change(aspect)}.`),
    ...segments
      .filter((segment) => segment.overall.beyondNoise)
      .map((segment) => `${segment.title}: ${change(segment.overall)}.`),
    ...(changes.jurors ?? [])
      .filter(({ id }) => id !== changes.jurors?.[0]?.id)
      .map((juror) => `The ${juror.id}, of ${juror.scale.maximum}: ${change(juror)}.`),
    ...textInWords(changes),
  ];
}

/** One score each has no spread, and so nothing to hold a difference against. */
const ONE_RUN = "one run of each draft, which cannot tell a difference from chance: judge both with --runs 3";

function textInWords({ text, lineNotes, figures = [] }: DraftChanges): string[] {
  if (!text) return [];
  const { rewritten, added, removed, moved, same } = text.paragraphs;
  const likely = ({ likely: count, sentences }: { likely: number; sentences: number }) => `${count} of ${sentences}`;
  return [
    `Paragraphs: ${rewritten} rewritten, ${added} added, ${removed} removed, ${moved} moved, ${same} unchanged; ${text.words.added} words added, ${text.words.removed} removed.`,
    ...(lineNotes
      ? [
          `Sentences of the changed paragraphs that an editor would probably change: ${likely(lineNotes.before)} before, ${likely(lineNotes.after)} now.`,
        ]
      : []),
    ...figures
      .filter(hasCrossed)
      .map(
        ({ name, before, after, reference }) =>
          `${name}: ${before} before, ${after} now; the middle 90 % of published novels lie between ${reference?.low} and ${reference?.high}.`,
      ),
  ];
}

/** A figure is worth a sentence when it entered or left the middle 90 % of published novels. */
function hasCrossed({ before, after, reference }: FigureChange): boolean {
  if (before === null || after === null || reference === null) return false;
  const isInside = (value: number) => value >= reference.low && value <= reference.high;
  return isInside(before) !== isInside(after);
}

import { signedNumber } from "../../../core/wording/signed-number.ts";
import type { Change, DraftChanges, FigureChange } from "../../../judge/drafts/change-schema.ts";
import { figureInWords } from "../../../report/letter/figure-words.ts";
import { countOf } from "../../../report/wording.ts";

/** What differs from an earlier draft, in sentences; `again` says what was judged again. */
export function changesInWords(changes: DraftChanges, again: string): string[] {
  const { run, unchanged, removed, overall, aspects, segments, jurors = [] } = changes;
  if (segments.length + removed === 0) return [`Compared with ${run}: the text is the same.`];
  const change = ({ difference, interval, beyondNoise }: Change) => {
    if (difference === null) return "cannot be compared";
    if (interval === null) return `${signedNumber(difference, 1)} from ${ONE_RUN}`;
    const [low, high] = interval.map((end) => signedNumber(end, 1));
    return `${signedNumber(difference, 1)}, likely between ${low} and ${high}: ${beyondNoise ? "more than the judge's error" : "no clear difference"}`;
  };
  const real = Object.entries(aspects).filter(([, aspect]) => aspect.beyondNoise);
  return [
    `Compared with ${run}: ${countOf(segments.length, "part")} changed or new, ${unchanged} unchanged, ${removed} removed; ${again}.`,
    ...textInWords(changes),
    ...(jurors.length > 0
      ? jurors.map((juror) => `The ${juror.id}, of ${juror.scale.maximum}: ${change(juror)}.`)
      : [`Overall: ${change(overall)}.`]),
    ...real.map(([id, aspect]) => `${id}: ${change(aspect)}.`),
    ...segments
      .filter((segment) => segment.overall.beyondNoise)
      .map((segment) => `${segment.title}: ${change(segment.overall)}.`),
  ];
}

/** One score each has no spread, and so nothing to hold a difference against. */
const ONE_RUN =
  "one run of each draft, which cannot tell a difference from chance: judge the earlier draft again with --runs 3, then compare";

function textInWords({ text, lineNotes, figures = [] }: DraftChanges): string[] {
  if (!text) return [];
  const { rewritten, added, removed, moved, same } = text.paragraphs;
  const likely = ({ likely: count, sentences }: { likely: number; sentences: number }) => `${count} of ${sentences}`;
  return [
    `Paragraphs: ${rewritten} rewritten, ${added} added, ${removed} removed, ${moved} moved, ${same} unchanged; ${countOf(text.words.added, "word")} added, ${text.words.removed} removed.`,
    ...(lineNotes && lineNotes.before.sentences + lineNotes.after.sentences > 0
      ? [
          `Sentences of these paragraphs that an editor would probably change: ${likely(lineNotes.before)} before, ${likely(lineNotes.after)} now.`,
        ]
      : []),
    ...figures.flatMap(crossingInWords),
  ];
}

/** Less than this part of the reference's width is a step over a line, not a change of the book. */
const NOTABLE = 0.05;

/** A figure is worth a sentence when it entered or left the middle 90 % of published novels. */
function crossingInWords({ name, unit, before, after, reference }: FigureChange): string[] {
  if (before === null || after === null || reference === null) return [];
  const { low, high } = reference;
  const isInside = (value: number) => value >= low && value <= high;
  if (isInside(before) === isInside(after) || Math.abs(after - before) < NOTABLE * (high - low)) return [];
  const words = (value: number) => figureInWords(value, unit);
  const now = isInside(after) ? "now inside" : "now outside";
  return [
    `${name}: ${words(before)} before, ${words(after)} now; ${now} the middle 90 % of published novels, ${words(low)} to ${words(high)}.`,
  ];
}

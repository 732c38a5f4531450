import type { Change, DraftChanges } from "../../../judge/drafts/change-schema.ts";

/** What differs from an earlier draft, in sentences; `again` says what was judged again. */
export function changesInWords(changes: DraftChanges, again: string): string[] {
  const { run, unchanged, removed, overall, aspects, segments } = changes;
  const change = ({ difference, interval, beyondNoise }: Change) => {
    if (difference === null) return "cannot be compared";
    const points = `${difference >= 0 ? "+" : "−"}${Math.abs(difference).toFixed(1)}`;
    const range = interval ? ` [${interval[0].toFixed(1)}, ${interval[1].toFixed(1)}]` : "";
    return `${points}${range}, ${beyondNoise ? "more than the judge's noise" : "within the judge's noise"}`;
  };
  const real = Object.entries(aspects).filter(([, aspect]) => aspect.beyondNoise);
  return [
    `Against ${run}: ${segments.length} segments changed, ${unchanged} did not, ${removed} are gone; ${again}. Overall ${change(overall)}.`,
    ...real.map(([id, aspect]) => `${id}: ${change(aspect)}.`),
    ...segments
      .filter((segment) => segment.overall.beyondNoise)
      .map((segment) => `${segment.title}: ${change(segment.overall)}.`),
  ];
}

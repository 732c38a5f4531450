/** A stretch of text that is drawn in one way. */
export interface Run {
  readonly start: number;
  readonly text: string;
  /** From 0, uncoloured, to 3, most likely to be changed. */
  readonly heat: number;
  /** The probability that an editor changes the sentence it belongs to, and the likeliest reason. */
  readonly change: number | null;
  readonly why: string | null;
  readonly mark: Mark["kind"] | null;
  /** What is said of the mark. */
  readonly title: string | null;
}

export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly change: number;
  readonly why: string | null;
}

export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly kind: "passage" | "hit" | "note" | "finding";
  readonly title?: string;
}

/** Cuts a block of a chapter wherever a sentence or a mark begins or ends. Positions point into the chapter. */
export function textRuns(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  sentences: readonly Sentence[],
  marks: readonly Mark[],
): Run[] {
  const within = <Part extends { readonly start: number; readonly end: number }>(parts: readonly Part[]) =>
    parts.filter((part) => part.start < end && part.end > start);
  const heated = within(sentences);
  const marked = within(marks);
  const cuts = new Set([start, end]);
  for (const part of [...heated, ...marked]) {
    if (part.start > start) cuts.add(part.start);
    if (part.end < end) cuts.add(part.end);
  }
  const places = [...cuts].sort((left, right) => left - right);
  return places.slice(0, -1).map((from, position) => {
    const covers = (part: { readonly start: number; readonly end: number }) => part.start <= from && part.end > from;
    const sentence = heated.find(covers);
    const ofKind = (kind: Mark["kind"]) => marked.find((part) => part.kind === kind && covers(part));
    const mark = ofKind("passage") ?? ofKind("hit") ?? ofKind("note") ?? ofKind("finding");
    return {
      start: from,
      text: text.slice(from, places[position + 1]),
      heat: sentence ? heatLevel(sentence.change) : 0,
      change: sentence?.change ?? null,
      why: sentence?.why ?? null,
      mark: mark?.kind ?? null,
      title: mark?.title ?? null,
    };
  });
}

/** Where the colours begin, on the scale of probabilities itself: 0.44 of sentences were changed in the data. */
export const HEAT_STEPS = [0.44, 0.55, 0.7] as const;

/** A colour means the same probability in every chapter of every book. */
export function heatLevel(change: number): number {
  return HEAT_STEPS.filter((step) => change >= step).length;
}

/** A stretch of text that is drawn in one way. */
export interface Run {
  readonly start: number;
  readonly text: string;
  /** From −3 (lowers most) to 3 (raises most); 0 is uncoloured. */
  readonly heat: number;
  readonly share: number | null;
  readonly mark: "passage" | "hit" | null;
}

export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly share: number;
}

export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly kind: "passage" | "hit";
}

/** Cuts a block of a chapter wherever a sentence or a mark begins or ends. Positions point into the chapter. */
export function textRuns(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  sentences: readonly Sentence[],
  marks: readonly Mark[],
  level: (share: number) => number,
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
    const mark = marked.find((part) => covers(part) && part.kind === "passage") ?? marked.find(covers);
    return {
      start: from,
      text: text.slice(from, places[position + 1]),
      heat: sentence ? level(sentence.share) : 0,
      share: sentence?.share ?? null,
      mark: mark?.kind ?? null,
    };
  });
}

/**
 * Colours are relative to the chapter, since a sentence weighs less in a long one: the strongest colour begins at seven
 * tenths of its 95th percentile, so that a single outlier does not make the rest pale.
 */
export function heatLevel(sentences: readonly Sentence[]): (share: number) => number {
  const sizes = sentences.map(({ share }) => Math.abs(share)).sort((left, right) => left - right);
  const largest = sizes[Math.floor((sizes.length - 1) * 0.95)] ?? 0;
  if (largest === 0) return () => 0;
  return (share) => {
    const size = Math.abs(share) / largest;
    const step = size >= 0.7 ? 3 : size >= 0.4 ? 2 : size >= 0.15 ? 1 : 0;
    return share < 0 ? -step : step;
  };
}

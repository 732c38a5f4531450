/** How alike a text is to the part of a window that is most like it, and where that part lies. */
export interface Alignment {
  readonly similarity: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Sellers' algorithm: the least number of edits between the whole of `wanted` and any part of `window`, in time
 * proportional to the product of their lengths.
 */
export function editSimilarity(wanted: string, window: string): Alignment {
  const width = window.length;
  let previous = new Uint32Array(width + 1);
  let starts = Uint32Array.from({ length: width + 1 }, (_, at) => at);
  for (let row = 1; row <= wanted.length; row++) {
    const current = new Uint32Array(width + 1);
    const currentStarts = new Uint32Array(width + 1);
    current[0] = row;
    for (let column = 1; column <= width; column++) {
      const same = wanted.charCodeAt(row - 1) === window.charCodeAt(column - 1) ? 0 : 1;
      let cost = previous[column - 1]! + same;
      let start = starts[column - 1]!;
      if (previous[column]! + 1 < cost) {
        cost = previous[column]! + 1;
        start = starts[column]!;
      }
      if (current[column - 1]! + 1 < cost) {
        cost = current[column - 1]! + 1;
        start = currentStarts[column - 1]!;
      }
      current[column] = cost;
      currentStarts[column] = start;
    }
    previous = current;
    starts = currentStarts;
  }
  let end = 0;
  for (let column = 1; column <= width; column++) if (previous[column]! < previous[end]!) end = column;
  const edits = previous[end]!;
  return { similarity: similarityOf(edits, wanted.length), start: starts[end]!, end };
}

/** 1 − edits ⁄ length of what was wanted, and never below 0. */
export function similarityOf(edits: number, length: number): number {
  return Math.max(0, 1 - edits / Math.max(1, length));
}

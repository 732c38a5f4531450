/** A sentence counts as changed when less than this part of its words is left. */
export const SURVIVING = 0.8;

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;

/** Which words of `before` are left in `after`: those on a longest common subsequence of the two. */
export function survivingWords(before: string, after: string): { start: number; end: number; survives: boolean }[] {
  const old = [...before.matchAll(WORD)];
  const left = old.map(([word]) => word.toLowerCase());
  const right = [...after.matchAll(WORD)].map(([word]) => word.toLowerCase());
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        left[i] === right[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const survives = new Array<boolean>(left.length).fill(false);
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) {
      survives[i] = true;
      i++;
      j++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return old.map((match, place) => ({
    start: match.index,
    end: match.index + match[0].length,
    survives: survives[place]!,
  }));
}

/** By sentence of `before`: whether an editor changed it on the way to `after`. */
export function changedSentences(
  before: string,
  after: string,
  sentences: readonly { readonly start: number; readonly end: number }[],
): boolean[] {
  const words = survivingWords(before, after);
  return sentences.map(({ start, end }) => {
    const own = words.filter((word) => word.start >= start && word.end <= end);
    return own.filter(({ survives }) => survives).length < SURVIVING * own.length;
  });
}

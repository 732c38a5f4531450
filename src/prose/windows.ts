import { sum } from "../stats/distribution.ts";
/**
 * Cuts a run of sentences into windows of about `target` words each, as equal as whole sentences allow. Returns the
 * borders: window `w` holds the sentences from `borders[w]` up to `borders[w + 1]`.
 *
 * The judge was trained on pieces of this order, and a long text is the mean of its windows: that, and not a correction
 * afterwards, is what keeps its score from growing with length.
 */
export function windowBorders(words: Uint32Array, target: number): Uint32Array {
  const total = sum(words);
  const windows = Math.max(1, Math.min(words.length, Math.round(total / target)));
  const borders = [0];
  let seen = 0;
  for (let sentence = 0; sentence < words.length - 1 && borders.length < windows; sentence++) {
    seen += words[sentence]!;
    if (seen >= (total * borders.length) / windows) borders.push(sentence + 1);
  }
  borders.push(words.length);
  return Uint32Array.from(borders);
}

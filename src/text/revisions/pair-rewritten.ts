import { likeness, type WordBag } from "./word-bag.ts";

/** Paragraphs less alike than this are two paragraphs. */
const REWRITTEN = 0.4;
/** Far from the place where it should stand a paragraph is not looked for: that is what `moved` is for. */
const REACH = 40;
/** The table of one part of a gap has at most this many rows. */
const ROWS = 500;

/**
 * Between two matched paragraphs, which of the old ones became which of the new ones: the pairing in order with the most
 * words in common.
 */
export function pairRewritten(
  before: readonly number[],
  after: readonly number[],
  bags: { readonly before: readonly WordBag[]; readonly after: readonly WordBag[] },
): [number, number][] {
  const parts = Math.ceil(Math.max(before.length, after.length) / ROWS);
  const part = (list: readonly number[], index: number) =>
    list.slice(Math.floor((list.length * index) / parts), Math.floor((list.length * (index + 1)) / parts));
  return Array.from({ length: parts }, (_, index) => bestPairs(part(before, index), part(after, index), bags)).flat();
}

function bestPairs(
  before: readonly number[],
  after: readonly number[],
  bags: { readonly before: readonly WordBag[]; readonly after: readonly WordBag[] },
): [number, number][] {
  const width = after.length + 1;
  const total = new Float64Array((before.length + 1) * width);
  const alike = new Float64Array((before.length + 1) * width);
  for (let row = 1; row <= before.length; row++) {
    for (let column = 1; column <= after.length; column++) {
      const at = row * width + column;
      const isNear = Math.abs(column - (row * after.length) / before.length) <= REACH;
      const own = isNear ? likeness(bags.before[before[row - 1]!]!, bags.after[after[column - 1]!]!) : 0;
      alike[at] = own >= REWRITTEN ? own : 0;
      const paired = alike[at]! > 0 ? total[at - width - 1]! + alike[at]! : 0;
      total[at] = Math.max(total[at - width]!, total[at - 1]!, paired);
    }
  }
  const pairs: [number, number][] = [];
  for (let row = before.length, column = after.length; row > 0 && column > 0; ) {
    const at = row * width + column;
    if (alike[at]! > 0 && total[at] === total[at - width - 1]! + alike[at]!) {
      pairs.push([before[row - 1]!, after[column - 1]!]);
      row--;
      column--;
    } else if (total[at] === total[at - width]) row--;
    else column--;
  }
  return pairs.reverse();
}

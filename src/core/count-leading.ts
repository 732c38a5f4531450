/** How many leading entries of a list satisfy a condition that, once false, stays false. Found by halving. */
export function countLeading<Entry>(list: ArrayLike<Entry>, holds: (entry: Entry) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

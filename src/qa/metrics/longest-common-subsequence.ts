/** Length of the longest subsequence of both, in one row of memory: O(left × right) time, O(right) space. */
export function longestCommonSubsequence(left: readonly string[], right: readonly string[]): number {
  const lengths = new Uint32Array(right.length + 1);
  for (const item of left) {
    let diagonal = 0;
    for (let column = 1; column <= right.length; column++) {
      const above = lengths[column]!;
      lengths[column] = item === right[column - 1] ? diagonal + 1 : Math.max(above, lengths[column - 1]!);
      diagonal = above;
    }
  }
  return lengths[right.length]!;
}

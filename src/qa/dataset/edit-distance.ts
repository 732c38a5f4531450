/** Levenshtein distance in user-perceived characters: O(left × right) time, one row of memory. */
export function editDistance(left: string, right: string): number {
  const source = [...left];
  const target = [...right];
  const row = Uint32Array.from({ length: target.length + 1 }, (_, column) => column);
  source.forEach((character, index) => {
    let diagonal = index;
    row[0] = index + 1;
    for (let column = 1; column <= target.length; column++) {
      const above = row[column]!;
      const replaced = diagonal + (character === target[column - 1] ? 0 : 1);
      row[column] = Math.min(replaced, above + 1, row[column - 1]! + 1);
      diagonal = above;
    }
  });
  return row[target.length]!;
}

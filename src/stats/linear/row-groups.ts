/**
 * Rows that share an error, such as several texts of one writer. Of the squared misses, the part that lies between groups
 * counts `betweenWeight` times as much as the part within them: below one, what tells groups apart is trusted less (the
 * weighting of a random intercept per group; Fuller and Battese, "Transformations for Estimation of Linear Models
 * with Nested-Error Structure", 1973).
 */
export interface RowGroups {
  /** By row: the number of its group, from 0. */
  readonly of: Uint32Array;
  readonly betweenWeight: number;
}

/** Q = I − (1 − √β) P, with β the weight between groups and P the projection on the groups' (weighted) means. */
export interface SharedErrors {
  readonly of: Uint32Array;
  /** By group: the sum of its row weights. */
  readonly totals: Float64Array;
  readonly part: number;
}

export function sharedErrors({ of, betweenWeight }: RowGroups, roots: Float64Array): SharedErrors {
  const totals = new Float64Array(of.reduce((most, group) => Math.max(most, group), 0) + 1);
  of.forEach((group, row) => {
    totals[group] = totals[group]! + roots[row]! ** 2;
  });
  return { of, totals, part: 1 - Math.sqrt(betweenWeight) };
}

/** Multiplies a vector over the rows by Q, in place. */
export function holdBack(vector: Float64Array, roots: Float64Array, shared: SharedErrors | null): Float64Array {
  if (!shared) return vector;
  const { of, totals, part } = shared;
  const sums = new Float64Array(totals.length);
  for (let row = 0; row < vector.length; row++) sums[of[row]!] = sums[of[row]!]! + roots[row]! * vector[row]!;
  for (let row = 0; row < vector.length; row++) {
    const group = of[row]!;
    if (totals[group]! > 0) vector[row] = vector[row]! - (part * roots[row]! * sums[group]!) / totals[group]!;
  }
  return vector;
}

/** How many items two bags share, each counted as often as it stands in both. */
export function countShared(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const item of left) counts.set(item, (counts.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of right) {
    const count = counts.get(item) ?? 0;
    if (count === 0) continue;
    counts.set(item, count - 1);
    shared++;
  }
  return shared;
}

/** The F-measure of precision and recall; 0 when nothing is shared, also when one side is empty. */
export function harmonicMean(precision: number, recall: number): number {
  return precision > 0 && recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

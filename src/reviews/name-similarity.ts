/**
 * How alike two names are, 0–1: the Dice coefficient of their letter pairs (Sørensen, 1948), which forgives spelling and
 * word order, as in "depth of character" and "character depth".
 */
export function nameSimilarity(left: string, right: string): number {
  if (left === right) return 1;
  const pairs = letterPairs(left);
  const others = letterPairs(right);
  if (pairs.length === 0 || others.length === 0) return 0;
  const remaining = new Map<string, number>();
  for (const pair of others) remaining.set(pair, (remaining.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of pairs) {
    const count = remaining.get(pair) ?? 0;
    if (count === 0) continue;
    remaining.set(pair, count - 1);
    shared++;
  }
  return (2 * shared) / (pairs.length + others.length);
}

function letterPairs(name: string): string[] {
  return name.split(" ").flatMap((word) => Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)));
}

/** The candidates that share the most frequent key. */
export function largestGroup<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): readonly Item[] {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest), []);
}

/** Items by their key; groups, and the items in each, keep the order in which they came. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** How often each word occurs, such as the reasons why something is missing, in the order of their first occurrence. */
export function countBy(words: Iterable<string>): Record<string, number> {
  return Object.fromEntries([...groupBy(words, (word) => word)].map(([word, times]) => [word, times.length]));
}

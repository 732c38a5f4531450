/**
 * The result of `work` for each item, in the order of the items, with at most `atATime` running at once. A failure comes in its
 * turn, so that the caller decides whether to go on.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  atATime: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, PromiseSettledResult<Result>]> {
  const underWay: (readonly [Item, Promise<PromiseSettledResult<Result>[]>])[] = [];
  for (const item of items) {
    underWay.push([item, Promise.allSettled([work(item)])]);
    if (underWay.length >= atATime) yield await first();
  }
  while (underWay.length > 0) yield await first();

  async function first() {
    const [item, settled] = underWay.shift()!;
    return [item, (await settled)[0]!] as const;
  }
}

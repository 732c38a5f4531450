import { type Random, shuffled } from "../../core/random.ts";

/** How many orders `items` things can be asked in: as many as wanted, and never more than there are. */
export function ordersOf(items: number, wanted: number): number {
  let count = 1;
  for (let factor = 2; factor <= items && count < wanted; factor++) count *= factor;
  return Math.max(1, Math.min(count, wanted));
}

/**
 * The items as they are and then in other orders, all different. Each comes with the number of its draw, by which its reply is
 * stored: replies that were paid for when repeated orders were asked too are found again.
 */
export function distinctOrders<Item>(
  items: readonly Item[],
  wanted: number,
  random: Random,
): { readonly order: Item[]; readonly sample: number }[] {
  const places = [...items.keys()];
  const found = new Map([[places.join(), { places, sample: 0 }]]);
  const count = ordersOf(items.length, wanted);
  for (let sample = 1; found.size < count; sample++) {
    const drawn = shuffled(places, random);
    if (!found.has(drawn.join())) found.set(drawn.join(), { places: drawn, sample });
  }
  return Array.from(found.values(), ({ places, sample }) => ({ order: places.map((place) => items[place]!), sample }));
}

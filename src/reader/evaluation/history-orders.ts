import { type Random, shuffled } from "../../core/random.ts";

/** How many orders `items` things can be asked in: as many as wanted, and never more than there are. */
export function ordersOf(items: number, wanted: number): number {
  let count = 1;
  for (let factor = 2; factor <= items && count < wanted; factor++) count *= factor;
  return Math.max(1, Math.min(count, wanted));
}

/** The items as they are, and then in other orders, no two alike. */
export function distinctOrders<Item>(items: readonly Item[], wanted: number, random: Random): Item[][] {
  const places = [...items.keys()];
  const found = new Map([[places.join(), places]]);
  const count = ordersOf(items.length, wanted);
  while (found.size < count) {
    const order = shuffled(places, random);
    found.set(order.join(), order);
  }
  return Array.from(found.values(), (order) => order.map((place) => items[place]!));
}

import { type Random, randomInteger } from "../../core/random.ts";

/**
 * Draws cases that are crossed in two ways, such as ratings by readers and of books: both sides are drawn with replacement,
 * and a case comes as often as its row was drawn times its column was. Drawing one side alone takes the other for fixed and
 * gives intervals that are too narrow (Owen, "The pigeonhole bootstrap", Annals of Applied Statistics 1, 2007).
 *
 * @example
 * ```ts
 * const draw = drawTwoWays(["ana", "ana", "ben"], ["emma", "ulysses", "emma"]);
 * const cases = draw(Math.random); // positions of the cases drawn, such as 0, 0, 2
 * ```
 */
export function drawTwoWays(
  rows: ArrayLike<PropertyKey>,
  columns: ArrayLike<PropertyKey>,
): (random: Random) => Uint32Array {
  if (rows.length !== columns.length) throw new RangeError("each case needs a row and a column");
  const rowOf = numbered(rows);
  const columnOf = numbered(columns);
  return (random) => {
    const rowTimes = timesDrawn(rowOf.size, random);
    const columnTimes = timesDrawn(columnOf.size, random);
    const drawn: number[] = [];
    for (let at = 0; at < rows.length; at++) {
      const times = rowTimes[rowOf.numbers[at]!]! * columnTimes[columnOf.numbers[at]!]!;
      for (let time = 0; time < times; time++) drawn.push(at);
    }
    return Uint32Array.from(drawn);
  };
}

function timesDrawn(size: number, random: Random): Uint32Array {
  const times = new Uint32Array(size);
  for (let i = 0; i < size; i++) times[randomInteger(random, size)]!++;
  return times;
}

function numbered(names: ArrayLike<PropertyKey>): { readonly numbers: Uint32Array; readonly size: number } {
  const known = new Map<PropertyKey, number>();
  const numbers = new Uint32Array(names.length);
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    const number = known.get(name) ?? known.size;
    known.set(name, number);
    numbers[at] = number;
  }
  return { numbers, size: known.size };
}

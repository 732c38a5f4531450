import { sum } from "../distribution.ts";
/**
 * A compact letter display (Piepho 2004, insert and absorb): two items share a letter exactly when they do not differ. The
 * items are given in the order of the table, so that the letters run from its top; `differ` need not agree with that order.
 */
export function letterGroups(items: number, differ: (left: number, right: number) => boolean): string[] {
  let columns: Uint8Array[] = items === 0 ? [] : [new Uint8Array(items).fill(1)];
  for (let left = 0; left < items; left++) {
    for (let right = left + 1; right < items; right++) {
      if (!differ(left, right)) continue;
      const split = columns.flatMap((column) =>
        column[left] === 1 && column[right] === 1 ? [without(column, left), without(column, right)] : [column],
      );
      columns = split.length === columns.length ? split : absorbed(split);
    }
  }
  columns.sort(byFirstMember);
  return Array.from({ length: items }, (_, item) =>
    columns.flatMap((column, index) => (column[item] === 1 ? [letter(index)] : [])).join(""),
  );
}

function without(column: Uint8Array, item: number): Uint8Array {
  const copy = column.slice();
  copy[item] = 0;
  return copy;
}

/** Drops the columns that lie inside another. */
function absorbed(columns: readonly Uint8Array[]): Uint8Array[] {
  const kept: Uint8Array[] = [];
  const bySize = columns.toSorted((left, right) => count(right) - count(left));
  for (const column of bySize) if (!kept.some((larger) => isInside(column, larger))) kept.push(column);
  return kept;
}

function isInside(column: Uint8Array, larger: Uint8Array): boolean {
  return column.every((member, item) => member === 0 || larger[item] === 1);
}

function count(column: Uint8Array): number {
  return sum(column);
}

function byFirstMember(left: Uint8Array, right: Uint8Array): number {
  for (let item = 0; item < left.length; item++) {
    if (left[item] !== right[item]) return right[item]! - left[item]!;
  }
  return 0;
}

/** a to z, then a1 to z1, and so on. */
function letter(index: number): string {
  const first = String.fromCharCode(97 + (index % 26));
  return index < 26 ? first : `${first}${Math.floor(index / 26)}`;
}

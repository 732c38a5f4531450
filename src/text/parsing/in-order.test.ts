import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { inOrder } from "./in-order.ts";

it("results come in the order of the items, failures too, with no more running at a time than allowed", async () => {
  let underWay = 0;
  let most = 0;
  const work = async (item: number) => {
    most = Math.max(most, ++underWay);
    // Of two, the second is done first.
    await setTimeout(item % 2 === 0 ? 1 : 20);
    underWay--;
    if (item === 3) throw new Error("three");
    return item * 10;
  };
  const seen: unknown[] = [];
  for await (const [item, result] of inOrder([1, 2, 3, 4], 2, work))
    seen.push([item, result.status === "fulfilled" ? result.value : "failed"]);
  expect(seen).toEqual([
    [1, 10],
    [2, 20],
    [3, "failed"],
    [4, 40],
  ]);
  expect(most).toBe(2);
});

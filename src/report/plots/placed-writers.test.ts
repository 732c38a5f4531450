import { expect, it } from "vitest";
import { placedWritersPlot } from "../bench/html-benchmark.ts";

it("names of the weakest writers stand on the right of their lines, where the frame does not cut them off", () => {
  const population = Array.from({ length: 20 }, (_, index) => index / 10);
  const plot = placedWritersPlot(
    population,
    [
      { label: "a writer far above", score: 2 },
      { label: "a writer far below", score: -1 },
    ],
    "placed",
  );
  const anchorOf = (label: string) => new RegExp(`text-anchor="(\\w+)"[^>]*>${label}`).exec(plot)?.[1];
  expect(anchorOf("a writer far above")).toBe("end");
  expect(anchorOf("a writer far below")).toBe("start");
});

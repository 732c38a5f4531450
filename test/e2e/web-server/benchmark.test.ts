import { expect, it } from "vitest";
import type { BenchmarkDetails, BenchmarkSummary } from "../../../src/api/benchmarks.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

it("the population that ships is shown, with no writers on it", async () => {
  const [summary] = await library.server.json<BenchmarkSummary[]>("/api/benchmarks");
  expect(summary).toMatchObject({ id: "shipped-1", judge: "grader", writers: 0 });
  const details = await library.server.json<BenchmarkDetails>(`/api/benchmarks/${summary!.id}`);
  expect(details.population).toEqual([...details.population].sort((left, right) => left - right));
  expect(details.writerRows.length).toBeGreaterThan(0);
  expect(details.writerRows.every(({ isAnchor }) => isAnchor)).toBe(true);
});

import { describe, expect, it } from "vitest";
import type { BenchmarkDetails, BenchmarkSummary } from "../../../src/api/benchmarks.ts";
import { addStory, judgeWithJury } from "../../support/library-requests.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

describe("the benchmark", () => {
  it("places no book among published novels that its judge has no ground to place, and says why", async () => {
    const { id } = await addStory(library.server);
    await judgeWithJury(library.server, id);
    const [summary] = await library.server.json<BenchmarkSummary[]>("/api/benchmarks");
    expect(summary).toMatchObject({ id: "published-novels", judge: "pocket", writers: 0 });
    const details = await library.server.json<BenchmarkDetails>(`/api/benchmarks/${summary!.id}`);
    expect(details.population).toEqual([...details.population].sort((left, right) => left - right));
    expect(details.writerRows.length).toBeGreaterThan(0);
    expect(details.writerRows.every(({ isAnchor }) => isAnchor)).toBe(true);
    expect(details.notes.join(" ")).toContain("outside what it learnt from");
  });
});

import { describe, expect, it } from "vitest";
import type { BenchmarkDetails, BenchmarkSummary } from "../../../src/api/benchmarks.ts";
import { addStory, judgeWithPocket } from "../../support/library-requests.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

describe("the benchmark", () => {
  it("shows the books of the library among published novels", async () => {
    const { id } = await addStory(library.server);
    await library.server.send("PATCH", `/api/books/${id}`, { title: "The Inspector of Weights" });
    await judgeWithPocket(library.server, id);
    const [summary] = await library.server.json<BenchmarkSummary[]>("/api/benchmarks");
    expect(summary).toMatchObject({ id: "published-novels", judge: "pocket" });
    expect(summary!.writers).toBeGreaterThan(0);
    const details = await library.server.json<BenchmarkDetails>(`/api/benchmarks/${summary!.id}`);
    expect(details.population).toEqual([...details.population].sort((left, right) => left - right));
    const own = details.writerRows.find(({ isAnchor }) => !isAnchor)!;
    expect(own.level.kind).toBe("scored");
    expect(Object.keys(own.dimensions)).toEqual(details.dimensions.map((dimension) => dimension.id));
  });
});

import { describe, expect, it } from "vitest";
import { loadAspectMap } from "./aspects.ts";
import { loadGrader } from "./grader.ts";
import { loadGraderReference } from "./reference.ts";

describe("the reference population", () => {
  it("was scored by the judge that ships: retrain one, rebuild the other", async () => {
    const [judge, reference] = await Promise.all([loadGrader(), loadGraderReference()]);
    expect(reference.judgeVersion).toBe(judge.version);
  });

  it("has a score for every book in every aspect the judge speaks to", async () => {
    const [map, reference] = await Promise.all([loadAspectMap(), loadGraderReference()]);
    expect(reference.books.length).toBeGreaterThanOrEqual(80);
    expect(Object.keys(reference.aspects).sort()).toEqual(Object.keys(map.aspects).sort());
    for (const scores of [reference.overall, ...Object.values(reference.aspects)]) {
      expect(scores).toHaveLength(reference.books.length);
      for (const score of scores) expect(score >= 0 && score <= 20).toBe(true);
    }
  });
});

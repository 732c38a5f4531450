import { describe, expect, it } from "vitest";
import { averageVerdicts, scored, unscored, verdictSchema } from "./verdict.ts";

describe("a verdict", () => {
  it("is never a silent number when the number is not one", () => {
    expect(scored(Number.NaN)).toEqual({ kind: "unscored", reason: "the score was not a finite number" });
    expect(scored(Number.POSITIVE_INFINITY).kind).toBe("unscored");
  });

  it("has no interval where that would have no width: seventy three times over is no certainty", () => {
    expect(scored(70, [70, 70])).toEqual({ kind: "scored", score: 70 });
    expect(scored(0.3, [0.3, 0.1 + 0.2])).toEqual({ kind: "scored", score: 0.3 });
    expect(scored(70, [69, 71])).toEqual({ kind: "scored", score: 70, interval: [69, 71] });
  });

  it("averages what was scored and counts what was not", () => {
    const average = averageVerdicts([scored(10), unscored("refused"), scored(20)]);
    expect(average).toEqual({ verdict: { kind: "scored", score: 15 }, used: 2, skipped: 1 });
  });

  it("stays unscored, with its reason, when nothing was scored", () => {
    expect(averageVerdicts([unscored("refused")]).verdict).toEqual({ kind: "unscored", reason: "refused" });
    expect(averageVerdicts([]).verdict.kind).toBe("unscored");
  });

  it("is refused by its schema when the reason is missing", () => {
    expect(verdictSchema.safeParse({ kind: "unscored", reason: "" }).success).toBe(false);
    expect(verdictSchema.safeParse({ kind: "scored" }).success).toBe(false);
  });
});

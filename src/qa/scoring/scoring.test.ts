import { describe, expect, it } from "vitest";
import { loadMetrics } from "../metrics/load-metrics.ts";
import { analyseLengths } from "./length-analysis.ts";
import { predictionSchema } from "./prediction.ts";
import { scorePredictions } from "./score-predictions.ts";

describe("scoring a file of answers", () => {
  it("leaves a missing answer out of the mean and counts it, while an empty answer scores 0", async () => {
    const metrics = await loadMetrics(["em", "rouge-l"]);
    const table = scorePredictions(
      [
        { prediction: "the mill", answers: ["a mill", "the barn"] },
        { prediction: "", answers: ["a mill"] },
        { prediction: null, answers: ["a mill"], unscored: "refused" },
      ],
      metrics,
    );
    expect(table.means.em).toBe(0.5);
    expect(table.unscored).toBe(1);
    expect(table.items[2]).toEqual({ kind: "unscored", reason: "refused" });
  });

  it("refuses a line without references", () => {
    expect(predictionSchema.safeParse({ prediction: "x", answers: [] }).success).toBe(false);
    expect(predictionSchema.safeParse({ answers: ["x"] }).success).toBe(false);
  });
});

describe("length analysis", () => {
  it("shows a metric that falls with length, and leaves out one that never changes", async () => {
    const predictions = Array.from({ length: 40 }, (_, words) => ({
      prediction: `gate${" and more".repeat(words)}`,
      answers: ["gate"],
    }));
    const { items } = scorePredictions(predictions, await loadMetrics(["em", "f1"]));
    const constant = items.map((item) =>
      item.kind === "scored" ? { ...item, scores: { ...item.scores, same: 1 } } : item,
    );
    const bins = analyseLengths(predictions, constant, 4);
    expect(bins.map((bin) => bin.items)).toEqual([10, 10, 10, 10]);
    expect(bins[0]).toMatchObject({ from: 0, to: 18 });
    const course = bins.map((bin) => bin.metrics.f1!.mean);
    expect(course).toEqual([...course].sort((left, right) => right - left));
    expect(course.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
    expect(bins[0]!.metrics).not.toHaveProperty("same");
  });
});

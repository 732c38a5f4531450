import { expect, it } from "vitest";
import { Metrics } from "./metrics.ts";

it("counts calls without a known price separately, and shows no cost for them", () => {
  const metrics = new Metrics();
  metrics.note({ kind: "answered", model: "new", cost: null, spent: 0 });
  expect(metrics.text([])).toContain('fabula_unpriced_calls_total{model="new"} 1');
  expect(metrics.text([])).not.toContain("fabula_cost_dollars_total");
  metrics.note({ kind: "answered", model: "known", cost: 0.5, spent: 0.5 });
  expect(metrics.text([])).toContain('fabula_cost_dollars_total{model="known"} 0.5');
});

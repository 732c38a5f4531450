import { expect, it } from "vitest";
import { addPlans } from "./plan-evaluation.ts";

const plan = {
  calls: 3,
  known: 1,
  inputTokens: 500,
  outputTokens: 40,
  cost: 0.5,
  mostCost: 2,
  seconds: 30,
  obstacles: ["too long"],
};

it("says that the cost of several evaluations is unknown when the price of one of them is, and never counts it as zero", () => {
  expect(addPlans([plan, plan])).toEqual({
    calls: 6,
    known: 2,
    inputTokens: 1000,
    outputTokens: 80,
    cost: 1,
    mostCost: 4,
    seconds: 60,
    obstacles: ["too long"],
  });
  expect(addPlans([plan, { ...plan, cost: null, mostCost: null }])).toMatchObject({ cost: null, mostCost: null });
});

import { expect, it } from "vitest";
import { Planner, planningModel } from "./planning.ts";

it("counts what is written one call after another: calls that wait for each other follow, others run side by side", async () => {
  const planner = new Planner(false, 0, true);
  const model = planningModel({ id: "any", contextTokens: null }, planner, {
    price: null,
    recall: async () => null,
    pace: { provider: "any", atATime: 2 },
  });
  const ask = (content: string) =>
    model.complete(
      { purpose: "judge", messages: [{ role: "user", content }], sample: 0, usualTokens: 100 },
      new AbortController().signal,
    );
  await ask("the story");
  // As with prompts that are read from files, requests made together do not arrive together.
  await Promise.all(
    [0, 1, 2, 3].map(async (wait) => {
      for (let turn = 0; turn < wait; turn++) await new Promise((resolve) => setImmediate(resolve));
      await ask(`question ${wait}`);
    }),
  );
  await ask("the letter");
  expect(planner.plan()).toMatchObject({ calls: 6, outputTokens: 600, sequentialTokens: 400 });
  expect(new Planner(false).plan()).not.toHaveProperty("sequentialTokens");
});

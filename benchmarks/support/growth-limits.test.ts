import { expect, it } from "vitest";
import { needs, type PerNovel } from "./growth-limits.ts";

const unit: PerNovel = {
  work: "",
  calls: 10,
  inputTokens: 900,
  outputTokens: 100,
  cost: 1,
  bytes: 1000,
  requestBytes: 900,
  queries: 1,
  coreSeconds: 0,
  memoryBytes: 0,
};
const capacity = {
  tokensPerMinute: 1000,
  answersPerSecond: 1000,
  volumeBytes: 1e9,
  memoryBytes: 1e9,
  cores: 1,
  days: 1,
};

it("names the scarcest first, as a share of what there is", () => {
  expect(needs(unit, 1440, capacity)[0]).toMatchObject({ limit: "tokens per minute at the provider", share: 1 });
  const [first] = needs(unit, 2_000_000, { ...capacity, tokensPerMinute: 1e9 });
  expect(first).toMatchObject({ limit: "volume of the store", share: 2 });
  expect(needs({ ...unit, memoryBytes: 5000 }, 1e6, { ...capacity, tokensPerMinute: 1e9 })[0]!.limit).toContain(
    "memory",
  );
});

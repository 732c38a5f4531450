import { expect, it } from "vitest";
import { splitReasoning } from "./split-reasoning.ts";

it.each([
  ["A plain answer.", "A plain answer.", null],
  ["<think>Perhaps 40.</think>\n\nScore: 80", "Score: 80", "Perhaps 40."],
  ["Perhaps 40.\n</think>\nScore: 80", "Score: 80", "Perhaps 40."],
  ["<think>Perhaps 40, or", "", "Perhaps 40, or"],
  ["<think></think>Score: 80", "Score: 80", null],
  ["She wrote <think> on the wall.", "She wrote <think> on the wall.", null],
  ['{"quote":"<think>100</think>"}', '{"quote":"<think>100</think>"}', null],
])("keeps thinking apart from the answer in %j", (text, answer, reasoning) => {
  expect(splitReasoning(text)).toEqual({ answer, reasoning });
});

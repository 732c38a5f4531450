import { expect, it } from "vitest";
import { signedNumber } from "./wording.ts";

it.each([
  [1.26, 1, "+1.3"],
  [-1.26, 1, "−1.3"],
  [-0.04, 1, "0.0"],
  [0, 2, "0.00"],
])("writes %d with %i digits as %s", (value, digits, text) => {
  expect(signedNumber(value, digits)).toBe(text);
});

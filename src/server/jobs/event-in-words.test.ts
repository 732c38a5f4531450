import { expect, it } from "vitest";
import { eventInWords } from "./judge-book.ts";

const model = "m@http://127.0.0.1:1/v1";

it("names the model once, whether or not the reason names it", () => {
  const retried = { kind: "retried", model, attempt: 1, waitMilliseconds: 500 } as const;
  expect(eventInWords({ ...retried, reason: `${model} is overloaded (529).` })).toBe(
    `${model} is overloaded (529); asked again in 0.5 s.`,
  );
  expect(eventInWords({ kind: "asked-again", model, reason: "the reply holds no JSON" })).toBe(
    `${model}: the reply holds no JSON; asked again.`,
  );
  expect(eventInWords({ kind: "failed", model, reason: `${model} rejected the request.` })).toBe(
    `${model} rejected the request: no usable answer.`,
  );
});

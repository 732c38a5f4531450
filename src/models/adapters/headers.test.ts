import { expect, it } from "vitest";
import { readAllowance } from "./ai-sdk.ts";
import { retryAfter } from "./failure.ts";

const now = new Date("2026-01-01T00:00:00Z");

it.each([
  [{ "retry-after": "7" }, 7000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "250", "retry-after": "7" }, 250],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "soon" }, null],
  [{}, null],
])("reads how long to wait from %o", (headers, milliseconds) => {
  expect(retryAfter(headers, now)).toBe(milliseconds);
});

it("reads what is left from OpenAI's and Anthropic's headers", () => {
  expect(
    readAllowance(
      {
        "x-ratelimit-remaining-requests": "12",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-requests": "8.64s",
        "x-ratelimit-reset-tokens": "1m30s",
      },
      now,
    ),
  ).toEqual({ remainingRequests: 12, remainingTokens: 0, resetMilliseconds: 90_000 });
  expect(
    readAllowance(
      {
        "anthropic-ratelimit-requests-remaining": "3",
        "anthropic-ratelimit-input-tokens-remaining": "4000",
        "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:20Z",
      },
      now,
    ),
  ).toEqual({ remainingRequests: 3, remainingTokens: 4000, resetMilliseconds: 20_000 });
  expect(readAllowance({ "content-type": "application/json" }, now)).toBeUndefined();
});

import { sum } from "../../stats/distribution/sum.ts";
import type { Allowance } from "../chat-model.ts";

type Headers = Readonly<Record<string, string | undefined>>;

/** Rate-limit headers as OpenAI (`x-ratelimit-…`, reset as "1m30s") and Anthropic (`anthropic-ratelimit-…`, a date) send them. */
export function readAllowance(headers: Headers, now: Date): Allowance | undefined {
  const prefix = ["x-ratelimit-", "anthropic-ratelimit-"].find((start) =>
    Object.keys(headers).some((name) => name.startsWith(start)),
  );
  if (!prefix) return undefined;
  const either = (...names: string[]) => names.map((name) => headers[prefix + name]).find((value) => value);
  const resets = [
    either("reset-requests", "requests-reset"),
    either("reset-tokens", "tokens-reset", "input-tokens-reset"),
  ].flatMap((value) => (value === undefined ? [] : [resetMilliseconds(value, now)]));
  return {
    remainingRequests: wholeNumber(either("remaining-requests", "requests-remaining")),
    remainingTokens: wholeNumber(either("remaining-tokens", "tokens-remaining", "input-tokens-remaining")),
    resetMilliseconds: resets.length > 0 ? Math.max(...resets) : null,
  };
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function resetMilliseconds(value: string, now: Date): number {
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join("") === value) {
    return sum(parts.map(([, amount, unit]) => Number(amount) * UNIT_MILLISECONDS[unit!]!));
  }
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}

import { jsonrepair } from "jsonrepair";
import type { z } from "zod";
import type { ChatMessage, ChatReply } from "./chat-model.ts";
import { jsonCandidates } from "./json-candidates.ts";
import { splitReasoning } from "./split-reasoning.ts";

/** Why a reply gave no value of the shape asked for. */
export type UnreadableReply = "refusal" | "truncated" | "no-json" | "wrong-shape";

export type JsonReading<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "unreadable"; readonly why: UnreadableReply; readonly reason: string };

/**
 * Reads the value a model gave in reply to a schema: bare JSON, JSON in a fence, or JSON somewhere in prose. Small slips
 * (trailing commas, single quotes, numbers in quotation marks) are repaired. JSON that repeats the prompt, such as the
 * example of the format, is never taken for the answer. Of several answers the last one counts: models correct themselves.
 *
 * @example
 * ```ts
 * const reading = readJsonReply({ text: "Sure: {'score': '7',}", stop: "stop" }, z.object({ score: z.number() }));
 * // { kind: "read", value: { score: 7 } }
 * ```
 */
export function readJsonReply<T>(
  reply: Pick<ChatReply, "text" | "stop">,
  schema: z.ZodType<T>,
  prompt: readonly ChatMessage[] = [],
): JsonReading<T> {
  if (reply.stop === "refusal") return unreadable("refusal", `the model refused: ${excerpt(reply.text)}`);
  const answer = splitReasoning(reply.text).answer;
  const { found, unfinished } = jsonCandidates(answer);
  const asked = prompt.map(({ content }) => squeeze(content));
  let shapeProblem: string | null = null;
  for (const candidate of found.toReversed()) {
    const squeezed = squeeze(candidate);
    if (asked.some((content) => content.includes(squeezed))) continue;
    const value = parseLoosely(candidate);
    if (value === undefined) continue;
    const parsed = parseMending(schema, value);
    if (parsed.success) return { kind: "read", value: parsed.data };
    shapeProblem ??= describe(parsed.error);
  }
  if (reply.stop === "length" || unfinished) {
    return unreadable("truncated", "the reply was cut off before its JSON was complete");
  }
  if (shapeProblem) return unreadable("wrong-shape", `the reply's JSON has another shape: ${shapeProblem}`);
  return unreadable("no-json", `the reply holds no JSON: ${excerpt(answer)}`);
}

function unreadable(why: UnreadableReply, reason: string): JsonReading<never> {
  return { kind: "unreadable", why, reason };
}

function parseLoosely(candidate: string): unknown {
  for (const attempt of [() => candidate, () => jsonrepair(candidate)]) {
    try {
      return JSON.parse(attempt()) as unknown;
    } catch {
      // Each attempt repairs more; after the last, the candidate is not JSON.
    }
  }
  return undefined;
}

const NUMERIC = /^\s*[-+]?\d+(?:\.\d+)?\s*$/;

/** Parses, and where only the type of a scalar is wrong in an unmistakable way ("85" for 85), converts it and parses again. */
function parseMending<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  const first = schema.safeParse(value);
  if (first.success) return first;
  const repaired: unknown = structuredClone(value);
  for (const issue of first.error.issues) {
    if (issue.code !== "invalid_type") return first;
    const holder = issue.path
      .slice(0, -1)
      .reduce<unknown>((inner, step) => (isRecord(inner) ? inner[step] : undefined), repaired);
    const step = issue.path.at(-1);
    if (!isRecord(holder) || step === undefined) return first;
    const given = holder[step];
    if (issue.expected === "number" && typeof given === "string" && NUMERIC.test(given)) holder[step] = Number(given);
    else if (issue.expected === "string" && typeof given === "number") holder[step] = String(given);
    else return first;
  }
  return schema.safeParse(repaired);
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}

function describe(error: z.ZodError): string {
  const issue = error.issues[0]!;
  return issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message;
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}

function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line === "") return "it is empty";
  return line.length > 120 ? `“${line.slice(0, 120)}…”` : `“${line}”`;
}

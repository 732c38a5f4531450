import { canonicalJson, sha256 } from "../core/hash.ts";
import { type Random, seededRandom } from "../core/random.ts";
import { placeholderValue } from "../models/placeholder-value.ts";
import type { SimulatedReply, SimulatedRequest } from "./simulated-exchange.ts";

/** What a simulated server can do wrong, from refusing to answer to answering wrongly. */
export const FAULTS = [
  "rate-limit",
  "overloaded",
  "server-error",
  "drop",
  "drop-midway",
  "hang",
  "malformed-body",
  "prose",
  "truncated",
  "wrong-shape",
  "refusal",
] as const;
export type Fault = (typeof FAULTS)[number];

/** Probability of each fault per request, 0–1. */
export type FaultRates = Readonly<Partial<Record<Fault, number>>>;

/**
 * Which fault, if any, is injected into a request. It depends on the seed, on what is asked and on how often it was
 * asked before, not on the order in which parallel requests arrive: a run with faults is repeatable.
 */
export function chooseFault(rates: FaultRates, seed: number, body: string, occurrence: number): Fault | null {
  const draw = seededRandom(seedFrom(`${seed}:${occurrence}:${body}`))();
  let below = 0;
  for (const fault of FAULTS) {
    below += rates[fault] ?? 0;
    if (draw < below) return fault;
  }
  return null;
}

export function seedFrom(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 8), 16);
}

/** What the simulated model says; a test gives its own to play a particular judge. */
export type ReplyHandler = (
  request: SimulatedRequest,
  random: Random,
) => SimulatedReply | string | Promise<SimulatedReply | string>;

/**
 * What the simulated server answers unless it is given another handler: a value that fits the schema asked for, or a
 * sentence that says it is simulated. Call it from a handler of your own for the requests you do not care about.
 *
 * @example
 * ```ts
 * const reply: ReplyHandler = (request, random) =>
 *   request.schema ? seededReply(request, random) : "The second act drags.";
 * const server = await createSimulatedServer({ reply });
 * ```
 */
export const seededReply: ReplyHandler = (request, random) => {
  const shown = request.messages.map(({ content }) => content).join("\n");
  const schema = request.schema ?? schemaSaid(shown);
  if (!schema) return `A simulated reply, number ${Math.floor(random() * 1e6)}. No model has read this request.`;
  const value = placeholderValue(schema, random);
  return JSON.stringify(value, (_key, part: unknown) => (isQuoting(part) ? quoting(part, shown, random) : part));
};

/** If the provider does not enforce a schema, it is in the prompt. */
function schemaSaid(prompt: string): unknown {
  const [, schema] = /It must fit this JSON Schema:\n(\{.*\})/.exec(prompt) ?? [];
  return schema === undefined ? null : JSON.parse(schema);
}

/** Quotations must be in the book; otherwise claims based on them are rejected. */
function isQuoting(part: unknown): part is { quote: string } {
  return typeof part === "object" && part !== null && "quote" in part;
}

function quoting(part: { quote: string }, shown: string, random: Random): object {
  const { chapter, quote } = quotationFrom(shown, random);
  return { ...part, quote, ...("chapter" in part && { chapter }) };
}

const SHOWN = /<<<(?:book|chapter|text|notes|excerpts) ([0-9a-f]{16})>>>\n([\s\S]*?)\n<<<END \w+ \1>>>/g;

/** A line of the book that was shown, with its chapter; of notes on it, a passage that they quote. */
function quotationFrom(prompt: string, random: Random): { chapter: number; quote: string } {
  let chapter = 1;
  const lines = [...prompt.matchAll(SHOWN)]
    .flatMap(([, , text]) => text!.split("\n"))
    .flatMap((line) => {
      chapter = Number(/^\[(?:Chapter |第)?(\d+)/.exec(line)?.[1] ?? chapter);
      const quote = / "(.{12,})"$/.exec(line)?.[1] ?? (/^[^[\s].{20}/.test(line) ? line.slice(0, 120) : null);
      return quote === null ? [] : [{ chapter, quote }];
    });
  return lines[Math.floor(random() * lines.length)] ?? { chapter, quote: "nothing was shown" };
}

/** The same request gets the same reply, however often and in whatever order it is asked. */
export async function simulate(
  request: SimulatedRequest,
  handler: ReplyHandler,
  seed: number,
  fault: Fault | null,
): Promise<SimulatedReply> {
  const random = seededRandom(seedFrom(`${seed}:${canonicalJson(request)}`));
  const said = await handler(request, random);
  const reply = typeof said === "string" ? { text: said } : said;
  switch (fault) {
    case "prose":
      return { text: "Thank you for sharing this story with me. I enjoyed it, and I am sure others will too." };
    case "truncated":
      return { text: reply.text.slice(0, Math.floor(reply.text.length / 2)), stop: "length" };
    case "wrong-shape":
      return { text: JSON.stringify({ unexpected: reply.text.length }) };
    case "refusal":
      return { text: "I'm sorry, but I can't help with that.", stop: "refusal" };
    default:
      return reply;
  }
}

import { canonicalJson } from "../core/hash.ts";
import { type Random, seededRandom } from "../core/random.ts";
import { placeholderValue } from "../models/placeholder-value.ts";
import { type Fault, seedFrom } from "./faults.ts";
import type { SimulatedReply, SimulatedRequest } from "./simulated-exchange.ts";

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
export const seededReply: ReplyHandler = (request, random) =>
  request.schema
    ? JSON.stringify(placeholderValue(request.schema, random))
    : `A simulated reply, number ${Math.floor(random() * 1e6)}. No model has read this request.`;

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

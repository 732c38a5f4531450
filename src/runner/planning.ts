import { seededRandom } from "../core/random.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../models/chat-model.ts";
import { placeholderValue } from "../models/placeholder-value.ts";
import { costOf, type Price } from "../models/prices.ts";
import { type CostEstimate, estimateCost } from "./limits/cost-estimate.ts";
import { PrefixCache } from "./limits/prefix-cache.ts";

/** What a run would do, before anything is sent. */
export interface Plan {
  readonly calls: number;
  /** Already in the store: they cost nothing. */
  readonly cached: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether the costs are those of the provider's batch API. */
  readonly batched: boolean;
  /** US dollars; null when the price of a model is not known. */
  readonly expectedCost: number | null;
  readonly maximumCost: number | null;
  /** Input that a provider's prefix cache would serve, and the expected cost with that discount. */
  readonly cacheableInputTokens: number;
  readonly expectedCostCached: number | null;
  readonly byPurpose: Readonly<Record<string, { readonly calls: number; readonly expectedCost: number | null }>>;
}

const SEED = 1;
const CHARACTERS_PER_TOKEN = 4;

/** Counts the calls that would be made. */
export class Planner {
  readonly #batched: boolean;
  #cached = 0;
  readonly #planned: { purpose: string; estimate: CostEstimate; cacheable: number; discounted: number | null }[] = [];
  readonly #prefixes = new PrefixCache();

  constructor(batched: boolean) {
    this.#batched = batched;
  }

  noteCached(): void {
    this.#cached += 1;
  }

  note(request: ChatRequest, price: Price | null): CostEstimate {
    const estimate = estimateCost(request, price, this.#batched);
    const cacheable = Math.floor(estimate.inputTokens * this.#prefixes.admit(request));
    this.#planned.push({
      purpose: request.purpose,
      estimate,
      cacheable,
      discounted: discount(estimate, price, cacheable, this.#batched),
    });
    return estimate;
  }

  plan(): Plan {
    const estimates = this.#planned.map(({ estimate }) => estimate);
    const byPurpose: Record<string, { calls: number; expectedCost: number | null }> = {};
    for (const { purpose, estimate } of this.#planned) {
      const before = byPurpose[purpose] ?? { calls: 0, expectedCost: 0 };
      byPurpose[purpose] = { calls: before.calls + 1, expectedCost: sum([before.expectedCost, estimate.expected]) };
    }
    return {
      calls: estimates.length + this.#cached,
      cached: this.#cached,
      inputTokens: estimates.reduce((total, { inputTokens }) => total + inputTokens, 0),
      outputTokens: estimates.reduce((total, { expectedOutputTokens }) => total + expectedOutputTokens, 0),
      batched: this.#batched,
      expectedCost: sum(estimates.map(({ expected }) => expected)),
      maximumCost: sum(estimates.map(({ maximum }) => maximum)),
      cacheableInputTokens: this.#planned.reduce((total, { cacheable }) => total + cacheable, 0),
      expectedCostCached: sum(this.#planned.map(({ discounted }) => discounted)),
      byPurpose,
    };
  }
}

/**
 * A model that is only pretended to be asked: it answers with a placeholder of the shape and about the length expected, so
 * that methods whose later requests depend on earlier replies can be counted to the end. Nothing it says is a verdict.
 */
export function planningModel(
  model: Pick<ChatModel, "id" | "contextTokens">,
  planner: Planner,
  options: {
    readonly price: Price | null;
    readonly recall: (request: ChatRequest) => Promise<ChatReply | null>;
  },
): ChatModel {
  return {
    id: model.id,
    contextTokens: model.contextTokens,
    async complete(request) {
      const known = await options.recall(request);
      if (known) {
        planner.noteCached();
        return known;
      }
      const { inputTokens, expectedOutputTokens } = planner.note(request, options.price);
      return {
        text: placeholderText(request, expectedOutputTokens),
        reasoning: null,
        stop: "stop",
        usage: { inputTokens, outputTokens: expectedOutputTokens, cachedInputTokens: 0, reasoningTokens: 0 },
        model: model.id,
        latencyMilliseconds: 0,
      };
    },
  };
}

function placeholderText({ schema }: ChatRequest, tokens: number): string {
  if (schema) return stretched(placeholderValue(schema.schema, seededRandom(SEED)), tokens * CHARACTERS_PER_TOKEN);
  return "placeholder ".repeat(Math.ceil((tokens * CHARACTERS_PER_TOKEN) / 12));
}

/** Texts without a limit of their own grow until the whole is about as long as a reply, since later requests may repeat it. */
function stretched(value: unknown, characters: number): string {
  const short = JSON.stringify(value);
  const free = short.match(/"Placeholder: [^"]{0,90}"/g) ?? [];
  const extra = Math.floor((characters - short.length) / Math.max(1, free.length));
  if (extra <= 0) return short;
  const filling = " placeholder".repeat(Math.ceil(extra / 12)).slice(0, extra);
  return short.replace(/"(Placeholder: [^"]{0,90})"/g, (_whole, text: string) => `"${text}${filling}"`);
}

function discount(estimate: CostEstimate, price: Price | null, cacheable: number, batched: boolean): number | null {
  if (!price) return null;
  const { inputTokens, expectedOutputTokens: outputTokens } = estimate;
  return costOf(price, { inputTokens, outputTokens, cachedInputTokens: cacheable, reasoningTokens: 0 }, batched);
}

function sum(amounts: readonly (number | null)[]): number | null {
  return amounts.reduce((total, amount) => (total === null || amount === null ? null : total + amount), 0);
}

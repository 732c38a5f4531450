import { seededRandom } from "../core/random.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../models/chat-model.ts";
import { isCovered } from "../models/judge-name.ts";
import { placeholderValue } from "../models/placeholder-value.ts";
import { costOf, type Price } from "../models/prices.ts";
import { sum } from "../stats/distribution.ts";
import { type CostEstimate, estimateCost } from "./limits/budget.ts";
import { PrefixCache } from "./limits/limiter.ts";
import { maximumBilledAttempts } from "./limits/provider-gate.ts";

/** What a run would do, before anything is sent. */
export interface Plan {
  readonly calls: number;
  /** Calls whose answers are already stored, and which cost nothing. */
  readonly cached: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether these are prices of the provider's batch API. */
  readonly batched: boolean;
  /** Calls paid for through another of the user's accounts, such as a subscription; absent if there are none. */
  readonly coveredCalls?: number;
  /** US dollars for the other calls; null if the price of a model is unknown, or if there are none. */
  readonly expectedCost: number | null;
  /** The cost if every reply had its maximum length and were usable at once. */
  readonly longestCost: number | null;
  /** The most the run can cost: every reply of maximum length, and repeated and paid for as often as a call may be. */
  readonly maximumCost: number | null;
  /** Input tokens that a provider's prefix cache would serve, and the expected cost with that discount. */
  readonly cacheableInputTokens: number;
  readonly expectedCostCached: number | null;
  readonly byPurpose: Readonly<Record<string, { readonly calls: number; readonly expectedCost: number | null }>>;
  /** For a close reading: what the next draft would cost if these chapters changed. */
  readonly nextDraft?: Pick<
    Plan,
    "calls" | "inputTokens" | "outputTokens" | "expectedCost" | "expectedCostCached" | "maximumCost"
  > & { readonly changed: readonly number[] };
  /** What would not be judged, and why, one sentence each, such as a book that does not fit the judge's context. */
  readonly obstacles: readonly string[];
  /** Reply tokens on the longest chain of calls, with parallel calls side by side; only for a timed plan. */
  readonly sequentialTokens?: number;
}

/** Adds up two plans; an unknown price makes the sum unknown. */
export function bothPlans(one: Plan, other: Plan): Plan {
  const either = (left: number | null, right: number | null) => (left === null || right === null ? null : left + right);
  const purposes = new Set([...Object.keys(one.byPurpose), ...Object.keys(other.byPurpose)]);
  const none = { calls: 0, expectedCost: 0 };
  const covered = (one.coveredCalls ?? 0) + (other.coveredCalls ?? 0);
  return {
    ...one,
    calls: one.calls + other.calls,
    cached: one.cached + other.cached,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(covered > 0 && { coveredCalls: covered }),
    expectedCost: either(one.expectedCost, other.expectedCost),
    longestCost: either(one.longestCost, other.longestCost),
    maximumCost: either(one.maximumCost, other.maximumCost),
    cacheableInputTokens: one.cacheableInputTokens + other.cacheableInputTokens,
    expectedCostCached: either(one.expectedCostCached, other.expectedCostCached),
    byPurpose: Object.fromEntries(
      [...purposes].map((purpose) => {
        const [left, right] = [one.byPurpose[purpose] ?? none, other.byPurpose[purpose] ?? none];
        return [
          purpose,
          { calls: left.calls + right.calls, expectedCost: either(left.expectedCost, right.expectedCost) },
        ];
      }),
    ),
    obstacles: [...one.obstacles, ...other.obstacles],
  };
}

interface PlannedCall {
  readonly purpose: string;
  readonly estimate: CostEstimate;
  readonly cacheable: number;
  readonly discounted: number | null;
  readonly longest: number | null;
  readonly bills: number;
  readonly isCovered: boolean;
}

const SEED = 1;
const CHARACTERS_PER_TOKEN = 4;
const FREE_TEXT = /"Placeholder:([^"]{0,90})"/g;
const MARK = /Placeholder (\d+):/g;

/** A call that has not been made by now is waiting for an earlier answer. */
const SETTLED_MILLISECONDS = 4;
/** By then every prompt is loaded, and one turn of the event loop is enough. */
const CAREFUL_STEPS = 200;

/**
 * A clock on which a planned reply takes as long as it has tokens: dependent calls follow each other, others run side
 * by side, up to the number that a provider gets at a time.
 */
class TokenClock {
  #now = 0;
  #asked = 0;
  #steps = 0;
  #isTicking = false;
  /** By provider, when each of its parallel slots becomes free. */
  readonly #places = new Map<string, number[]>();
  /** Soonest first. */
  readonly #pending: { readonly end: number; readonly resolve: () => void }[] = [];

  get now(): number {
    return this.#now;
  }

  async reply(tokens: number, { provider, atATime }: Pace): Promise<void> {
    const places = this.#places.get(provider) ?? Array.from({ length: atATime }, () => 0);
    this.#places.set(provider, places);
    const free = places.indexOf(Math.min(...places));
    const end = Math.max(this.#now, places[free]!) + tokens;
    places[free] = end;
    this.#asked += 1;
    const at = this.#pending.findIndex((other) => other.end > end);
    return new Promise((resolve) => {
      this.#pending.splice(at < 0 ? this.#pending.length : at, 0, { end, resolve });
      void this.#tick();
    });
  }

  async #tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    while (this.#pending.length > 0) {
      await this.#settled();
      this.#now = this.#pending[0]!.end;
      while (this.#pending[0]?.end === this.#now) this.#pending.shift()!.resolve();
      this.#steps += 1;
    }
    this.#isTicking = false;
  }

  async #settled(): Promise<void> {
    let seen: number;
    do {
      seen = this.#asked;
      if (this.#steps < CAREFUL_STEPS) await new Promise((resolve) => setTimeout(resolve, SETTLED_MILLISECONDS));
      await new Promise((resolve) => setImmediate(resolve));
    } while (seen !== this.#asked);
  }
}

/** How many simultaneous calls a provider gets. */
interface Pace {
  readonly provider: string;
  readonly atATime: number;
}

/** Counts the calls that would be made. */
export class Planner {
  readonly #batched: boolean;
  readonly #first: number;
  readonly #clock: TokenClock | null;
  #cached = 0;
  #cachedCovered = 0;
  readonly #planned: PlannedCall[] = [];
  readonly #prefixes = new PrefixCache();

  /**
   * `first` is the number of the first call, so that calls of a second plan are not confused with those of the first.
   */
  constructor(batched: boolean, first = 0, isTimed = false) {
    this.#batched = batched;
    this.#first = first;
    this.#clock = isTimed ? new TokenClock() : null;
  }

  /** In a timed plan, waits for a reply of so many tokens. */
  async reply(tokens: number, pace: Pace): Promise<void> {
    await this.#clock?.reply(tokens, pace);
  }

  noteCached(isCovered = false): void {
    this.#cached += 1;
    if (isCovered) this.#cachedCovered += 1;
  }

  /** The estimate, and the number of the call, which marks its placeholder. */
  note(request: ChatRequest, price: Price | null, model: string): { estimate: CostEstimate; call: number } {
    const estimate = estimateCost(request, price, this.#batched);
    const longestInput = estimate.inputTokens + this.#roomForRepliesIn(request);
    const cacheable = Math.floor(estimate.inputTokens * this.#prefixes.admit(request));
    this.#planned.push({
      purpose: request.purpose,
      estimate,
      cacheable,
      discounted: costWith(price, estimate.inputTokens, estimate.expectedOutputTokens, cacheable, this.#batched),
      longest: costWith(price, longestInput, estimate.maximumOutputTokens, 0, this.#batched),
      bills: maximumBilledAttempts(request),
      isCovered: price === null && isCovered(model),
    });
    return { estimate, call: this.#first + this.#planned.length - 1 };
  }

  /** A request that repeats earlier replies may be longer than planned by as much as those may be. */
  #roomForRepliesIn({ messages }: ChatRequest): number {
    const calls = messages.flatMap(({ content }) => [...content.matchAll(MARK)].map(([, call]) => Number(call)));
    return sum([...new Set(calls)].map((call) => this.#planned[call - this.#first]?.estimate.maximumOutputTokens ?? 0));
  }

  plan(): Plan {
    const estimates = this.#planned.map(({ estimate }) => estimate);
    const billed = this.#planned.filter((call) => !call.isCovered);
    const calls = estimates.length + this.#cached;
    const coveredCalls = this.#planned.length - billed.length + this.#cachedCovered;
    const total = (cost: (call: PlannedCall) => number | null) =>
      calls > 0 && coveredCalls === calls ? null : sumOrNull(billed.map(cost));
    const byPurpose: Record<string, { calls: number; expectedCost: number | null }> = {};
    for (const { purpose, estimate } of this.#planned) {
      const before = byPurpose[purpose] ?? { calls: 0, expectedCost: 0 };
      byPurpose[purpose] = {
        calls: before.calls + 1,
        expectedCost: sumOrNull([before.expectedCost, estimate.expected]),
      };
    }
    return {
      calls,
      cached: this.#cached,
      inputTokens: sum(estimates.map(({ inputTokens }) => inputTokens)),
      outputTokens: sum(estimates.map(({ expectedOutputTokens }) => expectedOutputTokens)),
      batched: this.#batched,
      ...(coveredCalls > 0 && { coveredCalls }),
      expectedCost: total(({ estimate }) => estimate.expected),
      longestCost: total(({ longest }) => longest),
      maximumCost: total(({ longest, bills }) => longest && longest * bills),
      cacheableInputTokens: sum(this.#planned.map(({ cacheable }) => cacheable)),
      expectedCostCached: total(({ discounted }) => discounted),
      byPurpose,
      obstacles: [],
      ...(this.#clock && { sequentialTokens: this.#clock.now }),
    };
  }
}

/**
 * A model that sends nothing: it answers with a placeholder that fits the schema and has about the expected length,
 * so that methods whose later requests depend on earlier replies can be counted to the end. Nothing in it is a
 * verdict.
 */
export function planningModel(
  model: Pick<ChatModel, "id" | "contextTokens">,
  planner: Planner,
  options: {
    readonly price: Price | null;
    readonly recall: (request: ChatRequest) => Promise<ChatReply | null>;
    readonly pace?: Pace;
  },
): ChatModel {
  return {
    id: model.id,
    get contextTokens() {
      return model.contextTokens;
    },
    async complete(request) {
      const known = await options.recall(request);
      if (known) {
        planner.noteCached(options.price === null && isCovered(model.id));
        return known;
      }
      const { estimate, call } = planner.note(request, options.price, model.id);
      const { inputTokens, expectedOutputTokens } = estimate;
      if (options.pace) await planner.reply(expectedOutputTokens, options.pace);
      return {
        text: placeholderText(request, expectedOutputTokens * CHARACTERS_PER_TOKEN, call),
        reasoning: null,
        stop: "stop",
        usage: { inputTokens, outputTokens: expectedOutputTokens, cachedInputTokens: 0, reasoningTokens: 0 },
        model: model.id,
        latencyMilliseconds: 0,
        isPlaceholder: true,
      };
    },
  };
}

/** Whether any of these texts comes from a placeholder instead of a stored reply. */
export function isPlanned(texts: readonly string[]): boolean {
  return texts.some((text) => /Placeholder \d+:/.test(text));
}

/** Has about the length of a reply, since later requests may repeat it, and a mark by which it can be recognised. */
function placeholderText({ schema, layout = (words) => words }: ChatRequest, characters: number, call: number): string {
  if (schema) return stretched(placeholderValue(schema.schema, seededRandom(SEED)), characters, call);
  const places = layout("x").length - layout("").length;
  return layout(`Placeholder ${call}:${filling(characters / places)}`);
}

/** Lengthens every text until the whole is long enough. */
function stretched(value: unknown, characters: number, call: number): string {
  const short = JSON.stringify(value);
  const texts = short.match(FREE_TEXT) ?? [];
  const extra = filling((characters - short.length) / Math.max(1, texts.length));
  return short.replace(FREE_TEXT, (_whole, text: string) => `"Placeholder ${call}:${text}${extra}"`);
}

function filling(characters: number): string {
  const length = Math.max(0, Math.floor(characters));
  return " placeholder".repeat(Math.ceil(length / 12)).slice(0, length);
}

function costWith(
  price: Price | null,
  inputTokens: number,
  outputTokens: number,
  cachedInputTokens: number,
  batched: boolean,
): number | null {
  return price && costOf(price, { inputTokens, outputTokens, cachedInputTokens, reasoningTokens: 0 }, batched);
}

function sumOrNull(amounts: readonly (number | null)[]): number | null {
  return amounts.reduce((total, amount) => (total === null || amount === null ? null : total + amount), 0);
}

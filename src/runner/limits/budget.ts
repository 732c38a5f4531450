import { type ChatRequest, estimateInputTokens } from "../../models/chat-model.ts";
import { costOf, type Price } from "../../models/prices.ts";

/** Money reserved for one call until its real cost is known. */
export interface Reservation {
  /** Replaces the reservation by what was really spent. */
  settle(spent: number): void;
}

/** Keeps a run's money: in this process, or where every process working on the run can see it. */
export interface Spending {
  readonly maximum: number | null;
  readonly spent: number;
  /** Null if the cap is reached. */
  reserve(amount: number): Promise<Reservation | null>;
}

interface Waiting {
  readonly amount: number;
  readonly resolve: (reservation: Reservation | null) => void;
}

/**
 * A hard cap over parallel calls. Each call reserves its maximum cost before it is sent, so that all calls in flight
 * together can never cost more than is left; unused money is returned. A call that does not fit waits for those in
 * flight, and is rejected if there are none left to wait for.
 */
export class Budget implements Spending {
  readonly maximum: number | null;
  #spent: number;
  #reserved = 0;
  #inFlight = 0;
  readonly #waiting: Waiting[] = [];

  constructor(maximum: number | null, alreadySpent = 0) {
    this.maximum = maximum;
    this.#spent = alreadySpent;
  }

  get spent(): number {
    return this.#spent;
  }

  reserve(amount: number): Promise<Reservation | null> {
    return new Promise((resolve) => {
      this.#waiting.push({ amount, resolve });
      this.#admit();
    });
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const fits = this.maximum === null || this.#spent + this.#reserved + next.amount <= this.maximum;
      if (!fits && this.#inFlight > 0) return;
      this.#waiting.shift();
      next.resolve(fits ? this.#setAside(next.amount) : null);
    }
  }

  #setAside(amount: number): Reservation {
    this.#reserved += amount;
    this.#inFlight += 1;
    let open = true;
    return {
      settle: (spent) => {
        if (!open) return;
        open = false;
        this.#reserved -= amount;
        this.#inFlight -= 1;
        this.#spent += spent;
        this.#admit();
      },
    };
  }
}

export interface CostEstimate {
  readonly inputTokens: number;
  /** The usual length of a reply to such a request. */
  readonly expectedOutputTokens: number;
  /** The limit of the reply, including what the model may think beforehand. */
  readonly maximumOutputTokens: number;
  /** Null if the price is unknown. */
  readonly expected: number | null;
  /** The maximum cost of the call: a reply that uses its whole limit. */
  readonly maximum: number | null;
}

const REPLY_TOKENS_WITHOUT_LIMIT = 4096;
const EXPECTED_SHARE_OF_LIMIT = 0.5;
const EXPECTED_AT_MOST = 1200;
const EXPECTED_SHARE_OF_THINKING = 0.25;

export function estimateCost(request: ChatRequest, price: Price | null, batched: boolean): CostEstimate {
  const inputTokens = estimateInputTokens(request);
  const thinking = price?.thinking ?? 0;
  const replyLimit = request.maximumTokens ?? price?.reply ?? REPLY_TOKENS_WITHOUT_LIMIT;
  const limit = request.maximumTokens === undefined ? replyLimit : replyLimit + thinking;
  const expectedReply =
    request.usualTokens ?? Math.min(EXPECTED_AT_MOST, Math.ceil(replyLimit * EXPECTED_SHARE_OF_LIMIT));
  const expectedOutputTokens = expectedReply + Math.ceil(thinking * EXPECTED_SHARE_OF_THINKING);
  const cost = (outputTokens: number) =>
    price && costOf(price, { inputTokens, outputTokens, cachedInputTokens: 0, reasoningTokens: 0 }, batched);
  return {
    inputTokens,
    expectedOutputTokens,
    maximumOutputTokens: limit,
    expected: cost(expectedOutputTokens),
    maximum: cost(limit),
  };
}

import type { ChatModel, ChatReply, ChatRequest } from "../../models/chat-model.ts";
import { type PriceTable, priceOf } from "../../models/prices.ts";
import { identify } from "../../runner/call-key.ts";
import { type Plan, Planner, planningModel } from "../../runner/planning.ts";
import type { Claim, RefutedClaim } from "../../story/claim.ts";
import type { Book } from "../../text/book.ts";

/** The next draft's calls are numbered far from those of this one. */
const FIRST_CALL = 1_000_000;
/** Two changed chapters need others between and around them. */
const FEWEST_CHAPTERS = 3;

/** Remembers what a plan has asked, and plans what it would have to ask once more if two chapters changed. */
export class NextDraftPlan {
  readonly #asked = new Map<string, ChatReply>();
  readonly #prices: PriceTable;
  readonly #planner: Planner;

  constructor(prices: PriceTable, batched: boolean) {
    this.#prices = prices;
    this.#planner = new Planner(batched, FIRST_CALL);
  }

  /** The model of this draft's plan, whose calls are remembered. */
  remembering(model: ChatModel): ChatModel {
    return {
      ...model,
      contextTokens: model.contextTokens,
      complete: async (request, signal) => {
        const reply = await model.complete(request, signal);
        this.#asked.set(keyOf(model, request), reply);
        return reply;
      },
    };
  }

  /** The same model for the next draft. */
  next(model: ChatModel): ChatModel {
    return planningModel(model, this.#planner, {
      price: priceOf(this.#prices, model.id),
      recall: async (request) => this.#asked.get(keyOf(model, request)) ?? null,
    });
  }

  plan(changed: readonly number[]): NonNullable<Plan["nextDraft"]> {
    const { calls, cached, inputTokens, outputTokens, expectedCost, expectedCostCached, maximumCost } =
      this.#planner.plan();
    return {
      changed,
      calls: calls - cached,
      inputTokens,
      outputTokens,
      expectedCost,
      expectedCostCached,
      maximumCost,
    };
  }
}

function keyOf(model: ChatModel, request: ChatRequest): string {
  return identify(model, request).key;
}

/** The book with a third and two thirds of it changed by a line; null where it has too few chapters. */
export function changedDraft(book: Book): { readonly book: Book; readonly changed: readonly number[] } | null {
  const { chapters } = book;
  if (chapters.length < FEWEST_CHAPTERS) return null;
  const at = [Math.floor(chapters.length / 3), Math.floor((2 * chapters.length) / 3)];
  const changed = at.map((place) => chapters[place]!.index);
  const text = (chapter: Book["chapters"][number]) =>
    changed.includes(chapter.index) ? { ...chapter, text: `${chapter.text}\n\nOne more line.` } : chapter;
  return { book: { ...book, chapters: chapters.map(text) }, changed };
}

/** What this draft's reading will know of the claims about the next one: all that touch no changed chapter. */
export function knownWithout(changed: readonly number[]): (claim: Claim) => RefutedClaim | null {
  return (claim) =>
    claim.passages.some(({ chapter }) => changed.includes(chapter))
      ? null
      : { ...claim, verdict: "holds", why: "", explainedBy: null };
}

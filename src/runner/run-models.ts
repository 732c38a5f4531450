import type { Clock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import { createBatchModel } from "../models/batch/batch-model.ts";
import type { ChatModel } from "../models/chat-model.ts";
import {
  type ChatModelOptions,
  createChatModel,
  type ModelConnections,
  type ModelIdentity,
  modelIdentity,
} from "../models/create-chat-model.ts";
import { type PriceTable, priceOf } from "../models/prices.ts";
import { Batcher } from "./batches/batcher.ts";
import { identify } from "./call-key.ts";
import { type DurableContext, durableModel, type RecallContext, replyOf, type Sender } from "./durable-model.ts";
import { REASKS } from "./limits/billed-attempts.ts";
import type { Gates } from "./limits/gates.ts";
import { providerOf } from "./limits/provider-gate.ts";
import { type Planner, planningModel } from "./planning.ts";
import { replayedModel } from "./replayed-model.ts";

type Shared = Pick<
  DurableContext,
  "store" | "spending" | "claims" | "flights" | "batched" | "refresh" | "interruption"
>;

/** What the models of a run are made with. */
export interface RunModelsContext extends Shared {
  /** Null for a dry run, which keeps nothing: its models only plan. */
  readonly recalling: RecallContext | null;
  /** A reader sends nothing: it answers with what the workers of the run have paid for. */
  readonly isReader: boolean;
  readonly planner: Planner;
  readonly gates: Gates;
  readonly prices: PriceTable;
  readonly connections: ModelConnections;
  readonly clock: Clock;
  readonly fetch: typeof fetch | undefined;
}

export interface RunModels {
  /** A model by its name, or one of the caller's own, durable. */
  named(judge: string | ChatModel): Promise<ChatModel>;
  /** Any model, made durable. */
  durable(model: ChatModel): ChatModel;
  close(): Promise<void>;
}

/** The models of one run: durable, or planning when nothing may be sent, or replaying what others paid for. */
export function runModels(context: RunModelsContext): RunModels {
  const { store, recalling, prices, gates, batched, clock, interruption } = context;
  const batchers = new Map<string, Batcher>();

  const optionsFor = (name: string): ChatModelOptions => {
    const price = priceOf(prices, name);
    return {
      connections: context.connections,
      clock,
      contextTokens: price?.context ?? null,
      thinkingTokens: price?.thinking ?? 0,
      ...(context.fetch ? { fetch: context.fetch } : {}),
    };
  };

  function batcherFor(modelId: string, { runId, emit }: RecallContext): Batcher {
    const known = batchers.get(modelId);
    if (known) return known;
    const model = createBatchModel(modelId, optionsFor(modelId));
    const batcher = new Batcher({ modelId, model, store, runId, clock, interruption, emit });
    batchers.set(modelId, batcher);
    return batcher;
  }

  function planned(model: ModelIdentity): ChatModel {
    return planningModel(model, context.planner, {
      price: priceOf(prices, model.id),
      recall: async (request) => {
        const known = context.refresh ? null : await store.findCall(identify(model, request).key);
        return known && replyOf(known);
      },
    });
  }

  function durable(model: ChatModel): ChatModel {
    if (!recalling) return planned(model);
    if (context.isReader) return replayedModel(model, { ...recalling, store });
    const price = priceOf(prices, model.id);
    if (context.spending.maximum !== null && !price) throw priceUnknown(model.id);
    const provider = providerOf(model.id);
    const send: Sender = batched
      ? (request, { beforeRetry }) => batcherFor(model.id, recalling).ask(request, beforeRetry)
      : (request, { tokens, beforeRetry }) => gates.to(provider).ask(model, request, tokens, beforeRetry);
    const { spending, claims, flights, refresh } = context;
    return durableModel(model, {
      ...recalling,
      store,
      spending,
      claims,
      flights,
      price,
      send,
      batched,
      refresh,
      interruption,
      reasks: REASKS,
    });
  }

  return {
    async named(name) {
      if (typeof name !== "string") return durable(name);
      const options = optionsFor(name);
      // Neither sends anything, so neither needs a key.
      if (!recalling) return planned(modelIdentity(name, options));
      if (context.isReader) return replayedModel(modelIdentity(name, options), { ...recalling, store });
      return durable(await createChatModel(name, options));
    },
    durable,
    async close() {
      for (const batcher of batchers.values()) await batcher.close();
    },
  };
}

export function priceUnknown(model: string): FabulaError {
  return new FabulaError(
    "E_PRICE_UNKNOWN",
    `The cost limit cannot be kept, because the price of ${model} is not known: add it to a price table and pass that (--prices, or \`prices\` in the library).`,
  );
}

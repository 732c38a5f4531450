import type { Clock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import { createBatchModel } from "../models/batch/batch-model.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { ModelConnections } from "../models/connection.ts";
import {
  type ChatModelOptions,
  createChatModel,
  type ModelIdentity,
  modelIdentity,
} from "../models/create-chat-model.ts";
import { isCovered, judgeNameOf } from "../models/judge-name.ts";
import type { LocalModel } from "../models/local-model.ts";
import { ModelError } from "../models/model-error.ts";
import { resolveShortName } from "../models/own-judge.ts";
import { type PriceTable, priceOf } from "../models/prices.ts";
import type { Store } from "../store/store.ts";
import { Batcher } from "./batches/batcher.ts";
import { identify } from "./call-records.ts";
import { type DurableContext, durableModel, type RecallContext, recallReply, replyOf } from "./durable-model.ts";
import { type Gates, limitsOf, type PaceSettings } from "./limits/gates.ts";
import { providerOf } from "./limits/provider-gate.ts";
import { type Planner, planningModel } from "./planning.ts";
import type { RunnerListener } from "./runner-event.ts";

type Shared = Pick<
  DurableContext,
  "store" | "spending" | "claims" | "flights" | "batched" | "refresh" | "interruption"
>;

/** The context in which the models of a run are created. */
export interface RunModelsContext extends Shared {
  /** Null for a dry run, which stores nothing: its models only plan. */
  readonly recalling: RecallContext | null;
  /** The only models that may be asked; null for any. */
  readonly mayAsk: readonly string[] | null;
  /** A reader sends nothing: it answers with what the workers of the run have paid for. */
  readonly isReader: boolean;
  /** Whether the worker that had this piece before may still store an answer. */
  readonly isRetried: boolean;
  readonly planner: Planner;
  readonly pace: PaceSettings;
  readonly gates: Gates;
  readonly prices: PriceTable;
  readonly connections: ModelConnections;
  readonly clock: Clock;
  readonly fetch: typeof fetch | undefined;
  readonly emit: RunnerListener;
  readonly byHand: ((id: string) => ChatModel | Promise<ChatModel>) | undefined;
}

export interface RunModels {
  /** A durable model, by its name or wrapping the caller's own. */
  named(judge: string | ChatModel): Promise<ChatModel>;
  /** Any model, made durable. */
  durable(model: ChatModel): ChatModel;
  close(): Promise<void>;
}

/** The models of one run: durable; planning if nothing may be sent; or replaying the workers' answers. */
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
      onSilence: (words) => context.emit({ kind: "no-reply-yet", model: name, words }),
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
    const provider = providerOf(model.id);
    return planningModel(model, context.planner, {
      price: priceOf(prices, model.id),
      pace: { provider, atATime: limitsOf(provider, context.pace).initialConcurrency },
      recall: async (request) => {
        const known = context.refresh ? null : await store.findCall(identify(model, request).key);
        return known && { ...replyOf(known), recalled: true };
      },
    });
  }

  function durable(model: ChatModel): ChatModel {
    if (!recalling) return planned(model);
    if (context.isReader) return replayedModel(model, { ...recalling, store });
    const { spending, claims, flights, refresh, mayAsk } = context;
    if (mayAsk && !mayAsk.includes(model.id)) {
      throw new FabulaError(
        "E_WORKER_MODEL",
        `${model.id} is not asked: it is not among the models that the run was queued for and that this worker may ask.`,
      );
    }
    const price = priceOf(prices, model.id);
    if (context.spending.maximum !== null && !price && !isCovered(model.id)) throw priceUnknown(model.id);
    const provider = providerOf(model.id);
    return durableModel(model, {
      ...recalling,
      store,
      spending,
      claims,
      flights,
      price,
      isRetried: context.isRetried,
      sender: () => (batched ? batcherFor(model.id, recalling) : gates.to(provider)),
      batched,
      refresh,
      interruption,
    });
  }

  async function localModel(): Promise<LocalModel> {
    const { chooseLocalModel, localInWords, weaknessOf } = await import("../models/local-model.ts");
    const found = await chooseLocalModel(context.connections, { fetch: context.fetch });
    context.emit({
      kind: "local-chosen",
      model: found.id,
      words: localInWords(found),
      weakness: weaknessOf(found),
    });
    return found;
  }

  return {
    async named(given) {
      if (typeof given !== "string") return durable(given);
      const named = resolveShortName(given, context.connections.judges);
      const local = judgeNameOf(named)?.provider === "local" ? await localModel() : null;
      const name = local?.id ?? named;
      const options = { ...optionsFor(name), ...(local && { contextTokens: local.contextTokens }) };
      // Neither sends anything, so neither needs a key.
      if (!recalling) return planned(modelIdentity(name, options));
      if (context.isReader) return replayedModel(modelIdentity(name, options), { ...recalling, store });
      const byHand = judgeNameOf(name)?.provider === "paste" ? await context.byHand?.(name) : undefined;
      return durable(byHand ?? (await createChatModel(name, options)));
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

/**
 * A model that sends nothing: it replays the answers and failures that other processes of the same run stored. It is
 * also asked the questions of a piece that was set aside, since some of them may have been paid for.
 */
function replayedModel(model: ModelIdentity, context: RecallContext & { readonly store: Store }): ChatModel {
  return {
    id: model.id,
    get contextTokens() {
      return model.contextTokens;
    },
    async complete(request) {
      const { key } = identify(model, request);
      const known = await context.store.findCall(key);
      if (known) {
        // If a worker asked again, the latest reply is the answer.
        const later = identify(model, { ...request, retry: (request.retry ?? 0) + 1 });
        const recalled = (await context.store.findCall(later.key)) !== null;
        return { ...recallReply(known, request, context), recalled };
      }
      const use = await context.store.findUse(context.runId, key);
      throw new ModelError(
        "rejected",
        model.id,
        use?.reason ?? `${model.id} was not called: no worker picked it up. Run \`fabula runs resume\` to continue.`,
      );
    },
  };
}

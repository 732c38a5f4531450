import type { Clock } from "../core/clock.ts";
import { dollars } from "../core/cost.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../models/chat-model.ts";
import { ModelError, type ModelFailure, redact } from "../models/model-error.ts";
import { costOf, type Price } from "../models/prices.ts";
import { tokenUsage } from "../models/transport.ts";
import type { StoredCall } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { type CallIdentity, type CallRecords, identify } from "./call-records.ts";
import type { Claims } from "./coordination.ts";
import type { Interruption } from "./interruption.ts";
import { type CostEstimate, estimateCost, type Spending } from "./limits/budget.ts";
import { interrupted, mayBeBilled, type Sender, type Sent } from "./limits/provider-gate.ts";
import type { RunnerListener } from "./runner-event.ts";

/** Merges identical work that happens at the same time; all callers get its result. */
export class SingleFlight<T> {
  readonly #flying = new Map<string, Promise<T>>();

  run(key: string, operation: () => Promise<T>): Promise<T> {
    const flying = this.#flying.get(key);
    if (flying) return flying;
    const started = operation().finally(() => this.#flying.delete(key));
    this.#flying.set(key, started);
    return started;
  }

  /** Resolves when all work now in flight has settled. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#flying.values());
  }
}

/** What is needed to record that a run used a stored answer. */
export interface RecallContext {
  readonly runId: string;
  readonly clock: Clock;
  readonly emit: RunnerListener;
  readonly records: CallRecords;
  /**
   * Keys of the questions that this run has asked itself, whose replies are therefore not old. Null if nothing may be
   * asked again.
   */
  readonly askedNow: Set<string> | null;
}

export interface DurableContext extends RecallContext {
  readonly store: Store;
  readonly spending: Spending;
  readonly claims: Claims;
  readonly flights: SingleFlight<ChatReply>;
  readonly price: Price | null;
  /** Created when the first request is sent. */
  readonly sender: () => Sender;
  readonly batched: boolean;
  /** Ask again, once per run, even if the store has the answer. */
  readonly refresh: boolean;
  readonly interruption: Interruption;
  /** Whether another worker may have asked the same before; if so, the store is checked for the answer once more. */
  readonly isRetried: boolean;
}

/**
 * A model that stores answers, pays once, keeps to the budget and survives a crash: key → single flight → store →
 * budget → provider → store. A reply is stored before anyone sees it. A call that finally fails throws a `ModelError`
 * and stores no answer, so the next run asks again.
 */
export function durableModel(model: ChatModel, context: DurableContext): ChatModel {
  return {
    id: model.id,
    get contextTokens() {
      return model.contextTokens;
    },
    complete(request, signal) {
      const identity = identify(model, request);
      return context.flights.run(identity.key, async () => {
        const known = await recall(identity.key, context);
        if (known) return recallReply(known, request, context);
        if (signal.aborted || context.interruption.happened) throw interrupted(model.id);
        return payUnlessAnother(model, request, identity, context);
      });
    },
  };
}

/**
 * Nothing was sent, because the answer is there by now: the worker that had asked for it was thought dead, and stored
 * it after all.
 */
class AnsweredMeanwhile extends ModelError {
  readonly call: StoredCall;

  constructor(call: StoredCall) {
    super("interrupted", call.model, "Another worker has stored the answer.");
    this.call = call;
  }
}

/** The same model, which checks the store once more just before it sends a request. */
function withSecondLook(model: ChatModel, key: string, store: Store): ChatModel {
  return {
    id: model.id,
    get contextTokens() {
      return model.contextTokens;
    },
    async complete(request, signal) {
      const known = await store.findCall(key);
      if (known) throw new AnsweredMeanwhile(known);
      return model.complete(request, signal);
    },
  };
}

async function payUnlessAnother(
  model: ChatModel,
  request: ChatRequest,
  identity: CallIdentity,
  context: DurableContext,
): Promise<ChatReply> {
  const { claims } = context;
  const claim = await claims.take(identity.key);
  if (claim === "interrupted") throw interrupted(model.id);
  try {
    const known = claim === "answered" ? await recall(identity.key, context) : null;
    return known ? recallReply(known, request, context) : await pay(model, request, identity, context);
  } finally {
    claims.release(identity.key);
  }
}

async function recall(key: string, { store, refresh, runId }: DurableContext): Promise<StoredCall | null> {
  if (refresh && (await store.findUse(runId, key))?.outcome !== "asked") return null;
  return store.findCall(key);
}

/** `cost` is what failed attempts had cost before the answer was found. */
export function recallReply(
  call: StoredCall,
  { purpose }: ChatRequest,
  context: RecallContext,
  cost: number | null = 0,
): ChatReply {
  const { key, model, inputTokens, outputTokens } = call;
  context.records.use({
    ...useOf(key, model, purpose, context),
    outcome: "cached",
    cost,
    inputTokens,
    outputTokens,
  });
  context.records.noteVersion(model, call.servedBy);
  context.emit({ kind: "cached", model: call.model });
  const isOld = context.askedNow !== null && !context.askedNow.has(key);
  return { ...replyOf(call), ...(isOld && { recalled: true }) };
}

export function replyOf(call: StoredCall): ChatReply {
  return {
    text: call.text,
    reasoning: call.reasoning,
    stop: call.stop,
    usage: {
      inputTokens: call.inputTokens,
      outputTokens: call.outputTokens,
      cachedInputTokens: call.cachedInputTokens,
      reasoningTokens: call.reasoningTokens,
    },
    model: call.servedBy,
    latencyMilliseconds: call.latencyMilliseconds,
  };
}

/** Asks, and stores the reply with the cost of all attempts. */
async function pay(
  model: ChatModel,
  request: ChatRequest,
  { key, body, requestHash }: CallIdentity,
  context: DurableContext,
): Promise<ChatReply> {
  const { records, price, runId, refresh, batched, clock, emit } = context;
  const estimate = estimateCost(request, price, batched);
  const spending: Spent = { cost: 0, attempts: 0 };
  if (request.again !== undefined) emit({ kind: "asked-again", model: model.id, reason: request.again });
  let release: (() => void) | undefined;
  try {
    const asked = { ...request, idempotencyKey: `${key}${refresh ? `-${runId}` : ""}` };
    const looking = context.isRetried && !refresh ? withSecondLook(model, key, context.store) : model;
    const sent = await payOnce(looking, asked, estimate, spending, context);
    release = sent.release;
    const { reply } = sent;
    const {
      usage,
      usageIsEstimated: _estimated,
      model: servedBy,
      allowance: _allowance,
      isPlaceholder: _never,
      ...rest
    } = reply;
    await records.answer(
      {
        ...rest,
        ...usage,
        servedBy,
        key,
        model: model.id,
        purpose: request.purpose,
        sample: request.sample,
        requestHash,
        ...spending,
        answeredAt: clock.now().toISOString(),
      },
      body,
      {
        ...useOf(key, model.id, request.purpose, context),
        outcome: "asked",
        cost: spending.cost,
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
      },
    );
    sent.stored?.();
    context.askedNow?.add(key);
    records.noteVersion(model.id, servedBy);
    emit({ kind: "answered", model: model.id, cost: spending.cost, spent: context.spending.spent });
    return reply;
  } catch (error) {
    if (error instanceof AnsweredMeanwhile) return recallReply(error.call, request, context, spending.cost);
    // An interruption alone leaves no trace, but money spent before it does. An answer that cannot be stored is lost,
    // but its cost is counted.
    const isModels = error instanceof ModelError;
    if (isModels ? error.failure !== "interrupted" || spending.cost !== 0 : spending.cost !== 0) {
      const message = redact(error instanceof Error ? error.message : String(error));
      const reason = isModels ? message : `paid for, and the answer was lost: ${message}`;
      const failed = { ...useOf(key, model.id, request.purpose, context), cost: spending.cost, reason };
      await records.failure(
        { ...failed, outcome: "failed" },
        isModels && NOT_SENT.has(error.failure) ? null : { requestHash, body },
      );
      emit({ kind: "failed", model: model.id, reason });
    }
    throw error;
  } finally {
    release?.();
  }
}

/** Failures of calls that were never sent, and therefore have no prompt to show. */
const NOT_SENT: ReadonlySet<ModelFailure> = new Set(["cost-limit", "provider-down", "interrupted"]);

/** What one call has cost so far; null once something was paid for at an unknown price. */
interface Spent {
  cost: number | null;
  attempts: number;
}

async function payOnce(
  model: ChatModel,
  request: ChatRequest,
  estimate: CostEstimate,
  spending: Spent,
  context: DurableContext,
): Promise<Sent> {
  const { price, batched } = context;
  let reservation = await reserve(model.id, estimate, context);
  const settle = (spent: number | null) => {
    reservation.settle(spent ?? 0);
    spending.cost = spending.cost === null || spent === null ? null : spending.cost + spent;
  };
  try {
    const sent = await context.sender().ask(request, {
      model,
      tokens: estimate.inputTokens,
      beforeRetry: async (error) => {
        const presumed = presumedCost(error, estimate);
        if (presumed === 0) return;
        settle(presumed);
        reservation = await reserve(model.id, estimate, context);
      },
    });
    spending.attempts += sent.attempts;
    // A program's own model may count as wrongly as a provider.
    const reply = { ...sent.reply, ...tokenUsage(sent.reply.usage, { request, reply: sent.reply }) };
    const cost = price && costOf(price, reply.usage, batched);
    if (reply.usageIsEstimated && cost) context.records.noteEstimatedUsage(model.id);
    settle(cost);
    return { ...sent, reply };
  } catch (error) {
    settle(error instanceof ModelError ? presumedCost(error, estimate) : 0);
    throw error;
  }
}

async function reserve(modelId: string, { maximum }: CostEstimate, { spending, emit }: DurableContext) {
  const reservation = await spending.reserve(maximum ?? 0);
  if (reservation) return reservation;
  const limit = spending.maximum ?? 0;
  emit({ kind: "cost-limit", maximum: limit });
  throw new ModelError(
    "cost-limit",
    modelId,
    `${modelId} was not asked: the limit of ${dollars(limit)} leaves no room for this call. \`fabula runs resume\` with a higher --max-cost continues from here.`,
  );
}

/** Providers do not report the cost of a failed attempt, so the maximum is assumed. */
function presumedCost(error: ModelError, { maximum }: CostEstimate): number | null {
  return mayBeBilled(error) ? maximum : 0;
}

function useOf(key: string, model: string, purpose: string, { runId, clock }: RecallContext) {
  return {
    runId,
    key,
    model,
    purpose,
    inputTokens: 0,
    outputTokens: 0,
    reason: null,
    requestHash: null,
    at: clock.now().toISOString(),
  };
}

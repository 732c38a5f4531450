import { type Clock, systemClock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import type { Random } from "../core/random.ts";
import { createBatchModel } from "../models/batch/batch-model.ts";
import type { ChatModel, ChatReply } from "../models/chat-model.ts";
import { type ChatModelOptions, createChatModel, type ModelConnections } from "../models/create-chat-model.ts";
import { loadPrices, type PriceTable, priceOf } from "../models/prices.ts";
import { redact } from "../models/redact.ts";
import { openStore } from "../store/open-store.ts";
import type { RunStatus, Store, StoredRun } from "../store/store.ts";
import { Batcher, LARGEST_BATCH } from "./batcher.ts";
import { Budget } from "./budget.ts";
import { identify } from "./call-key.ts";
import { type DurableContext, durableModel, replyOf, type Sender } from "./durable-model.ts";
import { Interruption } from "./interruption.ts";
import { Journal } from "./journal.ts";
import { type Plan, Planner, planningModel } from "./planning.ts";
import { ProviderGate, providerOf } from "./provider-gate.ts";
import { continueRun, newRun } from "./run-record.ts";
import { type RunSummary, summarise } from "./run-summary.ts";
import type { RunnerEvent, RunnerListener } from "./runner-event.ts";
import { SingleFlight } from "./single-flight.ts";

/** Everything about a run that a user chooses. Methods know none of it. */
export interface RunSettings {
  /** Where calls are kept: the path of a file. */
  readonly store: string;
  /** The words after `fabula`, and the folder they were typed in: what `fabula runs resume` does again. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly connections: ModelConnections;
  /** The user's own price table. */
  readonly prices?: string;
  /** Id of the run to go on with. */
  readonly resume?: string;
  /** US dollars for the whole run, resumed parts included. */
  readonly maximumCost?: number;
  /** Count the calls and their cost; send nothing. */
  readonly dryRun?: boolean;
  /** Ask again what the store already knows. */
  readonly refresh?: boolean;
  /** Submit calls in batches: about half the price, hours instead of seconds. */
  readonly batch?: boolean;
  readonly concurrency?: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly timeoutSeconds?: number;
}

/** What a run needs from the world around it. */
export interface RunServices {
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly onEvent?: RunnerListener;
  /** The run's id, before its first call: who may be killed writes it down, to go on with it later. */
  readonly onOpened?: (id: string) => void;
  readonly fetch?: typeof fetch;
}

export interface Run {
  /** Null for a dry run, which leaves no record. */
  readonly id: string | null;
  readonly dryRun: boolean;
  /** How many requests it makes sense to prepare at a time: the limit for `mapBounded`. */
  readonly concurrency: number;
  /** A model by its name, durable. */
  model(name: string): Promise<ChatModel>;
  /** Any model, made durable. */
  durable(model: ChatModel): ChatModel;
  /** What a dry run counted so far; null otherwise. */
  plan(): Plan | null;
  summary(): Promise<RunSummary>;
  /** Ends the run and says how: with the error that ended it, if one did. Safe to call twice. */
  finish(error?: unknown): Promise<FinishedRun>;
}

export interface FinishedRun {
  readonly id: string | null;
  readonly status: Exclude<RunStatus, "running">;
  readonly note: string | null;
  readonly summary: RunSummary;
}

const ATTEMPTS = 6;
const REASKS = 1;
const TIMEOUT_SECONDS = 300;
/** A model on this machine may read a long chapter for a while. */
const LOCAL_TIMEOUT_SECONDS = 3600;
const GRACE_MILLISECONDS = 20_000;
const CONCURRENCY = { initial: 8, maximum: 32 };
/** A model on this machine answers one after the other whatever we send. */
const LOCAL_CONCURRENCY = { ollama: 2, llama: 1 };

export async function openRun(settings: RunSettings, services: RunServices): Promise<Run> {
  const prices = await loadPrices(settings.prices);
  const store = await openStore(settings.store);
  try {
    return await startRun(settings, services, store, prices);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startRun(settings: RunSettings, services: RunServices, store: Store, prices: PriceTable): Promise<Run> {
  const { clock = systemClock, random = Math.random } = services;
  const dryRun = settings.dryRun ?? false;
  const record = dryRun ? null : await recordFor(settings, store, clock, random);
  if (record) services.onOpened?.(record.id);
  const earlier = summarise(record ? await store.totals(record.id) : []);
  const journal = record && new Journal(store, record.id, clock);
  const interruption = new Interruption(services.signal);
  const budget = new Budget(settings.maximumCost ?? record?.maximumCost ?? null, earlier.cost);
  const flights = new SingleFlight<ChatReply>();
  const gates = new Map<string, ProviderGate>();
  const batchers = new Map<string, Batcher>();
  const batched = settings.batch ?? false;
  const planner = new Planner(batched);
  const optionsFor = (name: string): ChatModelOptions => {
    const price = priceOf(prices, name);
    return {
      connections: settings.connections,
      clock,
      contextTokens: price?.context ?? null,
      thinkingTokens: price?.thinking ?? 0,
      ...(services.fetch ? { fetch: services.fetch } : {}),
    };
  };
  let stoppedBy: string | null = null;
  let finished: Promise<FinishedRun> | null = null;

  const emit = (event: RunnerEvent) => {
    if (event.kind === "cost-limit") stoppedBy ??= `the cost limit of $${event.maximum.toFixed(2)} was reached`;
    if (event.kind === "provider-down") stoppedBy ??= event.reason;
    journal?.noteEvent(event);
    services.onEvent?.(event);
  };
  if (earlier.calls > 0) emit({ kind: "resumed", spent: earlier.cost });

  function gateTo(provider: string): ProviderGate {
    const known = gates.get(provider);
    if (known) return known;
    const local = provider === "ollama" || provider === "llama" ? LOCAL_CONCURRENCY[provider] : null;
    const gate = new ProviderGate(provider, {
      limits: {
        initialConcurrency: settings.concurrency ?? local ?? CONCURRENCY.initial,
        maximumConcurrency: settings.concurrency ?? local ?? CONCURRENCY.maximum,
        ...(settings.requestsPerMinute ? { requestsPerMinute: settings.requestsPerMinute } : {}),
        ...(settings.tokensPerMinute ? { tokensPerMinute: settings.tokensPerMinute } : {}),
      },
      attempts: ATTEMPTS,
      timeoutMilliseconds: (settings.timeoutSeconds ?? (local ? LOCAL_TIMEOUT_SECONDS : TIMEOUT_SECONDS)) * 1000,
      graceMilliseconds: GRACE_MILLISECONDS,
      clock,
      random,
      interruption,
      emit,
    });
    gates.set(provider, gate);
    return gate;
  }

  function batcherFor(modelId: string, runId: string): Batcher {
    const known = batchers.get(modelId);
    if (known) return known;
    const model = createBatchModel(modelId, optionsFor(modelId));
    const batcher = new Batcher({ modelId, model, store, runId, clock, interruption, emit });
    batchers.set(modelId, batcher);
    return batcher;
  }

  function durable(model: ChatModel): ChatModel {
    const price = priceOf(prices, model.id);
    if (!record || !journal) return plannedModel(model);
    if (budget.maximum !== null && !price) {
      throw new FabulaError(
        "E_PRICE_UNKNOWN",
        `--max-cost cannot be kept, since nobody knows what ${model.id} costs: add its price to a file and give it with --prices.`,
      );
    }
    const send: Sender = batched
      ? (request) => batcherFor(model.id, record.id).ask(request)
      : (request, { tokens, beforeRetry }) => gateTo(providerOf(model.id)).ask(model, request, tokens, beforeRetry);
    const context: DurableContext = {
      runId: record.id,
      store,
      budget,
      flights,
      price,
      send,
      batched,
      refresh: settings.refresh ?? false,
      reasks: REASKS,
      clock,
      interruption,
      emit,
      noteUse: (use) => journal.noteUse(use),
    };
    return durableModel(model, context);
  }

  function plannedModel(model: ChatModel): ChatModel {
    return planningModel(model, planner, {
      price: priceOf(prices, model.id),
      recall: async (request) => {
        const known = settings.refresh ? null : await store.findCall(identify(model, request).key);
        return known && replyOf(known);
      },
    });
  }

  async function summary(): Promise<RunSummary> {
    await journal?.flush();
    return summarise(record ? await store.totals(record.id) : []);
  }

  async function end(error: unknown): Promise<FinishedRun> {
    // What was sent is paid for: it is waited for and kept, even when nobody wants the answer any more.
    if (error !== undefined) interruption.begin();
    await flights.settled();
    const { status, note } = outcome(error, services.signal.aborted, stoppedBy);
    emit({ kind: "finished", status });
    interruption.close();
    for (const batcher of batchers.values()) await batcher.close();
    await journal?.close();
    const total = await summary();
    if (record) await store.updateRun(record.id, { status, note, finishedAt: clock.now().toISOString() });
    await store.close();
    return { id: record?.id ?? null, status, note, summary: total };
  }

  return {
    id: record?.id ?? null,
    dryRun,
    concurrency: batched ? LARGEST_BATCH : (settings.concurrency ?? CONCURRENCY.maximum),
    async model(name) {
      return durable(await createChatModel(name, optionsFor(name)));
    },
    durable,
    plan: () => (dryRun ? planner.plan() : null),
    summary,
    finish(error) {
      finished ??= end(error);
      return finished;
    },
  };
}

async function recordFor(settings: RunSettings, store: Store, clock: Clock, random: Random): Promise<StoredRun> {
  return settings.resume === undefined
    ? newRun(store, settings, clock, random)
    : continueRun(store, settings.resume, settings.maximumCost, clock);
}

function outcome(error: unknown, interrupted: boolean, stoppedBy: string | null): Pick<FinishedRun, "status" | "note"> {
  if (interrupted) return { status: "interrupted", note: "interrupted" };
  if (error !== undefined) {
    return { status: "failed", note: redact(error instanceof Error ? error.message : String(error)) };
  }
  return stoppedBy === null ? { status: "done", note: null } : { status: "stopped", note: redact(stoppedBy) };
}

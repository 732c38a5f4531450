import { type Clock, systemClock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import type { Random } from "../core/random.ts";
import { countOf } from "../core/wording.ts";
import type { ChatModel, ChatReply } from "../models/chat-model.ts";
import type { ModelConnections } from "../models/connection.ts";
import { redact } from "../models/model-error.ts";
import { loadPrices, type PriceTable } from "../models/prices.ts";
import { openStore } from "../store/open-store.ts";
import { isPostgres } from "../store/postgres/address.ts";
import type { RunStatus, StoredRun } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { LARGEST_BATCH } from "./batches/batcher.ts";
import { CallRecords, FOR_LAST_STEPS, Journal, Patience } from "./call-records.ts";
import { type Coordinate, singleProcessCoordination } from "./coordination.ts";
import { type RecallContext, SingleFlight } from "./durable-model.ts";
import { Interruption } from "./interruption.ts";
import { openGates, type PaceSettings, preparationConcurrency } from "./limits/gates.ts";
import { type Plan, Planner } from "./planning.ts";
import { runModels } from "./run-models.ts";
import { continueRun, findRun, newRun, type RunSummary, summarise } from "./run-record.ts";
import { costLimitReached, type RunnerEvent, type RunnerListener } from "./runner-event.ts";
import type { OwnWork } from "./shared/own-work.ts";

/**
 * The steps that end a run. Its result exists and is paid for, so if a step fails, this is noted and the other steps
 * are still taken.
 */
class LastSteps {
  readonly #patience: Patience;
  readonly #problems: string[] = [];

  constructor(clock: Clock) {
    this.#patience = new Patience(clock, FOR_LAST_STEPS);
  }

  async take<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await this.#patience.try(work);
    } catch (error) {
      this.#problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }

  /** In one line; null if everything went well. */
  get note(): string | null {
    return this.#problems.length === 0 ? null : this.#problems.join("; ");
  }
}

/**
 * How a process takes part in a run that was opened elsewhere: a `worker` asks and pays, a `reader` combines the paid
 * answers of the workers and ends the run.
 */
export interface RunPart {
  readonly run: string;
  readonly role: "worker" | "reader";
  /** The only models that a worker may ask, whatever the work names: those that the run was queued for. */
  readonly models?: readonly string[];
  /** Whether another worker began this before and was given up. */
  readonly isRetried?: boolean;
  /** Why the workers stopped early, which the reader reports. */
  readonly stoppedBy?: string | null;
  /** Records how the run ended, in place of the store: a reader's run may have been taken up by others meanwhile. */
  readonly recordEnd?: (end: RunEnd) => Promise<void>;
}

export type RunEnd = Pick<StoredRun, "status" | "note" | "finishedAt">;

/** Everything about a run that a user can choose. Methods know nothing about it. */
export interface RunSettings extends PaceSettings {
  /** Where calls are kept: the path of a file. */
  readonly store: string;
  /** The words after `fabula` and the current folder, which `fabula runs resume` uses again. A program has none. */
  readonly command?: readonly string[];
  readonly folder?: string;
  readonly connections: ModelConnections;
  /** The user's own price table. */
  readonly prices?: string;
  /** Id of the run to resume. */
  readonly resume?: string;
  /** US dollars for the whole run, including resumed parts. */
  readonly maximumCost?: number;
  /** Count the calls and their cost; send nothing. */
  readonly dryRun?: boolean;
  /** In a dry run, also count how much would be written in sequence, to estimate the run's duration. */
  readonly timed?: boolean;
  /** Ask again even if the store has the answer. */
  readonly refresh?: boolean;
  /** Submit calls in batches: about half the price, but hours instead of seconds. */
  readonly batch?: boolean;
  readonly part?: RunPart;
}

/** What a run needs from its surroundings. */
export interface RunServices {
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly onEvent?: RunnerListener;
  /** Called with the run's id before its first call, so that the run can be resumed after a crash. */
  readonly onOpened?: (id: string) => void;
  readonly fetch?: typeof fetch;
  /** Makes the judge `paste`: a model whose questions a person answers. */
  readonly byHand?: (id: string) => ChatModel | Promise<ChatModel>;
  /** A store that is already open, and stays open; by default the one in the settings is opened and closed. */
  readonly store?: Store;
  /** How to coordinate with the other processes of the run; by default there are none. */
  readonly coordinate?: Coordinate;
}

export interface Run {
  /** Null for a dry run, which is not recorded. */
  readonly id: string | null;
  readonly dryRun: boolean;
  /** How many requests to prepare at the same time: the limit for `mapBounded`. */
  readonly concurrency: number;
  /** A durable model, by its name or wrapping the caller's own. */
  model(judge: string | ChatModel): Promise<ChatModel>;
  /** Any model, made durable. */
  durable(model: ChatModel): ChatModel;
  /** What a dry run has counted so far; null otherwise. */
  plan(): Plan | null;
  summary(): Promise<RunSummary>;
  /** Stores a value with the run under a name, replacing the previous one; a dry run stores nothing. */
  keep(name: string, body: unknown): Promise<void>;
  /** Ends the run and returns its status; pass the error that ended it, if any. Safe to call twice. */
  finish(error?: unknown): Promise<FinishedRun>;
}

export interface FinishedRun {
  readonly id: string | null;
  readonly status: Exclude<RunStatus, "running">;
  readonly note: string | null;
  readonly summary: RunSummary;
}

/** Opens a run: calls are stored, limited, paid for once and can be resumed. End it with `finish`. */
export async function openRun(settings: RunSettings, services: RunServices): Promise<Run> {
  const prices = await loadPrices(settings.prices, settings.connections.judges);
  const store = services.store ?? (await openStore(settings.store));
  let ownWork: OwnWork | null = null;
  try {
    ownWork = await joinOthers(settings, services);
    return await startRun(settings, services, store, prices, ownWork);
  } catch (error) {
    await ownWork?.leave();
    if (!services.store) await store.close();
    throw error;
  }
}

/** Work done in this process on a shared store keeps to the same limits as the workers. */
async function joinOthers(settings: RunSettings, { coordinate, clock = systemClock }: RunServices) {
  if (!isPostgres(settings.store) || settings.part || settings.dryRun || coordinate) return null;
  const { joinForOwnWork } = await import("./shared/own-work.ts");
  return joinForOwnWork(settings.store, settings, clock);
}

async function startRun(
  settings: RunSettings,
  services: RunServices,
  store: Store,
  prices: PriceTable,
  ownWork: OwnWork | null,
): Promise<Run> {
  const { clock = systemClock, random = Math.random } = services;
  const dryRun = settings.dryRun ?? false;
  const role = settings.part?.role ?? null;
  // A finished run that is read again returns its earlier result.
  const isReread = settings.resume !== undefined && (await store.findRun(settings.resume))?.status === "done";
  const record = dryRun ? null : await recordFor(settings, store, clock, random);
  if (record) services.onOpened?.(record.id);
  // A worker does a small part of a run that may be large, so it does not count the whole each time.
  const totals = async () => (record && role !== "worker" ? await store.totals(record.id) : []);
  const before = await totals();
  const earlier = summarise(before);
  const journal = record && new Journal(store, record.id, clock);
  const interruption = new Interruption(services.signal);
  const maximumCost = settings.maximumCost ?? record?.maximumCost ?? null;
  const { spending, claims, ...alone } =
    services.coordinate?.({ interruption, clock }) ??
    singleProcessCoordination(settings, maximumCost, earlier.cost ?? 0, clock);
  const allotment = (provider: string) => ownWork?.allotment(provider, record?.id ?? "") ?? alone.allotment(provider);
  const flights = new SingleFlight<ChatReply>();
  const batched = settings.batch ?? false;
  const planner = new Planner(batched, 0, settings.timed ?? false);
  let stoppedBy: string | null = settings.part?.stoppedBy ?? null;
  let finished: Promise<FinishedRun> | null = null;

  const emit = (event: RunnerEvent) => {
    if (event.kind === "cost-limit") stoppedBy ??= costLimitReached(event.maximum);
    if (event.kind === "provider-down") stoppedBy ??= event.reason;
    journal?.noteEvent(event);
    services.onEvent?.(event);
  };
  if (role === null && earlier.calls > 0) {
    const { cost, unpricedCalls, coveredCalls } = earlier;
    emit({ kind: "resumed", spent: cost ?? 0, unpricedCalls, ...(coveredCalls && { coveredCalls }) });
  }
  const records = journal && new CallRecords(store, journal, clock, emit);
  const recalling: RecallContext | null = record &&
    records && { runId: record.id, clock, emit, records, askedNow: isReread ? null : new Set() };
  const untilStorable = async () => records?.untilStorable();
  const gates = openGates({ pace: settings, allotment, clock, random, interruption, emit, untilStorable });

  const models = runModels({
    store,
    recalling,
    spending,
    claims,
    flights,
    planner,
    pace: settings,
    gates,
    prices,
    batched,
    clock,
    interruption,
    mayAsk: settings.part?.models ?? null,
    isReader: role === "reader",
    isRetried: settings.part?.isRetried ?? false,
    refresh: settings.refresh ?? false,
    connections: settings.connections,
    fetch: services.fetch,
    byHand: services.byHand,
    emit,
  });

  async function summary(): Promise<RunSummary> {
    await journal?.flush();
    return summarise(await totals());
  }

  async function end(error: unknown): Promise<FinishedRun> {
    // Calls already sent are paid for, so they are finished and stored, even if the answer is no longer needed.
    if (error !== undefined) interruption.begin();
    await flights.settled();
    const { status, note: why } = outcome(error, services.signal.aborted, stoppedBy);
    if (role !== "worker") emit({ kind: "finished", status });
    // Calls that still wait for batches of earlier runs end with this one.
    interruption.begin();
    interruption.close();
    gates.close();
    const steps = new LastSteps(clock);
    await steps.take("its share of the limits could not be given back", async () => ownWork?.leave());
    await steps.take("the batches could not be marked as collected", models.close);
    await steps.take("every answer is stored, but the record of the run is incomplete", async () => journal?.close());
    const read = await steps.take("its calls and their cost are those this process counted", totals);
    const note = () => joined(why, steps.note && redact(steps.note));
    // Queued again while a reader put the result together: the run is that of whoever waits for it now.
    const isOthers = role === "reader" && error instanceof FabulaError && error.code === "E_RUN_BUSY";
    if (record && role !== "worker" && !isOthers) {
      const end = { status, note: note(), finishedAt: clock.now().toISOString() };
      const mark = settings.part?.recordEnd ?? ((ended: RunEnd) => store.updateRun(record.id, ended));
      await steps.take("the run could not be marked as finished", () => mark(end));
    }
    if (!services.store) await steps.take("the store could not be closed", () => store.close());
    const summary = summarise(read ?? [...before, ...(records?.totals ?? [])]);
    return { id: record?.id ?? null, status, note: note(), summary };
  }

  return {
    id: record?.id ?? null,
    dryRun,
    concurrency: batched ? LARGEST_BATCH : preparationConcurrency(settings),
    model: models.named,
    durable: models.durable,
    plan: () => (dryRun ? planner.plan() : null),
    summary,
    async keep(name, body) {
      if (!record) return;
      await store.saveMetadata({ runId: record.id, name, body: JSON.stringify(body), at: clock.now().toISOString() });
    },
    finish(error) {
      finished ??= end(error);
      return finished;
    },
  };
}

async function recordFor(settings: RunSettings, store: Store, clock: Clock, random: Random): Promise<StoredRun> {
  if (settings.part) return findRun(store, settings.part.run);
  return settings.resume === undefined
    ? newRun(store, settings, clock, random)
    : continueRun(store, settings.resume, settings.maximumCost, clock);
}

function joined(...notes: readonly (string | null)[]): string | null {
  return notes.filter((note) => note !== null).join("; ") || null;
}

function outcome(error: unknown, interrupted: boolean, stoppedBy: string | null): Pick<FinishedRun, "status" | "note"> {
  if (interrupted) return { status: "interrupted", note: "interrupted" };
  if (error !== undefined) {
    return { status: "failed", note: redact(error instanceof Error ? error.message : String(error)) };
  }
  return stoppedBy === null ? { status: "done", note: null } : { status: "stopped", note: redact(stoppedBy) };
}

/** The result of the work and its run. A dry run's result consists of placeholders: show the plan instead. */
export interface RunOutcome<Result> {
  readonly result: Result;
  readonly plan: Plan | null;
  readonly run: FinishedRun;
}

/** Opens a run, does the work and finishes the run, even after an error, so that answers paid for are kept. */
export async function inRun<Result>(
  settings: RunSettings,
  services: RunServices,
  work: (run: Run) => Promise<Result>,
): Promise<RunOutcome<Result>> {
  const run = await openRun(settings, services);
  return outcomeOf(run, work(run), services.signal);
}

/** Waits for the work of a run and finishes the run, even after an error. */
export async function outcomeOf<Result>(
  run: Run,
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<RunOutcome<Result>> {
  try {
    const result = await work;
    signal.throwIfAborted();
    return { result, plan: run.plan(), run: await run.finish() };
  } catch (error) {
    const { id, status, summary } = await run.finish(error);
    if (status !== "interrupted" || id === null) throw error;
    throw new FabulaError(
      "E_INTERRUPTED",
      `Interrupted with ${countOf(summary.asked, "call")} answered; nothing paid for is lost. Resume it with \`fabula runs resume ${id}\`.`,
      { cause: error },
    );
  }
}

import { readFile } from "node:fs/promises";
import { systemClock } from "../core/clock.ts";
import { costInWords } from "../core/cost.ts";
import { FabulaError } from "../core/errors.ts";
import type { ProgressListener } from "../core/progress.ts";
import { countOf, judgeInWords } from "../core/wording.ts";
import { modelIdentity } from "../models/create-chat-model.ts";
import { isCovered, parseJudgeName } from "../models/judge-name.ts";
import { redact } from "../models/model-error.ts";
import { ownJudgeOf, resolveShortName, settingsHash } from "../models/own-judge.ts";
import { loadPrices, priceOf } from "../models/prices.ts";
import { limitsOf } from "../runner/limits/gates.ts";
import { providerOf } from "../runner/limits/provider-gate.ts";
import type { RunEnd, RunSettings } from "../runner/open-run.ts";
import { priceUnknown } from "../runner/run-models.ts";
import { findRun, newRun, requireKnownCost, summarise } from "../runner/run-record.ts";
import { stopReason } from "../runner/runner-event.ts";
import { Database } from "../store/postgres/database.ts";
import { DirectConnection } from "../store/postgres/direct-connection.ts";
import { postgresStore } from "../store/postgres/postgres-store.ts";
import type { StoredRun } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { adviceOn, commandsFor } from "./advice.ts";
import type { JobDocument } from "./job.ts";
import { progressOf, type SharedProgress } from "./progress.ts";
import { queueVersion } from "./queue-version.ts";
import {
  closeSharedRun,
  failuresOf,
  openSharedRun,
  type PieceDraft,
  type PieceSetAside,
  queuePieces,
  recordDelivery,
  resultsOf,
  setAsideOf,
  sharedRunState,
} from "./shared-runs.ts";

/** Work in pieces, and what all pieces have in common. */
export interface SharedJob {
  /** The name of the kind of work: one in `src/tasks/jobs/registry.ts`. */
  readonly kind: string;
  readonly options: unknown;
  /** Every model a piece may ask. */
  readonly models: readonly string[];
  readonly pieces: Iterable<PieceDraft> | AsyncIterable<PieceDraft>;
}

export interface ShareOptions {
  readonly settings: RunSettings;
  readonly signal: AbortSignal;
  /** Queue the pieces and exit: `fabula runs resume` fetches the result. */
  readonly detach: boolean;
  /** Whose run it is, and how it ranks among the owner's runs. */
  readonly owner: string;
  readonly priority: number;
  readonly onProgress: ProgressListener;
  readonly onNote: (sentence: string) => void;
}

/** What the workers did, for the process that combines it. */
export interface SharedResult {
  readonly run: string;
  /** Settings to finish the run with. Its models send nothing: they use the answers that the workers paid for. */
  readonly settings: RunSettings;
  /** What the pieces returned, in order; a piece that was set aside is a `PieceSetAside`. */
  results(): AsyncIterable<unknown>;
  /** Which of the user's inputs (`source` of their drafts) were set aside, and why. */
  readonly setAside: ReadonlyMap<number, PieceSetAside>;
}

/** How often the progress is shown; the end of a run is announced by the store. */
const LOOK_MILLISECONDS = 2000;
const COUNT_MILLISECONDS = 6000;
const ADVICE_MILLISECONDS = 3000;
/** As long as other statements are retried. */
const PATIENCE_MILLISECONDS = 60_000;

/**
 * Queues work for the workers, waits for them, and has `assemble` put the result together; null when it does not wait. The run
 * is one like any other: it can be inspected, paused and resumed with a higher limit, and its result does not depend on the
 * number of workers.
 */
export async function shareWork<Result>(
  job: SharedJob,
  options: ShareOptions,
  assemble: (shared: SharedResult) => Promise<Result>,
): Promise<Result | null> {
  const { settings, detach, onNote } = options;
  const document = await documentOf(job, settings);
  const database = new Database(settings.store, { connections: 3 });
  await database.open();
  const store = postgresStore(database);
  try {
    const opened = new Date().toISOString();
    const record = await recordFor(store, settings);
    const commands = commandsFor(record.id, settings);
    const sources = new Map<number, number>();
    try {
      await queue({ ...job, pieces: noting(job.pieces, sources) }, document, record, { database, store, options });
    } catch (error) {
      if (options.signal.aborted) {
        throw new FabulaError("E_INTERRUPTED", `Interrupted while queueing: \`${commands.resume}\` queues the rest.`);
      }
      await fail(record.id, error instanceof Error ? error.message : String(error), database, store);
      throw error;
    }
    if (detach) {
      onNote(`Run ${record.id} is queued. Fetch the result with \`${commands.resume}\`.`);
      const progress = await progressOf(database, record.id);
      const advice = progress && adviceOn(commands, progress);
      if (advice) onNote(advice);
      return null;
    }
    onNote(`Run ${record.id} is queued for the workers.`);
    const progress = await follow(record.id, database, store, options);
    await refuseFailed(record.id, progress, database, store);
    const setAside = progress.pieces.setAside > 0 ? await setAsideOf(database, record.id) : [];
    for (const piece of setAside) onNote(piece.error.message);
    const stoppedBy = progress.pieces.withGaps > 0 ? await whyStopped(store, record.id, opened) : null;
    const recordEnd = (end: RunEnd) => recordDelivery(database, record.id, end);
    const result = await assemble({
      run: record.id,
      settings: { ...settings, part: { run: record.id, role: "reader", stoppedBy, recordEnd } },
      results: () => resultsOf(database, record.id),
      setAside: new Map(setAside.map((piece) => [sources.get(piece.position) ?? piece.position, piece])),
    });
    // A run that asked no model has no reader that would end it.
    if (job.models.length === 0) await recordEnd({ status: "done", note: null, finishedAt: new Date().toISOString() });
    // Somebody may have resumed it meanwhile, with a higher limit: then it is theirs.
    await closeSharedRun(database, record.id, { from: ["ended"] });
    return result;
  } finally {
    await database.close();
  }
}

/** Remembers which of the user's inputs each piece belongs to. */
async function* noting(drafts: SharedJob["pieces"], sources: Map<number, number>): AsyncGenerator<PieceDraft> {
  let position = 0;
  for await (const draft of drafts) {
    if (draft.source !== undefined) sources.set(position, draft.source);
    position += 1;
    yield draft;
  }
}

async function documentOf({ kind, options, models }: SharedJob, settings: RunSettings): Promise<JobDocument> {
  const { judges } = settings.connections;
  const prices = await loadPrices(settings.prices, judges);
  const ids = [...new Set(models.map((model) => resolveShortName(model, judges)))];
  for (const model of ids) {
    const { provider } = parseJudgeName(model);
    if (provider === "llama") {
      throw new FabulaError("E_USAGE", `${model} runs inside this process: add --local to ask it here.`);
    }
    if (isCovered(model) || provider === "local") {
      throw new FabulaError(
        "E_USAGE",
        `${judgeInWords(model)} is asked on this machine and never by the workers of a shared store: add --local.`,
      );
    }
    if (settingsHash(ownJudgeOf(model, judges)) !== undefined) {
      throw new FabulaError(
        "E_USAGE",
        `${judgeInWords(model)} has settings of its own on this machine, which workers do not know: add --local.`,
      );
    }
    if (settings.maximumCost !== undefined && !priceOf(prices, model)) throw priceUnknown(model);
  }
  const { concurrency, requestsPerMinute, tokensPerMinute, timeoutSeconds } = settings;
  return {
    kind,
    options,
    models: ids.map((id) => ({
      id,
      origin: modelIdentity(id, { connections: settings.connections }).origin ?? null,
    })),
    prices: settings.prices === undefined ? null : await readFile(settings.prices, "utf8"),
    refresh: settings.refresh ?? false,
    pace: {
      ...(concurrency !== undefined && { concurrency }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(tokensPerMinute !== undefined && { tokensPerMinute }),
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    },
  };
}

/** Unlike a run in one process, a shared one can be joined while others work on it. */
async function recordFor(store: Store, settings: RunSettings): Promise<StoredRun> {
  if (settings.resume === undefined) return newRun(store, settings, systemClock, Math.random);
  const run = await findRun(store, settings.resume);
  if ((settings.maximumCost ?? run.maximumCost) !== null) await requireKnownCost(store, run.id);
  const changes = {
    status: "running" as const,
    note: null,
    finishedAt: null,
    seenAt: new Date().toISOString(),
    maximumCost: settings.maximumCost ?? run.maximumCost,
  };
  await store.updateRun(run.id, changes);
  return { ...run, ...changes };
}

async function queue(
  job: SharedJob,
  document: JobDocument,
  record: StoredRun,
  { database, store, options }: { database: Database; store: Store; options: ShareOptions },
): Promise<void> {
  const { settings, onProgress, signal, owner, priority } = options;
  const version = await queueVersion();
  // A run that was delivered without some pieces is resumed to try these again; one that was not delivered yet is only fetched.
  const retriesSetAside = (await sharedRunState(database, record.id)) === "closed";
  const providers = [...new Set(job.models.map(providerOf))];
  await openSharedRun(database, {
    run: record.id,
    ...{ version, owner, priority },
    job: document,
    maximumCost: record.maximumCost,
    spentBefore: summarise(await store.totals(record.id)).cost ?? 0,
    limits: providers.map((provider) => ({
      provider,
      concurrency: limitsOf(provider, settings).maximumConcurrency,
      requestsPerMinute: settings.requestsPerMinute ?? null,
      tokensPerMinute: settings.tokensPerMinute ?? null,
    })),
  });
  await queuePieces(database, { id: record.id, version, retriesSetAside }, job.pieces, (pieces) => {
    signal.throwIfAborted();
    onProgress({ stage: "Queueing", done: pieces, total: null });
  });
}

/** Waits until the run has ended, and shows its progress. */
async function follow(
  run: string,
  database: Database,
  store: Store,
  { settings, signal, onProgress, onNote }: ShareOptions,
): Promise<SharedProgress> {
  const commands = commandsFor(run, settings);
  let announcement = new AbortController();
  const direct = new DirectConnection(settings.store, {
    onNotice: (about) => {
      if (about === run) announcement.abort();
    },
  });
  const began = performance.now();
  let answeredAt = began;
  let countAt = began;
  let lastAdvice = "";
  let spent = "";
  try {
    for (;;) {
      announcement = new AbortController();
      const progress = await progressOf(direct, run).catch((error: unknown) => {
        if (performance.now() - answeredAt > PATIENCE_MILLISECONDS) throw error;
        return undefined;
      });
      if (progress === null) throw new Error(`the run ${run} is not shared`);
      if (progress) {
        // A store that was away this long may have lost the other connections too.
        if (performance.now() - answeredAt > 2 * LOOK_MILLISECONDS + COUNT_MILLISECONDS) database.reconnect();
        answeredAt = performance.now();
        const { total, queued, working } = progress.pieces;
        const ended = total - queued - working;
        if (progress.state === "ended" || (progress.state === "closed" && ended === total)) return progress;
        if (progress.state === "closed") {
          throw new FabulaError("E_RUN_CANCELLED", `Run ${run} was cancelled: \`${commands.resume}\` queues it again.`);
        }
        if (answeredAt >= countAt) {
          countAt = answeredAt + COUNT_MILLISECONDS;
          const summary = summarise(await store.totals(run));
          spent = `${countOf(summary.calls, "call")}, ${costInWords(summary)}`;
          await store.updateRun(run, { seenAt: new Date().toISOString() });
        }
        onProgress({ stage: "Pieces", done: ended, total, note: `${inWords(progress)}, ${spent}` });
        const advice = answeredAt - began >= ADVICE_MILLISECONDS ? adviceOn(commands, progress) : null;
        if (advice && advice !== lastAdvice) onNote(advice);
        lastAdvice = advice ?? lastAdvice;
      }
      await systemClock.sleep(LOOK_MILLISECONDS, AbortSignal.any([signal, announcement.signal])).catch(() => {});
      if (signal.aborted) {
        throw new FabulaError(
          "E_INTERRUPTED",
          `Run ${run} stays queued, and workers continue with it: \`${commands.resume}\` waits for them again, \`${commands.pause}\` stops them.`,
        );
      }
    }
  } finally {
    await direct.close();
  }
}

function inWords({ state, pieces, available }: SharedProgress): string {
  if (state === "paused") return "paused";
  return `${pieces.working} under way, ${countOf(available, "worker")}`;
}

/** As in one process, an error in the work itself ends the run; answers that were received stay stored. */
async function refuseFailed(run: string, progress: SharedProgress, database: Database, store: Store): Promise<void> {
  const { failed, total } = progress.pieces;
  if (failed === 0) return;
  const [first] = await failuresOf(database, run);
  if (!first) return;
  const note = `${first.label}: ${first.reason}`;
  await fail(run, note, database, store);
  throw new FabulaError(
    "E_PIECES_FAILED",
    `${failed} of ${total} pieces failed. The first: ${note} Fix this, then continue with \`fabula runs resume ${run}\`.`,
  );
}

async function fail(run: string, reason: string, database: Database, store: Store): Promise<void> {
  await store.updateRun(run, { status: "failed", note: redact(reason), finishedAt: new Date().toISOString() });
  await closeSharedRun(database, run);
}

async function whyStopped(store: Store, run: string, since: string): Promise<string | null> {
  const events = (await store.events(run)).filter(({ at }) => at >= since);
  return events.map(stopReason).find((reason) => reason !== null) ?? null;
}

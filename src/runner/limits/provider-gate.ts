import { type Clock, LONGEST_TIMER_MILLISECONDS } from "../../core/clock.ts";
import type { Random } from "../../core/random.ts";
import { backoffMilliseconds } from "../../core/retry.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../../models/chat-model.ts";
import { judgeNameOf } from "../../models/judge-name.ts";
import { ModelError, type ModelFailure } from "../../models/model-error.ts";
import { cappedWait, mayLeave } from "../../models/transport.ts";
import type { Interruption } from "../interruption.ts";
import type { RunnerListener } from "../runner-event.ts";
import { type Allotment, Limiter, type Limits, type Permit } from "./limiter.ts";

/** A call whose reply arrived broken or too late is retried, but not paid for more often than this. */
export const MAXIMUM_BILLED_ATTEMPTS = 3;

const BILLED: ReadonlySet<ModelFailure> = new Set(["malformed", "cut-off", "timeout", "too-large"]);

/** A reply that arrived broken, incomplete, too late or too long is billed all the same. */
export function mayBeBilled({ failure }: ModelError): boolean {
  return BILLED.has(failure);
}

/** The maximum number of times that one answer can be billed: each attempt may arrive broken this often. */
export function maximumBilledAttempts({ attempts = 1 }: { readonly attempts?: number }): number {
  return attempts * MAXIMUM_BILLED_ATTEMPTS;
}

const COOL_DOWN_MILLISECONDS = 30_000;
/** Two requests in a row that reached the usual time limit. */
const OUTAGE_MILLISECONDS = 600_000;

/** When a call started, and how many signs of life the provider had given by then. */
interface CallStart {
  readonly at: number;
  readonly signsOfLife: number;
}

function refusesKey({ failure }: ModelError): boolean {
  return failure === "authentication";
}

/** A wrong name, or a model that this key may not use: the provider's other models may still answer. */
function concernsModelOnly({ failure, status }: ModelError): boolean {
  return failure === "unknown-model" || (failure === "authentication" && status === 403);
}

/**
 * Stops asking a provider that is down: one for which a call used up its attempts, or failed for a long time, while
 * no other call succeeded. It opens at once if the key is wrong; a wrong model has a circuit of its own. How many
 * parallel calls fail together does not matter. While it is open, new calls are rejected with the reason; running
 * calls keep their remaining attempts, and after a while one new call may try again. The first answer closes it.
 */
export class Circuit {
  readonly #clock: Clock;
  readonly #onOpen: (reason: ModelError) => void;
  #signsOfLife = 0;
  #open: { reason: ModelError; until: number } | null = null;

  constructor(clock: Clock, onOpen: (reason: ModelError) => void) {
    this.#clock = clock;
    this.#onOpen = onOpen;
  }

  /** The failure that opened the circuit, while it is open. */
  get openedBy(): ModelError | null {
    if (!this.#open) return null;
    if (this.#now() < this.#open.until) return this.#open.reason;
    // This call is the trial; the others wait for its result.
    this.#open = { ...this.#open, until: this.#now() + COOL_DOWN_MILLISECONDS };
    return null;
  }

  begin(): CallStart {
    return { at: this.#now(), signsOfLife: this.#signsOfLife };
  }

  answered(): void {
    this.#signsOfLife += 1;
    this.#open = null;
  }

  /** Records a failed attempt of a call that began at `since`; `last` if no attempts are left. */
  failed(error: ModelError, since: CallStart, last: boolean): void {
    const isHopeless = error.hopeless && !concernsModelOnly(error);
    // A rate limit, a rejected request or an unusable reply is a sign of life.
    const isAlive = ["rate-limited", "malformed", "cut-off"].includes(error.failure);
    if (isAlive || (!error.isRetryable && !isHopeless)) this.#signsOfLife += 1;
    const silent = since.signsOfLife === this.#signsOfLife;
    const long = last || this.#now() - since.at >= OUTAGE_MILLISECONDS;
    if (isHopeless || (silent && long)) this.open(error);
  }

  open(reason: ModelError): void {
    const before = this.#open?.reason;
    this.#open = { reason, until: this.#now() + COOL_DOWN_MILLISECONDS };
    // That the key is refused is told also when it is open for another reason: others may have a key that is not.
    if (!before || (refusesKey(reason) && !refusesKey(before))) this.#onOpen(reason);
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

export interface GateOptions {
  readonly limits: Limits;
  readonly allotment: Allotment;
  /** Attempts for one request, including the first. */
  readonly attempts: number;
  readonly timeoutMilliseconds: number;
  /** Added for each token of the reply's limit, since a long reply takes time to write. */
  readonly millisecondsPerToken?: number;
  /** How long a request that was already sent may continue after an interruption. */
  readonly graceMilliseconds: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly interruption: Interruption;
  readonly emit: RunnerListener;
  /** Resolves when an answer could be stored; nothing is sent before. */
  readonly untilStorable: () => Promise<void>;
}

/** The context in which a request is sent. */
export interface Sending {
  readonly model: ChatModel;
  /** Roughly how many tokens it has, for the limits of providers. */
  readonly tokens: number;
  /** Some failed attempts cost money, which must be reserved before the next one. */
  readonly beforeRetry: (error: ModelError) => Promise<void>;
}

export interface Sent {
  readonly reply: ChatReply;
  readonly attempts: number;
  /** Called when the reply is stored. Until then, a sender that can get the reply again without paying keeps it. */
  readonly stored?: () => void;
  /** Called when the reply was stored or given up; only then may another request take its place. */
  readonly release?: () => void;
}

/** How a request reaches its provider: individually through a gate, or with many others in a batch. */
export interface Sender {
  ask(request: ChatRequest, sending: Sending): Promise<Sent>;
}

/** A wait of at least this length is reported to the user. */
const NOTED_WAIT_MILLISECONDS = 10_000;

/** The state of a call. */
interface CallState {
  readonly since: CallStart;
  attempts: number;
  billed: number;
}

/** The gate to one provider, shared by all of its models, with its limits, circuit breaker and retries. */
export class ProviderGate implements Sender {
  readonly #provider: string;
  readonly #options: GateOptions;
  readonly #limiter: Limiter;
  readonly #circuit: Circuit;
  readonly #modelCircuits = new Map<string, Circuit>();
  readonly #sent = new Set<AbortController>();
  #waitNotedUntil = 0;

  constructor(provider: string, options: GateOptions) {
    this.#provider = provider;
    this.#options = options;
    const { limits, allotment, clock, interruption, emit, graceMilliseconds } = options;
    this.#limiter = new Limiter(limits, allotment, clock, interruption, {
      slowed: (concurrency) => emit({ kind: "slowed", provider, concurrency }),
      paused: (asked, wait) => this.#noteWait(asked, wait),
    });
    this.#circuit = this.#circuitOf(provider);
    interruption.listen(() => {
      setTimeout(() => this.#abandonAll(), graceMilliseconds).unref();
    });
  }

  async ask(request: ChatRequest, { model, tokens, beforeRetry }: Sending): Promise<Sent> {
    const { clock, random, interruption, emit } = this.#options;
    const call: CallState = { since: this.#circuit.begin(), attempts: 0, billed: 0 };
    for (let attempts = 1; ; attempts++) {
      try {
        return { ...(await this.#attempt(model, request, tokens, call)), attempts };
      } catch (error) {
        if (!(error instanceof ModelError) || !error.isRetryable || this.#isUsedUp(call)) throw error;
        const asked = this.#askedToWait(error.retryAfterMilliseconds ?? 0);
        const waitMilliseconds = Math.max(backoffMilliseconds(attempts, random), asked);
        if (!interruption.happened)
          emit({ kind: "retried", model: model.id, reason: error.message, attempt: attempts, waitMilliseconds });
        // Even when interrupted, the possible cost of this attempt is recorded first.
        await beforeRetry(error);
        await interruption.sleep(waitMilliseconds, clock);
      }
    }
  }

  #circuitOf(provider: string): Circuit {
    const { clock, emit } = this.#options;
    return new Circuit(clock, (error) =>
      emit({ kind: "provider-down", provider, reason: error.message, refusesKey: refusesKey(error) }),
    );
  }

  #circuitOfModel(id: string): Circuit {
    const circuit = this.#modelCircuits.get(id) ?? this.#circuitOf(id);
    this.#modelCircuits.set(id, circuit);
    return circuit;
  }

  /** How long it waits. */
  #askedToWait(askedMilliseconds: number): number {
    const waitMilliseconds = cappedWait(askedMilliseconds);
    this.#noteWait(askedMilliseconds, waitMilliseconds);
    return waitMilliseconds;
  }

  /** Parallel calls wait together, which is reported once. */
  #noteWait(askedMilliseconds: number, waitMilliseconds: number): void {
    const { clock, emit } = this.#options;
    const now = clock.now().getTime();
    if (waitMilliseconds >= NOTED_WAIT_MILLISECONDS && now >= this.#waitNotedUntil) {
      this.#waitNotedUntil = now + waitMilliseconds;
      emit({ kind: "asked-to-wait", provider: this.#provider, askedMilliseconds, waitMilliseconds });
    }
  }

  async #attempt(
    model: ChatModel,
    request: ChatRequest,
    tokens: number,
    call: CallState,
  ): Promise<Pick<Sent, "reply" | "release">> {
    call.attempts += 1;
    const permit = await this.#permit(tokens);
    if (!permit) throw interrupted(model.id);
    const ofModel = this.#circuitOfModel(model.id);
    const closedBy = call.attempts === 1 ? (this.#circuit.openedBy ?? ofModel.openedBy) : null;
    if (closedBy) {
      permit({ outcome: "failed" });
      throw new ModelError(
        "provider-down",
        model.id,
        `No more calls go to ${model.id}: ${closedBy.message} Once it works again, \`fabula runs resume\` continues from here.`,
        { cause: closedBy },
      );
    }
    let isWithheld = false;
    const isStillAllowed = () => {
      isWithheld = !this.#options.allotment.isHeld;
      return !isWithheld;
    };
    try {
      const reply = await this.#send(model, request, isStillAllowed);
      this.#circuit.answered();
      ofModel.answered();
      return { reply, release: () => permit({ outcome: "answered", allowance: reply.allowance }) };
    } catch (thrown) {
      if (isWithheld) {
        // Nothing was sent: the call waits for its turn again, as if it had been stopped a moment earlier.
        permit({ outcome: "failed" });
        call.attempts -= 1;
        return this.#attempt(model, request, tokens, call);
      }
      const error = asModelError(thrown, model.id);
      if (mayBeBilled(error)) call.billed += 1;
      if (error.failure !== "interrupted") this.#circuit.failed(error, call.since, this.#isUsedUp(call));
      if (concernsModelOnly(error)) ofModel.open(error);
      const throttled = error.failure === "rate-limited" || error.failure === "overloaded";
      permit({
        outcome: throttled ? "throttled" : "failed",
        pauseMilliseconds: throttled ? error.retryAfterMilliseconds : null,
      });
      throw error;
    }
  }

  /** Null if interrupted while waiting. */
  async #permit(tokens: number): Promise<Permit | null> {
    const { interruption, untilStorable, allotment } = this.#options;
    while (!interruption.happened) {
      const permit = await this.#limiter.acquire(tokens);
      if (!permit) return null;
      try {
        await untilStorable();
      } catch (error) {
        permit({ outcome: "failed" });
        throw error;
      }
      // A process that was suspended while it waited for its turn continues here when it wakes up.
      if (!interruption.happened && allotment.isHeld) return permit;
      permit({ outcome: "failed" });
    }
    return null;
  }

  #isUsedUp({ attempts, billed }: CallState): boolean {
    return attempts >= this.#options.attempts || billed >= MAXIMUM_BILLED_ATTEMPTS;
  }

  async #send(model: ChatModel, request: ChatRequest, isStillAllowed: () => boolean): Promise<ChatReply> {
    const writing = (request.maximumTokens ?? 0) * (this.#options.millisecondsPerToken ?? 0);
    const timeoutMilliseconds = Math.min(this.#options.timeoutMilliseconds + writing, LONGEST_TIMER_MILLISECONDS);
    const sent = new AbortController();
    const timer = setTimeout(() => {
      const seconds = Math.round(timeoutMilliseconds / 1000);
      sent.abort(new ModelError("timeout", model.id, `${model.id} did not answer within ${seconds} seconds.`));
    }, timeoutMilliseconds);
    this.#sent.add(sent);
    mayLeave.set(sent.signal, isStillAllowed);
    try {
      return await model.complete(request, sent.signal);
    } finally {
      clearTimeout(timer);
      this.#sent.delete(sent);
    }
  }

  #abandonAll(): void {
    const { graceMilliseconds } = this.#options;
    const seconds = Math.round(graceMilliseconds / 1000);
    const words = `${this.#provider} did not answer within ${seconds} seconds after the interruption.`;
    // The provider has the request and may bill it, although its answer never arrives.
    for (const sent of this.#sent) sent.abort(new ModelError("cut-off", this.#provider, words));
  }
}

/** What shares a rate limit: a cloud provider's account, or one server. */
export function providerOf(modelId: string): string {
  const name = judgeNameOf(modelId);
  if (name === null) return modelId;
  return name.provider === "compatible" ? new URL(name.baseUrl).host : name.provider;
}

export function interrupted(modelId: string): ModelError {
  return new ModelError("interrupted", modelId, `${modelId} was not asked: the run was interrupted.`);
}

function asModelError(thrown: unknown, modelId: string): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new ModelError("rejected", modelId, `${modelId} could not be asked: ${detail}`, { cause: thrown });
}

import { type Clock, LONGEST_TIMER_MILLISECONDS } from "../../core/clock.ts";
import type { Random } from "../../core/random.ts";
import { cappedWait } from "../../models/capped-wait.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../../models/chat-model.ts";
import { judgeNameOf } from "../../models/judge-name.ts";
import { ModelError } from "../../models/model-error.ts";
import type { Interruption } from "../interruption.ts";
import type { RunnerListener } from "../runner-event.ts";
import type { Allotment } from "./allotment.ts";
import { backoffMilliseconds } from "./backoff.ts";
import { MAXIMUM_BILLED_ATTEMPTS, mayBeBilled } from "./billed-attempts.ts";
import { type CallStart, Circuit, concernsModelOnly } from "./circuit.ts";
import { Limiter, type Limits } from "./limiter.ts";

export interface GateOptions {
  readonly limits: Limits;
  readonly allotment: Allotment;
  /** Tries for one request, the first included. */
  readonly attempts: number;
  readonly timeoutMilliseconds: number;
  /** How long a request that was already sent may go on after an interruption. */
  readonly graceMilliseconds: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly interruption: Interruption;
  readonly emit: RunnerListener;
}

export interface GateResult {
  readonly reply: ChatReply;
  readonly attempts: number;
}

/** A wait of this length is reported to the user. */
const NOTED_WAIT_MILLISECONDS = 10_000;

/** How far a call has come. */
interface CallState {
  readonly since: CallStart;
  attempts: number;
  billed: number;
}

/** The gate to one provider: its limits, its circuit breaker and its retries. Models of one provider share it. */
export class ProviderGate {
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

  async ask(
    model: ChatModel,
    request: ChatRequest,
    tokens: number,
    beforeRetry: (error: ModelError) => Promise<void>,
  ): Promise<GateResult> {
    const { clock, random, interruption, emit } = this.#options;
    const call: CallState = { since: this.#circuit.begin(), attempts: 0, billed: 0 };
    for (;;) {
      try {
        return { reply: await this.#attempt(model, request, tokens, call), attempts: call.attempts };
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        if (!error.isRetryable || this.#isUsedUp(call)) throw error;
        const { attempts: attempt } = call;
        const asked = this.#askedToWait(error.retryAfterMilliseconds ?? 0);
        const waitMilliseconds = Math.max(backoffMilliseconds(attempt, random), asked);
        if (!interruption.happened)
          emit({ kind: "retried", model: model.id, reason: error.message, attempt, waitMilliseconds });
        // Interrupted or not: what the provider may bill for this try is recorded before anything else.
        await beforeRetry(error);
        await interruption.sleep(waitMilliseconds, clock);
      }
    }
  }

  #circuitOf(provider: string): Circuit {
    const { clock, emit } = this.#options;
    return new Circuit(clock, ({ message: reason }) => emit({ kind: "provider-down", provider, reason }));
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

  async #attempt(model: ChatModel, request: ChatRequest, tokens: number, call: CallState): Promise<ChatReply> {
    call.attempts += 1;
    const permit = this.#options.interruption.happened ? null : await this.#limiter.acquire(tokens);
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
    try {
      const reply = await this.#send(model, request);
      this.#circuit.answered();
      ofModel.answered();
      permit({ outcome: "answered", allowance: reply.allowance });
      return reply;
    } catch (thrown) {
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

  #isUsedUp({ attempts, billed }: CallState): boolean {
    return attempts >= this.#options.attempts || billed >= MAXIMUM_BILLED_ATTEMPTS;
  }

  async #send(model: ChatModel, request: ChatRequest): Promise<ChatReply> {
    const timeoutMilliseconds = Math.min(this.#options.timeoutMilliseconds, LONGEST_TIMER_MILLISECONDS);
    const sent = new AbortController();
    const timer = setTimeout(() => {
      const seconds = Math.round(timeoutMilliseconds / 1000);
      sent.abort(new ModelError("timeout", model.id, `${model.id} did not answer within ${seconds} seconds.`));
    }, timeoutMilliseconds);
    this.#sent.add(sent);
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

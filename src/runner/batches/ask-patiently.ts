import { ModelError } from "../../models/model-error.ts";
import { interrupted } from "../limits/provider-gate.ts";
import type { BatcherOptions } from "./batcher-options.ts";

export const FIRST_LOOK_MILLISECONDS = 5000;
const LONGEST_LOOK_MILLISECONDS = 60_000;
/** An answer that waiting does not change, such as one that is not the API's format, is believed after this many tries. */
const TRIES_OF_A_STRANGE_ANSWER = 4;

/**
 * Asks about a batch until there is an answer, however long that takes: the batch is with the provider and will be billed,
 * so giving up would mean paying for it again. Only what waiting does not change is given up on, for this run.
 */
export async function askPatiently<T>(
  { clock, interruption, modelId, emit }: Pick<BatcherOptions, "clock" | "interruption" | "modelId" | "emit">,
  question: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let pause = FIRST_LOOK_MILLISECONDS;
  let strange = 0;
  for (let attempt = 1; !interruption.happened; attempt++) {
    try {
      return await question(new AbortController().signal);
    } catch (error) {
      const isStrange = isGone(error) || isMalformed(error);
      if (!isStrange && !(error instanceof ModelError && error.isRetryable)) throw error;
      if (isStrange && ++strange >= TRIES_OF_A_STRANGE_ANSWER) throw isGone(error) ? error : unreadable(error);
      const reason = `The batch is submitted, but its state cannot be read: ${error.message}`;
      emit({ kind: "retried", model: modelId, reason, attempt, waitMilliseconds: pause });
    }
    await interruption.sleep(pause, clock);
    pause = longer(pause);
  }
  throw interrupted(modelId);
}

/** Also what a provider says of a batch that it has not written down everywhere yet. */
export function isGone(error: unknown): error is ModelError {
  return error instanceof ModelError && error.status === 404;
}

export function longer(pause: number): number {
  return Math.min(LONGEST_LOOK_MILLISECONDS, pause * 1.5);
}

function isMalformed(error: unknown): error is ModelError {
  return error instanceof ModelError && error.failure === "malformed";
}

/** Not an error to be retried: that would submit the calls again while their batch is with the provider. */
function unreadable({ model, message, evidence }: ModelError): ModelError {
  const said = `${message} The batch is kept: \`fabula runs resume\` looks for its answers again.`;
  return new ModelError("rejected", model, said, { evidence });
}

import type { Command } from "./command.ts";
import { isEmbedded, judgesNamed, listed } from "./flags/embedded-judge.ts";
import type { FlagWord } from "./flags/flag.ts";

/** How a command behaves when it is asked to stop. */
export interface ShutdownBehaviour {
  /** Printed at once when it is asked to stop; null for a command that prints its own message. */
  readonly finishing: string | null;
  /** Whether ending in the middle loses something: calls that are paid for, jobs that must be paused. */
  readonly mustFinish: boolean;
}

export const STOP_AT_ONCE: ShutdownBehaviour = { finishing: "Stopping.", mustFinish: false };

/** Flags beside the judges that name models; a population may have been scored by models, which are then asked again. */
const NAMING_MODELS = "model second-model writer writers judges synopses summariser embeddings population".split(" ");

export function shutdownBehaviour(
  { flags, finishing }: Pick<Command, "flags" | "finishing">,
  value: (flag: string) => FlagWord,
): ShutdownBehaviour {
  if (finishing !== undefined) return { finishing, mustFinish: true };
  const models = [...judgesNamed(value), ...NAMING_MODELS.flatMap((flag) => namesIn(value(flag)))];
  if (!("max-cost" in flags) || models.every(isEmbedded) || value("dry-run") === true) return STOP_AT_ONCE;
  return {
    finishing:
      "Stopping: finishing the calls already sent, so that nothing paid for is lost. Ctrl-C again stops at once.",
    mustFinish: true,
  };
}

function namesIn(value: FlagWord): readonly string[] {
  if (typeof value === "string") return listed(value);
  return Array.isArray(value) ? value : [];
}

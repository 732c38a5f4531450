import { countOf } from "../core/wording.ts";
import type { SharedProgress } from "./progress.ts";

/** The commands for one run, ready to type: a store named in the command has to be named again. */
export interface RunCommands {
  readonly resume: string;
  readonly pause: string;
  readonly unpause: string;
  readonly worker: string;
}

export function commandsFor(run: string, { command = [] }: { readonly command?: readonly string[] }): RunCommands {
  const store = command.some((word) => /^--store(=|$)/.test(word)) ? " --store …" : "";
  return {
    resume: `fabula runs resume ${run}${store}`,
    pause: `fabula runs pause ${run}${store}`,
    unpause: `fabula runs unpause ${run}${store}`,
    worker: `fabula worker${store}`,
  };
}

/** What a user waiting for a shared run can do now; null while it continues by itself. */
export function adviceOn(commands: RunCommands, progress: SharedProgress): string | null {
  const { state, pieces, available, otherVersions, otherJudges, version, refusals } = progress;
  if (state === "closed") return null;
  if (state === "ended") return `The work is done: \`${commands.resume}\` fetches the result.`;
  if (pieces.queued + pieces.working === 0) {
    return `Not everything was queued, and what was is done: \`${commands.resume}\` queues the rest.`;
  }
  if (state === "paused") return `It is paused: \`${commands.unpause}\` continues it.`;
  if (available > 0) return turn(progress);
  const present = refusals.filter(({ isPresent }) => isPresent);
  if (present.length > 0) return `${workers(present.length)} unable to do this: ${present[0]!.reason}`;
  if (otherJudges > 0) {
    return `${workers(otherJudges)} limited with --judges to other models: start one that may ask what this run needs.`;
  }
  if (otherVersions > 0) {
    return `${workers(otherVersions)} of another version of Fabula: start some of this one (${version}) with \`${commands.worker}\`.`;
  }
  return `No worker is connected: start some with \`${commands.worker}\`, here or on any machine that reaches the store.`;
}

/** Why none of a run's pieces is being worked on although there are workers; null for a run that moves. */
function turn({ pieces, elsewhere, waitingSeconds }: SharedProgress): string | null {
  if (pieces.queued === 0 || pieces.working > 0 || (waitingSeconds ?? 0) < LONG_WAIT_SECONDS) return null;
  if (elsewhere > 0)
    return `The workers are busy with ${countOf(elsewhere, "piece")} of other owners: this run is next when one ends.`;
  return "What waits was begun before and ended its worker: it is tried again alone, when a worker has nothing else.";
}

const LONG_WAIT_SECONDS = 5;

function workers(count: number): string {
  return count === 1 ? "The only worker that is connected is" : `The ${count} workers that are connected are`;
}

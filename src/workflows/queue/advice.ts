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
  const { state, pieces, available, otherVersions, otherJudges, version } = progress;
  if (state === "closed") return null;
  if (pieces.queued + pieces.working === 0) return `The work is done: \`${commands.resume}\` fetches the result.`;
  if (state === "paused") return `It is paused: \`${commands.unpause}\` continues it.`;
  if (available > 0) return null;
  if (otherJudges > 0) {
    return `${workers(otherJudges)} limited with --judges to other models: start one that may ask what this run needs.`;
  }
  if (otherVersions > 0) {
    return `${workers(otherVersions)} of another version of Fabula: start some of this one (${version}) with \`${commands.worker}\`.`;
  }
  return `No worker is connected: start some with \`${commands.worker}\`, here or on any machine that reaches the store.`;
}

function workers(count: number): string {
  return count === 1 ? "The only worker that is connected is" : `The ${count} workers that are connected are`;
}

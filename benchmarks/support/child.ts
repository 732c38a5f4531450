import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Starts a benchmark file in a process of its own, so that its time and memory are its own. */
export function startChild(file: string, ...words: string[]): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", fileURLToPath(new URL(file, import.meta.url)), ...words], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
}

/** The last thing the child says before it ends by itself. */
export async function resultOf<T>(child: ChildProcess): Promise<T> {
  let last: unknown;
  child.on("message", (message) => {
    last = message;
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the child ended with ${code}`);
  return last as T;
}

/** What a child measured about itself, sent to whoever started it. */
export function report(result: object): void {
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  process.send?.({ ...result, peakMegabytes }, () => process.disconnect());
}

export interface Measured {
  readonly seconds: number;
  readonly peakMegabytes: number;
}

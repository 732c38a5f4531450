import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Starts a benchmark file in a process of its own, so that its time and memory are its own. */
export function startChild(file: string, ...words: string[]): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", fileURLToPath(new URL(file, import.meta.url)), ...words], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
}

/** The one JSON document the child sends, after which it ends by itself. */
export async function resultOf<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, "exit");
  const [message] = await Promise.race([
    once(child, "message"),
    ended.then(([code]) => {
      throw new Error(`the child ended with ${code} before it sent a result`);
    }),
  ]);
  await ended;
  return message as T;
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

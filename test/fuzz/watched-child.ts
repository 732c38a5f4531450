import { type ChildProcess, fork } from "node:child_process";
import { usageOf } from "../../src/text/parsing/process-usage.ts";
import type { Progress, Share } from "./child.ts";
import { MOST_SECONDS } from "./fuzz.ts";

export const MOST_GROWTH_MEGABYTES = 256;
/** Between two reports lie a tenth of a second and one input. */
const HANG_SECONDS = MOST_SECONDS + 3;
const LOOK_MILLISECONDS = 200;

export interface ShareResult {
  /** The number after the last input that was tried. */
  readonly next: number;
  readonly findings: Progress["findings"];
  readonly kept: Progress["kept"];
  readonly reached: number;
  readonly growthMegabytes: number;
  /** Why the process was ended: it computed too long for one input, took too much memory, or crashed. */
  readonly ended: string | null;
}

/** A process that tries inputs, watched from outside as the processes are that parse books. */
export class WatchedChild {
  readonly #process: ChildProcess;
  #isReady: Promise<unknown>;

  constructor() {
    this.#process = fork("test/fuzz/child.ts", {
      execArgv: ["--import", "tsx", "--max-old-space-size=1024"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#isReady = new Promise((resolve) => this.#process.once("message", resolve));
  }

  get isGone(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  end(): void {
    this.#process.kill("SIGKILL");
  }

  async perform(share: Share): Promise<ShareResult> {
    await this.#isReady;
    const child = this.#process;
    const found: Progress["findings"][number][] = [];
    const keptInputs: Progress["kept"][number][] = [];
    let reachedCode = 0;
    const before = usageOf(child.pid)?.megabytes ?? 0;
    let [next, growthMegabytes, ended] = [share.from, 0, null as string | null];
    let secondsAtReport = usageOf(child.pid)?.seconds ?? 0;
    const give = (up: string) => {
      ended = up;
      this.end();
    };
    const look = setInterval(() => {
      const usage = usageOf(child.pid);
      if (usage === null) return;
      growthMegabytes = Math.max(growthMegabytes, usage.megabytes - before);
      if (usage.seconds - secondsAtReport > HANG_SECONDS) give(`more than ${MOST_SECONDS} s of processor time`);
      else if (growthMegabytes > MOST_GROWTH_MEGABYTES) give(`grew by more than ${MOST_GROWTH_MEGABYTES} MB`);
    }, LOOK_MILLISECONDS);
    try {
      await new Promise<void>((resolve) => {
        const onProgress = ({ tried, findings, kept, reached, isDone }: Progress) => {
          next = tried;
          secondsAtReport = usageOf(child.pid)?.seconds ?? secondsAtReport;
          found.push(...findings);
          keptInputs.push(...kept);
          reachedCode = reached;
          if (isDone) settle();
        };
        const onClose = (code: number | null, signal: string | null) => {
          ended ??= `ended with ${code ?? signal}`;
          settle();
        };
        const settle = () => {
          child.off("message", onProgress);
          child.off("close", onClose);
          resolve();
        };
        child.on("message", onProgress);
        child.on("close", onClose);
        child.send(share, () => {});
      });
      return { next, findings: found, kept: keptInputs, reached: reachedCode, growthMegabytes, ended };
    } finally {
      clearInterval(look);
    }
  }
}

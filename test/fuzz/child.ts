/** Tries inputs on one parser after another, as `main.ts` asks, which watches from outside and ends it when it hangs or grows. */
import { seededRandom } from "../../src/core/random.ts";
import { type Finding, nextInput, tryInput } from "./fuzz.ts";
import { fuzzTargets } from "./targets.ts";

export interface Share {
  readonly target: string;
  readonly seed: number;
  /** The first input, by its number: an input is made from its number alone, so each can be made again. */
  readonly from: number;
  readonly to: number;
  /** By the clock, for a share without a last input. */
  readonly milliseconds: number;
  /** Reports after every input: slower, but it tells which one hangs. */
  readonly isCareful: boolean;
}

export interface Progress {
  /** How many inputs have been tried, counted from the first of all. */
  readonly tried: number;
  readonly finding: Pick<Finding, "bytes" | "what"> | null;
  readonly isDone: boolean;
}

const REPORT_MILLISECONDS = 100;
const targets = await fuzzTargets();
// As in the processes that parse.
process.on("unhandledRejection", () => {});
process.on("disconnect", () => process.exit());
process.on("message", (share: Share) => void perform(share));
report({ tried: 0, finding: null, isDone: true });

async function perform({ target: name, seed, from, to, milliseconds, isCareful }: Share): Promise<void> {
  const target = targets.find((candidate) => candidate.name === name)!;
  const end = performance.now() + milliseconds;
  let [tried, reported] = [from, performance.now()];
  while (tried < to && performance.now() < end) {
    const finding = await tryInput(target, nextInput(target, seededRandom(seed * 1_000_003 + tried)));
    tried++;
    if (finding === null && !isCareful && performance.now() - reported < REPORT_MILLISECONDS) continue;
    reported = performance.now();
    report({ tried, finding, isDone: false });
    // The report is on its way before the next input, whatever that does.
    await new Promise(setImmediate);
  }
  report({ tried, finding: null, isDone: true });
}

function report(progress: Progress): void {
  process.send?.(progress);
}

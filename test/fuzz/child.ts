/** Tries inputs on one parser after another, as `main.ts` asks, which watches from outside and ends it when it hangs or grows. */
import { type Finding, inputNumber, tryInput } from "./fuzz.ts";
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
  readonly findings: readonly Pick<Finding, "bytes" | "what">[];
  readonly isDone: boolean;
}

const REPORT_MILLISECONDS = 100;
const targets = await fuzzTargets();
// As in the processes that parse.
process.on("unhandledRejection", () => {});
process.on("disconnect", () => process.exit());
process.on("message", (share: Share) => void perform(share));
report({ tried: 0, findings: [], isDone: true });

async function perform({ target: name, seed, from, to, milliseconds, isCareful }: Share): Promise<void> {
  const target = targets.find((candidate) => candidate.name === name)!;
  const end = performance.now() + milliseconds;
  let [tried, reported] = [from, performance.now()];
  while (tried < to && performance.now() < end) {
    const numbers = Array.from({ length: Math.min(target.atATime ?? 1, to - tried) }, (_, at) => tried + at);
    const tries = numbers.map((number) => tryInput(target, inputNumber(target, seed, number)));
    const findings = (await Promise.all(tries)).filter((finding) => finding !== null);
    tried += numbers.length;
    if (findings.length === 0 && !isCareful && performance.now() - reported < REPORT_MILLISECONDS) continue;
    reported = performance.now();
    report({ tried, findings, isDone: false });
    // The report is on its way before the next input, whatever that does.
    await new Promise(setImmediate);
  }
  report({ tried, findings: [], isDone: true });
}

function report(progress: Progress): void {
  process.send?.(progress);
}

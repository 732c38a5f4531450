/** Tries inputs on one parser after another, as `main.ts` asks, which watches from outside and ends it when it hangs or grows. */
import { type Finding, inputNumber, type KeptInput, tryInput } from "./fuzz.ts";
import { ReachedCode } from "./reached-code.ts";
import { fuzzTargets, type Target } from "./targets.ts";

export interface Share {
  readonly target: string;
  readonly seed: number;
  /** The first input, by its number. */
  readonly from: number;
  readonly to: number;
  /** By the clock, for a share without a last input. */
  readonly milliseconds: number;
  /** Reports after every input: slower, but it tells which one hangs. */
  readonly isCareful: boolean;
  /** Whether the code that inputs reach is watched, and whether those that reach more are damaged further. */
  readonly guidance: "none" | "watched" | "guided";
  readonly kept: readonly KeptInput[];
}

export interface Progress {
  /** How many inputs have been tried, counted from the first of all. */
  readonly tried: number;
  readonly findings: readonly Pick<Finding, "bytes" | "what">[];
  readonly kept: readonly KeptInput[];
  /** How many stretches of code were reached; 0 when that is not watched. */
  readonly reached: number;
  readonly isDone: boolean;
}

const REPORT_MILLISECONDS = 100;
const targets = await fuzzTargets();
// As in the processes that parse.
process.on("unhandledRejection", () => {});
process.on("disconnect", () => process.exit());
process.on("message", (share: Share) => perform(share).catch(fail));
report({ tried: 0, findings: [], kept: [], reached: 0, isDone: true });

async function triedAlone(target: Target, suspects: readonly Finding[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { bytes } of suspects) {
    const finding = await tryInput(target, bytes);
    if (finding) findings.push(finding);
  }
  return findings;
}

async function perform(share: Share): Promise<void> {
  const { target: name, seed, from, to, milliseconds, isCareful, guidance } = share;
  const target = targets.find((candidate) => candidate.name === name)!;
  const kept = [...share.kept];
  const code = guidance === "none" ? null : await codeReachedBy(target, kept);
  let sent = kept.length;
  const end = performance.now() + milliseconds;
  let [tried, reported] = [from, performance.now()];
  while (tried < to && performance.now() < end) {
    const numbers = Array.from({ length: Math.min(target.atATime ?? 1, to - tried) }, (_, at) => tried + at);
    const inputs = numbers.map((number) => inputNumber(target, seed, number, guidance === "guided" ? kept : []));
    const tries = inputs.map((input) => tryInput(target, input));
    const together = (await Promise.all(tries)).filter((finding) => finding !== null);
    // The processor time of several at once is that of all of them: each is tried again alone.
    const findings = numbers.length === 1 ? together : await triedAlone(target, together);
    // Of several at a time, which one reached more cannot be told.
    if ((await code?.isMore()) && inputs.length === 1) kept.push({ number: tried, bytes: inputs[0]! });
    tried += numbers.length;
    if (findings.length === 0 && !isCareful && performance.now() - reported < REPORT_MILLISECONDS) continue;
    reported = performance.now();
    report({ tried, findings, kept: kept.slice(sent), reached: code?.size ?? 0, isDone: false });
    sent = kept.length;
    // The report is on its way before the next input, whatever that does.
    await new Promise(setImmediate);
  }
  code?.stop();
  report({ tried, findings: [], kept: kept.slice(sent), reached: code?.size ?? 0, isDone: true });
}

/** What the corpus reaches is nothing new. */
async function codeReachedBy(target: Target, kept: readonly KeptInput[]): Promise<ReachedCode> {
  const code = await ReachedCode.watch();
  await code.isMore();
  for (const bytes of [...target.corpus, ...kept.map((one) => one.bytes)]) await tryInput(target, bytes);
  await code.isMore();
  return code;
}

/** A fault of the fuzzer itself. */
function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}

function report(progress: Progress): void {
  process.send?.(progress);
}

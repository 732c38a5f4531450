import type { TrustCheck, TrustCheckName } from "../../../api/trust.ts";
import type { BlindVote } from "../../../stats/judge-health/agreement.ts";
import { checkSelfPreference, FEWEST_TEXTS, isWriter } from "../../../stats/judge-health/biases.ts";
import { type JudgeHealth, judgeHealth } from "../../../stats/judge-health/judge-health.ts";
import { byItem, type CheckName, type Judgement } from "../../../stats/judge-health/judgement.ts";
import type { FiledCheck } from "./trust-files.ts";

export interface TrustRecords {
  /** Under the judge's name with its method, and what sets it apart. */
  readonly judgements: readonly Judgement[];
  readonly votes: readonly BlindVote[];
  readonly files: readonly FiledCheck[];
}

const SEED = 1;
const RESAMPLES = 400;
const NONE = { command: null, requests: [], canPlan: false } as const;

/** What the library, the votes and the results in it say of one judge. */
export function measuredChecks(name: string, judge: string, records: TrustRecords): TrustCheck[] {
  const own = records.judgements.filter((judgement) => judgement.judge === name);
  const votes = records.votes.filter((vote) => vote.judge === name);
  const [health] = judgeHealth(
    { judgements: own, votes, anchors: [], comparisons: [], scale: null },
    { seed: SEED, resamples: RESAMPLES },
  );
  const filed = (check: TrustCheckName) =>
    records.files.findLast((file) => file.check.check === check && (file.judge === judge || file.judge === name))
      ?.check;
  return [
    found(health, "test-retest", "repeatability", "library") ??
      unmeasured("repeatability", `Needs three books judged more than once; this judge has ${repeated(own)}.`),
    found(health, "length-bias", "length-bias", "library") ??
      unmeasured("length-bias", `Needs ten books; this judge has judged ${byItem(own).size}.`),
    filed("position-bias") ?? unmeasured("position-bias", "No comparison of books by this judge is in the library."),
    filed("self-preference") ?? selfPreference(name, records.judgements),
    filed("contamination") ?? unmeasured("contamination", "No probe of this judge is in the library."),
    filed("stress") ?? unmeasured("stress", "No stress test of this judge is in the library."),
    found(health, "agreement", "agreement", "votes") ??
      unmeasured("agreement", `Needs ten blind votes on verdicts of this judge; there are ${votes.length}.`),
  ];
}

/** Texts whose author is the judge, beside texts of others, as it and other judges score them. */
function selfPreference(name: string, judgements: readonly Judgement[]): TrustCheck {
  const { state, n, figure, message } = checkSelfPreference(name, judgements, { seed: SEED, resamples: RESAMPLES });
  if (state !== "unknown") {
    const shown = figure && { value: figure.value, interval: figure.interval, isShare: false };
    return { check: "self-preference", state, n, figure: shown, detail: message, source: "library", ...NONE };
  }
  const own = new Set(judgements.filter(({ writer }) => isWriter(writer, name)).map(({ item }) => item)).size;
  return unmeasured(
    "self-preference",
    `Needs ${FEWEST_TEXTS} texts written by this judge, with its name as their author, and ${FEWEST_TEXTS} by others, each scored by another judge too; the library has scores of ${own} by it.`,
  );
}

function repeated(judgements: readonly Judgement[]): number {
  return [...byItem(judgements).values()].filter(({ length }) => length > 1).length;
}

function found(
  health: JudgeHealth | undefined,
  name: CheckName,
  check: TrustCheckName,
  source: "library" | "votes",
): TrustCheck | null {
  const finding = health?.findings.find((one) => one.check === name);
  if (!finding || finding.state === "unknown") return null;
  const { state, n, figure, message } = finding;
  const shown = figure && { value: figure.value, interval: figure.interval, isShare: check === "agreement" };
  return { check, state, n, figure: shown, detail: message, source, ...NONE };
}

function unmeasured(check: TrustCheckName, detail: string): TrustCheck {
  return { check, state: "unknown", n: 0, figure: null, detail, source: null, ...NONE };
}

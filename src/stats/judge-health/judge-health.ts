import { mean, sum } from "../distribution.ts";
import { principalComponents } from "../linear/principal-components.ts";
import { type BlindVote, checkAgreement } from "./agreement.ts";
import { checkLengthBias, checkPositionBias, checkSelfPreference, checkVerbosity } from "./biases.ts";
import { checkDamage, type DamageReaction } from "./damage.ts";
import {
  type Finding,
  type HealthOptions,
  type Judgement,
  type OrderedComparison,
  unknownFinding,
} from "./judgement.ts";
import { checkScaleUse, type Scale } from "./scale-use.ts";
import { checkDrift, checkTestRetest } from "./steadiness.ts";

const PROBLEM = 0.9;
const WATCH = 0.75;
const FEWEST = 10;

/** Are all aspects one number? The share of their variance that a single component explains. */
function checkHalo(judgements: readonly Judgement[]): Finding {
  const names = [...new Set(judgements.flatMap(({ aspects }) => Object.keys(aspects)))];
  const usable = names.filter((name) => judgements.some(({ aspects }) => isNumber(aspects[name])));
  const rows = judgements
    .map(({ aspects }) => usable.map((name) => aspects[name] ?? Number.NaN))
    .filter((row) => row.every(isNumber));
  if (usable.length < 3 || rows.length < FEWEST) {
    return unknownFinding("halo", `needs at least three aspects, all scored on at least ${FEWEST} texts`);
  }
  const varying = usable
    .map((_, column) => column)
    .filter((column) => rows.some((row) => row[column] !== rows[0]![column]));
  if (varying.length < 3) return unknownFinding("halo", "fewer than three aspects vary from text to text");
  const { explained } = principalComponents(
    rows.map((row) => varying.map((column) => row[column]!)),
    { standardise: true },
  );
  const share = explained[0]!;
  // 1 when one component explains all, the number of aspects when all count alike (the participation ratio).
  const dimensions = 1 / sum(explained.map((part) => part ** 2));
  return {
    check: "halo",
    state: share >= PROBLEM ? "problem" : share >= WATCH ? "watch" : "sound",
    n: rows.length,
    figure: { name: "variance explained by one component", value: share, interval: null },
    message: `${varying.length} aspects carry about ${dimensions.toFixed(1)} numbers; they lie ${meanSpread(rows, varying).toFixed(2)} points apart within a text.`,
  };
}

function meanSpread(rows: readonly (readonly number[])[], columns: readonly number[]): number {
  return mean(
    rows.map((row) => {
      const scores = columns.map((column) => row[column]!);
      return Math.max(...scores) - Math.min(...scores);
    }),
  );
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined && !Number.isNaN(value);
}

export interface HealthRecords {
  readonly judgements: readonly Judgement[];
  /** Earlier judgements of pinned texts. */
  readonly anchors: readonly Judgement[];
  readonly comparisons: readonly OrderedComparison[];
  readonly scale: Scale | null;
  /** From stress tests. */
  readonly reactions?: readonly DamageReaction[];
  /** What people said of the judge's verdicts without knowing whose they were. */
  readonly votes?: readonly BlindVote[];
}

export interface JudgeHealth {
  readonly judge: string;
  readonly judgements: number;
  readonly unscored: number;
  readonly findings: readonly Finding[];
}

/**
 * Runs every check of how a judge scores, for every judge in the records: steadiness, bias by position, length or
 * author, aspects that all get the same score, use of the scale, drift, response to damaged text, and agreement with blind votes. A check that
 * lacks data is `unknown`, not passed.
 *
 * @example
 * ```ts
 * const scale = { minimum: 1, maximum: 10 };
 * const reports = judgeHealth({ judgements, anchors: [], comparisons: [], scale }, { seed: 1, resamples: 1000 });
 * for (const { judge, findings } of reports) {
 *   for (const { check, state, message } of findings) console.log(judge, check, state, message);
 * }
 * ```
 */
export function judgeHealth(records: HealthRecords, options: HealthOptions): JudgeHealth[] {
  const judges = new Set(
    [
      ...[...records.judgements, ...records.comparisons],
      ...[...(records.reactions ?? []), ...(records.votes ?? [])],
    ].map(({ judge }) => judge),
  );
  return [...judges].map((judge) => {
    const own = <Row extends { readonly judge: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.judge === judge);
    const judgements = own(records.judgements);
    // A new version of a judge has a new name, so anchors without this name are its predecessor's.
    const sameName = own(records.anchors);
    const anchors = sameName.length > 0 ? sameName : records.anchors;
    return {
      judge,
      judgements: judgements.length,
      unscored: judgements.filter(({ score }) => Number.isNaN(score)).length,
      findings: [
        checkTestRetest(judgements, options),
        checkPositionBias(own(records.comparisons)),
        checkLengthBias(judgements, options),
        checkVerbosity(judgements, options),
        checkSelfPreference(judge, records.judgements, options),
        checkHalo(judgements),
        checkScaleUse(judgements, records.scale),
        checkDrift(judgements, anchors, options),
        checkDamage(own(records.reactions ?? [])),
        checkAgreement(own(records.votes ?? [])),
      ].map(withoutEmptyInterval),
    };
  });
}

/** An interval without width comes of data that do not vary, and would read as certainty. */
function withoutEmptyInterval(finding: Finding): Finding {
  const { figure } = finding;
  if (!figure?.interval || figure.interval[1] - figure.interval[0] > 1e-9) return finding;
  return { ...finding, figure: { ...figure, interval: null } };
}

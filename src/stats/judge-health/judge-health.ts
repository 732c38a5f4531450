import { type BlindVote, checkAgreement } from "./agreement.ts";
import { checkDamage, type DamageReaction } from "./damage.ts";
import { checkDrift } from "./drift.ts";
import { checkHalo } from "./halo.ts";
import type { Finding, HealthOptions, Judgement, OrderedComparison } from "./judgement.ts";
import { checkLengthBias, checkVerbosity } from "./length-bias.ts";
import { checkPositionBias } from "./position-bias.ts";
import { checkScaleUse, type Scale } from "./scale-use.ts";
import { checkSelfPreference } from "./self-preference.ts";
import { checkTestRetest } from "./test-retest.ts";

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
      ],
    };
  });
}

import { addCosts } from "../core/cost.ts";
import { averageVerdicts, isScored, scored, type Verdict } from "../core/verdict.ts";
import { kendallConcordance } from "../stats/agreement.ts";
import { mean, sum } from "../stats/distribution.ts";
import { judgeNoise } from "../stats/error-model.ts";
import type { AspectResult, BookEvaluation, Coverage, Evidence, Ledger, Panel, Remark } from "./evaluation.ts";
import { spreadOf } from "./repeats.ts";

/** A judge's verdicts by aspect. */
export type AspectVerdicts = Readonly<Record<string, Verdict>>;

/**
 * Mean absolute difference between judges on one scale, over all pairs and all of these aspects that both scored;
 * null if there are none.
 */
export function meanDifference(judges: readonly AspectVerdicts[], aspects: readonly string[]): number | null {
  const differences: number[] = [];
  for (const [position, left] of judges.entries()) {
    for (const right of judges.slice(position + 1)) {
      for (const aspect of aspects) {
        const [one, other] = [left[aspect], right[aspect]];
        if (one && other && isScored(one) && isScored(other)) differences.push(Math.abs(one.score - other.score));
      }
    }
  }
  return differences.length === 0 ? null : mean(differences);
}

const SHOWN = 6;

/** Combines several judges' evaluations of one book: each judge counts once, however many runs it took. */
export function combinePanel(evaluations: readonly BookEvaluation[]): BookEvaluation {
  const [first] = evaluations;
  if (!first || evaluations.length === 1) return first!;
  const { scale } = first;
  const panel = panelOf(evaluations);
  const aspects = first.aspects.map((aspect): AspectResult => {
    const same = evaluations.flatMap((evaluation) => evaluation.aspects.filter(({ id }) => id === aspect.id));
    const { repeats: _ofOneJudge, ...shared } = aspect;
    return {
      ...shared,
      course: meanCourse(same.map(({ course }) => course)),
      verdict: combinedVerdict(
        same.map(({ verdict }) => verdict),
        scale,
      ),
      ...mergeRemarks(same),
    };
  });
  const { repeats: _ofOneJudge, ...shared } = first;
  return {
    ...shared,
    runs: Math.max(...evaluations.map(({ runs }) => runs)),
    judge: evaluations.map(({ judge }) => judge).join(" + "),
    overall: combinedVerdict(
      evaluations.map(({ overall }) => overall),
      scale,
    ),
    overallCourse: meanCourse(evaluations.map(({ overallCourse }) => overallCourse)),
    aspects,
    coverage: sharedCoverage(evaluations),
    ledger: sharedLedger(evaluations),
    calls: sum(evaluations.map(({ calls }) => calls)),
    ...addCosts(evaluations),
    grounding: {
      quotations: sum(evaluations.map(({ grounding }) => grounding?.quotations ?? 0)),
      found: sum(evaluations.map(({ grounding }) => grounding?.found ?? 0)),
    },
    notes: [...new Set(evaluations.flatMap(({ notes }) => notes)), ...panelInWords(panel)],
    panel,
  };
}

/**
 * The judges' mean. Its interval is the wider of two: the one from the spread of the judges, and the one from each
 * judge's own uncertainty. Two judges that agree by chance, each with a wide interval, are not certain together.
 */
function combinedVerdict(verdicts: readonly Verdict[], scale: BookEvaluation["scale"]): Verdict {
  const known = verdicts.filter(isScored);
  // Without the allowance for rounding: two judges that happen to agree say nothing about their spread.
  const apart = { ...judgeNoise([{ text: "", measure: "", scores: known.map(({ score }) => score) }]), grain: 0 };
  const { verdict: mean } = spreadOf(verdicts, scale, apart);
  if (!isScored(mean) || known.some(({ interval }) => !interval)) return mean;
  const own = (side: 0 | 1) =>
    Math.sqrt(sum(known.map(({ score, interval }) => (interval![side] - score) ** 2))) / known.length;
  const low = Math.min(mean.interval?.[0] ?? mean.score, mean.score - own(0));
  const high = Math.max(mean.interval?.[1] ?? mean.score, mean.score + own(1));
  return scored(mean.score, [Math.max(scale.minimum, low), Math.min(scale.maximum, high)]);
}

/** The judges' mean at each place in the book that any of them scored. */
function meanCourse(courses: readonly BookEvaluation["overallCourse"][]): BookEvaluation["overallCourse"] {
  const longest = courses.reduce((best, course) => (course.length > best.length ? course : best), []);
  return longest.map(({ chapter }, at) => ({
    chapter,
    verdict: averageVerdicts(courses.flatMap((course) => course[at]?.verdict ?? [])).verdict,
  }));
}

/** What every judge of the panel saw; for a chapter that one of them missed, that judge is named. */
function sharedCoverage(evaluations: readonly BookEvaluation[]): Coverage {
  const least = evaluations
    .map(({ coverage }) => coverage)
    .reduce((lowest, coverage) => (coverage.judgedWords < lowest.judgedWords ? coverage : lowest));
  return {
    ...least,
    skipped: evaluations.flatMap(({ judge, coverage }) =>
      coverage.skipped.map(({ chapter, reason }) => ({ chapter, reason: `${judge}: ${reason}` })),
    ),
  };
}

/** For each segment, in how many runs of all judges it was seen, and which judge did not see it. */
function sharedLedger(evaluations: readonly BookEvaluation[]): Ledger {
  const kept = evaluations.map(({ judge, ledger = [] }) => ({ judge, ledger }));
  return (kept[0]?.ledger ?? []).map((entry, at) => {
    const entries = kept.flatMap(({ judge, ledger }) => (ledger[at] ? [{ judge, ...ledger[at] }] : []));
    const { seenAs } = entries.find((one) => one.seenAs !== "nothing") ?? entry;
    const missed = entries.filter((one) => one.seenAs === "nothing");
    return {
      ...entry,
      seenAs,
      reason: missed.length === 0 ? null : missed.map(({ judge, reason }) => `${judge}: ${reason}`).join("; "),
      runs: sum(entries.map(({ runs }) => runs)),
    };
  });
}

function panelOf(evaluations: readonly BookEvaluation[]): Panel {
  const { scale } = evaluations[0]!;
  const judges = evaluations.map(({ judge, overall, aspects, runs, repeats, coverage, ledger }) => ({
    judge,
    overall,
    aspects: Object.fromEntries(aspects.map(({ id, verdict }) => [id, verdict])),
    runs,
    ...(repeats && { repeats }),
    coverage,
    ...(ledger && { ledger }),
  }));
  return {
    judges,
    difference: meanDifference(
      judges.map(({ aspects }) => aspects),
      evaluations[0]!.aspects.map(({ id }) => id),
    ),
    concordance: concordance(evaluations),
    without: evaluations.map(({ judge }) => {
      const others = evaluations.filter((other) => other.judge !== judge).map(({ overall }) => overall);
      return { judge, overall: combinedVerdict(others, scale) };
    }),
  };
}

function panelInWords({ judges, difference, concordance: agreement, without }: Panel): string[] {
  const points = (verdict: Verdict) => (isScored(verdict) ? verdict.score.toFixed(1) : "unscored");
  return [
    ...judgesBehindMeans(judges),
    ...judges.map(
      ({ judge, overall }, at) => `${judge}: ${points(overall)}; without this judge ${points(without[at]!.overall)}.`,
    ),
    ...(difference === null
      ? []
      : [`The judges differ by ${difference.toFixed(1)} points on average over the aspects.`]),
    ...(agreement === null
      ? []
      : [`Kendall's W over the aspects is ${agreement.toFixed(2)} (1: all rank them alike).`]),
  ];
}

/** If fewer judges gave a score than were asked, names those behind the mean, overall and by aspect. */
function judgesBehindMeans(judges: Panel["judges"]): string[] {
  const silent = judges.filter(({ overall }) => !isScored(overall));
  const spoke = judges.filter(({ overall }) => isScored(overall)).map(({ judge }) => judge);
  const whole =
    silent.length === 0 || spoke.length === 0
      ? []
      : [
          `The overall score and its interval are of ${spoke.join(" and ")} alone: ${silent
            .map(({ judge, overall }) => `${judge} gave none (${isScored(overall) ? "" : overall.reason})`)
            .join(", ")}.`,
        ];
  const partly = judges.flatMap(({ judge, overall, aspects }) => {
    const missing = Object.entries(aspects).filter(([, verdict]) => !isScored(verdict));
    return isScored(overall) && missing.length > 0
      ? [
          `${judge} gave no score for ${missing.map(([id]) => id).join(", ")}: what the panel says of that is of the others.`,
        ]
      : [];
  });
  return [...whole, ...partly];
}

/** The judges' remarks in turn, so that no judge dominates. */
function mergeRemarks(results: readonly AspectResult[]): Pick<AspectResult, "strengths" | "weaknesses" | "evidence"> {
  const evidence: Evidence[] = [];
  const merge = (pick: (result: AspectResult) => readonly Remark[]): Remark[] => {
    const merged: Remark[] = [];
    for (let round = 0; round < SHOWN; round++) {
      for (const result of results) {
        const remark = pick(result)[round];
        if (!remark || merged.length >= SHOWN) continue;
        merged.push({ ...remark, evidence: remark.evidence.map((at) => evidence.push(result.evidence[at]!) - 1) });
      }
    }
    return merged;
  };
  return {
    strengths: merge(({ strengths }) => strengths),
    weaknesses: merge(({ weaknesses }) => weaknesses),
    evidence,
  };
}

/** Over the aspects that every judge scored. */
function concordance(evaluations: readonly BookEvaluation[]): number | null {
  const shared = evaluations[0]!.aspects.filter(({ id }) =>
    evaluations.every(({ aspects }) => aspects.some((aspect) => aspect.id === id && isScored(aspect.verdict))),
  );
  const rows = evaluations.map(({ aspects }) =>
    shared.map(({ id }) => {
      const verdict = aspects.find((aspect) => aspect.id === id)!.verdict;
      return isScored(verdict) ? verdict.score : 0;
    }),
  );
  return kendallConcordance(rows).value;
}

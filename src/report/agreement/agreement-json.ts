import type { Agreement } from "../../stats/meta-evaluation/agreement.ts";
import type { MetricAgreement } from "../../stats/meta-evaluation/agreement-study.ts";
import type { AgreementReport } from "./agreement-report.ts";

/**
 * The report for other programs. The figures of the first metric stand at the top, in the shape the command's contract
 * names; `metrics` holds those of all.
 */
export function agreementJson({ table, human, system, item, group, study }: AgreementReport) {
  const { metrics, comparisons, groups, rows, interval, over, resamples, confidence, seed } = study;
  return {
    ...(metrics[0] && metricJson(metrics[0])),
    table,
    human,
    system,
    item,
    group,
    rows,
    bootstrap: { interval, over, resamples, confidence, seed },
    metrics: metrics.map(metricJson),
    comparisons,
    groups: groups.map((entry) => ({ group: entry.group, metrics: entry.metrics.map(metricJson) })),
  };
}

function metricJson({ metric, agreement, warnings, pooled, withinItems }: MetricAgreement) {
  return {
    ...figures(agreement),
    metric,
    warnings,
    ...(pooled && { pooled: figures(pooled) }),
    ...(withinItems && { withinItems }),
  };
}

function figures({ points: _, ...rest }: Agreement) {
  return rest;
}

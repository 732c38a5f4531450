import { countPairs } from "../correlation/pair-counts.ts";
import { pearson } from "../correlation/pearson.ts";
import { quantiles } from "../distribution/quantile.ts";
import { denseRanks } from "../distribution/ranks.ts";
import type { Agreement } from "./agreement.ts";

/** Something a reader of the figures should know before believing them. */
export interface AgreementWarning {
  readonly code: "few-systems" | "few-items" | "missing" | "restricted-range" | "ties" | "one-point" | "undefined";
  readonly message: string;
}

const NAMES = { pearson: "Pearson", spearman: "Spearman", kendall: "Kendall" } as const;
const FEW_SYSTEMS = 10;
const FEW_ITEMS = 30;
const NARROW = 0.2;
const MANY_TIES = 0.25;
const LEVERAGE = 0.2;
const LARGEST_FOR_LEVERAGE = 200;

export function agreementWarnings(agreement: Agreement): AgreementWarning[] {
  const { level, n, missing, points } = agreement;
  const unit = level === "system" ? "systems" : "items";
  const warnings: AgreementWarning[] = [];
  if (level === "system" && n < FEW_SYSTEMS) {
    warnings.push({
      code: "few-systems",
      message: `Only ${n} systems: with so few points the intervals are wide and one system can make or break a correlation.`,
    });
  }
  if (level === "item" && n < FEW_ITEMS) {
    warnings.push({
      code: "few-items",
      message: `Only ${n} items: the intervals are wide and may be too narrow still.`,
    });
  }
  if (missing > 0) {
    warnings.push({ code: "missing", message: `${missing} ${unit} lack a rating or a score and were left out.` });
  }
  for (const [name, column] of [["human ratings", points.human] as const, ["scores", points.metric] as const]) {
    if (isRestricted(column)) {
      warnings.push({
        code: "restricted-range",
        message: `Most ${name} lie in a narrow band of their range: agreement on a wider range would look different.`,
      });
    }
  }
  warnings.push(...tieWarnings(agreement), ...leverageWarnings(agreement));
  const undefinedFigures = (["pearson", "spearman", "kendall"] as const).flatMap((name) => {
    const figure = agreement[name];
    return figure.value === null ? [{ name: NAMES[name], reason: figure.reason }] : [];
  });
  for (const reason of new Set(undefinedFigures.map((figure) => figure.reason))) {
    const names = undefinedFigures.filter((figure) => figure.reason === reason).map((figure) => figure.name);
    warnings.push({ code: "undefined", message: `${names.join(", ")}: undefined, since ${reason}.` });
  }
  return warnings;
}

/** The middle four fifths take up less than a fifth of the range. */
function isRestricted(column: Float64Array): boolean {
  if (column.length < 5) return false;
  const [lowest, low, high, highest] = quantiles(column, [0, 0.1, 0.9, 1]);
  return highest! > lowest! && high! - low! < NARROW * (highest! - lowest!);
}

function tieWarnings({ points }: Agreement): AgreementWarning[] {
  const { pairs, tiedLeft, tiedRight } = countPairs(denseRanks(points.human), denseRanks(points.metric));
  if (pairs === 0) return [];
  const percent = (tied: number) => `${Math.round((100 * tied) / pairs)}%`;
  return (
    [
      ["human ratings", tiedLeft],
      ["scores", tiedRight],
    ] as const
  )
    .filter(([, tied]) => tied > MANY_TIES * pairs && tied < pairs)
    .map(([name, tied]) => ({
      code: "ties",
      message: `${percent(tied)} of the pairs are tied in the ${name}: τ-b corrects for it, pairwise accuracy counts a tied score as half right.`,
    }));
}

/** A correlation that one point carries says little about the others (Mathur, Baldwin and Cohn, 2020). */
function leverageWarnings({ pearson: whole, points }: Agreement): AgreementWarning[] {
  const n = points.human.length;
  if (whole.value === null || n < 5 || n > LARGEST_FOR_LEVERAGE) return [];
  let largest = { change: 0, without: 0, position: 0 };
  for (let left = 0; left < n; left++) {
    const others = (column: Float64Array) => column.filter((_, position) => position !== left);
    const { value } = pearson(others(points.human), others(points.metric));
    if (value !== null && Math.abs(value - whole.value) > Math.abs(largest.change)) {
      largest = { change: value - whole.value, without: value, position: left };
    }
  }
  if (Math.abs(largest.change) < LEVERAGE) return [];
  const name = points.names?.[largest.position] ?? `point ${largest.position + 1}`;
  return [
    {
      code: "one-point",
      message: `Without ${name}, Pearson is ${largest.without.toFixed(2)} instead of ${whole.value.toFixed(2)}: one point carries it.`,
    },
  ];
}

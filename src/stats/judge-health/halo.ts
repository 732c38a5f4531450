import { mean } from "../distribution/mean.ts";
import { sum } from "../distribution/sum.ts";
import { principalComponents } from "../linear/principal-components.ts";
import { type Finding, type Judgement, unknownFinding } from "./judgement.ts";

const PROBLEM = 0.9;
const WATCH = 0.75;
const FEWEST = 10;

/** Are all aspects one number? The share of their variance that a single component explains. */
export function checkHalo(judgements: readonly Judgement[]): Finding {
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

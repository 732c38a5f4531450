import { groupBy } from "../../core/group-by.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { readEvaluations } from "../books/read-evaluations.ts";
import { agreeWithReaders } from "../trust/agree-readers.ts";
import type { Paper, PrintedRow } from "./paper.ts";
import type { ReproduceRequest } from "./reproduce-request.ts";
import type { ReproducedFigure } from "./reproduction.ts";

/** The columns of Tables 2, 6 and 7. */
export const COLUMNS = [
  "plot",
  "characters",
  "writing",
  "world",
  "themes",
  "emotion",
  "enjoyment",
  "expectation",
  "overall",
];
const RESAMPLES = 1000;

/** Tables 2, 6, 7 and 8 from evaluations: each way of judging beside the row that the paper prints for it, if it does. */
export async function evaluatedFigures(
  paper: Paper,
  books: string,
  path: string,
  request: ReproduceRequest,
): Promise<ReproducedFigure[]> {
  const evaluations = await readEvaluations(path);
  const ways = groupBy(evaluations, ({ settings, judge, method }) => settings?.hash ?? `${judge} · ${method}`);
  const figures: ReproducedFigure[] = [];
  for (const own of ways.values()) {
    const { rows } = await agreeWithReaders({
      ratings: books,
      human: "average_rating",
      evaluations: own,
      resamples: RESAMPLES,
      seed: request.seed,
      onProgress: request.onProgress,
    });
    const printed = paper.rows.find((row) => isSameWay(row, own[0]!));
    const name = wayInWords(own[0]!);
    for (const row of rows) {
      for (const { id, figure } of [
        ...row.aspects.map((one) => ({ id: one.id, figure: one })),
        { id: "overall", figure: row.overall },
      ]) {
        const { value, interval } = figure.kendall;
        figures.push({
          place: printed?.table ?? "not in the paper",
          name: `${name}: τ × 100, ${id}`,
          value: value === null ? null : 100 * value,
          interval: interval === null ? null : [100 * interval[0], 100 * interval[1]],
          n: figure.n,
          printed: printed?.values[COLUMNS.indexOf(id)] ?? null,
        });
      }
    }
    figures.push(...costFigure(paper, name, own));
  }
  return figures;
}

/** What Table 8 prints of each method, for five runs over the test books by GPT-4o. */
export const COSTS: Readonly<Record<string, string>> = {
  dollars: "cost in dollars",
  inputTokens: "input tokens in thousands",
  minutes: "minutes",
};

function costFigure(paper: Paper, name: string, evaluations: readonly BookEvaluation[]): ReproducedFigure[] {
  const { judge, method } = evaluations[0]!;
  const printed = isModel("gpt-4o", judge) ? (paper.costs[method]?.dollars ?? null) : null;
  const costs = evaluations.map(({ cost }) => cost);
  if (costs.some((cost) => cost === null)) return [];
  const value = sum(costs.map((cost) => cost ?? 0));
  return [{ place: "Table 8", name: `${name}: ${COSTS.dollars}`, value, interval: null, n: costs.length, printed }];
}

/** The paper names models as people do; a judge's name holds the provider, an address or a date too. */
function isSameWay(row: PrintedRow, { judge, method, settings }: BookEvaluation): boolean {
  if (row.method !== method || row.definitions !== (settings?.definitions ?? true)) return false;
  if (row.chapterSummaries !== (settings?.chapterSummaries ?? false)) return false;
  const summariser = settings?.summariser ?? judge;
  const cheapSummaries = isModel("gpt-4o-mini", summariser) && !isModel("gpt-4o-mini", judge);
  return isModel(row.judge, judge) && (row.summariser !== undefined) === cheapSummaries;
}

function isModel(name: string, judge: string): boolean {
  const model = judge.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-");
  if (!model.includes(name)) return false;
  return name !== "gpt-4o" || !model.includes("gpt-4o-mini");
}

function wayInWords({ judge, method, settings }: BookEvaluation): string {
  return [
    judge,
    method,
    settings?.definitions === false ? "without definitions" : "",
    settings?.chapterSummaries ? "chapter summaries" : "",
    settings?.summariser && settings.summariser !== judge ? `summaries by ${settings.summariser}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

import { FabulaError } from "../../core/errors.ts";
import { groupBy } from "../../core/group-by.ts";
import { sum } from "../../stats/distribution/sum.ts";
import {
  type MetricAgreement,
  type StudyOptions,
  studyAgreement,
} from "../../stats/meta-evaluation/agreement-study.ts";
import { humanRating, itemOf, type RatedAnswer, scoreBy } from "./rated-answer.ts";

/** How one metric agrees with people: with those who saw the references, and with those who saw the summary too. */
export interface MetricRow {
  readonly metric: string;
  readonly reference: MetricAgreement | null;
  readonly summary: MetricAgreement | null;
}

export interface DatasetAgreement {
  readonly dataset: string;
  readonly answers: number;
  readonly systems: number;
  readonly metrics: readonly MetricRow[];
}

const SETTINGS = ["reference", "summary"] as const;

/**
 * Each metric against human ratings, data set by data set: averages per system, correlated over systems, with intervals
 * drawn over systems and items; and answer by answer. `NAME-reference` and `NAME-summary` are one judge in two
 * settings; any other metric sees only the references, so it is compared with the people who did the same.
 *
 * @example
 * ```ts
 * const answers = ratedAnswerSchema.array().parse(rows); // system, question, human rating and scores of each answer
 * for (const { dataset, metrics } of metaEvaluate(answers, { seed: 1 })) {
 *   for (const { metric, reference } of metrics) console.log(dataset, metric, reference?.agreement.kendall);
 * }
 * ```
 */
export function metaEvaluate(
  answers: readonly RatedAnswer[],
  options: StudyOptions & { readonly metrics?: readonly string[] },
): DatasetAgreement[] {
  const datasets = groupBy(answers, ({ dataset }) => dataset ?? "all answers");
  const idsOf = (rows: readonly RatedAnswer[]) =>
    options.metrics ?? [...new Set(rows.flatMap(({ scores }) => Object.keys(scores)))];
  const total = sum([...datasets.values()].map((rows) => idsOf(rows).length));
  let done = 0;
  return [...datasets].map(([dataset, rows]) => {
    const system = rows.map(systemOf);
    const items = rows.map(itemOf);
    const item = items.every((name) => name !== null) ? items : null;
    const ids = idsOf(rows);
    const names = [...new Set(ids.map((id) => placeOf(id).name))];
    const cell = (name: string, setting: "reference" | "summary"): MetricAgreement | null => {
      const id = ids.find((candidate) => placeOf(candidate).name === name && placeOf(candidate).setting === setting);
      if (id === undefined) return null;
      // Each study below is of one metric, and knows nothing of the others.
      options.onProgress?.("measuring agreement", done++, total);
      const rated = rows.map((row) => ({ human: humanRating(row, setting), score: scoreBy(row, id) }));
      if (rated.every(({ human }) => Number.isNaN(human))) return null;
      // A system's two averages are of the same answers: those that were both rated and scored.
      const isWhole = ({ human, score }: (typeof rated)[number]) => !Number.isNaN(human) && !Number.isNaN(score);
      const human = Float64Array.from(rated, (row) => (isWhole(row) ? row.human : Number.NaN));
      const metrics = [{ name, scores: Float64Array.from(rated, (row) => (isWhole(row) ? row.score : Number.NaN)) }];
      return studyAgreement({ human, metrics, system, item, group: null }, { ...options, onProgress: () => {} })
        .metrics[0]!;
    };
    return {
      dataset,
      answers: rows.length,
      systems: new Set(system).size,
      metrics: names.map((metric) => ({
        metric,
        reference: cell(metric, "reference"),
        summary: cell(metric, "summary"),
      })),
    };
  });
}

function placeOf(id: string): { name: string; setting: (typeof SETTINGS)[number] } {
  const setting = SETTINGS.find((name) => id.endsWith(`-${name}`));
  return setting ? { name: id.slice(0, -setting.length - 1), setting } : { name: id, setting: "reference" };
}

function systemOf({ system, model, setting }: RatedAnswer, index: number): string {
  const name = system ?? model;
  if (name !== undefined) return setting === undefined ? name : `${name}, ${setting}`;
  throw new FabulaError(
    "E_QA_SYSTEM",
    `Answer ${index + 1} does not say which system gave it: add "system" or "model".`,
  );
}

import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { groupBy } from "../core/group-by.ts";
import { verdictSchema } from "../core/verdict.ts";
import { sum } from "../stats/distribution.ts";
import { type MetricAgreement, type StudyOptions, studyAgreement } from "../stats/meta-evaluation/agreement-study.ts";

const RATING = "a rating is a number from 1 to 5";
const rating = z.number(RATING).min(1, RATING).max(5, RATING).nullable();
const HUMAN = `${RATING}, or {"reference": …, "summary": …} with such numbers`;

/**
 * An answer with its scores (as written by `fabula qa score --out`) and people's ratings. A single rating was given
 * beside the references; if people also read the summary, there are two ratings.
 */
export const ratedAnswerSchema = z.looseObject({
  /** The system that answered; `model` by default. */
  system: z.string().optional(),
  model: z.string().optional(),
  /** What the system was shown. One model in two settings is two systems, as in the table of scores. */
  setting: z.string().optional(),
  question: z.string().optional(),
  /** The references, which distinguish two questions with the same wording. */
  answers: z.array(z.string()).optional(),
  document_id: z.string().optional(),
  /**
   * An id that several systems' answers to one question share, if question and document are not enough to match them.
   */
  item: z.union([z.string(), z.number()]).optional(),
  dataset: z.string().optional(),
  human: z.union([rating, z.object({ reference: rating.optional(), summary: rating.optional() })], HUMAN).optional(),
  scores: z.record(z.string(), z.union([z.number(), z.null(), verdictSchema])).default({}),
});

export type RatedAnswer = z.infer<typeof ratedAnswerSchema>;

/** A missing rating or score is NaN for the statistics, which leave it out and count it. */
export function humanRating({ human }: RatedAnswer, setting: "reference" | "summary"): number {
  if (human === null || human === undefined) return Number.NaN;
  if (typeof human === "number") return setting === "reference" ? human : Number.NaN;
  return human[setting] ?? Number.NaN;
}

export function scoreBy({ scores }: RatedAnswer, metric: string): number {
  const score = scores[metric];
  if (score === null || score === undefined) return Number.NaN;
  if (typeof score === "number") return score;
  return score.kind === "scored" ? score.score : Number.NaN;
}

export function itemOf({ item, document_id, question, answers }: RatedAnswer): string | null {
  if (item !== undefined) return String(item);
  if (question === undefined) return null;
  return [document_id ?? "", question, ...(answers ?? [])].map((part) => part.trim()).join("\u0000");
}

/** How one metric agrees with people who saw only the references, and with people who also saw the summary. */
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
      // Each of these studies is about one metric, independent of the others.
      options.onProgress?.("measuring agreement", done++, total);
      const rated = rows.map((row) => ({ human: humanRating(row, setting), score: scoreBy(row, id) }));
      if (rated.every(({ human }) => Number.isNaN(human))) return null;
      // Both averages of a system use the same answers: those that were rated and scored.
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

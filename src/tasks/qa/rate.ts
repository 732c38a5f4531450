import { basename, extname } from "node:path";
import { csvLine } from "../../core/csv.ts";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { readTable } from "../../core/table/read-table.ts";
import { nameColumn, numberColumn } from "../../core/table/table.ts";
import { GRADING_SETTINGS, type GradingSetting } from "../../qa/choices.ts";
import { ownSummary } from "../../qa/grading.ts";
import { loadMetrics } from "../../qa/metrics/load-metrics.ts";
import {
  HIGHEST_RATING,
  LOWEST_RATING,
  orderFor,
  type Rater,
  type RaterAgreement,
  ratableAnswers,
  raterAgreement,
} from "../../qa/rating.ts";
import { type Prediction, predictionSchema } from "../../qa/scoring/prediction.ts";
import { scorePredictions } from "../../qa/scoring/score-predictions.ts";
import { mean } from "../../stats/distribution.ts";

const COLUMNS = ["id", "setting", "title", "summary", "question", "references", "answer", "rating"] as const;

export interface RatingSheetRequest {
  /** The file that `qa sample` wrote. */
  readonly sample: string;
  readonly rater: string;
  readonly settings: readonly GradingSetting[];
  readonly seed: number;
  readonly output: string;
}

/** Writes a blind sheet for one rater: it does not say who answered, and every rater gets a different order. */
export async function writeRatingSheet(request: RatingSheetRequest): Promise<{ readonly lines: number }> {
  const rows = await readSample(request.sample);
  const items = request.settings.flatMap((setting) =>
    orderFor(ratableAnswers(rows, setting, ownSummary), `${request.rater}\u0000${setting}`, request.seed),
  );
  if (items.length === 0) {
    throw new FabulaError(
      "E_QA_RATE",
      `"${request.sample}" has no answers to rate this way: for the summary setting, draw it with \`qa sample --data BOOKS\`.`,
    );
  }
  const lines = items.map(({ item }) =>
    csvLine([
      ...[item.id, item.setting, item.title, item.summary ?? "", item.question],
      ...[item.references.map((reference) => reference.trim()).join(" / "), item.answer, ""],
    ]),
  );
  await writeWholeFile(request.output, `${[csvLine(COLUMNS), ...lines].join("\n")}\n`);
  return { lines: lines.length };
}

export interface RatedReport {
  readonly answers: number;
  readonly settings: Readonly<Partial<Record<GradingSetting, RaterAgreement>>>;
}

export interface CollectRatingsRequest {
  readonly sample: string;
  /** Filled-in sheets, one or more per rater; the file's name is the rater's name. */
  readonly sheets: readonly string[];
  /** Where to write the answers with their ratings and scores, for `qa agree`. */
  readonly output?: string;
}

/**
 * Measures how far the raters of filled-in sheets agree, and writes the answers with their mean ratings for `qa
 * agree`.
 */
export async function collectRatings(request: CollectRatingsRequest): Promise<RatedReport> {
  const rows = await readSample(request.sample);
  const raters = oneOfEachName(await Promise.all(request.sheets.map(readSheet)));
  requireOfSample(rows, raters, request.sample);
  const report = ratingsReport(rows, raters);
  if (request.output !== undefined) await writeJsonLines(request.output, await ratedRows(rows, raters));
  return report;
}

/** Sheets with the same name belong to one rater, unless they rate the same answer; then they belong to two people. */
function oneOfEachName(sheets: readonly Rater[]): Rater[] {
  const raters = new Map<string, Map<string, number>>();
  for (const { name, ratings } of sheets) {
    const own = raters.get(name) ?? new Map<string, number>();
    for (const [id, rating] of ratings) {
      if (own.has(id)) {
        throw new FabulaError(
          "E_QA_RATE",
          `Two sheets called "${name}" rate the same answer: name each file after its rater.`,
        );
      }
      own.set(id, rating);
    }
    raters.set(name, own);
  }
  return [...raters].map(([name, ratings]) => ({ name, ratings }));
}

function requireOfSample(rows: readonly Prediction[], raters: readonly Rater[], sample: string): void {
  const known = new Set(
    GRADING_SETTINGS.flatMap((setting) => ratableAnswers(rows, setting, ownSummary).map(({ item }) => item.id)),
  );
  for (const { name, ratings } of raters) {
    const unknown = [...ratings.keys()].filter((id) => !known.has(id)).length;
    if (unknown > 0) {
      throw new FabulaError(
        "E_QA_RATE",
        `${unknown} of ${ratings.size} ratings by "${name}" are of answers that are not in "${sample}": give the sample that the sheet was written from.`,
      );
    }
  }
}

export function ratingsReport(rows: readonly Prediction[], raters: readonly Rater[]): RatedReport {
  const found = GRADING_SETTINGS.flatMap((setting) => {
    const agreement = raterAgreement(ratableAnswers(rows, setting, ownSummary), raters);
    return agreement.rated === 0 ? [] : [[setting, agreement] as const];
  });
  if (found.length === 0) {
    throw new FabulaError("E_QA_UNRATED", 'No answer is rated yet: fill in the column "rating" with 1 to 5.');
  }
  return { answers: rows.length, settings: Object.fromEntries(found) };
}

/** Each answer with people's ratings, by setting: the mean, and each rating under its rater's name. */
export async function ratedRows(rows: readonly Prediction[], raters: readonly Rater[]): Promise<object[]> {
  const given = new Map<number, Partial<Record<GradingSetting, Record<string, number>>>>();
  for (const setting of GRADING_SETTINGS) {
    for (const { row, item } of ratableAnswers(rows, setting, ownSummary)) {
      const own = raters.flatMap(({ name, ratings }) => {
        const rating = ratings.get(item.id);
        return rating === undefined ? [] : [[name, rating] as const];
      });
      if (own.length > 0) given.set(row, { ...given.get(row), [setting]: Object.fromEntries(own) });
    }
  }
  const { items } = scorePredictions(rows, await loadMetrics());
  return rows.map((row, index) => {
    const ratings = given.get(index) ?? {};
    const human = Object.fromEntries(
      Object.entries(ratings).map(([setting, own]) => [setting, mean(Object.values(own))]),
    );
    const item = items[index]!;
    return { ...row, ...(item.kind === "scored" && { scores: item.scores }), human, ratings };
  });
}

async function readSample(path: string): Promise<Prediction[]> {
  const rows = await readJsonLines(path, predictionSchema);
  if (rows.length === 0) throw new FabulaError("E_QA_EMPTY", `"${path}" holds no answers.`);
  return rows;
}

async function readSheet(path: string): Promise<Rater> {
  const table = await readTable(path);
  const [ids, given] = [nameColumn(table, "id"), numberColumn(table, "rating")];
  const ratings = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    const rating = given[index]!;
    if (Number.isNaN(rating)) continue;
    if (!Number.isInteger(rating) || rating < LOWEST_RATING || rating > HIGHEST_RATING) {
      throw new FabulaError(
        "E_QA_RATE",
        `Line ${index + 2} of "${path}" is rated ${rating}: give a whole number from ${LOWEST_RATING} to ${HIGHEST_RATING}, or leave it empty.`,
      );
    }
    ratings.set(id, rating);
  }
  return { name: basename(path, extname(path)), ratings };
}

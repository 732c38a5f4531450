import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type {
  AnswerOfSystem,
  QuestionFilter,
  QuestionPage,
  QuestionRun,
  RatingAgreement,
  RatingGiven,
  RatingTask,
} from "../../api/questions.ts";
import { FabulaError } from "../../core/errors.ts";
import { groupBy } from "../../core/group-by.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { GRADING_SETTINGS, type GradingSetting } from "../../qa/choices.ts";
import { ownSummary } from "../../qa/judging.ts";
import {
  HIGHEST_RATING,
  LOWEST_RATING,
  orderFor,
  type RatableAnswer,
  type Rater,
  ratableAnswers,
  raterAgreement,
} from "../../qa/rating.ts";
import { earlierScores, type Prediction, predictionSchema } from "../../qa/scoring/prediction.ts";
import { mean } from "../../stats/distribution.ts";
import { ratedRows } from "../../workflows/qa/rate.ts";
import { notFound } from "../ids.ts";
import { readJsonFile, writeJsonFile } from "../library/json-file.ts";

/** What a run of answers keeps: all answers with their scores, the systems compared, and what raters gave. */
export function runFiles(folder: string) {
  return {
    rows: join(folder, "answers.jsonl"),
    comparison: join(folder, "comparison.json"),
    ratings: join(folder, "ratings.json"),
  };
}

const comparisonSchema = z.looseObject({
  questions: z.number(),
  books: z.number(),
  over: z.enum(["books", "questions"]),
  metrics: z.array(z.string()),
  systems: z.array(
    z.object({
      system: z.string(),
      questions: z.number(),
      unanswered: z.number(),
      seen: z.number().nullable(),
      metrics: z.record(
        z.string(),
        z.object({ mean: z.number(), interval: z.tuple([z.number(), z.number()]).nullable(), n: z.number() }),
      ),
    }),
  ),
});
const ratingsSchema = z.record(
  z.string(),
  z.record(z.string(), z.number().int().min(LOWEST_RATING).max(HIGHEST_RATING)),
);

/** From 4 of 5 a judge says right, to 2 wrong; F1 says right from a half. */
const JUDGE_RIGHT = 4;
const JUDGE_WRONG = 2;
const F1_RIGHT = 0.5;
const SEED = 1;

/** One run of answers: its table, its questions, and the ratings that people give. */
export class QuestionRuns {
  #last: { readonly key: string; readonly rows: readonly Prediction[] } | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  async run(id: string, name: string, folder: string): Promise<QuestionRun> {
    const comparison = await readJsonFile(runFiles(folder).comparison, comparisonSchema);
    if (comparison === null) throw notFound("result");
    const { questions, books, over, metrics, systems } = comparison;
    const hasSummaries = (await this.#rows(folder)).some((row) => ownSummary(row) !== null);
    return { id, name, questions, books, over, metrics, systems, judges: metrics.filter(isJudge), hasSummaries };
  }

  async items(
    folder: string,
    { filter, from, limit }: { readonly filter: QuestionFilter; readonly from: number; readonly limit: number },
  ): Promise<QuestionPage> {
    const rows = await this.#rows(folder);
    const marks = ratingsOfRows(rows, await this.#raters(folder));
    const byQuestion = groupBy(rows.keys(), (row) => questionOf(rows[row]!));
    const wanted = [...byQuestion.values()].filter(
      (own) => filter === "all" || own.some((row) => isDisputed(earlierScores(rows[row]!), filter)),
    );
    return {
      total: wanted.length,
      items: wanted.slice(from, from + limit).map((own) => {
        const { question = "", title, document_id, answers } = rows[own[0]!]!;
        return {
          question,
          book: title ?? document_id ?? null,
          references: answers,
          answers: own.map((row) => answerOf(rows[row]!, marks.get(row) ?? {})),
        };
      }),
    };
  }

  async task(folder: string, rater: string, setting: GradingSetting): Promise<RatingTask> {
    const answers = ratableAnswers(await this.#rows(folder), setting, ownSummary);
    const ratings = (await readJsonFile(runFiles(folder).ratings, ratingsSchema))?.[rater] ?? {};
    return {
      items: orderFor(answers, `${rater}\u0000${setting}`, SEED).map(
        ({ item: { setting: _setting, ...shown } }) => shown,
      ),
      ratings,
    };
  }

  /** One after another: two raters may answer at the same moment. */
  rate(folder: string, { rater, item, rating }: RatingGiven): Promise<void> {
    const written = this.#writing.then(async () => {
      const rows = await this.#rows(folder);
      const known = GRADING_SETTINGS.some((setting) =>
        ratableAnswers(rows, setting, ownSummary).some(({ item: { id } }) => id === item),
      );
      if (!known) throw new FabulaError("E_NOT_FOUND", "This answer is not in the run any more: reload the page.");
      const path = runFiles(folder).ratings;
      const all = (await readJsonFile(path, ratingsSchema)) ?? {};
      const { [item]: _before, ...others } = all[rater] ?? {};
      await writeJsonFile(path, { ...all, [rater]: rating === null ? others : { ...others, [item]: rating } });
    });
    this.#writing = written.catch(() => {});
    return written;
  }

  async agreement(folder: string): Promise<RatingAgreement> {
    const rows = await this.#rows(folder);
    const raters = await this.#raters(folder);
    const settings = GRADING_SETTINGS.flatMap((setting) => {
      const answers = ratableAnswers(rows, setting, ownSummary);
      const { alpha, interval, rated, twice, raters: own } = raterAgreement(answers, raters);
      if (rated === 0) return [];
      return [
        {
          setting,
          alpha: alpha.value,
          interval,
          rated,
          twice,
          raters: own,
          systems: systemMeans(rows, answers, raters),
        },
      ];
    });
    return { settings };
  }

  /** For `fabula qa agree`. */
  async rated(folder: string): Promise<string> {
    const rows = await ratedRows(await this.#rows(folder), await this.#raters(folder));
    return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  }

  async #raters(folder: string): Promise<Rater[]> {
    const all = (await readJsonFile(runFiles(folder).ratings, ratingsSchema)) ?? {};
    return Object.entries(all).map(([name, ratings]) => ({ name, ratings: new Map(Object.entries(ratings)) }));
  }

  /** The run that was looked at last stays in memory: its questions are read page by page. */
  async #rows(folder: string): Promise<readonly Prediction[]> {
    const { rows: path } = runFiles(folder);
    const found = await stat(path).catch(() => null);
    if (found === null) throw notFound("result");
    const key = `${path} ${found.mtimeMs} ${found.size}`;
    if (this.#last?.key !== key) this.#last = { key, rows: await readJsonLines(path, predictionSchema) };
    return this.#last.rows;
  }
}

function isJudge(column: string): boolean {
  return GRADING_SETTINGS.some((setting) => column.endsWith(`-${setting}`));
}

function isDisputed(scores: Readonly<Record<string, number>>, filter: Exclude<QuestionFilter, "all">): boolean {
  const f1 = scores.f1;
  if (f1 === undefined) return false;
  const grades = Object.entries(scores).flatMap(([column, score]) => (isJudge(column) ? [score] : []));
  return filter === "judge-wrong"
    ? f1 >= F1_RIGHT && grades.some((grade) => grade <= JUDGE_WRONG)
    : f1 < F1_RIGHT && grades.some((grade) => grade >= JUDGE_RIGHT);
}

function questionOf({ document_id, question, answers }: Prediction): string {
  return JSON.stringify([document_id, question?.trim(), answers]);
}

type Marks = Record<string, Record<string, number>>;

const passagesSchema = z.array(z.looseObject({ chapter: z.number(), text: z.string(), quoted: z.boolean() }));

function answerOf(row: Prediction, ratings: Marks): AnswerOfSystem {
  const passages = passagesSchema.safeParse(row.passages);
  return {
    system: systemOf(row),
    answer: row.prediction,
    scores: earlierScores(row),
    ratings,
    passages: passages.success ? passages.data.map(({ chapter, text, quoted }) => ({ chapter, text, quoted })) : [],
  };
}

function systemOf({ system, model, setting }: Prediction): string {
  const name = system ?? model ?? "answers";
  return setting === undefined ? name : `${name}, ${setting}`;
}

function ratingsOfRows(rows: readonly Prediction[], raters: readonly Rater[]): Map<number, Marks> {
  const marks = new Map<number, Marks>();
  for (const setting of GRADING_SETTINGS) {
    for (const { row, item } of ratableAnswers(rows, setting, ownSummary)) {
      for (const { name, ratings } of raters) {
        const rating = ratings.get(item.id);
        if (rating === undefined) continue;
        const own = marks.get(row) ?? {};
        marks.set(row, { ...own, [setting]: { ...own[setting], [name]: rating } });
      }
    }
  }
  return marks;
}

/** Best first: each answer counts as the mean of its raters. */
function systemMeans(rows: readonly Prediction[], answers: readonly RatableAnswer[], raters: readonly Rater[]) {
  const rated = answers.flatMap(({ row, item }) => {
    const given = raters.flatMap(({ ratings }) => ratings.get(item.id) ?? []);
    return given.length === 0 ? [] : [{ system: systemOf(rows[row]!), value: mean(given) }];
  });
  return [...groupBy(rated, ({ system }) => system)]
    .map(([system, own]) => ({ system, n: own.length, mean: mean(own.map(({ value }) => value)) }))
    .sort((left, right) => right.mean - left.mean);
}

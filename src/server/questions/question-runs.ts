import { stat } from "node:fs/promises";
import { z } from "zod";
import type {
  AnswerOfSystem,
  QuestionFilter,
  QuestionPage,
  QuestionRun,
  RatingAgreement,
  RatingGiven,
  RatingTask,
  SystemPair,
} from "../../api/questions.ts";
import { FabulaError } from "../../core/errors.ts";
import { groupBy } from "../../core/group-by.ts";
import { GRADING_SETTINGS, type GradingSetting } from "../../qa/choices.ts";
import { ownSummary } from "../../qa/grading.ts";
import {
  HIGHEST_RATING,
  LOWEST_RATING,
  orderFor,
  type RatableAnswer,
  type Rater,
  ratableAnswers,
  raterAgreement,
} from "../../qa/rating.ts";
import { earlierScores, type Prediction } from "../../qa/scoring/prediction.ts";
import { mean } from "../../stats/distribution.ts";
import { ratedRows } from "../../tasks/qa/rate.ts";
import { notFound } from "../ids.ts";
import { changeJsonFile, readJsonFile, withEntry } from "../library/json-file.ts";
import { runTask } from "../threads/run-task.ts";
import { answerFiles, comparisonKey, readAnswers, runFiles } from "./score-file.ts";

const interval = z.tuple([z.number(), z.number()]).nullable();

const comparisonSchema = z.looseObject({
  key: z.string(),
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
      metrics: z.record(z.string(), z.object({ mean: z.number(), interval, n: z.number() })),
    }),
  ),
  resamples: z.number(),
  hasSummaries: z.boolean(),
  differences: z.array(
    z.object({
      metric: z.string(),
      left: z.string(),
      right: z.string(),
      difference: z.number(),
      interval,
      n: z.number(),
      p: z.number(),
    }),
  ),
});
type Compared = z.infer<typeof comparisonSchema>;
const ratingsSchema = z.record(
  z.string(),
  z.record(z.string(), z.number().int().min(LOWEST_RATING).max(HIGHEST_RATING)),
);

/** Judges and people say "right" from grade 4 of 5 up and "wrong" from 2 down; a metric says "right" from 0.5 up. */
const GRADE_RIGHT = 4;
const GRADE_WRONG = 2;
const METRIC_RIGHT = 0.5;
/** A judge and people whose grades differ this much disagree. */
const APART = 2;
const SEED = 1;

interface KeptRows {
  readonly key: string;
  readonly rows: readonly Prediction[];
  /** Rows of each question. */
  readonly questions: readonly (readonly number[])[];
}

interface ItemsWanted {
  readonly filter: QuestionFilter;
  /** The metric that judges and people are compared with. */
  readonly metric?: string;
  readonly from: number;
  readonly limit: number;
}

/** One run of answers: its table, its questions, and the ratings that people give. */
export class QuestionRuns {
  #last: Promise<KeptRows> | null = null;
  #lastKey = "";
  #compared: { readonly folder: string; readonly key: string; readonly found: Promise<Compared> } | null = null;

  async run(folder: string): Promise<Omit<QuestionRun, "id" | "name" | "setId" | "work" | "ungraded">> {
    const { questions, books, over, metrics, systems, resamples, hasSummaries } = await this.#comparison(folder);
    const judges = metrics.filter(isJudge);
    return { questions, books, over, resamples, metrics, systems, judges, hasSummaries };
  }

  async differences(folder: string, metric: string): Promise<SystemPair[]> {
    const { differences } = await this.#comparison(folder);
    return differences.filter((one) => one.metric === metric).map(({ metric: _metric, ...pair }) => pair);
  }

  /** The stored comparison, or a new one. The key changes with the answers that are compared. */
  async #comparison(folder: string): Promise<Compared> {
    const key = await comparisonKey(folder);
    const last = this.#compared;
    if (last?.folder === folder && last.key === key) return last.found;
    const found = this.#keptOrMade(folder, key);
    const compared = { folder, key, found };
    this.#compared = compared;
    found.catch(() => {
      if (this.#compared === compared) this.#compared = null;
    });
    return found;
  }

  async #keptOrMade(folder: string, key: string): Promise<Compared> {
    const kept = await readJsonFile(runFiles(folder).comparison, comparisonSchema).catch(() => null);
    if (kept?.key === key) return kept;
    if ((await answerFiles(folder)).length === 0) throw notFound("result");
    return comparisonSchema.parse(await runTask("compare-answers", { folder }));
  }

  async items(folder: string, { filter, metric = "f1", from, limit }: ItemsWanted): Promise<QuestionPage> {
    const { rows, questions } = await this.#kept(folder);
    const marks = ratingsOfRows(rows, await this.#raters(folder));
    const numbered = questions.map((own, at) => ({ number: at + 1, own }));
    const wanted =
      filter === "all"
        ? numbered
        : numbered.filter(({ own }) =>
            own.some((row) => isDisputed(earlierScores(rows[row]!), marks.get(row) ?? {}, filter, metric)),
          );
    return {
      total: wanted.length,
      items: wanted.slice(from, from + limit).map(({ number, own }) => {
        const { question = "", title, document_id, answers } = rows[own[0]!]!;
        return {
          number,
          question,
          book: title ?? document_id ?? null,
          document: document_id ?? null,
          references: answers,
          answers: own.map((row) => answerOf(rows[row]!, marks.get(row) ?? {})),
        };
      }),
    };
  }

  /** How many answers people rated. */
  async rated(folder: string): Promise<number> {
    const all = (await readJsonFile(runFiles(folder).ratings, ratingsSchema)) ?? {};
    return new Set(Object.values(all).flatMap((own) => Object.keys(own))).size;
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

  async rate(folder: string, { rater, item, rating }: RatingGiven): Promise<void> {
    const rows = await this.#rows(folder);
    const isKnown = GRADING_SETTINGS.some((setting) =>
      ratableAnswers(rows, setting, ownSummary).some(({ item: { id } }) => id === item),
    );
    if (!isKnown) throw new FabulaError("E_NOT_FOUND", "This answer is no longer in the run: reload the page.");
    await changeJsonFile(runFiles(folder).ratings, ratingsSchema, (known) => {
      const all = known ?? {};
      return { ...all, [rater]: withEntry(all[rater] ?? {}, item, rating) };
    });
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
  async ratedLines(folder: string): Promise<string> {
    const rows = await ratedRows(await this.#rows(folder), await this.#raters(folder));
    return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  }

  async #raters(folder: string): Promise<Rater[]> {
    const all = (await readJsonFile(runFiles(folder).ratings, ratingsSchema)) ?? {};
    return Object.entries(all).map(([name, ratings]) => ({ name, ratings: new Map(Object.entries(ratings)) }));
  }

  async #rows(folder: string): Promise<readonly Prediction[]> {
    return (await this.#kept(folder)).rows;
  }

  /** The run viewed last stays in memory, since its questions are read page by page. */
  async #kept(folder: string): Promise<KeptRows> {
    const files = await answerFiles(folder);
    if (files.length === 0) throw notFound("result");
    const states = await Promise.all(files.map((file) => stat(file)));
    const key = JSON.stringify(files.map((file, at) => [file, states[at]!.mtimeMs, states[at]!.size]));
    if (this.#last === null || this.#lastKey !== key) {
      this.#lastKey = key;
      this.#last = readAnswers(folder).then((rows) => ({
        key,
        rows,
        questions: [...groupBy(rows.keys(), (row) => questionOf(rows[row]!)).values()],
      }));
      this.#last.catch(() => {
        this.#last = null;
      });
    }
    return this.#last;
  }
}

function isJudge(column: string): boolean {
  return GRADING_SETTINGS.some((setting) => column.endsWith(`-${setting}`));
}

function isDisputed(
  scores: Readonly<Record<string, number>>,
  marks: Marks,
  filter: Exclude<QuestionFilter, "all">,
  metric: string,
): boolean {
  const measured = scores[metric];
  const grades = Object.entries(scores).flatMap(([column, score]) => (isJudge(column) ? [score] : []));
  const rated = Object.values(marks).flatMap((own) => Object.values(own));
  const people = rated.length === 0 ? null : mean(rated);
  const isRight = measured !== undefined && measured >= METRIC_RIGHT;
  const isWrong = measured !== undefined && measured < METRIC_RIGHT;
  switch (filter) {
    case "judge-wrong":
      return isRight && grades.some((grade) => grade <= GRADE_WRONG);
    case "judge-right":
      return isWrong && grades.some((grade) => grade >= GRADE_RIGHT);
    case "people-judge":
      return people !== null && grades.some((grade) => Math.abs(grade - people) >= APART);
    case "people-wrong":
      return isRight && people !== null && people <= GRADE_WRONG;
    case "people-right":
      return isWrong && people !== null && people >= GRADE_RIGHT;
    default:
      return filter satisfies never;
  }
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
    reasons: Object.fromEntries(
      Object.entries(row.grades ?? {}).map(([column, { verdict, reason }]) => [
        column,
        verdict.kind === "unscored" ? verdict.reason : reason,
      ]),
    ),
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
  if (raters.length === 0) return marks;
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

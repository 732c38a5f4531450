import { groupBy } from "../../core/group-by.ts";
import { sha256 } from "../../core/hash.ts";
import { seededRandom, shuffled } from "../../core/random.ts";
import type { GradingSetting } from "../choices.ts";
import type { Prediction } from "../scoring/prediction.ts";

/** LiteraryQA's people rate answers from 1 to 5. */
export const LOWEST_RATING = 1;
export const HIGHEST_RATING = 5;

/** An answer as a rater sees it: nothing tells which system gave it. */
export interface RatingItem {
  readonly id: string;
  readonly setting: GradingSetting;
  readonly title: string;
  readonly question: string;
  readonly references: readonly string[];
  /** Given exactly in the `summary` setting. */
  readonly summary: string | null;
  readonly answer: string;
}

/** An answer that can be rated, with its place in the sample. */
export interface RatableAnswer {
  readonly row: number;
  readonly item: RatingItem;
  /** Answers to one question have this in common. */
  readonly question: string;
}

export type SummaryOf = (row: Prediction) => string | null;

/** What of a sample can be rated in a setting: there is no rating an answer that was not given, nor one without its summary. */
export function ratableAnswers(
  rows: readonly Prediction[],
  setting: GradingSetting,
  summaryOf: SummaryOf,
): RatableAnswer[] {
  const times = new Map<string, number>();
  return rows.flatMap((prediction, row) => {
    const summary = setting === "summary" ? summaryOf(prediction) : null;
    if (prediction.prediction === null || (setting === "summary" && summary === null)) return [];
    const { title = "", question = "", answers, document_id = "" } = prediction;
    const key = `${document_id}\u0000${question}\u0000${answers.join("\u0000")}`;
    const system = prediction.system ?? prediction.model ?? "";
    const place = `${setting}\u0000${system}\u0000${prediction.setting ?? ""}\u0000${key}`;
    // The same question asked twice of one system has two answers, each with an id of its own.
    const time = times.get(place) ?? 0;
    times.set(place, time + 1);
    const id = sha256(time === 0 ? place : `${place}\u0000${time}`).slice(0, ID_LENGTH);
    const answer = prediction.prediction;
    return [{ row, question: key, item: { id, setting, title, question, references: answers, summary, answer } }];
  });
}

const ID_LENGTH = 12;

/** Each rater's own order: questions at random, and the systems' answers to each at random. The same whenever it is asked for. */
export function orderFor(answers: readonly RatableAnswer[], rater: string, seed: number): RatableAnswer[] {
  const random = seededRandom(Number.parseInt(sha256(`${rater}\u0000${seed}`).slice(0, 8), 16));
  const questions = [...groupBy(answers, ({ question }) => question).values()];
  return shuffled(questions, random).flatMap((own) => shuffled(own, random));
}

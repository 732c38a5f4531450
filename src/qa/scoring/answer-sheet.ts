import { groupBy } from "../../core/group-by.ts";
import { mean } from "../../stats/distribution.ts";
import type { Prediction } from "./prediction.ts";
import type { ItemScores } from "./score-predictions.ts";

export interface AnswerFile {
  /** The system's name, if the rows do not state one. */
  readonly name: string;
  readonly predictions: readonly Prediction[];
}

/** A file of answers with their scores. */
export interface ScoredFile extends AnswerFile {
  readonly items: readonly ItemScores[];
}

export interface SheetQuestion {
  readonly question: string;
  readonly references: readonly string[];
  /** Null if neither the answers nor the data say which book it is about. */
  readonly book: string | null;
}

/** One system in one setting, with its answers and scores, question by question. */
export interface SheetSystem {
  readonly name: string;
  /** Null if the system failed, undefined if it was not asked. */
  readonly answers: readonly (string | null | undefined)[];
  /** The mean share of the book that it was shown, over the answers that state it; null if none does. */
  readonly seen: number | null;
  /** By metric; NaN for a missing score. */
  readonly scores: Readonly<Record<string, Float64Array>>;
}

/** Many systems' answers to the same questions, side by side. */
export interface AnswerSheet<Question = SheetQuestion> {
  readonly questions: readonly Question[];
  readonly systems: readonly SheetSystem[];
}

/** One system's answers in the order of its file, column by column. */
export interface AnswerColumns<Question = SheetQuestion> extends SheetSystem {
  readonly answers: readonly (string | null)[];
  readonly questions: readonly Question[];
  /**
   * For each answer a key that identifies its question: the same key in the columns of another system that was asked
   * it.
   */
  readonly keys: readonly string[];
}

export type BookFinder = (prediction: Prediction) => string | null;

export function answerSheet(files: readonly ScoredFile[], bookOf: BookFinder): AnswerSheet {
  return sideBySide(answerColumns(files, bookOf));
}

/**
 * Answers belong to the same question when book, question and references are the same. If these occur several times,
 * the first is matched with the first and the second with the second.
 */
export function answerColumns(files: readonly ScoredFile[], bookOf: BookFinder): AnswerColumns[] {
  return systemsIn(files).map(({ file, system, setting, rows }) => {
    const times = new Map<string, number>();
    const scores: Record<string, Float64Array> = {};
    const predictions = rows.map((index) => file.predictions[index]!);
    for (const [at, index] of rows.entries()) {
      const item = file.items[index]!;
      if (item.kind === "unscored") continue;
      for (const [id, score] of Object.entries(item.scores)) {
        scores[id] ??= new Float64Array(rows.length).fill(Number.NaN);
        scores[id][at] = score;
      }
    }
    const seen = predictions.flatMap((prediction) => prediction.seen ?? []);
    return {
      name: setting === undefined ? system : `${system}, ${setting}`,
      answers: predictions.map(({ prediction }) => prediction),
      seen: seen.length === 0 ? null : mean(seen),
      scores,
      questions: predictions.map((prediction) => {
        const { question = "", answers } = prediction;
        return { question, references: answers, book: bookOf(prediction) };
      }),
      keys: predictions.map((prediction) => {
        const key = questionKey(prediction);
        const time = (times.get(key) ?? 0) + 1;
        times.set(key, time);
        return `${time}\u0000${key}`;
      }),
    };
  });
}

export function sideBySide<Question>(columns: readonly AnswerColumns<Question>[]): AnswerSheet<Question> {
  const questions: Question[] = [];
  const positions = new Map<string, number>();
  const placed = columns.map((column) => {
    const places = column.keys.map((key, at) => {
      const known = positions.get(key);
      if (known !== undefined) return known;
      positions.set(key, questions.length);
      return questions.push(column.questions[at]!) - 1;
    });
    return { column, places };
  });
  return { questions, systems: placed.map(({ column, places }) => systemFrom(column, places, questions.length)) };
}

function systemFrom(column: AnswerColumns<unknown>, places: readonly number[], size: number): SheetSystem {
  const answers = new Array<string | null | undefined>(size).fill(undefined);
  for (const [at, place] of places.entries()) answers[place] = column.answers[at]!;
  const scores = Object.entries(column.scores).map(([id, values]) => {
    const spread = new Float64Array(size).fill(Number.NaN);
    for (const [at, place] of places.entries()) spread[place] = values[at]!;
    return [id, spread] as const;
  });
  return { name: column.name, answers, seen: column.seen, scores: Object.fromEntries(scores) };
}

export interface SystemRows<File extends AnswerFile> {
  readonly file: File;
  readonly system: string;
  readonly setting: string | undefined;
  readonly rows: readonly number[];
}

/**
 * The files' rows by system and setting. If two files have the same system and setting, the file name is added, so
 * that two runs are not mixed.
 */
export function systemsIn<File extends AnswerFile>(files: readonly File[]): SystemRows<File>[] {
  const groups = files.flatMap((file) => {
    const rows = groupBy(file.predictions.keys(), (index) => systemKey(file, file.predictions[index]!));
    return [...rows].map(([key, own]) => ({ file, key, rows: own }));
  });
  const alike = groupBy(groups, ({ key }) => key);
  return groups.map(({ file, key, rows }) => {
    const { system, model, setting } = file.predictions[rows[0]!]!;
    const name = system ?? model ?? file.name;
    return { file, system: alike.get(key)!.length > 1 ? `${name} (${file.name})` : name, setting, rows };
  });
}

function systemKey({ name }: AnswerFile, { system, model, setting }: Prediction): string {
  return `${system ?? model ?? name}\u0000${setting ?? ""}`;
}

function questionKey({ document_id, question, answers }: Prediction): string {
  return [document_id ?? "", question ?? "", ...answers].map((part) => part.trim()).join("\u0000");
}

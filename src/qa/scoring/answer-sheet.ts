import { groupBy } from "../../core/group-by.ts";
import { mean } from "../../stats/distribution.ts";
import type { Prediction } from "./prediction.ts";
import type { ItemScores } from "./score-predictions.ts";

export interface AnswerFile {
  /** Names the system where the rows do not. */
  readonly name: string;
  readonly predictions: readonly Prediction[];
}

/** A file of answers with the scores of each. */
export interface ScoredFile extends AnswerFile {
  readonly items: readonly ItemScores[];
}

export interface SheetQuestion {
  readonly question: string;
  readonly references: readonly string[];
  /** Null where neither the answers nor the data say which book it is about. */
  readonly book: string | null;
}

/** One system in one setting: what it answered and its scores, question by question. */
export interface SheetSystem {
  readonly name: string;
  /** Null where the system failed, undefined where it was not asked. */
  readonly answers: readonly (string | null | undefined)[];
  /** The mean share of the book that it was shown, over the answers that say so; null where none does. */
  readonly seen: number | null;
  /** By metric, NaN where there is no score. */
  readonly scores: Readonly<Record<string, Float64Array>>;
}

/** Many systems' answers to the same questions, laid side by side. */
export interface AnswerSheet {
  readonly questions: readonly SheetQuestion[];
  readonly systems: readonly SheetSystem[];
}

export type BookFinder = (prediction: Prediction) => string | null;

/**
 * Answers are to the same question when book, question and references are the same; where these come twice, the first meets
 * the first and the second the second.
 */
export function answerSheet(files: readonly ScoredFile[], bookOf: BookFinder): AnswerSheet {
  const questions: SheetQuestion[] = [];
  const positions = new Map<string, number>();
  const systems = new Map<string, { position: number; prediction: Prediction; item: ItemScores }[]>();
  for (const { file, system, setting, rows } of systemsIn(files)) {
    const name = setting === undefined ? system : `${system}, ${setting}`;
    const seen = new Map<string, number>();
    const placed = rows.map((index) => {
      const prediction = file.predictions[index]!;
      const key = questionKey(prediction);
      const time = (seen.get(key) ?? 0) + 1;
      seen.set(key, time);
      const place = `${time}\u0000${key}`;
      let position = positions.get(place);
      if (position === undefined) {
        position = questions.length;
        positions.set(place, position);
        const { question = "", answers } = prediction;
        questions.push({ question, references: answers, book: bookOf(prediction) });
      }
      return { position, prediction, item: file.items[index]! };
    });
    systems.set(name, placed);
  }
  return {
    questions,
    systems: [...systems].map(([name, placed]) => systemFrom(name, placed, questions.length)),
  };
}

function systemFrom(
  name: string,
  placed: readonly { position: number; prediction: Prediction; item: ItemScores }[],
  size: number,
): SheetSystem {
  const answers = new Array<string | null | undefined>(size).fill(undefined);
  const scores: Record<string, Float64Array> = {};
  for (const { position, prediction, item } of placed) {
    answers[position] = prediction.prediction;
    if (item.kind === "unscored") continue;
    for (const [id, score] of Object.entries(item.scores)) {
      scores[id] ??= new Float64Array(size).fill(Number.NaN);
      scores[id][position] = score;
    }
  }
  const seen = placed.flatMap(({ prediction }) => prediction.seen ?? []);
  return { name, answers, seen: seen.length === 0 ? null : mean(seen), scores };
}

export interface SystemRows<File extends AnswerFile> {
  readonly file: File;
  readonly system: string;
  readonly setting: string | undefined;
  readonly rows: readonly number[];
}

/** The files' rows by system and setting. The same of both in two files would mix two runs: the file's name tells them apart. */
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

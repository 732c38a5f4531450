import { mean } from "../../stats/distribution/mean.ts";
import type { Prediction } from "./prediction.ts";
import type { ItemScores } from "./score-predictions.ts";

/** A file of answers with the scores of each. */
export interface ScoredFile {
  /** Names the system where the rows do not. */
  readonly name: string;
  readonly predictions: readonly Prediction[];
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
  for (const { file, name, rows } of files.flatMap(systemsOf(files))) {
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

interface SystemRows {
  readonly file: ScoredFile;
  readonly name: string;
  readonly rows: readonly number[];
}

/** A file's rows by system and setting. The same name in two files would mix two runs: the file's name tells them apart. */
function systemsOf(files: readonly ScoredFile[]): (file: ScoredFile) => SystemRows[] {
  const namesOf = new Map(files.map((file) => [file, new Set(file.predictions.map((row) => nameOf(row, file)))]));
  const isTwice = (name: string) => [...namesOf.values()].filter((names) => names.has(name)).length > 1;
  return (file) => {
    const rows = new Map<string, number[]>();
    for (const [index, prediction] of file.predictions.entries()) {
      const name = nameOf(prediction, file);
      const label = isTwice(name) ? `${name} (${file.name})` : name;
      const own = rows.get(label) ?? [];
      own.push(index);
      rows.set(label, own);
    }
    return [...rows].map(([name, own]) => ({ file, name, rows: own }));
  };
}

function nameOf({ system, model, setting }: Prediction, file: ScoredFile): string {
  const name = system ?? model ?? file.name;
  return setting === undefined ? name : `${name}, ${setting}`;
}

function questionKey({ document_id, question, answers }: Prediction): string {
  return [document_id ?? "", question ?? "", ...answers].map((part) => part.trim()).join("\u0000");
}

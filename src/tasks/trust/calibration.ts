import { readFile } from "node:fs/promises";
import { basename, dirname, extname, relative, resolve } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { seededRandom } from "../../core/random.ts";
import { readTable } from "../../core/table/read-table.ts";
import { isScored, scored } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { differencesInWords, type EvaluationSettings, settingsSchema } from "../../judge/settings.ts";
import { applyIsotonic, calibrate } from "../../stats/calibration.ts";
import { mean } from "../../stats/distribution.ts";
import {
  type Difference,
  differenceOverTexts,
  FEWEST_PAIRS,
  judgeNoise,
  meanOfRuns,
  pairedDifference,
} from "../../stats/error-model.ts";
import { findBooks } from "../../text/files/find-books.ts";

/** How one judge's scores translate to people's scale, learnt from texts that people rated. */
const judgeCalibrationSchema = z.object({
  judge: z.string(),
  /** The settings the map is valid for: with another prompt, rubric or setting it would be another judge. */
  settings: settingsSchema,
  /** A rising curve: the judge's scores, and what people say about texts with each score. */
  map: z.object({ scores: z.array(z.number()).min(1), values: z.array(z.number()).min(1) }),
  /** A new text's rating lies within ± this with probability `level`. */
  halfWidth: z.number().nonnegative(),
  level: z.number(),
  /** The texts it was learnt from; judging one of them again shows whether the judge has drifted. */
  texts: z.array(
    z.object({
      name: z.string(),
      words: z.number().int().nonnegative(),
      scores: z.array(z.number()),
      people: z.number(),
    }),
  ),
});
const calibrationSchema = z.object({
  /** The path, relative to this file, of texts that every run with this calibration judges again to detect drift. */
  pinned: z.string().optional(),
  /** The table and columns with people's ratings. */
  people: z.object({
    table: z.string(),
    raters: z.array(z.string()),
    /** The lowest and highest rating, for a scale of a few whole numbers; no interval extends beyond them. */
    ends: z.tuple([z.number(), z.number()]).optional(),
  }),
  judges: z.array(judgeCalibrationSchema).min(1),
});
export type JudgeCalibration = z.infer<typeof judgeCalibrationSchema>;
export type Calibration = z.infer<typeof calibrationSchema>;

const LEVEL = 0.95;

/** Learns a judge's map to people's scale from its evaluations of texts that people rated. */
export function calibrateJudge(
  judge: string,
  settings: readonly (EvaluationSettings | undefined)[],
  texts: JudgeCalibration["texts"],
  seed: number,
): JudgeCalibration {
  const [first] = settings;
  const differences = differencesInWords(settings);
  if (!first || differences !== "") {
    throw new FabulaError(
      "E_CALIBRATION",
      `A calibration is bound to one judge, its prompts and its rubric, and the evaluations by ${judge} ${first ? `differ in ${differences}` : "do not say how they were made"}: give evaluations made in one way.`,
    );
  }
  const learnt = calibrate(
    texts.map(({ scores }) => mean(scores)),
    texts.map(({ people }) => people),
    LEVEL,
    seededRandom(seed),
  );
  if (learnt.halfWidth.value === null) {
    throw new FabulaError("E_CALIBRATION", `${judge} cannot be calibrated: ${learnt.halfWidth.reason}.`);
  }
  const { scores, values } = learnt.model;
  return {
    judge,
    settings: first,
    map: { scores: [...scores], values: [...values] },
    halfWidth: learnt.halfWidth.value,
    level: LEVEL,
    texts,
  };
}

/** Reads a calibration; makes `pinned` a path relative to the current folder. */
export async function readCalibration(path: string): Promise<Calibration> {
  try {
    const calibration = calibrationSchema.parse(JSON.parse(await readFile(path, "utf8")));
    const { pinned } = calibration;
    return pinned === undefined ? calibration : { ...calibration, pinned: resolve(dirname(path), pinned) };
  } catch (cause) {
    throw new FabulaError(
      "E_CALIBRATION",
      `"${path}" is not a calibration: make one with \`fabula trust ratings.csv --scores evaluations.jsonl --calibration FILE\`.`,
      { cause },
    );
  }
}

/** Checks that the file or folder holds enough of the calibration's texts to detect drift. */
export async function checkPinned(path: string, calibration: Calibration): Promise<void> {
  const names = isTable(path)
    ? (await readTable(path)).rows.map(({ title, id }) => String(title ?? id))
    : (await findBooks([path])).files.map((file) => basename(file, extname(file)));
  const known = new Set(names.map((name) => name.toLowerCase()));
  for (const { judge, texts } of calibration.judges) {
    const pinned = texts.filter(({ name }) => known.has(name.toLowerCase())).length;
    if (pinned >= FEWEST_PAIRS) continue;
    throw new FabulaError(
      "E_CALIBRATION",
      `"${path}" holds ${pinned} of the texts that ${judge} is calibrated with, by their names: pin ${FEWEST_PAIRS} or more.`,
    );
  }
}

/** Whether it is a file of JSON lines, which may hold summaries of books. */
export function isFileOfLines(path: string): boolean {
  return /\.jsonl(?:\.gz)?$/i.test(path);
}

/** Whether it is a table that `fabula evaluate --in` reads; anything else is a book or a folder of books. */
export function isTable(path: string): boolean {
  return isFileOfLines(path) || /\.(?:csv|tsv|parquet)(?:\.gz)?$/i.test(path);
}

/** The path to store in the calibration: relative to the calibration's folder. */
export function pinnedFrom(calibration: string, pinned: string): string {
  return relative(dirname(resolve(calibration)), resolve(pinned));
}

/** The map for exactly this judge, prompts and rubric; throws if there is none. */
export function calibrationFor(calibration: Calibration, settings: EvaluationSettings | undefined): JudgeCalibration {
  const judges = settings?.judges.join(" + ") ?? "a judge whose settings are not known";
  const ofJudge = calibration.judges.filter((one) => one.settings.judges.join(" + ") === judges);
  const differing = ofJudge.map((one) => differencesInWords([one.settings, sameRepeats(one.settings, settings!)]));
  const at = differing.indexOf("");
  if (at >= 0) return ofJudge[at]!;
  const found =
    ofJudge.length === 0
      ? `is of ${calibration.judges.map(({ judge }) => judge).join(", ")}, not of ${judges}`
      : `was made with another ${differing[0]}`;
  throw new FabulaError(
    "E_CALIBRATION",
    `The calibration ${found}: what it says of people's scale would not hold here. Judge in the way it was made, or make one for this way.`,
  );
}

/**
 * More runs than the map was made with only make a score more stable; fewer would make the promised interval too
 * narrow.
 */
function sameRepeats(then: EvaluationSettings, now: EvaluationSettings): EvaluationSettings {
  return { ...now, runs: now.runs >= then.runs ? then.runs : now.runs, untilHalfWidth: then.untilHalfWidth };
}

/** Adds the overall score on people's scale to an evaluation. */
export function onPeoplesScale(evaluation: BookEvaluation, calibration: Calibration): BookEvaluation {
  const own = calibrationFor(calibration, evaluation.settings);
  const { overall } = evaluation;
  const pinned = own.texts.find(({ name, words }) => words === evaluation.book.words && isNamed(evaluation, name));
  const about = {
    texts: own.texts.length,
    raters: calibration.people.raters.length,
    level: own.level,
    ...(pinned && { pinned: { scores: pinned.scores, people: pinned.people } }),
  };
  if (!isScored(overall)) return { ...evaluation, people: { verdict: overall, isBeyond: false, ...about } };
  const value = applyIsotonic(own.map, overall.score);
  const known = own.texts.map(({ scores }) => mean(scores));
  const isBeyond = overall.score < Math.min(...known) || overall.score > Math.max(...known);
  const [low, high] = calibration.people.ends ?? [-Infinity, Infinity];
  const verdict = scored(value, [
    Math.min(value, Math.max(low, value - own.halfWidth)),
    Math.max(value, Math.min(high, value + own.halfWidth)),
  ]);
  return { ...evaluation, people: { verdict, isBeyond, ...about } };
}

/** The names a text may have: its title, its file, or its file's name. */
export function namesOfBook({ title, file }: BookEvaluation["book"]): string[] {
  const name = basename(file);
  return [title, file, name, name.slice(0, name.length - extname(name).length)];
}

function isNamed({ book }: BookEvaluation, name: string): boolean {
  return namesOfBook(book).some((one) => one.toLowerCase() === name.toLowerCase());
}

export interface Drift {
  readonly texts: number;
  /** The change of the mean score, in the judge's points: the new mean minus the old one. */
  readonly difference: Difference;
}

/**
 * Whether the judge has drifted, from texts of the calibration that were judged again. Their mean change is compared
 * with the judge's noise if runs show it, otherwise with the spread of the changes. Null if fewer than three texts
 * were judged again.
 */
export function judgeDrift(evaluations: readonly BookEvaluation[]): Drift | null {
  const pairs = evaluations.flatMap(({ book, people, overall, repeats }) =>
    people?.pinned && isScored(overall)
      ? [{ text: book.title, before: people.pinned.scores, after: repeats?.scores ?? [overall.score] }]
      : [],
  );
  if (pairs.length < FEWEST_PAIRS) return null;
  const noise = judgeNoise(
    pairs.flatMap(({ text, before, after }) => [
      { text: `then ${text}`, measure: "overall", scores: before },
      { text: `now ${text}`, measure: "overall", scores: after },
    ]),
  );
  const means = pairs.map(({ before, after }) => [meanOfRuns(before, noise), meanOfRuns(after, noise)] as const);
  const changes = means.map(([then, now]) => ({ before: then.value, after: now.value, weight: 1 }));
  const isNoiseKnown = noise.variance !== null && noise.variance > 0;
  const tested = isNoiseKnown ? differenceOverTexts(means) : pairedDifference(changes, 0);
  const isTold = tested.p !== null && tested.p < FALSE_ALARMS;
  return { texts: pairs.length, difference: isTold ? tested : { ...tested, outcome: "cannot be told" } };
}

/** Checked in every run, so false alarms must be rarer than for a test that is done once. */
const FALSE_ALARMS = 0.01;

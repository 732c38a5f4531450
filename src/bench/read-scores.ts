import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { numberedRows } from "../core/json-lines.ts";
import { verdictSchema } from "../core/verdict.ts";
import type { Criterion, Rubric } from "../criteria/rubric.ts";
import { mean } from "../stats/distribution.ts";
import { countWords } from "../text/words.ts";
import { type ScoredChapter, UNKNOWN_WRITER } from "./population/novel-scores.ts";
import { type PanelMember, type ReferencePopulation, statedJudge } from "./population/reference-population.ts";

/** Published rows may use the field name for something else. */
const stated = z.string().optional().catch(undefined);

/**
 * A row of published scores: writer, story, chapter, and a table of scores under `scores` or a name that begins with
 * it. Dimensions may be given by the rubric's ids or names.
 */
const rowSchema = z.looseObject({
  writer: z.string().optional(),
  author: z.string().optional(),
  model: z.string().optional(),
  novel: z.string().optional(),
  story: z.string().optional(),
  title: z.string().optional(),
  id: z.string().optional(),
  judge: z.string().optional(),
  chapter: z.number().int().optional(),
  judgeVersion: stated,
  rubric: stated,
  rubricHash: stated,
  promptHash: stated,
  settings: stated,
  repeat: z.number().int().optional().catch(undefined),
  words: z.number().nonnegative().nullable().optional(),
  text: z.string().optional(),
});

const scoresSchema = z.record(z.string(), z.unknown()).nullable();

type Row = z.infer<typeof rowSchema>;

export interface ReadScoresOptions {
  /** Called with every row before it is read: false skips it, an error refuses the file. */
  readonly accept?: (row: RowBasis, file: string) => boolean;
  /** Ids of dimensions that every file must contain; without one of them no novel could be placed. */
  readonly needed?: readonly string[];
}

export async function readScores(
  path: string,
  rubric: Rubric,
  { accept, needed = [] }: ReadScoresOptions = {},
): Promise<ScoredChapter[]> {
  const positions = positionsOf(rubric);
  const positionOf = (name: string) => positions.get(name) ?? positions.get(plainName(name));
  const chapters = new Map<string, { chapter: ScoredChapter; samples: (number | null)[][] }>();
  const known = new Set<string>();
  const unknown = new Set<string>();
  let rows = 0;
  let passedOver = 0;
  for await (const { number, row } of numberedRows(path, rowSchema)) {
    rows++;
    if (accept && !accept(row, path)) {
      passedOver++;
      continue;
    }
    const scores: (number | null)[] = rubric.criteria.map(() => null);
    const line = `Line ${number} of "${path}"`;
    for (const [name, given] of scoresIn(row, line, (column) => positionOf(column) !== undefined)) {
      const score = numberIn(given, `${line} gives ${name} as`);
      const index = positionOf(name);
      if (index === undefined) {
        unknown.add(name);
        continue;
      }
      assertOnScale(score, rubric, `${line} gives ${name} as`);
      known.add(rubric.criteria[index]!.id);
      scores[index] = turned(score, rubric.criteria[index]!, rubric);
    }
    const chapter = {
      novel: row.novel ?? row.story ?? row.title ?? row.id ?? "untitled",
      writer: row.writer ?? row.author ?? row.model ?? UNKNOWN_WRITER,
      chapter: row.chapter ?? rows,
      ...(row.chapter === undefined && { isUnnumbered: true as const }),
      words: row.words ?? (row.text === undefined ? null : countWords(row.text)),
      scores,
    };
    // Only rows that state that they are repeats of one scoring are one chapter; published rows may repeat a number.
    const key =
      row.repeat === undefined ? String(rows) : JSON.stringify([chapter.writer, chapter.novel, chapter.chapter]);
    const before = chapters.get(key);
    if (before) before.samples.push(scores);
    else chapters.set(key, { chapter, samples: [scores] });
  }
  if (known.size === 0 && passedOver < Math.max(1, rows)) {
    throw new FabulaError(
      "E_SCORES",
      `"${path}" has no score for any dimension of the rubric "${rubric.id}": name the right one with --rubric.`,
    );
  }
  const missing = needed.filter((dimension) => !known.has(dimension));
  if (known.size > 0 && missing.length > 0) {
    const others =
      unknown.size === 0 ? "" : `, and has ${quoted(unknown)}, which the rubric "${rubric.id}" does not know`;
    throw new FabulaError(
      "E_SCORES",
      `"${path}" has no score for ${quoted(missing)}, which the population needs${others}: use the rubric's names, or name the right rubric with --rubric.`,
    );
  }
  return [...chapters.values()].map(({ chapter, samples }) =>
    samples.length === 1 ? chapter : { ...chapter, scores: chapter.scores.map((_, index) => meanAt(samples, index)) },
  );
}

/** The scores are under `scores`, under a name that begins with it, or, in a table, in columns of their own. */
function scoresIn(row: Row, line: string, isDimension: (column: string) => boolean): [string, unknown][] {
  const field = "scores" in row ? "scores" : Object.keys(row).find((key) => key.startsWith("scores"));
  if (field === undefined) {
    return Object.entries(row).filter(
      ([column, value]) => !(column in rowSchema.shape) && (typeof value === "number" || isDimension(column)),
    );
  }
  const given = scoresSchema.safeParse(row[field]);
  if (given.success) return Object.entries(given.data ?? {});
  throw new FabulaError("E_SCORES", `${line} has scores that are no table of names and numbers: correct it.`, {
    evidence: row[field],
  });
}

/** A dimension may be given by its id, its name, its number in the paper (D1) or its other names. */
function positionsOf({ criteria }: Rubric): Map<string, number> {
  const position = new Map<string, number>();
  for (const [index, { id, name, abbreviation, aliases = [] }] of criteria.entries()) {
    for (const called of [id, name, ...(abbreviation ? [abbreviation] : []), ...aliases]) {
      position.set(called, index);
      position.set(plainName(called), index);
    }
  }
  return position;
}

function meanAt(samples: readonly (readonly (number | null)[])[], index: number): number | null {
  const known = samples.flatMap((sample) => sample[index] ?? []);
  return known.length === 0 ? null : mean(known);
}

function numberIn(given: unknown, place: string): number | null {
  if (given === null || typeof given === "number") return given;
  const { success, data: verdict } = verdictSchema.safeParse(given);
  if (!success) {
    throw new FabulaError(
      "E_SCORES",
      `${place} ${JSON.stringify(given).slice(0, 100)}, which is neither a number nor a verdict: write numbers without quotation marks, and null where there is none.`,
    );
  }
  return verdict.kind === "scored" ? verdict.score : null;
}

/** A single score of 500 on a scale that ends at 5 would decide the order of the writers. */
function assertOnScale(score: number | null, { id, scale }: Rubric, place: string): void {
  if (score === null || (score >= scale.minimum && score <= scale.maximum)) return;
  throw new FabulaError(
    "E_SCORES",
    `${place} ${score}, and the scale of the rubric "${id}" runs from ${scale.minimum} to ${scale.maximum}: correct it, write null where there is no score, or name the right rubric with --rubric.`,
  );
}

function quoted(names: Iterable<string>): string {
  return [...names].map((name) => `"${name}"`).join(", ");
}

/** Reverses the score of a fault, so that higher is always better. */
function turned(score: number | null, criterion: Criterion, { scale }: Rubric): number | null {
  if (score === null || criterion.better === "higher") return score;
  return scale.minimum + scale.maximum - score;
}

/** "D1: Use of Literary Devices", "Use of Literary Devices Score" and "修辞手法评分" are the names in the paper. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^d\d+\s*[:：]\s*/, "")
    .replace(/(?:\s+score|评分|得分)$/, "")
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** Reorders scores from the order of a rubric to that of a population, which may use fewer of its dimensions. */
export function alignScores(
  chapters: readonly ScoredChapter[],
  rubric: Rubric,
  population: Pick<ReferencePopulation, "dimensions" | "rubric"> & { readonly id?: string },
): ScoredChapter[] {
  const order = population.dimensions.map((dimension) => {
    const index = rubric.criteria.findIndex((criterion) => criterion.id === dimension);
    if (index >= 0) return index;
    throw new FabulaError(
      "E_POPULATION_RUBRIC",
      `The population "${population.id ?? "of the panel"}" has a dimension "${dimension}" that the rubric "${rubric.id}" lacks: use the rubric it was built with, ${population.rubric.id}.`,
    );
  });
  return chapters.map((chapter) => ({ ...chapter, scores: order.map((index) => chapter.scores[index] ?? null) }));
}

/** How a row of scores was made, as far as the row states it. Missing facts cannot be checked. */
export interface RowBasis {
  readonly judge?: string | undefined;
  readonly judgeVersion?: string | undefined;
  readonly rubric?: string | undefined;
  readonly rubricHash?: string | undefined;
  readonly promptHash?: string | undefined;
  readonly settings?: string | undefined;
}

type Base = Pick<PanelMember | ReferencePopulation, "judge" | "rubric" | "prompt" | "settings">;

const SHORT = 12;

/**
 * Refuses a row made by another judge, version, rubric, prompt or setting than the population's, and names the
 * difference.
 */
export function assertRowFits(row: RowBasis, base: Base, file: string): void {
  const judge = statedJudge(base.judge);
  const found = [
    differs("judge", row.judge, judge.id),
    differs("version of the judge", row.judgeVersion, judge.version),
    row.rubricHash === undefined
      ? differs("rubric", row.rubric, base.rubric.id)
      : differs("rubric", row.rubricHash, base.rubric.hash.slice(0, SHORT)),
    differs("prompt", row.promptHash, base.prompt),
    differs("setting", row.settings, base.settings),
  ].find((difference) => difference !== null);
  if (!found) return;
  const scores = `scores by another ${found.what} than the population (${found.row}, not ${found.base})`;
  throw new FabulaError(
    "E_SCORES_BASIS",
    `"${file}" has ${scores}: leave the file out, or report it on a population of its own.`,
    { evidence: scores },
  );
}

/** Checks that rows ranked without a population were all made in the same way. */
export class SameBasis {
  #first: { readonly row: RowBasis; readonly file: string } | null = null;

  add(row: RowBasis, file: string): void {
    this.#first ??= { row, file };
    const { row: first, file: from } = this.#first;
    const found = (["judge", "judgeVersion", "rubric", "rubricHash", "promptHash", "settings"] as const).find(
      (field) => row[field] !== first[field],
    );
    if (!found) return;
    throw new FabulaError(
      "E_SCORES_BASIS",
      `The scores were not made in one way: ${NAMES[found]} is ${first[found] ?? "not stated"} in "${from}" and ${row[found] ?? "not stated"} in "${file}". Report each alone, or give a second judge's with --second.`,
    );
  }

  /** How all rows were made, as far as they state it. */
  get stated(): RowBasis {
    return this.#first?.row ?? {};
  }
}

const NAMES = {
  judge: "the judge",
  judgeVersion: "the judge's version",
  rubric: "the rubric",
  rubricHash: "the rubric's version",
  promptHash: "the prompt",
  settings: "the setting",
};

function differs(what: string, row: string | undefined, base: string | undefined) {
  return row === undefined || base === undefined || row === base ? null : { what, row, base };
}

import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { numberedRows } from "../core/json-lines.ts";
import { verdictSchema } from "../core/verdict.ts";
import type { Criterion, Rubric } from "../criteria/rubric.ts";
import { mean } from "../stats/distribution.ts";
import { countWords } from "../text/words.ts";
import type { RowBasis } from "./assert-same-basis.ts";
import { type ScoredChapter, UNKNOWN_WRITER } from "./scored-chapter.ts";

/** Rows of others may use the name for something else. */
const stated = z.string().optional().catch(undefined);

/**
 * A row of scores as people publish them: who wrote it, which story, which chapter, and a table of scores under `scores`
 * or a name that begins so. Names of dimensions may be the rubric's ids or their names.
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
  /** Sees every row before it is read: false passes it over, an error refuses the file. */
  readonly accept?: (row: RowBasis, file: string) => boolean;
  /** Dimensions that every file must name, by their ids: without one of them no novel could be placed. */
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
    // Only rows that say they are repeats of one scoring are one chapter; published rows may repeat a number.
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

/** The scores stand under `scores`, under a name that begins so, or, as in a table, in columns of their own. */
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

/** A dimension may be called by its id, its name, its number in the paper (D1) or its other names. */
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

/** One score of 500 on a scale that ends at 5 would decide the order of the writers. */
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

/** A fault's grade, turned round on the scale, so that higher is always better. */
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

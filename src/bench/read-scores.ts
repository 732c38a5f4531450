import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { jsonLines } from "../core/json-lines.ts";
import { type Verdict, verdictSchema } from "../core/verdict.ts";
import type { Criterion, Rubric } from "../criteria/rubric.ts";
import { mean } from "../stats/distribution/mean.ts";
import { countWords } from "../text/words.ts";
import type { RowBasis } from "./assert-same-basis.ts";
import type { ScoredChapter } from "./scored-chapter.ts";

const scoreSchema = z.union([z.number(), z.null(), verdictSchema]);

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

const scoresSchema = z.record(z.string(), scoreSchema).nullable();

type Row = z.infer<typeof rowSchema>;

export interface ReadScoresOptions {
  /** Sees every row before it is read: false passes it over, an error refuses the file. */
  readonly accept?: (row: RowBasis, file: string) => boolean;
}

export async function readScores(
  path: string,
  rubric: Rubric,
  { accept }: ReadScoresOptions = {},
): Promise<ScoredChapter[]> {
  const position = positionsOf(rubric);
  const chapters = new Map<string, { chapter: ScoredChapter; samples: (number | null)[][] }>();
  let known = 0;
  let rows = 0;
  let passedOver = 0;
  for await (const row of jsonLines(path, rowSchema)) {
    rows++;
    if (accept && !accept(row, path)) {
      passedOver++;
      continue;
    }
    const scores: (number | null)[] = rubric.criteria.map(() => null);
    for (const [name, score] of Object.entries(scoresIn(row, path))) {
      const index = position.get(name) ?? position.get(plainName(name));
      if (index === undefined) continue;
      known++;
      scores[index] = turned(numberIn(score), rubric.criteria[index]!, rubric);
    }
    const chapter = {
      novel: row.novel ?? row.story ?? row.title ?? row.id ?? "untitled",
      writer: row.writer ?? row.author ?? row.model ?? "unknown",
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
  if (known === 0 && passedOver < Math.max(1, rows)) {
    throw new FabulaError(
      "E_SCORES",
      `"${path}" has no score for any dimension of the rubric "${rubric.id}": name the right one with --rubric.`,
    );
  }
  return [...chapters.values()].map(({ chapter, samples }) =>
    samples.length === 1 ? chapter : { ...chapter, scores: chapter.scores.map((_, index) => meanAt(samples, index)) },
  );
}

/** The scores stand under `scores`, under a name that begins so, or, as in a table, in columns of their own. */
function scoresIn(row: Row, path: string): z.infer<typeof scoresSchema> & object {
  const field = "scores" in row ? "scores" : Object.keys(row).find((key) => key.startsWith("scores"));
  if (field === undefined)
    return Object.fromEntries(Object.entries(row).flatMap(([key, value]) => columnOf(key, value)));
  const given = scoresSchema.safeParse(row[field]);
  if (given.success) return given.data ?? {};
  throw new FabulaError(
    "E_SCORES",
    `A row of "${path}" has scores that are neither numbers nor verdicts: correct it.`,
    { evidence: row[field] },
  );
}

function columnOf(key: string, value: unknown): [string, number | null][] {
  return typeof value === "number" && !(key in rowSchema.shape) ? [[key, value]] : [];
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

function numberIn(score: z.infer<typeof scoreSchema>): number | null {
  if (score === null || typeof score === "number") return score;
  const verdict: Verdict = score;
  return verdict.kind === "scored" ? verdict.score : null;
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

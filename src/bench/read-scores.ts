import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { jsonLines } from "../core/json-lines.ts";
import { type Verdict, verdictSchema } from "../core/verdict.ts";
import type { Criterion, Rubric } from "../criteria/rubric.ts";
import { countWords } from "../text/words.ts";
import type { ScoredChapter } from "./scored-chapter.ts";

const scoreSchema = z.union([z.number(), z.null(), verdictSchema]);

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
  words: z.number().nonnegative().nullable().optional(),
  text: z.string().optional(),
});

const scoresSchema = z.record(z.string(), scoreSchema).nullable();

/** With a judge's name, rows that say they are another judge's are passed over. */
export async function readScores(path: string, rubric: Rubric, judge?: string): Promise<ScoredChapter[]> {
  const position = new Map<string, number>();
  rubric.criteria.forEach((criterion, index) => {
    position.set(criterion.id, index);
    position.set(slug(criterion.name), index);
  });
  const chapters: ScoredChapter[] = [];
  let known = 0;
  for await (const row of jsonLines(path, rowSchema)) {
    if (judge !== undefined && row.judge !== undefined && row.judge !== judge) continue;
    const field =
      Object.keys(row).find((key) => key === "scores") ?? Object.keys(row).find((key) => key.startsWith("scores"));
    const given = scoresSchema.safeParse(field === undefined ? null : row[field]);
    if (!given.success) {
      throw new FabulaError(
        "E_SCORES",
        `A row of "${path}" has scores that are neither numbers nor verdicts: correct it.`,
        {
          evidence: row[field ?? ""],
        },
      );
    }
    const scores: (number | null)[] = rubric.criteria.map(() => null);
    for (const [name, score] of Object.entries(given.data ?? {})) {
      const index = position.get(name) ?? position.get(slug(name));
      if (index === undefined) continue;
      known++;
      scores[index] = turned(numberIn(score), rubric.criteria[index]!, rubric);
    }
    chapters.push({
      novel: row.novel ?? row.story ?? row.title ?? row.id ?? "untitled",
      writer: row.writer ?? row.author ?? row.model ?? "unknown",
      chapter: row.chapter ?? chapters.length + 1,
      words: row.words ?? (row.text === undefined ? null : countWords(row.text)),
      scores,
    });
  }
  if (known === 0 && (judge === undefined || chapters.length > 0)) {
    throw new FabulaError(
      "E_SCORES",
      `"${path}" has no score for any dimension of the rubric "${rubric.id}": name the right one with --rubric.`,
    );
  }
  return chapters;
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

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

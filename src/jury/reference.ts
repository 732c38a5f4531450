import { readFile } from "node:fs/promises";
import { z } from "zod";
import { assetPath } from "../core/assets.ts";

const FILE = "english-public-domain.json";

const bookSchema = z.object({
  title: z.string(),
  author: z.string().nullable(),
  words: z.number().int().positive(),
  overall: z.number(),
  criteria: z.record(z.string(), z.number()),
  aspects: z.record(z.string(), z.number()),
});

/** The grader's scores of published novels. Scores only: the texts are not part of Fabula. */
export const referenceFileSchema = z.object({
  id: z.string(),
  description: z.string(),
  /** The judge that gave the scores, since scores of another judge cannot be compared. */
  judgeVersion: z.string(),
  books: z.array(bookSchema).min(1),
});

export type ReferenceFile = z.infer<typeof referenceFileSchema>;
export type ReferenceBook = z.infer<typeof bookSchema>;

export interface GraderReference {
  readonly id: string;
  readonly description: string;
  readonly judgeVersion: string;
  readonly books: readonly ReferenceBook[];
  /** One score per book. */
  readonly overall: readonly number[];
  /** By aspect id: one score per book. */
  readonly aspects: Readonly<Record<string, readonly number[]>>;
}

/**
 * Loads the grader's scores of published novels, to place a score among them.
 *
 * @example
 * ```ts
 * const [judge, reference] = await Promise.all([loadGrader(), loadGraderReference()]);
 * const { overall } = judge.score(text);
 * if (isScored(overall) && judge.version === reference.judgeVersion) {
 *   const below = reference.overall.filter((score) => score < overall.score).length;
 *   console.log(`above ${below} of ${reference.books.length} published novels`);
 * }
 * ```
 */
export async function loadGraderReference(): Promise<GraderReference> {
  const file = referenceFileSchema.parse(JSON.parse(await readFile(assetPath("reference", FILE), "utf8")));
  const aspects = Object.keys(file.books[0]!.aspects);
  return {
    ...file,
    overall: file.books.map(({ overall }) => overall),
    aspects: Object.fromEntries(aspects.map((id) => [id, file.books.map((book) => book.aspects[id]!)])),
  };
}

import { readFile } from "node:fs/promises";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { contentHash } from "../../core/hash.ts";

/**
 * A scored population of human novels: what a percentile speaks of. Scores only, never the texts; with the judge, the
 * rubric and the corpus that made it, so that nobody places a text that another judge scored.
 */
export const referencePopulationSchema = z.object({
  format: z.literal(1),
  id: z.string().min(1),
  description: z.string(),
  judge: z.object({ id: z.string(), version: z.string() }),
  rubric: z.object({ id: z.string(), version: z.number().int(), hash: z.string() }),
  corpus: z.object({ hash: z.string(), novels: z.number().int(), excluded: z.number().int() }),
  dimensions: z.array(z.string()).min(1),
  means: z.array(z.number()),
  deviations: z.array(z.number().nonnegative()),
  /** First-component loadings, sign fixed and normalised to sum to one. A dimension that never varies has weight 0. */
  weights: z.array(z.number()),
  explainedVariance: z.array(z.number()),
  novels: z.array(
    z.object({
      novel: z.string(),
      writer: z.string(),
      chapters: z.number().int(),
      words: z.number().nullable(),
      scores: z.array(z.number()),
      composite: z.number(),
    }),
  ),
  warnings: z.array(z.string()),
});

export type ReferencePopulation = z.infer<typeof referencePopulationSchema>;

/** Changes with everything that a placement depends on. */
export function populationVersion(population: ReferencePopulation): string {
  return contentHash(population).slice(0, 12);
}

export async function loadPopulation(path: string): Promise<ReferencePopulation> {
  let source: string;
  try {
    source = await readFile(path, "utf8");
  } catch (cause) {
    throw new FabulaError(
      "E_POPULATION_MISSING",
      `There is no population at "${path}": build one with \`fabula bench build\`.`,
      {
        cause,
      },
    );
  }
  try {
    return referencePopulationSchema.parse(JSON.parse(source));
  } catch (cause) {
    throw new FabulaError(
      "E_POPULATION_INVALID",
      `"${path}" is not a reference population that this version can read: build it again with \`fabula bench build\`.`,
      { cause },
    );
  }
}

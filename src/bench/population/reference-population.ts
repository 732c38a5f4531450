import { readFile } from "node:fs/promises";
import { z } from "zod";
import { assetPath } from "../../core/assets.ts";
import { FabulaError } from "../../core/errors.ts";
import { contentHash } from "../../core/hash.ts";

const novelSchema = z.object({
  novel: z.string(),
  writer: z.string(),
  chapters: z.number().int(),
  words: z.number().nullable(),
  scores: z.array(z.number()),
  composite: z.number(),
  genre: z.string().optional(),
});

/** Hash of the judge's prompt, and its settings in words; scores that others publish need not state them. */
const basisShape = { prompt: z.string().optional(), settings: z.string().optional() };

/** The judge and its version; scores that others publish need not state the version. */
const judgeSchema = z.object({ id: z.string(), version: z.string().optional() });

/** One judge of a panel, with what is needed to compute its composite from its scores. */
const memberSchema = z.object({
  judge: judgeSchema,
  rubric: z.object({ id: z.string(), version: z.number().int(), hash: z.string() }),
  dimensions: z.array(z.string()).min(1),
  means: z.array(z.number()),
  deviations: z.array(z.number().nonnegative()),
  weights: z.array(z.number()),
  ...basisShape,
});

const repeatabilitySchema = z.object({
  text: z.string(),
  repeats: z.number().int(),
  mean: z.number(),
  interquartileRange: z.number(),
  variance: z.number(),
});

/**
 * A scored population of human novels, to which percentiles refer. It holds only scores, never the texts, with the
 * judge, the rubric and the corpus that made it, so that no text scored by another judge is placed on it.
 */
export const referencePopulationSchema = z.object({
  format: z.literal(1),
  id: z.string().min(1),
  description: z.string(),
  judge: judgeSchema,
  rubric: z.object({ id: z.string(), version: z.number().int(), hash: z.string() }),
  corpus: z.object({ hash: z.string(), novels: z.number().int(), excluded: z.number().int() }),
  dimensions: z.array(z.string()).min(1),
  means: z.array(z.number()),
  deviations: z.array(z.number().nonnegative()),
  /** First-component loadings, sign fixed and normalised to sum to one. A dimension that never varies has weight 0. */
  weights: z.array(z.number()),
  explainedVariance: z.array(z.number()),
  novels: z.array(novelSchema),
  /** Novels expected to score above most of the population (classics): placed on it, not part of it. */
  anchors: z.array(novelSchema).optional(),
  /** For several judges: each is a dimension, and its composite is the score. */
  panel: z.array(memberSchema).optional(),
  /** Texts that were scored repeatedly, to show how consistent the judge is. */
  repeatability: z.array(repeatabilitySchema).optional(),
  /** The language of most novels. */
  language: z.string().optional(),
  /**
   * The distribution of single chapters, as equally spaced quantiles of their composites, on which a single chapter
   * is placed.
   */
  singleChapters: z.object({ count: z.number().int(), quantiles: z.array(z.number()).min(2) }).optional(),
  ...basisShape,
  warnings: z.array(z.string()),
});

export type PanelMember = z.infer<typeof memberSchema>;
export type ReferencePopulation = z.infer<typeof referencePopulationSchema>;

/** Stands for the judge of a population whose scores do not name one. */
export const UNSTATED_JUDGE = "published scores";

/** The stated judge and version, to compare rows with. Version "0" means that none was stated. */
export function statedJudge({ id, version }: ReferencePopulation["judge"]): {
  readonly id: string | undefined;
  readonly version: string | undefined;
} {
  return { id: id === UNSTATED_JUDGE ? undefined : id, version: version === "0" ? undefined : version };
}

/** The population that ships for English: the grader on novels in the public domain. */
export const ENGLISH_POPULATION = "english-classics";

/** Changes with everything that a placement depends on. */
export function populationVersion(population: ReferencePopulation): string {
  return contentHash(population).slice(0, 12);
}

/** A population by the name it ships under (`english-classics`), or the path of the user's own file. */
export async function loadPopulation(nameOrPath: string): Promise<ReferencePopulation> {
  const path = /^[a-z0-9-]+$/.test(nameOrPath) ? assetPath("reference", `${nameOrPath}.json`) : nameOrPath;
  let source: string;
  try {
    source = await readFile(path, "utf8");
  } catch (cause) {
    throw new FabulaError(
      "E_POPULATION_MISSING",
      `There is no population at "${nameOrPath}": build one with \`fabula bench build\`.`,
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
      `"${nameOrPath}" is not a reference population that this version can read: build it again with \`fabula bench build\`.`,
      { cause },
    );
  }
}

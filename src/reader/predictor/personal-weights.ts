import { z } from "zod";
import { assetPath } from "../../core/assets.ts";
import { encodeWeights, readWeights } from "../../core/weights-file.ts";
import { FIELD_SETS } from "./description-trust.ts";
import { Likeness } from "./likeness.ts";
import type { Head, PersonalModel } from "./personal-model.ts";
import { STORY_BLOCKS, StorySpace } from "./story-space.ts";
import { TermSpace, type TermTable } from "./term-space.ts";
import { VOTES } from "./votes.ts";

const MODEL = "personal";
const VERSION = 7;

const pair = z.tuple([z.number(), z.number()]);
const headSchema = z.object({
  intercept: z.number(),
  votes: z.array(z.number()).length(VOTES),
  expectation: z.number(),
  expectationCentre: z.number(),
  spread: z.object({
    stars: z.object({
      thresholds: z.array(z.number()).length(4),
      location: z.array(z.number()).length(6),
      width: z.array(z.number()).length(5),
    }),
    groups: z
      .array(
        z.object({
          from: z.number().int(),
          fifths: z.array(z.number()).length(4),
          levels: pair,
          reach: z.array(z.array(z.number()).length(3)).length(5),
        }),
      )
      .min(1),
  }),
});
const settingsSchema = z.object({
  stories: z.number().int(),
  reviews: z.number().int(),
  storyIntercept: z.number(),
  /** The weight of each part of a description. */
  blockWeights: z.array(z.number()).length(STORY_BLOCKS.length + 1),
  usualShares: z.array(z.number()).length(STORY_BLOCKS.length + 1),
  trust: z.object({
    usualRating: z.number(),
    fields: z.array(z.number()).length(FIELD_SETS),
    nearness: z.array(z.number()).length(FIELD_SETS),
  }),
  reviewIntercepts: pair,
  centres: z.object({
    rating: z.number(),
    generosity: z.number(),
    sentiment: z.number(),
    expected: z.number(),
    likeness: z.number(),
    kinship: z.number(),
    average: z.number(),
  }),
  shrinkage: z.number(),
  fromStars: z.object({ generosity: pair, sentiment: pair }),
  givenUp: z
    .object({ reviews: z.number().int(), rating: z.number(), generosity: z.number(), sentiment: z.number() })
    .nullable(),
  heads: z.object({ forecast: headSchema, average: headSchema }),
});

/** The same training gives the same bytes. */
export function encodePersonalModel(model: PersonalModel): Uint8Array {
  const tables = [...model.stories.tables, model.stories.genreTable];
  const head = (from: Head) => ({ ...from, votes: [...from.votes] });
  return encodeWeights({
    model: MODEL,
    version: VERSION,
    settings: {
      stories: model.likeness.table.documents,
      reviews: model.reviews.table.documents,
      storyIntercept: model.storyIntercept,
      blockWeights: model.stories.weights,
      usualShares: model.usualShares,
      trust: {
        usualRating: model.trust.usualRating,
        fields: model.trust.fields,
        nearness: model.trust.nearness,
      },
      reviewIntercepts: model.reviewIntercepts,
      centres: model.centres,
      shrinkage: model.shrinkage,
      fromStars: model.fromStars,
      givenUp: model.givenUp,
      heads: { forecast: head(model.heads.forecast), average: head(model.heads.average) },
    },
    arrays: {
      ...Object.fromEntries(tables.flatMap((table, index) => tableArrays(`story-${tableName(index)}`, table))),
      ...Object.fromEntries(tableArrays("likeness", model.likeness.table)),
      "likeness-common": model.likeness.commonTerms,
      "likeness-direction": model.trust.direction,
      "story-weights": model.storyWeights,
      ...Object.fromEntries(tableArrays("review", model.reviews.table)),
      "review-weights": model.reviewWeights,
    },
  });
}

export function personalWeightsPath(): string {
  return assetPath("models", "personal", "weights.bin");
}

/**
 * Loads the personal model that ships with Fabula, or one trained elsewhere.
 *
 * @example
 * ```ts
 * const predict = personalPredictor(loadPersonalModel());
 * ```
 */
export function loadPersonalModel(path = personalWeightsPath()): PersonalModel {
  const weights = readWeights(path, { model: MODEL, version: VERSION, settings: settingsSchema });
  const { settings } = weights;
  const table = (name: string, documents: number): TermTable => ({
    documents,
    terms: weights.uint32(`${name}-terms`),
    rarity: weights.float32(`${name}-rarity`),
  });
  const tables = Array.from({ length: STORY_BLOCKS.length + 1 }, (_, index) =>
    table(`story-${tableName(index)}`, settings.stories),
  );
  const head = (from: z.infer<typeof headSchema>): Head => ({ ...from, votes: Float64Array.from(from.votes) });
  return {
    stories: new StorySpace(tables.slice(0, -1), tables.at(-1)!, settings.blockWeights),
    storyWeights: weights.float32("story-weights"),
    storyIntercept: settings.storyIntercept,
    usualShares: settings.usualShares,
    likeness: new Likeness(table("likeness", settings.stories), weights.uint32("likeness-common")),
    trust: { ...settings.trust, direction: weights.float32("likeness-direction") },
    reviews: new TermSpace(table("review", settings.reviews)),
    reviewWeights: weights.float32("review-weights"),
    reviewIntercepts: settings.reviewIntercepts,
    centres: settings.centres,
    shrinkage: settings.shrinkage,
    fromStars: settings.fromStars,
    givenUp: settings.givenUp,
    heads: { forecast: head(settings.heads.forecast), average: head(settings.heads.average) },
  };
}

function tableName(index: number): string {
  return STORY_BLOCKS[index]?.id ?? "genres";
}

function tableArrays(name: string, table: TermTable): [string, Uint32Array | Float32Array][] {
  return [
    [`${name}-terms`, table.terms],
    [`${name}-rarity`, table.rarity],
  ];
}

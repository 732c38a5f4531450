import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { isScored, type Verdict } from "../core/verdict.ts";
import { empiricalDistribution } from "../stats/distribution.ts";
import type { BookEvaluation, HowJudged } from "./evaluation.ts";
import { differingSettings, settingsSchema } from "./settings.ts";

/** Books that one judge scored in one way, from which its percentiles come. It holds only scores, never texts. */
export const populationSchema = z.object({
  id: z.string(),
  description: z.string(),
  judge: z.string(),
  method: z.string(),
  rubric: z.object({ id: z.string(), version: z.number().int() }),
  /** How its books were judged, if their evaluations state it. */
  settings: settingsSchema.optional(),
  books: z
    .array(
      z.object({
        title: z.string(),
        author: z.string().nullable(),
        overall: z.number(),
        aspects: z.record(z.string(), z.number()),
      }),
    )
    .min(1),
});
export type Population = z.infer<typeof populationSchema>;

/** Fewer books make no population. */
export const LEAST_BOOKS = 10;

/**
 * Refuses a population made with another judge, method, rubric or setting, because its scores cannot be compared. All
 * of this is known before the first call, so a refusal costs nothing.
 */
export function requireSameWay(way: HowJudged, population: Population): void {
  const difference = differenceFrom(way, population);
  if (difference === null) return;
  throw new FabulaError(
    "E_POPULATION_SETTINGS",
    `${difference}: give the same flags, or leave --population out, or build a population with these settings.`,
  );
}

/**
 * Adds to an evaluation its place in a population judged in the same way. The book itself is left out of the
 * population.
 */
export function placeInPopulation(evaluation: BookEvaluation, population: Population): BookEvaluation {
  requireSameWay(evaluation, population);
  const { title, author } = evaluation.book;
  const others = population.books.filter((book) => book.title !== title || book.author !== author);
  if (others.length < LEAST_BOOKS) {
    return withNote(
      evaluation,
      `No percentiles: the population "${population.id}" holds ${others.length} other books, and at least ${LEAST_BOOKS} are needed.`,
    );
  }
  const percentile = (verdict: Verdict, scores: readonly number[]) =>
    isScored(verdict) && scores.length >= LEAST_BOOKS ? empiricalDistribution(scores).percentile(verdict.score) : null;
  const overall = others.map((book) => book.overall);
  return {
    ...evaluation,
    overallPercentile: percentile(evaluation.overall, overall),
    aspects: evaluation.aspects.map((aspect) => ({
      ...aspect,
      percentile: percentile(
        aspect.verdict,
        others.flatMap(({ aspects }) => aspects[aspect.id] ?? []),
      ),
    })),
    population: { id: population.id, description: population.description, size: others.length, overall },
  };
}

function differenceFrom({ judge, method, rubric, settings }: HowJudged, population: Population): string | null {
  const other = `The population "${population.id}" was scored by`;
  if (judge !== population.judge) return `${other} ${population.judge}, this book by ${judge}`;
  if (method !== population.method) return `${other} the method ${population.method}, this book by ${method}`;
  if (rubric.id !== population.rubric.id || rubric.version !== population.rubric.version) {
    return `${other} the rubric ${population.rubric.id} version ${population.rubric.version}, this book by ${rubric.id} version ${rubric.version}`;
  }
  const differing = differingSettings([population.settings, settings]);
  if (differing.length === 0) return null;
  const named = differing.map(({ name, values: [theirs, own] }) => `${name} ${theirs}, this book with ${own}`);
  return `The population "${population.id}" was scored with other settings (${named.join("; ")})`;
}

function withNote(evaluation: BookEvaluation, note: string): BookEvaluation {
  return { ...evaluation, notes: [...evaluation.notes, note] };
}

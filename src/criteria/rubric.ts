import { z } from "zod";
import { contentHash } from "../core/hash.ts";

const identifier = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "it must be lower-case words joined by hyphens");

export const criterionSchema = z.strictObject({
  id: identifier,
  name: z.string().min(1),
  abbreviation: z.string().min(2).max(5).optional(),
  definition: z.string().min(1),
  /** Other names by which replies and reviews speak of it, in any language; a judge is not told them. */
  aliases: z.array(z.string().min(1)).optional(),
  /** The top-level criterion this one is a part of. */
  parent: identifier.optional(),
  /** `lower` for a fault: a high grade is bad. Reports turn it round, the grade itself stays as given. */
  better: z.enum(["higher", "lower"]).default("higher"),
});

export const rubricSchema = z
  .strictObject({
    id: identifier,
    version: z.number().int().positive(),
    language: z.string().min(2),
    title: z.string().min(1),
    scale: z
      .strictObject({ minimum: z.number(), maximum: z.number() })
      .refine((scale) => scale.maximum > scale.minimum, "the maximum must be above the minimum"),
    criteria: z.array(criterionSchema).min(1),
  })
  .superRefine(({ criteria }, context) => {
    for (const message of criteriaProblems(criteria)) context.addIssue({ code: "custom", path: ["criteria"], message });
  });

/** Faults between criteria that are valid one by one. */
export function criteriaProblems(
  criteria: readonly { readonly id: string; readonly parent?: string | undefined }[],
): string[] {
  const ids = criteria.map(({ id }) => id);
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...[...twice].map((id) => `"${id}" appears twice`),
    ...criteria.flatMap(({ id, parent }) => {
      if (parent === undefined) return [];
      const holder = criteria.find((criterion) => criterion.id === parent);
      if (!holder) return [`"${id}" has the parent "${parent}", which is not there`];
      return holder.parent ? [`the parent of "${id}" has a parent itself: two levels are the limit`] : [];
    }),
  ];
}

/** A set of criteria, kept as a data file. */
export type Rubric = z.infer<typeof rubricSchema>;
export type Criterion = z.infer<typeof criterionSchema>;

export function topLevel(rubric: Rubric): Criterion[] {
  return rubric.criteria.filter((criterion) => criterion.parent === undefined);
}

export function partsOf(rubric: Rubric, parent: string): Criterion[] {
  return rubric.criteria.filter((criterion) => criterion.parent === parent);
}

/** Changes whenever anything that a judge is told changes: part of the key of every call. */
export function rubricHash(rubric: Rubric): string {
  return contentHash({ ...rubric, criteria: rubric.criteria.map(({ aliases: _untold, ...told }) => told) });
}

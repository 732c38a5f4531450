import { z } from "zod";
import { FIELDS, type Field } from "./forecast-input.ts";

/**
 * How to read the sum of effects when only some fields are known: weights learnt for all fields together say too little when
 * a few stand alone, and the interval is wider. Measured on books that the model had not seen.
 */
export const calibrationSchema = z.object({
  shift: z.number(),
  slope: z.number(),
  /** Half of the 90 % interval. */
  halfWidth: z.number().positive(),
  /** Of the rating: where it falls nine times in ten about what was said, by size of audience (`AUDIENCES`). */
  byAudience: z.array(z.tuple([z.number(), z.number()])).optional(),
});
export type Calibration = z.infer<typeof calibrationSchema>;

/** Books with as many ratings as this, up to the next, are an audience of one size. */
export const AUDIENCES: readonly number[] = [0, 1000, 10_000];

export function audienceOf(ratings: number): number {
  return AUDIENCES.findLastIndex((from) => ratings >= from);
}

export const INTERVAL_LEVEL = 0.9;

export function subsetKey(fields: readonly Field[]): string {
  return FIELDS.filter((field) => fields.includes(field)).join("+");
}

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
});
export type Calibration = z.infer<typeof calibrationSchema>;

export const INTERVAL_LEVEL = 0.9;

export function subsetKey(fields: readonly Field[]): string {
  return FIELDS.filter((field) => fields.includes(field)).join("+");
}

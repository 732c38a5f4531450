import { FIELDS, type Field } from "./forecast-input.ts";
import type { FieldReading, LearntField, LinearModel } from "./linear-model.ts";

/** Something about the book that moved the forecast, in stars. */
export interface Reason {
  readonly field: Field;
  /** The word or genre; null for the field as a whole (a length), or for all that the field does not say. */
  readonly term: string | null;
  readonly effect: number;
}

/**
 * The forecast is a sum, so its parts are exact: each term that is there adds its weight times how far its value stands above
 * the average book's. What the average book has and this one lacks is one further part of the field, with `term: null`.
 */
export function explain(model: LinearModel, readings: readonly FieldReading[], slope: number, most: number): Reason[] {
  const reasons = readings.flatMap((reading, position) =>
    reading.effects === null ? [] : fieldReasons(FIELDS[position]!, model.fields[position]!, reading, model.outputs),
  );
  return reasons
    .map(({ field, term, effect }) => ({ field, term, effect: Math.round(effect * slope * 10_000) / 10_000 }))
    .filter(({ effect }) => effect !== 0)
    .sort((left, right) => Math.abs(right.effect) - Math.abs(left.effect))
    .slice(0, most);
}

function fieldReasons(
  field: Field,
  { encoder, weights, means }: LearntField,
  reading: FieldReading,
  outputs: number,
): Reason[] {
  const total = reading.effects![0]!;
  if (encoder.kind === "scale") return [{ field, term: null, effect: total }];
  const present = reading.entries.map(({ index, value }) => ({
    field,
    term: encoder.terms[index]!,
    effect: weights[index * outputs]! * (value - means[index]!),
  }));
  const lacking = total - present.reduce((sum, { effect }) => sum + effect, 0);
  return [...present, { field, term: null, effect: lacking }];
}

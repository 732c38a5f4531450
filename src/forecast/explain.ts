import { FUNCTION_WORDS } from "../prose/word-shape.ts";
import { FIELDS, type Field } from "./forecast-input.ts";
import type { FieldReading, LinearModel } from "./linear-model.ts";

/** Something about the book that moved the forecast, in stars. */
export interface Reason {
  readonly field: Field | "earlier_books";
  /** The word or genre; null for the field as a whole (a length), or for all the rest of the field. */
  readonly term: string | null;
  readonly effect: number;
}

/**
 * The forecast is a sum, so its parts are exact: each term that is there adds its weight times how far its value stands above
 * the average book's. What the average book has and this one lacks is one further part of the field, with `term: null`; so
 * are "of" and "it", which move a forecast a little and explain nothing.
 */
export function explain(
  model: LinearModel,
  readings: readonly FieldReading[],
  { slope, fromEarlier, most }: { readonly slope: number; readonly fromEarlier: number | null; readonly most: number },
): Reason[] {
  const strongest = new Strongest(most);
  if (fromEarlier !== null && slope > 0) strongest.offer("earlier_books", null, fromEarlier / slope);
  readings.forEach((reading, position) => {
    if (reading.effects === null) return;
    const field = FIELDS[position]!;
    const { encoder, weights, means } = model.fields[position]!;
    let rest = reading.effects[0]!;
    if (encoder.kind === "terms") {
      for (const { index, value } of reading.entries) {
        const term = encoder.terms[index]!;
        if (field !== "genres" && !hasMatter(term)) continue;
        const effect = weights[index * model.outputs]! * (value - means[index]!);
        rest -= effect;
        strongest.offer(field, term, effect);
      }
    }
    strongest.offer(field, null, rest);
  });
  return strongest.reasons
    .map(({ field, term, effect }) => ({ field, term, effect: Math.round(effect * slope * 10_000) / 10_000 }))
    .filter(({ effect }) => effect !== 0);
}

const GRAMMAR = new Set(FUNCTION_WORDS);

/** Whether a word, or one of a pair of words, says something about a story. */
function hasMatter(term: string): boolean {
  return term.split(" ").some((word) => word.length > 2 && !GRAMMAR.has(word));
}

/** Keeps the few largest of many, in order: a book has hundreds of words, and ten thousand books would sort them all. */
class Strongest {
  readonly reasons: Reason[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  offer(field: Reason["field"], term: string | null, effect: number): void {
    const { reasons } = this;
    const size = Math.abs(effect);
    if (reasons.length >= this.#most && size <= Math.abs(reasons.at(-1)?.effect ?? 0)) return;
    const place = reasons.findIndex((reason) => Math.abs(reason.effect) < size);
    reasons.splice(place === -1 ? reasons.length : place, 0, { field, term, effect });
    if (reasons.length > this.#most) reasons.pop();
  }
}

import { type CountedTexts, countTexts } from "./counted-texts.ts";
import type { Material } from "./cross-validate.ts";
import type { Lesson } from "./lesson.ts";

/** Words in a window: the length that jurors were chosen with. */
export const WINDOW = 250;
/** What is left of a text when only its beginning is read. */
export const BEGINNING = 200;

export function prepareMaterial(lessons: readonly Lesson[], minimumTexts: number): Material {
  const distinct = [...new Set(lessons.map(({ text }) => text))];
  const numbers = new Map(distinct.map((text, number) => [text, number]));
  const counted = countTexts(distinct, { window: WINDOW, minimumTexts });
  const beginning: CountedTexts = countTexts(
    distinct,
    { window: WINDOW, minimumTexts, firstWords: BEGINNING },
    counted,
  );
  return { lessons, texts: lessons.map(({ text }) => numbers.get(text)!), counted, readings: { beginning } };
}

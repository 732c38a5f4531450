import type { HeldOut, Material } from "./cross-validate.ts";
import type { Source } from "./fit-lessons.ts";
import { judgedOf, type Measured, pairsRight, partialSpearmanOf, pearsonOf, spearmanOf } from "./measures.ts";

/** One line of a card: what was measured, on what, and what came out. */
export interface FigureRow {
  readonly name: string;
  readonly measured: Measured;
}

/** Names of the sources as a reader of a card knows them. */
export const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  "prompt-stories": "readers: stories to prompts",
  "scary-stories": "readers: scary stories",
  "machine-stories": "readers: machine stories",
  "reader-pairs": "reader pairs",
  "graded-chapters": "model grader",
  "expert-scores": "professionals' scores",
  "expert-pairs": "edited above draft",
};

/** How predictions of one source agree with what people said of it. */
export function agreementRows(
  { lessons, texts, counted }: Material,
  deals: readonly Float64Array[],
  source: Source,
  how: string,
): FigureRow[] {
  const name = SOURCE_NAMES[source];
  if (lessons.some((lesson) => lesson.source === source && lesson.pair !== undefined)) {
    return [{ name: `${name}, share right, ${how}`, measured: pairsRight(lessons, deals, source) }];
  }
  const judged = judgedOf(lessons, deals, (place) => counted.words[texts[place]!]!, source);
  return [
    { name: `${name}, Spearman, ${how}`, measured: spearmanOf(judged) },
    { name: `${name}, Pearson, ${how}`, measured: pearsonOf(judged) },
    { name: `${name}, Spearman with length held constant, ${how}`, measured: partialSpearmanOf(judged) },
  ];
}

export function heldOutRows(material: Material, held: HeldOut, sources: readonly Source[]): FigureRow[] {
  return sources.flatMap((source) => [
    ...agreementRows(material, [held.whole], source, "families held back"),
    ...agreementRows(material, [held.readings.beginning!], source, "first 200 words").slice(0, 1),
  ]);
}

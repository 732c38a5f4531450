import type { AspectResult } from "./evaluation.ts";

/** An aspect in its place: after the one it is a part of, or by itself. */
export interface AspectRow {
  readonly result: AspectResult;
  readonly isPart: boolean;
  /** A part whose whole was not asked for names it: "Characters: Diversity". */
  readonly label: string;
}

/** Aspects in reading order, each followed by its parts. A part asked for alone is a row like any other. */
export function aspectRows(aspects: readonly AspectResult[]): AspectRow[] {
  const asked = new Set(aspects.map(({ id }) => id));
  const isPart = ({ parent }: AspectResult) => parent !== undefined && asked.has(parent);
  return aspects
    .filter((aspect) => !isPart(aspect))
    .flatMap((whole) => [
      { result: whole, isPart: false, label: labelOf(whole) },
      ...aspects
        .filter(({ parent }) => parent === whole.id)
        .map((part) => ({ result: part, isPart: true, label: part.name })),
    ]);
}

function labelOf({ name, parent, parentName }: AspectResult): string {
  return parent === undefined ? name : `${parentName ?? parent}: ${name}`;
}

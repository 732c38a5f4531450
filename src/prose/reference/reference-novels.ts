import { readFileSync } from "node:fs";
import { z } from "zod";
import { assetPath } from "../../core/assets.ts";
import type { ManuscriptMap } from "../map/manuscript-map.ts";
import { quantile, rounded } from "../map/numbers.ts";
import { FIGURES, type FigureDefinition } from "./figures.ts";

export const referenceNovelsSchema = z.object({
  id: z.string(),
  description: z.string(),
  novels: z.array(
    z.object({
      title: z.string(),
      author: z.string().nullable(),
      words: z.number(),
      /** By figure id; a figure that a novel does not have is absent. */
      figures: z.record(z.string(), z.number()),
    }),
  ),
});

/** Published novels as the map counts them: figures only, never text. */
export type ReferenceNovels = z.infer<typeof referenceNovelsSchema>;

export interface ComparedFigure {
  readonly id: string;
  readonly name: string;
  readonly unit: FigureDefinition["unit"];
  readonly value: number | null;
  /** Median and middle 90 % of the reference novels; null where fewer than ten of them have the figure. */
  readonly reference: { readonly median: number; readonly low: number; readonly high: number } | null;
  /** Below, inside or above the middle 90 %. */
  readonly place: "below" | "inside" | "above" | null;
}

/** The novels that ship with Fabula; a reference of a writer's own has another name. */
export const SHIPPED = "prose-novels";
const FILE = `${SHIPPED}.json`;
/** Fewer novels have no middle 90 %. */
export const FEWEST_NOVELS = 10;
let loaded: ReferenceNovels | null = null;

export function loadReferenceNovels(): ReferenceNovels {
  loaded ??= referenceNovelsSchema.parse(JSON.parse(readFileSync(assetPath("reference", FILE), "utf8")));
  return loaded;
}

/** A map as one of the novels of a reference. */
export function novelFigures(map: ManuscriptMap): Record<string, number> {
  return Object.fromEntries(
    FIGURES.flatMap(({ id, of }) => {
      const value = of(map);
      return value === null ? [] : [[id, Number(value.toFixed(4))]];
    }),
  );
}

/** Every figure of a map beside the same figure of the reference novels, where there are any in its language. */
export function compareFigures(map: ManuscriptMap, reference: ReferenceNovels | null): ComparedFigure[] {
  return FIGURES.map(({ id, name, unit, of }) => {
    const value = rounded(of(map));
    const theirs = (reference?.novels ?? []).flatMap(({ figures }) => (figures[id] === undefined ? [] : [figures[id]]));
    if (theirs.length < FEWEST_NOVELS) return { id, name, unit, value, reference: null, place: null };
    const [low, median, high] = [0.05, 0.5, 0.95].map((share) => rounded(quantile(theirs, share)!));
    const place = value === null ? null : value < low! ? "below" : value > high! ? "above" : "inside";
    return { id, name, unit, value, reference: { median: median!, low: low!, high: high! }, place };
  });
}

import { type Random, randomInteger } from "../../core/random.ts";
import { positionsByName, type RatedRows } from "./rated-rows.ts";

/** What is drawn again with replacement: the texts, the systems that wrote them, or both. */
export type ResampledUnit = "items" | "systems" | "both";

/** One draw: for each drawn system, the rows that stand for it. */
export type SystemDraw = readonly ArrayLike<number>[];

/**
 * Draws for system-level bootstraps. Drawing systems asks what other systems might have shown; drawing items, what
 * other texts of these systems might have. When the items are known, every system gets the same ones, as it did in
 * the experiment; otherwise each system's rows are drawn on their own.
 */
export function systemDraws(rows: RatedRows, unit: ResampledUnit): (random: Random) => SystemDraw {
  if (!rows.system) throw new RangeError("system draws need a column of systems");
  const systems = [...positionsByName(rows.system).values()];
  const drawRows = unit === "systems" ? () => systems : itemDraws(rows, systems);
  if (unit === "items") return drawRows;
  return (random) => {
    const drawn = drawRows(random);
    return systems.map(() => drawn[randomInteger(random, systems.length)]!);
  };
}

function itemDraws(rows: RatedRows, systems: readonly (readonly number[])[]): (random: Random) => SystemDraw {
  if (!rows.item) {
    return (random) =>
      systems.map((positions) => positions.map(() => positions[randomInteger(random, positions.length)]!));
  }
  const items = [...positionsByName(rows.item).keys()];
  const place = new Map(items.map((item, index) => [item, index]));
  const cells = systems.map((positions) => {
    const byItem: number[][] = items.map(() => []);
    for (const position of positions) byItem[place.get(rows.item![position]!)!]!.push(position);
    return byItem;
  });
  return (random) => {
    const drawn = items.map(() => randomInteger(random, items.length));
    return cells.map((byItem) => drawn.flatMap((item) => byItem[item]!));
  };
}

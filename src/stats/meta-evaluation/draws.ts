import { groupBy } from "../../core/group-by.ts";
import { type Random, randomInteger } from "../../core/random.ts";
import { requireEqualLengths } from "../statistic.ts";

/** Scores and human ratings, one row per judged text; NaN for a missing value. */
export interface RatedRows {
  readonly human: Float64Array;
  readonly metric: Float64Array;
  /** The writer of each text; null if it is unknown or does not matter. */
  readonly system: readonly string[] | null;
  /** The task of each text (a prompt, a source), which several systems share. */
  readonly item: readonly string[] | null;
}

export function requireRatedRows({ human, metric, system, item }: RatedRows): void {
  for (const column of [metric, system, item]) if (column) requireEqualLengths(human, column);
}

export function selectRatedRows(rows: RatedRows, positions: readonly number[]): RatedRows {
  const names = (column: readonly string[] | null) => column && positions.map((position) => column[position]!);
  return {
    human: Float64Array.from(positions, (position) => rows.human[position]!),
    metric: Float64Array.from(positions, (position) => rows.metric[position]!),
    system: names(rows.system),
    item: names(rows.item),
  };
}

/** The positions of each name's rows, names in order of appearance. */
export function positionsByName(names: readonly string[]): Map<string, number[]> {
  return groupBy(names.keys(), (position) => names[position]!);
}

/** What the bootstrap resamples: the texts, the systems that wrote them, or both. */
export type ResampledUnit = "items" | "systems" | "both";

/** The averages of the resampled systems; NaN for a system without any rated text in the resample. */
export interface SystemPoints {
  readonly human: Float64Array;
  readonly metric: Float64Array;
}

/**
 * Resamples for system-level bootstraps. Resampling systems asks what other systems might have shown; resampling
 * items, what other texts of these systems might have. If the items are known, every system gets the same ones, as in
 * the experiment; otherwise each system's rows are resampled separately.
 */
export function systemDraws(rows: RatedRows, unit: ResampledUnit): (random: Random) => SystemPoints {
  if (!rows.system) throw new RangeError("system draws need a column of systems");
  const systems = [...positionsByName(rows.system).values()];
  const drawTexts = unit === "systems" ? always(systemPoints(rows, systems)) : textDraws(rows, systems);
  if (unit === "items") return drawTexts;
  return (random) => {
    const { human, metric } = drawTexts(random);
    const drawn = Uint32Array.from(systems, () => randomInteger(random, systems.length));
    return {
      human: Float64Array.from(drawn, (system) => human[system]!),
      metric: Float64Array.from(drawn, (system) => metric[system]!),
    };
  };
}

function always(points: SystemPoints): () => SystemPoints {
  return () => points;
}

function textDraws(rows: RatedRows, systems: readonly (readonly number[])[]): (random: Random) => SystemPoints {
  if (rows.item) return itemDraws(rows.item, rows, systems);
  return (random) =>
    systemPoints(
      rows,
      systems.map((positions) => positions.map(() => positions[randomInteger(random, positions.length)]!)),
    );
}

/** Sums per system and item are computed once; a resample then only weights them by how often each item was drawn. */
function itemDraws(
  item: readonly string[],
  rows: RatedRows,
  systems: readonly (readonly number[])[],
): (random: Random) => SystemPoints {
  const items = [...positionsByName(item).keys()];
  const place = new Map(items.map((name, index) => [name, index]));
  const cells = systems.map((positions) => ({
    human: sumsByItem(rows.human, positions, (position) => place.get(item[position]!)!, items.length),
    metric: sumsByItem(rows.metric, positions, (position) => place.get(item[position]!)!, items.length),
  }));
  const weights = new Uint32Array(items.length);
  return (random) => {
    weights.fill(0);
    for (let draw = 0; draw < items.length; draw++) weights[randomInteger(random, items.length)]!++;
    return {
      human: Float64Array.from(cells, ({ human }) => weightedAverage(human, weights)),
      metric: Float64Array.from(cells, ({ metric }) => weightedAverage(metric, weights)),
    };
  };
}

interface ItemSums {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

function sumsByItem(
  values: Float64Array,
  positions: readonly number[],
  itemOf: (position: number) => number,
  items: number,
): ItemSums {
  const sums = new Float64Array(items);
  const counts = new Float64Array(items);
  for (const position of positions) {
    const value = values[position]!;
    if (Number.isNaN(value)) continue;
    const item = itemOf(position);
    sums[item] = sums[item]! + value;
    counts[item] = counts[item]! + 1;
  }
  return { sums, counts };
}

function weightedAverage({ sums, counts }: ItemSums, weights: Uint32Array): number {
  let total = 0;
  let count = 0;
  for (let item = 0; item < weights.length; item++) {
    total += weights[item]! * sums[item]!;
    count += weights[item]! * counts[item]!;
  }
  return count === 0 ? Number.NaN : total / count;
}

function systemPoints(rows: RatedRows, systems: readonly (readonly number[])[]): SystemPoints {
  const average = (values: Float64Array, positions: readonly number[]) => {
    let total = 0;
    let count = 0;
    for (const position of positions) {
      const value = values[position]!;
      if (Number.isNaN(value)) continue;
      total += value;
      count++;
    }
    return count === 0 ? Number.NaN : total / count;
  };
  return {
    human: Float64Array.from(systems, (positions) => average(rows.human, positions)),
    metric: Float64Array.from(systems, (positions) => average(rows.metric, positions)),
  };
}

import { heatMap } from "../plots/heat-map.ts";

/** Writers by dimensions; colours compare the writers within a dimension, since dimensions differ in level and spread. */
export function dimensionHeatMap(
  dimensions: readonly string[],
  rows: readonly { readonly writer: string; readonly scores: readonly (number | null)[] }[],
  caption: string,
): string {
  const ranges = dimensions.map((_, index) => {
    const values = rows.flatMap(({ scores }) => scores[index] ?? []);
    return { low: Math.min(...values), span: Math.max(...values) - Math.min(...values) || 1 };
  });
  return heatMap(
    dimensions,
    rows.map(({ writer, scores }) => ({
      label: writer,
      cells: scores.map((score, index) =>
        score === null
          ? null
          : { position: (score - ranges[index]!.low) / ranges[index]!.span, text: score.toFixed(1) },
      ),
    })),
    caption,
  );
}

import { escapeHtml, svg, svgText } from "../markup.ts";

export interface HeatMapRow {
  readonly label: string;
  /** 0–1 for the colour, with the text that is written in the cell; null where there is no score. */
  readonly cells: readonly ({ readonly position: number; readonly text: string } | null)[];
}

const CELL = { width: 62, height: 24 };
const LABELS = { width: 230, height: 110 };

/** Rows by columns, darker for higher; a cell without a score stays empty. */
export function heatMap(columns: readonly string[], rows: readonly HeatMapRow[], caption: string): string {
  // The last heading leans out beyond its column.
  const width = LABELS.width + columns.length * CELL.width + 70;
  const height = LABELS.height + rows.length * CELL.height;
  const heads = columns.map((column, index) => {
    const x = LABELS.width + index * CELL.width + CELL.width / 2;
    const y = LABELS.height - 8;
    return svgText({ x, y, transform: `rotate(-38 ${x} ${y})`, class: "tick" }, shortened(column, 24));
  });
  const lines = rows.flatMap((row, rowIndex) => {
    const y = LABELS.height + rowIndex * CELL.height;
    const label = svgText(
      { x: LABELS.width - 8, y: y + 16, "text-anchor": "end", class: "tick" },
      shortened(row.label, 34),
    );
    const cells = row.cells.map((cell, column) => {
      const x = LABELS.width + column * CELL.width;
      if (!cell) return svg("rect", { x, y, width: CELL.width - 2, height: CELL.height - 2, class: "cell empty" });
      const opacity = 0.08 + 0.84 * Math.min(1, Math.max(0, cell.position));
      return (
        svg("rect", { x, y, width: CELL.width - 2, height: CELL.height - 2, class: "cell", "fill-opacity": opacity }) +
        svgText(
          { x: x + CELL.width / 2 - 1, y: y + 16, "text-anchor": "middle", class: opacity > 0.55 ? "on-dark" : "tick" },
          cell.text,
        )
      );
    });
    return [label, ...cells];
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "plot heat", role: "img" },
    svg("title", {}, escapeHtml(caption)),
    ...heads,
    ...lines,
  );
}

function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}

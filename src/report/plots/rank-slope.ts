import { averageRanks } from "../../stats/distribution/ranks.ts";
import { escapeHtml, svg, svgText } from "../markup.ts";

const WIDTH = 520;
const ROW = 20;
const TOP = 40;
const INSET = 170;

/** The same things in two orders, best on top, a line from each to itself: crossings are disagreements. Ties share a height. */
export function rankSlopePlot(
  points: { readonly left: ArrayLike<number>; readonly right: ArrayLike<number>; readonly names: readonly string[] },
  labels: { readonly left: string; readonly right: string; readonly caption: string },
): string {
  const count = points.names.length;
  const heights = (values: ArrayLike<number>) =>
    Array.from(averageRanks(values), (rank) => TOP + (count - rank + 0.5) * ROW);
  const left = heights(points.left);
  const right = heights(points.right);
  const rows = points.names.flatMap((name, i) => {
    const moved = Math.abs(left[i]! - right[i]!) > ROW * Math.max(2, count / 5);
    return [
      svg(
        "line",
        { x1: INSET, x2: WIDTH - INSET, y1: left[i], y2: right[i], class: moved ? "marker" : "outline" },
        svg("title", {}, escapeHtml(name)),
      ),
      svgText({ x: INSET - 8, y: left[i]! + 4, "text-anchor": "end", class: "tick" }, shortened(name)),
      svgText({ x: WIDTH - INSET + 8, y: right[i]! + 4, class: "tick" }, shortened(name)),
    ];
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${TOP + (count + 1) * ROW}`, class: "plot ranks", role: "img" },
    svg("title", {}, escapeHtml(labels.caption)),
    svgText({ x: INSET, y: 20, "text-anchor": "end", class: "label" }, shortened(labels.left)),
    svgText({ x: WIDTH - INSET, y: 20, class: "label" }, shortened(labels.right)),
    ...rows,
  );
}

function shortened(text: string): string {
  return text.length <= 24 ? text : `${text.slice(0, 23)}…`;
}

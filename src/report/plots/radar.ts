import { curveLinearClosed, lineRadial } from "d3-shape";
import { escapeHtml, svg, svgText } from "../markup.ts";

export interface RadarSpoke {
  readonly label: string;
  /** 0–1, or null when the aspect is unscored: its spoke is drawn empty and the outline passes it by. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const SIZE = 380;
const RADIUS = 132;
const RINGS = [0.25, 0.5, 0.75, 1];

/** The aspects around a circle: the outline is the score, the band around it the interval. */
export function radarPlot(spokes: readonly RadarSpoke[], caption: string): string {
  const angle = (position: number) => (position / spokes.length) * 2 * Math.PI;
  const drawn = spokes.flatMap((spoke, position) =>
    spoke.value === null ? [] : [{ ...spoke, value: spoke.value, angle: angle(position) }],
  );
  const outline = (pick: (spoke: (typeof drawn)[number]) => number) =>
    lineRadial<(typeof drawn)[number]>()
      .angle((spoke) => spoke.angle)
      .radius((spoke) => pick(spoke) * RADIUS)
      .curve(curveLinearClosed)(drawn) ?? "";
  const rings = RINGS.map((ring) => svg("circle", { r: ring * RADIUS, class: "grid" }));
  const axes = spokes.map((spoke, position) => {
    const [x, y] = point(angle(position), RADIUS);
    return svg("line", { x2: x, y2: y, class: spoke.value === null ? "grid absent" : "grid" });
  });
  const labels = spokes.map((spoke, position) => {
    const [x, y] = point(angle(position), RADIUS + 20);
    const anchor = Math.abs(x) < 8 ? "middle" : x > 0 ? "start" : "end";
    const text = spoke.value === null ? `${spoke.label} –` : spoke.label;
    return svgText({ x, y: y + 4, "text-anchor": anchor, class: spoke.value === null ? "label muted" : "label" }, text);
  });
  const band = `${outline((spoke) => spoke.high ?? spoke.value)}${outline((spoke) => spoke.low ?? spoke.value)}`;
  const shape =
    drawn.length < 3
      ? []
      : [
          svg("path", { d: band, class: "band", "fill-rule": "evenodd" }),
          svg("path", { d: outline((spoke) => spoke.value), class: "outline" }),
        ];
  const dots = drawn.map((spoke) => {
    const [x, y] = point(spoke.angle, spoke.value * RADIUS);
    return svg("circle", { cx: x, cy: y, r: 3.5, class: "dot" });
  });
  const half = SIZE / 2;
  return svg(
    "svg",
    { viewBox: `${-half - 60} ${-half + 20} ${SIZE + 120} ${SIZE - 40}`, class: "plot radar", role: "img" },
    svg("title", {}, escapeHtml(caption)),
    ...rings,
    ...axes,
    ...shape,
    ...dots,
    ...labels,
  );
}

function point(angle: number, radius: number): [number, number] {
  return [Math.sin(angle) * radius, -Math.cos(angle) * radius];
}

import type { ReportPlot } from "../../src/api/evaluations.ts";
import { Table } from "../parts/table.tsx";
import { PlotFigure } from "../plots/course-plot.tsx";
import type { Draw } from "../plots/draw.ts";
import { clipped, IntervalPlot } from "../plots/interval-plot.tsx";

export function PlotPart({ plot }: { readonly plot: ReportPlot }) {
  const { caption } = plot;
  switch (plot.shape) {
    case "scatter":
      return <PlotFigure label={caption} caption={caption} draw={scatter(plot)} />;
    case "orders":
      return (
        <PlotFigure label={caption} caption={caption} draw={orders(plot)}>
          <Table
            label={caption}
            rows={[...plot.things].sort((one, other) => other.left - one.left)}
            columns={[
              ["", ({ name }) => name],
              [plot.left, ({ left }) => placeIn(plot, left), "number"],
              [plot.right, ({ right }) => placeIn(plot, right), "number"],
            ]}
          />
        </PlotFigure>
      );
    case "intervals":
      return <IntervalPlot rows={plot.rows} axis={plot.axis} caption={caption} />;
    case "lines":
      return <PlotFigure label={caption} caption={caption} draw={lines(plot)} />;
    default:
      return plot satisfies never;
  }
}

const LONGEST_BESIDE = 40;

function scatter({ points, axes, areNamed }: Extract<ReportPlot, { shape: "scatter" }>): Draw {
  return (Plot) => {
    const values = points.map(({ x }) => x);
    const edge = 0.3 * Math.min(...values) + 0.7 * Math.max(...values);
    const isRight = ({ x }: { readonly x: number }) => x > edge;
    const names = (side: "start" | "end", own: typeof points) =>
      Plot.text(own, {
        ...{ x: "x", y: "y", text: ({ label }: { readonly label: string }) => clipped(label, LONGEST_BESIDE) },
        ...{ textAnchor: side, dx: side === "start" ? 8 : -8, fill: "var(--muted)", fontSize: 12 },
      });
    return {
      ...{ height: 420, marginLeft: 56, marginBottom: 44, marginRight: 20, inset: 12 },
      x: { label: axes.x, nice: true },
      y: { label: axes.y, grid: true, nice: true },
      marks: [
        Plot.dot(points, { x: "x", y: "y", r: 3.5, fill: "var(--accent)", title: "label" }),
        ...(areNamed
          ? [
              names(
                "start",
                points.filter((point) => !isRight(point)),
              ),
              names("end", points.filter(isRight)),
            ]
          : []),
      ],
    };
  };
}

const LONGEST_IN_ORDER = 24;

/** The same things in two orders, best on top, and a line from each to itself: crossings are disagreements. */
function orders({ left, right, things }: Extract<ReportPlot, { shape: "orders" }>): Draw {
  return (Plot) => {
    const ends = (own: typeof things) =>
      own.flatMap((thing) => [
        { name: thing.name, side: 0, rank: thing.left },
        { name: thing.name, side: 1, rank: thing.right },
      ]);
    const isFar = (thing: (typeof things)[number]) =>
      Math.abs(thing.left - thing.right) > Math.max(2, things.length / 5);
    const line = (own: typeof things, stroke: string) =>
      Plot.lineY(ends(own), { x: "side", y: "rank", z: "name", stroke, strokeWidth: 2, title: "name" });
    const labels = (side: 0 | 1) => {
      const words = {
        x: "side",
        y: "rank",
        dx: side === 0 ? -8 : 8,
        textAnchor: side === 0 ? "end" : "start",
      } as const;
      const heading = { name: side === 0 ? left : right, side, rank: things.length + 1 };
      const text = ({ name }: { readonly name: string }) => clipped(name, LONGEST_IN_ORDER);
      return [
        Plot.text([heading], { ...words, text, fill: "var(--ink)", fontWeight: 600, fontSize: 12 }),
        Plot.text(tied(ends(things).filter((end) => end.side === side)), {
          ...words,
          text,
          fill: "var(--muted)",
          fontSize: 12,
        }),
      ];
    };
    return {
      ...{ height: 60 + 20 * things.length, marginLeft: 190, marginRight: 190 },
      x: { axis: null, domain: [0, 1] },
      y: { axis: null, domain: [0.5, things.length + 1] },
      marks: [
        line(
          things.filter((thing) => !isFar(thing)),
          "var(--accent)",
        ),
        line(things.filter(isFar), "var(--marker)"),
        ...labels(0),
        ...labels(1),
      ],
    };
  };
}

/** Those of one rank share a label. */
function tied<End extends { readonly name: string; readonly rank: number }>(ends: readonly End[]): End[] {
  return ends
    .filter(({ rank }, at) => ends.findIndex((end) => end.rank === rank) === at)
    .map((first) => ({
      ...first,
      name: ends.flatMap(({ name, rank }) => (rank === first.rank ? [name] : [])).join(", "),
    }));
}

/** Ranks count from the lowest; places from the best. */
function placeIn({ things }: Extract<ReportPlot, { shape: "orders" }>, rank: number): number {
  return things.length + 1 - rank;
}

/** Told apart in print and by those who do not see every colour. */
const STROKES = ["#1b6ca8", "#c2541b", "#5a5a5a", "#3c8d40"];
const DASHES = ["none", "6 3", "2 3", "8 3 2 3"];

/** In colours of its own, since it is drawn into a file by itself too. */
export function lines({ axes, lines: all }: Extract<ReportPlot, { shape: "lines" }>): Draw {
  return (Plot) => {
    const points = all.flatMap((line) => line.points);
    const values = points.flatMap(({ value, interval }) => [value ?? 0, ...(interval ?? [])]);
    const band = (all[0]?.points ?? []).map(({ x, interval }) => ({ x, low: interval?.[0], high: interval?.[1] }));
    return {
      ...{ height: 405, marginLeft: 52, marginRight: 170, marginBottom: 44 },
      x: { label: axes.x, labelAnchor: "center", ticks: [...new Set(points.map(({ x }) => x))], tickFormat: "d" },
      y: { label: axes.y, domain: [Math.min(0, ...values), Math.max(0.1, ...values)], nice: true, grid: true },
      marks: [
        Plot.areaY(band, { x: "x", y1: "low", y2: "high", fill: STROKES[0]!, fillOpacity: 0.15 }),
        ...all.flatMap(({ name, points: own }, at) => {
          const stroke = STROKES[at % STROKES.length]!;
          return [
            Plot.lineY(own, {
              x: "x",
              y: "value",
              stroke,
              strokeWidth: 2,
              strokeDasharray: DASHES[at % DASHES.length]!,
            }),
            Plot.text(own.filter(({ value }) => value !== null).slice(-1), {
              ...{ x: "x", y: "value", text: () => name, dx: 8, textAnchor: "start", fill: stroke, fontSize: 12 },
            }),
          ];
        }),
      ],
    };
  };
}

import type { MapPart } from "../../../judge/letter/map-part.ts";
import { escapeHtml, svg, svgText } from "../../markup.ts";

const WIDTH = 900;
const LABELS = 170;
const ROW = 26;
const GAP = 6;
const MOST_CHARACTERS = 8;

interface Strip {
  readonly label: string;
  readonly cells: readonly { readonly value: number | null; readonly text: string; readonly isOutside?: boolean }[];
  /** Bars by height, shades by darkness, or letters. */
  readonly kind: "bar" | "shade" | "letter";
  /** The reference's middle 90 %, as a quiet band behind bars. */
  readonly band?: { readonly low: number; readonly high: number } | undefined;
}

/** One strip per row, chapters from left to right, all aligned: a column is a chapter. Each cell names its chapter and value. */
export function mapStrips(map: MapPart): string {
  const strips = stripsOf(map);
  const columns = map.chapters.length;
  const column = (WIDTH - LABELS) / Math.max(1, columns);
  const rows = strips.map((strip, row) => {
    const y = row * (ROW + GAP);
    const label = svgText({ x: LABELS - 8, y: y + 17, "text-anchor": "end", class: "tick" }, shortened(strip.label));
    return label + cellsOf(strip, y, column);
  });
  const height = strips.length * (ROW + GAP);
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${height}`,
      class: "plot strips",
      role: "img",
      "aria-label": "The book chapter by chapter",
    },
    ...rows,
  );
}

function stripsOf({ chapters, characters, figures }: MapPart): Strip[] {
  const bandOf = (id: string) => figures.find((figure) => figure.id === id)?.reference ?? undefined;
  const bars = (
    label: string,
    values: readonly (number | null)[],
    text: (value: number) => string,
    band?: Strip["band"],
  ): Strip => ({
    label,
    kind: "bar",
    band,
    cells: values.map((value) => ({
      value,
      text: value === null ? "–" : text(value),
      isOutside: value !== null && band !== undefined && (value < band.low || value > band.high),
    })),
  });
  const most = Math.max(1, ...characters.flatMap(({ presence }) => presence));
  return [
    bars(
      "Words",
      chapters.map(({ words }) => words),
      (value) => `${value.toLocaleString("en-GB")} words`,
    ),
    bars(
      "Dialogue",
      chapters.map(({ dialogue }) => dialogue),
      (value) => `${(100 * value).toFixed(0)} % spoken`,
      bandOf("dialogue-share"),
    ),
    bars(
      "Words per sentence",
      chapters.map(({ sentenceWords }) => sentenceWords),
      (value) => `${value.toFixed(1)} words per sentence`,
      bandOf("sentence-words"),
    ),
    ...(chapters.some(({ tone }) => tone !== null) ? [toneStrip(chapters)] : []),
    ...characters.slice(0, MOST_CHARACTERS).map(
      ({ name, presence }): Strip => ({
        label: name,
        kind: "shade",
        cells: presence.map((mentions) => ({
          value: mentions === 0 ? 0 : Math.sqrt(mentions / most),
          text: `${mentions} mentions`,
        })),
      }),
    ),
    ...(chapters.some(({ person }) => person !== null)
      ? [
          {
            label: "Person and tense",
            kind: "letter" as const,
            cells: chapters.map(({ person, tense }) => ({
              value: null,
              text: person === null ? "–" : `${person} person, ${tense ?? "tense unclear"}`,
            })),
          },
        ]
      : []),
    ...(chapters.some(({ notes }) => notes !== null)
      ? [
          bars(
            "Marked sentences",
            chapters.map(({ notes }) => notes),
            (value) => `${value.toFixed(1)} per 1,000 words`,
          ),
        ]
      : []),
  ];
}

function toneStrip(chapters: MapPart["chapters"]): Strip {
  const values = chapters.flatMap(({ tone }) => tone ?? []);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return {
    label: "Tone (darker: good words)",
    kind: "shade",
    cells: chapters.map(({ tone }) => ({
      value: tone === null || high === low ? null : (tone - low) / (high - low),
      text: tone === null ? "too short" : tone.toFixed(2),
    })),
  };
}

function cellsOf({ label, cells, kind, band }: Strip, y: number, column: number): string {
  const highest = Math.max(1e-9, band?.high ?? 0, ...cells.flatMap(({ value }) => value ?? []));
  const scaled = (value: number) => (ROW * value) / highest;
  const behind = band
    ? svg("rect", {
        x: LABELS,
        y: y + ROW - scaled(band.high),
        width: WIDTH - LABELS,
        height: Math.max(1, scaled(band.high - band.low)),
        class: "reference",
      })
    : "";
  const drawn = cells.map(({ value, text, isOutside }, at) => {
    const x = LABELS + at * column;
    const width = Math.max(0.6, column - (column > 4 ? 1 : 0.2));
    const title = svg("title", {}, escapeHtml(`${label}, chapter ${at + 1}: ${text}`));
    if (kind === "letter") {
      const short = text === "–" ? "–" : `${text[0]}${/present/.test(text) ? "p" : ""}`;
      return svg(
        "g",
        {},
        title,
        svgText({ x: x + column / 2, y: y + 17, "text-anchor": "middle", class: "tick small" }, short),
      );
    }
    if (kind === "shade") {
      const shade = value === null ? 0 : value;
      const opacity = shade === 0 ? 0.04 : 0.15 + 0.8 * shade;
      return svg("rect", { x, y, width, height: ROW, class: "cell", "fill-opacity": opacity }, title);
    }
    const height = Math.max(0.5, scaled(value ?? 0));
    const look = isOutside ? "cell outside" : "cell";
    return svg("rect", { x, y: y + ROW - height, width, height, class: look, "fill-opacity": 0.75 }, title);
  });
  return behind + drawn.join("");
}

function shortened(label: string): string {
  return label.length <= 26 ? label : `${label.slice(0, 25)}…`;
}

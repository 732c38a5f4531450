import type { ReportTable, SectionedReport } from "../../api/evaluations.ts";
import { listSection } from "../report-forms.ts";

/** The data of a report on reproduced figures. */
export interface ReproductionView {
  readonly paper: string;
  readonly figures: readonly {
    readonly place: string;
    readonly name: string;
    readonly value: number | null;
    readonly interval: readonly [number, number] | null;
    readonly n: number;
    readonly printed: number | null;
    readonly rule?: string;
    readonly reason?: string;
  }[];
  readonly differences: readonly string[];
}

/** Figures that were not computed; those of a printed row with the same reason are in one line. */
function missingFigures({ figures }: ReproductionView): string[] {
  const groups = new Map<string, string[]>();
  for (const { place, name, printed, reason } of figures) {
    if (reason === undefined) continue;
    const [way, column] = name.split(/: (?=[^:]*$)/) as [string, string?];
    const key = `${place}, ${way}`;
    groups.set(key, [
      ...(groups.get(key) ?? []),
      `${(column ?? "").replace("τ × 100, ", "")} ${printed?.toLocaleString("en-GB") ?? "–"}`,
    ]);
  }
  return [...groups].map(([key, printed]) => `${key}: printed ${printed.join(", ")}.`);
}

/** The reasons, each once. */
function reasonsOf({ figures }: ReproductionView): string[] {
  return [...new Set(figures.flatMap(({ reason }) => reason ?? []))];
}

export function reproductionTable({ figures: all }: ReproductionView): ReportTable {
  const figures = all.filter(({ reason }) => reason === undefined);
  const hasRules = figures.some(({ rule }) => rule !== undefined);
  return {
    kind: "table",
    headings: ["place", "figure", ...(hasRules ? ["rule"] : []), "here", "95 % interval", "n", "printed", "difference"],
    rows: figures.map(({ place, name, value, interval, n, printed, rule }) => [
      place,
      name,
      ...(hasRules ? [rule ?? "–"] : []),
      inFigures(value),
      interval === null ? "–" : `${inFigures(interval[0])} to ${inFigures(interval[1])}`,
      n.toLocaleString("en-GB"),
      inFigures(printed),
      value === null || printed === null ? "–" : signed(value - printed),
    ]),
    note: "A dash: the paper prints no number there, or none could be computed.",
  };
}

export function sectionedReproduction(view: ReproductionView): SectionedReport {
  const because = reasonsOf(view).map((reason) => ({ kind: "text" as const, text: `Because ${reason}.` }));
  const missing = listSection("Printed, and not computed here", missingFigures(view));
  return {
    title: view.paper,
    sections: [
      { heading: null, parts: [reproductionTable(view)] },
      ...missing.map(({ heading, parts }) => ({ heading, parts: [...because, ...parts] })),
      ...listSection("What differs, and why", view.differences),
    ],
  };
}

/** Four digits below ten; whole numbers unchanged. */
function inFigures(value: number | null): string {
  if (value === null) return "–";
  const text = Number.isInteger(value) ? value.toLocaleString("en-GB") : value.toFixed(Math.abs(value) < 10 ? 4 : 1);
  // A difference that rounds to zero has no sign.
  return /^-[0.]+$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

function signed(value: number): string {
  const text = inFigures(value);
  return /[1-9]/.test(text) && value > 0 ? `+${text}` : text;
}

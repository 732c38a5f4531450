import { JUROR_IDS, type JurorId } from "../../src/jury/juror.ts";
import type { TrainedJuror } from "../../src/jury/juror-file.ts";
import { NOT_STORY_GROUPS } from "./domain/known-texts.ts";
import type { DomainFigures } from "./domain/train-domain.ts";
import type { FigureRow } from "./figures.ts";
import { inWords } from "./measures.ts";
import type { NotesReport } from "./notes/train-notes.ts";

export function figureTable(figures: readonly FigureRow[], juror?: TrainedJuror): string {
  const rows = figures.map(({ name, measured }) => `| ${name} | ${inWords(measured)} | ${measured.n} |`);
  const misses = (juror?.head.misses ?? []).map(
    ({ words, inside, outside }) => `| ${words} | ±${inside.toFixed(1)} | ±${outside.toFixed(1)} |`,
  );
  return [
    "| measured on texts held back | value, 95% interval | n |",
    "| --- | --- | --- |",
    ...rows,
    ...(misses.length === 0
      ? []
      : ["", "| words of the text | range inside its domain | range outside |", "| --- | --- | --- |", ...misses]),
  ].join("\n");
}

export function notesTable({ figures, reasons, ceiling }: NotesReport): string {
  const range = [Math.min(...ceiling.pairs), Math.max(...ceiling.pairs)].map((value) => value.toFixed(2)).join("–");
  return [
    figureTable(figures),
    `| professionals predicting each other (the ceiling), area under the curve | ${ceiling.mean.toFixed(2)} (${range}) | ${ceiling.drafts} drafts |`,
    "",
    "| reason, for the tenth of sentences most like it | precision | base rate | recall | shown |",
    "| --- | --- | --- | --- | --- |",
    ...reasons.map(
      ({ reason, precision, interval, base, recall, shown }) =>
        `| ${reason} | ${precision.toFixed(2)} [${interval[0].toFixed(2)}, ${interval[1].toFixed(2)}] | ${base.toFixed(2)} | ${recall.toFixed(2)} | ${shown ? "yes" : "no"} |`,
    ),
  ].join("\n");
}

export function selectionTable(
  selected: {
    readonly figures: readonly FigureRow[];
    readonly chosen: readonly string[];
    readonly final: string;
    readonly candidates: readonly string[];
  },
  outer: number,
  inner: number,
): string {
  const counts = new Map<string, number>();
  const deals = selected.chosen.length / outer;
  const often =
    deals > 1 ? ` All of it ${deals} times with the folds dealt again; figures are means over the deals.` : "";
  for (const name of selected.chosen) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [
    `${inner} inner folds chose among ${selected.candidates.length} settings (${selected.candidates.join(", ")}); ${outer} outer folds, which took no part in the choice, measured it.${often}`,
    `Chosen: ${[...counts].map(([name, count]) => `${name} ${count}×`).join(", ")}; by all texts together: ${selected.final}.`,
    "",
    figureTable(selected.figures),
  ].join("\n");
}

const GROUP_NAMES = {
  reviews: "readers' reviews of novels",
  analyses: "a grader's analyses",
  written: "other kinds, written for this",
} as const;

export function domainTable({ byJuror, counts, limits }: DomainFigures): string {
  const row = (name: string, value: (juror: JurorId) => string) =>
    `| ${name} | ${JUROR_IDS.map((juror) => value(juror)).join(" | ")} |`;
  const share = (value: (borders: DomainFigures["byJuror"][JurorId]) => number) => (juror: JurorId) =>
    percent(value(byJuror[juror]));
  return [
    `| | ${JUROR_IDS.join(" | ")} |`,
    "| --- | --- | --- | --- |",
    row(
      "own texts wrongly outside, their family left out",
      share(({ sameSource }) => sameSource),
    ),
    row(
      "own texts wrongly outside as too old, their whole source left out",
      share(({ era }) => era.falseOutside),
    ),
    row(
      "own texts wrongly outside as no story, left out likewise",
      share(({ kind }) => kind.falseOutside),
    ),
    row(
      "own texts wrongly refused as no story, left out likewise",
      share(({ refused }) => refused.falseOutside),
    ),
    row(
      `of ${counts.oldNovels} novels from before 1900, left out: not noticed`,
      share(({ era }) => era.missedOutside),
    ),
    row(
      "of their passages of 300 or 900 words: not noticed",
      share(({ passages }) => passages),
    ),
    row(
      `of ${counts.laterNovels} novels from 1900 to 1930, which are neither: outside`,
      share(({ later }) => later),
    ),
    row(
      `of ${counts.notStories} texts that are no stories, their kind left out: not noticed`,
      share(({ kind }) => kind.missedOutside),
    ),
    ...NOT_STORY_GROUPS.map((group) =>
      row(
        `…of them, not noticed: ${GROUP_NAMES[group]}`,
        share(({ missed }) => missed[group]),
      ),
    ),
    row(
      "…noticed, but not refused",
      share(({ kind, refused }) => refused.missedOutside - kind.missedOutside),
    ),
    row("border: too old from", (juror) => limits[juror].era.outside.toFixed(2)),
    row("border: may be no story from", (juror) => limits[juror].kind.outside.toFixed(2)),
    row("border: refused from", (juror) => limits[juror].kind.farOutside.toFixed(2)),
  ].join("\n");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

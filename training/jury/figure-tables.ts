import { JUROR_IDS } from "../../src/jury/juror.ts";
import type { TrainedJuror } from "../../src/jury/juror-file.ts";
import type { FigureRow } from "./figures.ts";
import type { GroundFigures } from "./ground.ts";
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
      : ["", "| words of the text | range inside its ground | range outside |", "| --- | --- | --- |", ...misses]),
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

export function groundTable({ byJuror, novels }: GroundFigures): string {
  return [
    `| juror | own texts held back that are inside | of ${novels} novels held back, outside |`,
    "| --- | --- | --- |",
    ...JUROR_IDS.map((juror) => {
      const { inside, novelsOutside } = byJuror[juror];
      return `| ${juror} | ${percent(inside)} | ${percent(novelsOutside)} |`;
    }),
  ].join("\n");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}

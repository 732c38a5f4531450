import { htmlFigure } from "../../html-page.ts";
import { densityPlot } from "../../plots/density.ts";
import { dimensionHeatMap } from "../dimension-heat-map.ts";
import { paragraph, section } from "./layout.ts";
import type { SiteData } from "./site-data.ts";
import { siteTexts } from "./texts.ts";

/** Each judge's dimensions: a heat map of the writers, and the distribution of the human novels (the paper's Figure 4). */
export function dimensionsSection({ judges, language }: SiteData): string {
  const texts = siteTexts(language);
  const parts = judges.flatMap(({ judge, benchmark, names }) => {
    const { population, board } = benchmark;
    const rows = board.rows.map(({ writer, dimensionMeans }) => ({ writer, scores: dimensionMeans }));
    const plots = names.map((name, index) =>
      densityPlot(
        population.novels.map(({ scores }) => scores[index]!),
        name,
        rows.map(({ scores }) => scores[index]!),
      ),
    );
    return [
      htmlFigure(dimensionHeatMap(names, rows, texts.dimensions), texts.dimensionsHint(judge)),
      `<div class="grid-of-plots">${plots.join("")}</div>`,
    ];
  });
  return section(texts.dimensions, ...parts, paragraph(texts.distributions));
}

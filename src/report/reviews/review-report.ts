import type { AspectFrequency } from "../../reviews/criteria-analysis.ts";
import { htmlTable, markdownTable } from "../agreement/report-table.ts";
import { htmlFigure, htmlPage } from "../html-page.ts";
import { heatMap } from "../plots/heat-map.ts";
import { intervalDots } from "../plots/interval-dots.ts";
import type { ReviewFindings } from "./review-findings.ts";
import { reviewTables } from "./review-tables.ts";

export function reviewMarkdown(findings: ReviewFindings): string {
  return ["# What readers write", "", ...reviewTables(findings).flatMap(markdownTable)].join("\n");
}

export function reviewHtml(findings: ReviewFindings): string {
  const { criteria, mitigation, normalisation } = findings;
  return htmlPage(
    "What readers write",
    `<header><div>
<h1>What readers write</h1>
<p>${mitigation.reviews} reviews of ${mitigation.books} books by ${normalisation.reviewers} readers.</p>
</div></header>
${reviewTables(findings).map(htmlTable).join("\n")}
<section class="pictures">
<h2>In pictures</h2>
${htmlFigure(frequencyMap(criteria.aspects, criteria.byGenre, "By genre"), "Share of reviews that mention each aspect, by genre.")}
${htmlFigure(frequencyMap(criteria.aspects, criteria.byRating, "By rating"), "Share of reviews that mention each aspect, by rating.")}
${htmlFigure(significancePlot(findings), "How closely the ratings of reviews that mention an aspect follow the book's rating (Kendall's τ).")}
</section>`,
  );
}

function frequencyMap(aspects: readonly string[], groups: readonly AspectFrequency[], caption: string): string {
  const most = Math.max(1, ...groups.flatMap(({ shares }) => Object.values(shares)));
  const rows = groups.map(({ group, shares }) => ({
    label: group,
    cells: aspects.map((aspect) => {
      const share = shares[aspect] ?? 0;
      return { position: share / most, text: share.toFixed(0) };
    }),
  }));
  return heatMap(aspects, rows, caption);
}

function significancePlot({ criteria }: ReviewFindings): string {
  const dots = criteria.significance.flatMap(({ aspect, kendall, interval }) =>
    kendall === null || interval === null
      ? []
      : [{ label: aspect, value: kendall, interval, note: kendall.toFixed(2) }],
  );
  dots.sort((left, right) => right.value - left.value);
  return intervalDots(dots, [0, 1], "Approximate significance of aspects");
}

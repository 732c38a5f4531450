import type { ImportanceAnalysis } from "../../reviews/aspect-importance.ts";
import { htmlTable, markdownTable, type ReportTable } from "../agreement/report-table.ts";
import { htmlFigure, htmlPage } from "../html-page.ts";
import { intervalDots } from "../plots/interval-dots.ts";

/** What goes with the rating of a book; null where there are too few books to say. */
export interface ReviewImportance {
  readonly reviews: number;
  readonly all: ImportanceAnalysis | null;
  /** Every genre counts the same. */
  readonly balanced: ImportanceAnalysis | null;
  readonly parts: ImportanceAnalysis | null;
}

const CAVEAT =
  "A regression of books' average ratings on the average rating of their reviews that mention each aspect, with a fixed effect for each genre. A review's rating reflects everything it mentions, so these are shares of what goes together, not effects.";

export function importanceTables({ all, balanced, parts }: ReviewImportance): ReportTable[] {
  return [
    ...tableOf("What goes with a book's rating", all),
    ...tableOf("The same, every genre counted alike", balanced),
    ...tableOf("By sub-aspect", parts),
  ];
}

/** What could not be computed, and why. */
export function importanceNotes({ all, parts }: ReviewImportance): string[] {
  return [
    ...(all === null ? ["Too few books have at least five reviews of every aspect: 30 are needed."] : []),
    ...(parts === null
      ? ["No figures by sub-aspect: the reviews name too few of them, or too few books have five reviews of each."]
      : []),
  ];
}

function tableOf(title: string, analysis: ImportanceAnalysis | null): ReportTable[] {
  if (analysis === null) return [];
  const { books, booksLeftOut, explained, aspects, genres } = analysis;
  const range = (interval: readonly [number, number] | null, digits: number, factor = 1) =>
    interval === null ? "–" : interval.map((end) => (factor * end).toFixed(digits)).join(" to ");
  const rows = [...aspects].sort((left, right) => right.share - left.share);
  return [
    {
      title,
      headings: ["aspect", "share of R²", "95 % interval", "coefficient", "95 % interval"],
      rows: rows.map(({ aspect, share, shareInterval, coefficient, coefficientInterval }) => [
        aspect,
        `${(100 * share).toFixed(1)} %`,
        range(shareInterval, 1, 100),
        coefficient === null ? "–" : coefficient.toFixed(3),
        range(coefficientInterval, 3),
      ]),
      note: `${books} books of ${genres.length} genres (${booksLeftOut} have too few reviews of some aspect), R² ${explained.toFixed(3)} within genres. ${CAVEAT}`,
    },
  ];
}

export function importanceMarkdown(importance: ReviewImportance): string {
  return [
    "# What goes with a book's rating",
    "",
    ...importanceNotes(importance).flatMap((note) => [note, ""]),
    ...importanceTables(importance).flatMap(markdownTable),
  ].join("\n");
}

export function importanceHtml(importance: ReviewImportance): string {
  const plots = [
    ["What goes with a book's rating", importance.all],
    ["The same, every genre counted alike", importance.balanced],
    ["By sub-aspect", importance.parts],
  ] as const;
  return htmlPage(
    "What goes with a book's rating",
    `<header><div>
<h1>What goes with a book's rating</h1>
<p>${importance.reviews} reviews. ${importanceNotes(importance).join(" ")}</p>
</div></header>
${importanceTables(importance).map(htmlTable).join("\n")}
<section class="pictures">
<h2>In pictures</h2>
${plots.map(([title, analysis]) => (analysis ? htmlFigure(sharePlot(analysis, title), `${title}: share of R² by dominance analysis, in percent, with 95 % intervals over books.`) : "")).join("\n")}
</section>`,
  );
}

function sharePlot({ aspects }: ImportanceAnalysis, caption: string): string {
  const dots = aspects.map(({ aspect, share, shareInterval }) => ({
    label: aspect,
    value: 100 * share,
    interval: [100 * (shareInterval?.[0] ?? share), 100 * (shareInterval?.[1] ?? share)] as [number, number],
    note: `${(100 * share).toFixed(1)} %`,
  }));
  dots.sort((left, right) => right.value - left.value);
  return intervalDots(dots, [0, Math.max(...dots.map(({ interval }) => interval[1]))], caption);
}

import type { ImportanceAnalysis } from "../reviews/aspect-importance.ts";
import type { AspectFrequency, CriteriaAnalysis } from "../reviews/criteria-analysis.ts";
import type { Mitigation } from "../reviews/mitigation.ts";
import type { Moments } from "../reviews/normalise-ratings.ts";
import { htmlSection, markdownDocument, type ReportTable } from "./agreement/report-table.ts";
import { heatMap } from "./bench/dimension-heat-map.ts";
import { htmlFigure, htmlPage } from "./markup.ts";
import { intervalDots } from "./plots/plots.ts";

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
      note: `${books} books of ${genres.length} genres (${booksLeftOut} left out: too few reviews of some aspect, or none of the main genres), R² ${explained.toFixed(3)} within genres. ${CAVEAT}`,
    },
  ];
}

export function importanceMarkdown(importance: ReviewImportance): string {
  return markdownDocument("What goes with a book's rating", importanceNotes(importance), importanceTables(importance));
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
${importanceTables(importance).map(htmlSection).join("\n")}
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

export interface Normalisation {
  readonly reviewers: number;
  readonly ratings: number;
  readonly shrinkage: number;
  readonly platform: Moments;
  readonly before: Moments;
  readonly after: Moments;
}

/** What a collection of reviews shows. */
export interface ReviewFindings {
  readonly mitigation: Mitigation;
  readonly normalisation: Normalisation;
  readonly criteria: CriteriaAnalysis;
  /** Names of aspects that belong to no aspect we know, most frequent first. */
  readonly unmapped: readonly { readonly name: string; readonly count: number }[];
}

const MOST_UNMAPPED = 40;

export function reviewTables({ mitigation, normalisation, criteria, unmapped }: ReviewFindings): ReportTable[] {
  const { platform, before, after } = normalisation;
  return [
    {
      title: "Review bias, and what sampling does about it",
      headings: ["stars", "share reviewed", "reviews before", "reviews kept", "ratings", "difference"],
      rows: mitigation.stars.map(({ star, reviewed, before: was, kept, ratings }) => [
        `${star}`,
        percent(reviewed),
        percent(was),
        percent(kept),
        percent(ratings),
        `${(kept - ratings).toFixed(2)} points`,
      ]),
      note: `${mitigation.kept} of ${mitigation.reviews} reviews are kept, so that each book's reviews follow its ratings; none of ${mitigation.booksWithout} of the ${mitigation.books} books. "Share reviewed" is the percentage of all ratings at that star that came with a review.`,
    },
    {
      title: "Ratings, normalised by reader",
      headings: ["", "mean", "deviation"],
      rows: [
        ["platform", platform.mean.toFixed(4), platform.deviation.toFixed(4)],
        ["reviews as given", before.mean.toFixed(4), before.deviation.toFixed(4)],
        ["reviews normalised", after.mean.toFixed(4), after.deviation.toFixed(4)],
      ],
      note: `${normalisation.ratings} ratings of ${normalisation.reviewers} readers; each reader's mean and deviation are drawn towards everyone's as if by ${normalisation.shrinkage.toFixed(1)} further ratings.`,
    },
    frequencyTable("What readers discuss, by rating", criteria.aspects, [criteria.overall, ...criteria.byRating]),
    frequencyTable("What readers discuss, by genre", criteria.aspects, criteria.byGenre),
    {
      title: "How closely the ratings of reviews that mention an aspect follow the book's rating",
      headings: ["aspect", "Kendall τ", "95 % interval", "books"],
      rows: criteria.significance.map(({ aspect, kendall, interval, books }) => [
        aspect,
        kendall === null ? "–" : kendall.toFixed(3),
        interval === null ? "–" : `${interval[0].toFixed(3)} to ${interval[1].toFixed(3)}`,
        String(books),
      ]),
      note: "An approximation: a review's rating reflects everything it mentions, not one aspect alone.",
    },
    ...(unmapped.length === 0
      ? []
      : [
          {
            title: "Names that belong to no known aspect",
            headings: ["name", "reviews"],
            rows: unmapped.slice(0, MOST_UNMAPPED).map(({ name, count }) => [name, String(count)]),
            ...(unmapped.length > MOST_UNMAPPED && {
              note: `${unmapped.length - MOST_UNMAPPED} rarer names are left out.`,
            }),
          },
        ]),
  ];
}

function frequencyTable(title: string, aspects: readonly string[], groups: readonly AspectFrequency[]): ReportTable {
  return {
    title,
    headings: ["", "reviews", ...aspects],
    rows: groups.map(({ group, reviews, shares }) => [
      group,
      String(reviews),
      ...aspects.map((aspect) => percent(shares[aspect] ?? 0)),
    ]),
    note: "Percent of the reviews that mention the aspect.",
  };
}

function percent(value: number): string {
  return `${value.toFixed(1)} %`;
}

export function reviewMarkdown(findings: ReviewFindings): string {
  return markdownDocument("What readers write", [], reviewTables(findings));
}

export function reviewHtml(findings: ReviewFindings): string {
  const { criteria, mitigation, normalisation } = findings;
  return htmlPage(
    "What readers write",
    `<header><div>
<h1>What readers write</h1>
<p>${mitigation.reviews} reviews of ${mitigation.books} books by ${normalisation.reviewers} readers.</p>
</div></header>
${reviewTables(findings).map(htmlSection).join("\n")}
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

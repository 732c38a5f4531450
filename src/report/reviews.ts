import type { ReportPart, ReportSection, SectionedReport } from "../api/evaluations.ts";
import { countOf, signedNumber } from "../core/wording.ts";
import type { ImportanceAnalysis } from "../reviews/aspect-importance.ts";
import type { AspectFrequency, CriteriaAnalysis } from "../reviews/criteria-analysis.ts";
import type { Mitigation } from "../reviews/mitigation.ts";
import type { Moments } from "../reviews/normalise-ratings.ts";
import { tableSection, textSection } from "./report-forms.ts";

/** What correlates with a book's rating; null if there are too few books. */
export interface ReviewImportance {
  readonly reviews: number;
  readonly all: ImportanceAnalysis | null;
  /** With the same weight for every genre. */
  readonly balanced: ImportanceAnalysis | null;
  readonly parts: ImportanceAnalysis | null;
}

const CAVEAT =
  "A regression of books' average ratings on the average rating of their reviews that mention each aspect, with a fixed effect for each genre. A review's rating reflects everything it mentions, so these are shares of what goes together, not effects.";

export function sectionedImportance(importance: ReviewImportance): SectionedReport {
  const { reviews, all, balanced, parts } = importance;
  return {
    title: "What goes with a book's rating",
    sections: [
      textSection(null, [`${countOf(reviews, "review")}.`, ...importanceNotes(importance)]),
      ...importanceSection("All books", all),
      ...importanceSection("Every genre counted alike", balanced),
      ...importanceSection("By sub-aspect", parts),
    ],
  };
}

/** What could not be computed, and why. */
function importanceNotes({ all, parts }: ReviewImportance): string[] {
  return [
    ...(all === null ? ["Too few books have at least five reviews of every aspect: 30 are needed."] : []),
    ...(parts === null
      ? ["No figures by sub-aspect: the reviews name too few of them, or too few books have five reviews of each."]
      : []),
  ];
}

function importanceSection(heading: string, analysis: ImportanceAnalysis | null): ReportSection[] {
  if (analysis === null) return [];
  const { books, booksLeftOut, explained, genres } = analysis;
  const range = (interval: readonly [number, number] | null, digits: number, factor = 1) =>
    interval === null ? "–" : interval.map((end) => inFigures(factor * end, digits)).join(" to ");
  const aspects = [...analysis.aspects].sort((left, right) => right.share - left.share);
  return [
    {
      heading,
      parts: [
        {
          kind: "table",
          headings: ["aspect", "share of R²", "95 % interval", "coefficient", "95 % interval"],
          rows: aspects.map(({ aspect, share, shareInterval, coefficient, coefficientInterval }) => [
            aspect,
            `${(100 * share).toFixed(1)} %`,
            range(shareInterval, 1, 100),
            coefficient === null ? "–" : inFigures(coefficient, 3),
            range(coefficientInterval, 3),
          ]),
          note: `${books} books of ${genres.length} genres (${booksLeftOut} left out: too few reviews of some aspect, or none of the main genres), R² ${explained.toFixed(3)} within genres. ${CAVEAT}`,
        },
        {
          kind: "plot",
          shape: "intervals",
          caption: `${heading}: share of R² by dominance analysis, in percent, with 95 % intervals over books.`,
          axis: "% of R²",
          rows: aspects.map(({ aspect, share, shareInterval }) => {
            const [low, high] = shareInterval ?? [share, share];
            return { name: aspect, value: 100 * share, low: 100 * low, high: 100 * high };
          }),
        },
      ],
    },
  ];
}

export interface Normalisation {
  readonly reviewers: number;
  readonly ratings: number;
  readonly shrinkage: number;
  readonly platform: Moments;
  readonly before: Moments;
  readonly after: Moments;
}

/** The findings from a collection of reviews. */
export interface ReviewFindings {
  readonly mitigation: Mitigation;
  readonly normalisation: Normalisation;
  readonly criteria: CriteriaAnalysis;
  /** Names of aspects that match no known aspect, most frequent first. */
  readonly unmapped: readonly { readonly name: string; readonly count: number }[];
}

const MOST_UNMAPPED = 40;

export function sectionedReviews({ mitigation, normalisation, criteria, unmapped }: ReviewFindings): SectionedReport {
  const { platform, before, after } = normalisation;
  const sections = [
    textSection(null, [
      `${countOf(mitigation.reviews, "review")} of ${countOf(mitigation.books, "book")} by ${countOf(normalisation.reviewers, "reader")}.`,
    ]),
    tableSection({
      title: "Review bias, and what sampling does about it",
      headings: ["stars", "share reviewed", "reviews before", "reviews kept", "ratings", "difference"],
      rows: mitigation.stars.map(({ star, reviewed, before: was, kept, ratings }) => [
        `${star}`,
        percent(reviewed),
        percent(was),
        percent(kept),
        percent(ratings),
        `${signedNumber(kept - ratings, 2)} points`,
      ]),
      note: `${mitigation.kept} of ${mitigation.reviews} reviews are kept, so that each book's reviews follow its ratings; none of ${mitigation.booksWithout} of the ${mitigation.books} books. "Share reviewed" is the percentage of all ratings at that star that came with a review.`,
    }),
    tableSection({
      title: "Ratings, normalised by reader",
      headings: ["", "mean", "deviation"],
      rows: [
        ["platform", platform.mean.toFixed(4), platform.deviation.toFixed(4)],
        ["reviews as given", before.mean.toFixed(4), before.deviation.toFixed(4)],
        ["reviews normalised", after.mean.toFixed(4), after.deviation.toFixed(4)],
      ],
      note: `${normalisation.ratings} ratings of ${normalisation.reviewers} readers; each reader's mean and deviation are drawn towards everyone's as if by ${normalisation.shrinkage.toFixed(1)} further ratings.`,
    }),
    frequencySection("What readers discuss, by rating", criteria.aspects, [criteria.overall, ...criteria.byRating]),
    frequencySection("What readers discuss, by genre", criteria.aspects, criteria.byGenre),
    significanceSection(criteria),
    ...(unmapped.length === 0
      ? []
      : [
          tableSection({
            title: "Names that belong to no known aspect",
            headings: ["name", "reviews"],
            rows: unmapped.slice(0, MOST_UNMAPPED).map(({ name, count }) => [name, String(count)]),
            ...(unmapped.length > MOST_UNMAPPED && {
              note: `${unmapped.length - MOST_UNMAPPED} rarer names are left out.`,
            }),
          }),
        ]),
  ];
  return { title: "What readers write", sections };
}

/** The shade of a cell is its share of the largest one. */
function frequencySection(
  heading: string,
  aspects: readonly string[],
  groups: readonly AspectFrequency[],
): ReportSection {
  const most = Math.max(1, ...groups.flatMap(({ shares }) => Object.values(shares)));
  const table: ReportPart = {
    kind: "table",
    headings: ["", "reviews", ...aspects],
    rows: groups.map(({ group, reviews, shares }) => [
      group,
      String(reviews),
      ...aspects.map((aspect) => ({ text: percent(shares[aspect] ?? 0), shade: (shares[aspect] ?? 0) / most })),
    ]),
    note: "Percent of the reviews that mention the aspect.",
  };
  return { heading, parts: [table] };
}

function significanceSection({ significance }: CriteriaAnalysis): ReportSection {
  const known = significance.flatMap(({ aspect, kendall, interval }) =>
    kendall === null || interval === null
      ? []
      : [{ name: aspect, value: kendall, low: interval[0], high: interval[1] }],
  );
  return {
    heading: "How closely the ratings of reviews that mention an aspect follow the book's rating",
    parts: [
      {
        kind: "table",
        headings: ["aspect", "Kendall τ", "95 % interval", "books"],
        rows: significance.map(({ aspect, kendall, interval, books }) => [
          aspect,
          kendall === null ? "–" : inFigures(kendall, 3),
          interval === null ? "–" : interval.map((end) => inFigures(end, 3)).join(" to "),
          String(books),
        ]),
        note: "An approximation: a review's rating reflects everything it mentions, not one aspect alone.",
      },
      {
        kind: "plot",
        shape: "intervals",
        caption: "Kendall's τ of each aspect with its 95 % interval.",
        axis: "Kendall τ",
        rows: known.sort((left, right) => right.value - left.value),
      },
    ],
  };
}

function inFigures(value: number, digits: number): string {
  return value.toFixed(digits).replace("-", "−");
}

function percent(value: number): string {
  return `${value.toFixed(1)} %`;
}

import type { AspectFrequency } from "../../reviews/criteria-analysis.ts";
import type { ReportTable } from "../agreement/report-table.ts";
import type { ReviewFindings } from "./review-findings.ts";

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

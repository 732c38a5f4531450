import { trainForecastFrom } from "../../training/forecast/forecast-from-files.ts";
import type { Agreement } from "../../training/forecast/measure-forecast.ts";
import { defineEval, type Figure } from "../part.ts";

export default defineEval({
  id: "forecast",
  title: "Forecast of reader ratings: ten folds, everything chosen and learnt again in each",
  data: {
    "longstoryeval-books": "LongStoryEval's books (books.jsonl.gz)",
    "longstoryeval-reviews": "LongStoryEval's structured reviews (reviews.jsonl.gz)",
  },
  async run(paths, onProgress) {
    const quality = await trainForecastFrom({
      books: paths["longstoryeval-books"],
      reviews: paths["longstoryeval-reviews"],
      seed: 1,
      out: null,
      onProgress,
    });
    const { rating, withinGenre, withinKind, byFields, byAspect, coverage, byAudience, author } = quality;
    return [
      figure("kendall", "Kendall τ with the average rating, all fields known", rating),
      figure("kendall-within-genre", "Kendall τ over pairs of books of one genre, all fields known", withinGenre),
      figure(
        "kendall-within-kind",
        "Kendall τ over pairs of books with the same first two genres, all fields known",
        withinKind,
      ),
      ...Object.entries(byFields).map(([fields, agreement]) =>
        figure(`kendall-${slug(fields)}`, `Kendall τ from ${fields.replaceAll("+", ", ")} alone`, agreement),
      ),
      ...Object.entries(byAspect).map(([aspect, agreement]) =>
        figure(
          `appeal-${aspect}`,
          `Kendall τ of the forecast appeal of ${aspect} with what readers write of it`,
          agreement,
        ),
      ),
      {
        id: "coverage",
        name: "Share of ratings inside their 90 % interval",
        value: coverage,
        interval: null,
        n: rating.books,
        better: "higher",
      },
      ...byAudience.flatMap(({ from, books, ...shares }) => {
        const size = `books of ${from} ratings and more, up to the next size`;
        const share = (id: string, name: string, value: number): Figure => ({
          ...{ id: `${id}-${from}`, name, value, interval: null, n: books, better: "higher" },
        });
        return [
          share("coverage-audience", `Share of ratings inside the 90 % interval, ${size}`, shares.coverage),
          share(
            "coverage-audience-known",
            `The same with the number of ratings expected (as \`expected_ratings\`), ${size}`,
            shares.coverageKnown,
          ),
        ];
      }),
      {
        id: "author-error",
        name: "Stars by which the forecast misses, given one other book of the author",
        value: author.errorAfter,
        interval: null,
        n: author.pairs,
        better: "lower",
        compare: { name: "not given", value: author.errorBefore },
      },
    ];
  },
});

function figure(id: string, name: string, { kendall, interval, books }: Agreement): Figure {
  return { id, name, value: kendall, interval: [interval[0], interval[1]], n: books, better: "higher" };
}

function slug(fields: string): string {
  return fields.replaceAll(/[+_]/g, "-");
}

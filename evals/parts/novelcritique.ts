import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { seededRandom } from "../../src/core/random.ts";
import { loadForecaster } from "../../src/forecast/load-forecaster.ts";
import { drawPositions, percentileBootstrap, resampledKendall } from "../../src/stats/index.ts";
import { defineEval, type Figure } from "../part.ts";

const bookSchema = z.object({
  id: z.string(),
  title: z.string(),
  genres: z.array(z.string()),
  premise: z.string(),
  /** "114209 words" */
  book_len: z.string(),
  /** The average rating, as text. */
  score: z.coerce.number(),
});
const testBooksSchema = z.record(z.string(), z.array(bookSchema)).transform((byGenre) => Object.values(byGenre).flat());
const summarySchema = z.tuple([z.object({ overall_sum: z.string(), overall_char: z.string() })]);
const allBooksSchema = z.record(z.string(), z.object({ title: z.string() }));

const REVIEWS = "NovelCritique/predict/output/long_story_eval/run_0/Overall";
/** The prompts that its authors sent name this many genres of each book. */
const GENRES_SHOWN = 3;

/**
 * The forecast beside NovelCritique-8B on the books that its authors tested it on. Both are held against the same ratings, and
 * NovelCritique's scores are read from the reviews that its authors released.
 */
export default defineEval({
  id: "novelcritique",
  title: "The forecast beside NovelCritique-8B, on its 150 test books and with the reviews its authors released",
  data: { release: "a clone of github.com/DingyiYang/LongStoryEval" },
  async run({ release }) {
    const read = (...path: string[]) => JSON.parse(readFileSync(join(release, ...path), "utf8"));
    const books = testBooksSchema.parse(read("dataset", "test_infos.json"));
    const critic = readReviews(join(release, REVIEWS));
    const forecast = loadForecaster();
    const rows = books.map((book) => {
      const [summary] = summarySchema.parse(read("dataset", "summaries", `${book.id}.json`));
      const rate = (genres: string[]) => {
        const known = {
          title: book.title,
          genres,
          premise: book.premise,
          words: Number.parseInt(book.book_len, 10),
          plot_summary: summary.overall_sum,
          characters: summary.overall_char,
        };
        const result = forecast(known);
        if (result.kind !== "forecast") throw new Error(`no forecast for ${book.id}`);
        return result.rating;
      };
      const criticScore = critic.get(book.id);
      if (criticScore === undefined) throw new Error(`the release holds no review of ${book.id}`);
      return {
        title: book.title,
        truth: book.score,
        forecast: rate(book.genres),
        fewGenres: rate(book.genres.slice(0, GENRES_SHOWN)),
        critic: criticScore,
      };
    });
    type Row = (typeof rows)[number];
    const kendall = (column: "forecast" | "fewGenres" | "critic", of: readonly Row[] = rows) =>
      resampledKendall(
        of.map((row) => row[column]),
        of.map(({ truth }) => truth),
      );
    const figure = (
      id: string,
      name: string,
      statistic: ReturnType<typeof resampledKendall>,
      n = rows.length,
    ): Figure => {
      const { interval } = percentileBootstrap({
        draw: drawPositions(n),
        statistic,
        random: seededRandom(1),
        resamples: 10_000,
      });
      const { value } = statistic([...Array(n).keys()]);
      if (value === null || interval === null) throw new Error(`${name}: not defined`);
      return { id, name, value, interval: [interval[0], interval[1]], n, better: "higher" };
    };
    const [ours, theirs, few] = [kendall("forecast"), kendall("critic"), kendall("fewGenres")];
    const difference = (positions: ArrayLike<number>) => {
      const [left, right] = [ours(positions).value, theirs(positions).value];
      return left === null || right === null ? ours([]) : { value: left - right };
    };
    const critique = figure("kendall-novelcritique", "Kendall τ of NovelCritique-8B", theirs);
    const compare = { name: "NovelCritique-8B", value: critique.value };
    // The forecast learnt from the release's other books, and two test books are also among those, under another name.
    const learntFrom = otherTitles(allBooksSchema.parse(read("dataset", "all_book_info.json")), books);
    const unseen = rows.filter(({ title }) => !learntFrom.has(title));
    return [
      { ...figure("kendall", "Kendall τ of the forecast, all fields known", ours), compare },
      {
        ...figure(
          "kendall-three-genres",
          "Kendall τ of the forecast, given only the three genres that NovelCritique sees",
          few,
        ),
        compare,
      },
      figure("difference", "The forecast, all fields known, less NovelCritique-8B", difference),
      critique,
      figure(
        "kendall-unseen",
        "Kendall τ of the forecast without two books that it learnt from: the release holds them twice",
        kendall("forecast", unseen),
        unseen.length,
      ),
    ];
  },
});

/** Files are called "4.20: ID.txt", after the true rating; a review ends in "### Score: 4.9". */
function readReviews(folder: string): Map<string, number> {
  return new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".txt"))
      .map((name) => {
        const id = name.replace(/^[\d.]+: /, "").replace(/\.txt$/, "");
        const score = /### Score: (\d+(?:\.\d+)?)\s*$/.exec(readFileSync(join(folder, name), "utf8"))?.[1];
        if (score === undefined) throw new Error(`${name} ends without a score`);
        return [id, Number(score)];
      }),
  );
}

function otherTitles(all: z.infer<typeof allBooksSchema>, testBooks: readonly { readonly id: string }[]): Set<string> {
  const ids = new Set(testBooks.map(({ id }) => id));
  return new Set(Object.entries(all).flatMap(([id, { title }]) => (ids.has(id) ? [] : [title])));
}

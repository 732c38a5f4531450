/**
 * Judges, methods and the forecast on LongStoryEval's 150 test books, against readers' ratings:
 *
 *   npx tsx evals/judges-of-books.ts CHECKOUT [EVALUATIONS.jsonl …]
 *
 * CHECKOUT is the authors' release, whose NovelCritique replies are read; evaluations of your own are added, a row for each
 * way of judging. The forecast is asked about each book a second time with its people's names changed: a judge that remembers
 * a book, or learnt what its names sell, loses by it. Prints Kendall's τ with its interval, dollars and tokens a book, paired differences with intervals, and
 * what judge and forecast say together: the plain sum of their standard scores, which learns nothing, and a rating whose
 * weights were learnt on the other books (each book is predicted from the remaining ones).
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { estimateTokens } from "../src/core/estimate-tokens.ts";
import { groupBy } from "../src/core/group-by.ts";
import { readJsonLines } from "../src/core/json-lines.ts";
import { seededRandom } from "../src/core/random.ts";
import { isScored } from "../src/core/verdict.ts";
import { loadRubric } from "../src/criteria/load-rubric.ts";
import { forecastInputSchema } from "../src/forecast/forecast-input.ts";
import { loadForecaster } from "../src/forecast/load-forecaster.ts";
import { mean, standardDeviation } from "../src/stats/distribution.ts";
import { drawPositions, percentileBootstrap, resampledKendall } from "../src/stats/index.ts";
import { readEvaluations } from "../src/tasks/books/read-evaluations.ts";
import { openRelease, releasedScores } from "../src/tasks/reproduce/longstoryeval-release.ts";
import { reviewedBookSchema } from "../src/tasks/reviews/review-pairs.ts";

const [checkout, ...files] = process.argv.slice(2);
if (checkout === undefined) throw new Error("Usage: npx tsx evals/judges-of-books.ts CHECKOUT [EVALUATIONS.jsonl …]");

const RESAMPLES = 5000;
const GENRES_SHOWN = 3;
const OTHER_NAMES =
  "Alder Birch Cole Dale Ember Frost Glen Hale Ives Juno Kerr Lowe Marsh Nye Oakes Pell Quill Rowe".split(" ");

interface JudgeRow {
  readonly name: string;
  /** By id of the book; what a judge left unscored is absent. */
  readonly scores: ReadonlyMap<string, number>;
  readonly dollars: number | null;
  readonly inputTokens: number | null;
}

const signal = new AbortController().signal;
const release = await openRelease({ folder: checkout, set: "test", seed: 1, onProgress: () => {}, signal });
if (release === null) throw new Error(`${checkout} is no checkout of LongStoryEval's release`);
try {
  const books = await readJsonLines(join(release.converted, "books.jsonl"), reviewedBookSchema);
  const rating = new Map(books.map(({ id, average_rating }) => [id, average_rating]));
  const rows = [...(await critics()), ...forecasts(books), ...(await ownJudges(books))];
  const together = rows
    .filter(({ name }) => !name.startsWith("forecast"))
    .flatMap((judge) => combined(judge, rows.find(({ name }) => name === "forecast, all fields")!, rating));
  const all = [...rows, ...together];
  console.log(
    "τ with readers' average ratings                                         95 % interval    books  $/book  tokens/book",
  );
  for (const { name, scores, dollars, inputTokens } of all) {
    const { tau, interval, n } = agreement(scores, rating);
    console.log(
      `${name.padEnd(62)} ${figure(tau)}  ${figure(interval?.[0])} to ${figure(interval?.[1])}  ${String(n).padStart(5)}  ${dollars === null ? "     –" : dollars.toFixed(3).padStart(6)}  ${inputTokens === null ? "–" : Math.round(inputTokens).toLocaleString("en-GB")}`,
    );
  }
  console.log("\npaired differences of τ on the books that both scored");
  for (const [at, left] of all.entries()) {
    for (const right of all.slice(0, at)) {
      const { difference, interval, n } = paired(left.scores, right.scores, rating);
      if (difference === null) continue;
      const settled = interval !== null && (interval[0] > 0 || interval[1] < 0) ? "  *" : "";
      console.log(
        `${left.name} − ${right.name}: ${figure(difference)} (${figure(interval?.[0])} to ${figure(interval?.[1])}), ${n} books${settled}`,
      );
    }
  }
} finally {
  await release.close();
}

/** NovelCritique by its released replies: the whole, and the mean of the whole and the aspects. */
async function critics(): Promise<JudgeRow[]> {
  const scores = await releasedScores(release!, await loadRubric("long-story"));
  const prompts = await Promise.all(
    release!.testBooks.map(async (id) => {
      const text = await readFile(join(checkout!, "NovelCritique/predict/prompt_format", `${id}.txt`), "utf8").catch(
        () => null,
      );
      return text === null ? [] : [estimateTokens(text)];
    }),
  );
  const tokens = mean(prompts.flat());
  const of = (pick: (own: Readonly<Record<string, number>>) => number | undefined) =>
    new Map([...scores].flatMap(([id, own]) => (pick(own) === undefined ? [] : [[id, pick(own)!] as const])));
  return [
    { name: "NovelCritique, overall", scores: of((own) => own.overall), dollars: null, inputTokens: tokens },
    {
      name: "NovelCritique, mean of overall and aspects",
      scores: of((own) => mean(Object.values(own))),
      dollars: null,
      inputTokens: 9 * tokens,
    },
  ];
}

/** The forecast reads the description, and learnt from none of these books (two others of the release bear the same names). */
function forecasts(rows: readonly (typeof reviewedBookSchema)["_output"][]): JudgeRow[] {
  const forecast = loadForecaster();
  const rate = (genres: number, told: (row: (typeof rows)[number]) => (typeof rows)[number] = (row) => row) =>
    new Map(
      rows.map(told).flatMap((row) => {
        const found = forecast(forecastInputSchema.parse({ ...row, genres: row.genres.slice(0, genres) }));
        return found.kind === "forecast" ? [[row.id, found.rating] as const] : [];
      }),
    );
  return [
    { name: "forecast, all fields", scores: rate(100), dollars: 0, inputTokens: 0 },
    { name: "forecast, all fields, changed names", scores: rate(100, withOtherNames), dollars: 0, inputTokens: 0 },
    { name: "forecast, three genres", scores: rate(GENRES_SHOWN), dollars: 0, inputTokens: 0 },
  ];
}

/** The same book about people of other names: every word that stands with a capital within sentences, several times. */
function withOtherNames<Row extends (typeof reviewedBookSchema)["_output"]>(row: Row): Row {
  const text = `${row.premise ?? ""} ${row.plot_summary ?? ""} ${row.characters ?? ""}`;
  const seen = groupBy([...text.matchAll(/(?<=[a-z,] )[A-Z][a-z]{2,}\b/g)], ([word]) => word);
  const names = [...seen].flatMap(([word, all]) => (all.length >= 3 ? [word] : []));
  const changed = (old: string | null | undefined) =>
    old?.replace(/[A-Z][a-z]{2,}/g, (word) => {
      const at = names.indexOf(word);
      return at < 0 ? word : `${OTHER_NAMES[at % OTHER_NAMES.length]}`;
    });
  return {
    ...row,
    title: null,
    premise: changed(row.premise) ?? null,
    plot_summary: changed(row.plot_summary) ?? null,
    characters: changed(row.characters) ?? null,
  };
}

async function ownJudges(rows: readonly (typeof reviewedBookSchema)["_output"][]): Promise<JudgeRow[]> {
  const byName = new Map(rows.flatMap(({ id, title }) => [[id, id] as const, [title ?? id, id] as const]));
  const evaluations = (await Promise.all(files.map((file) => readEvaluations(file)))).flat();
  const ways = groupBy(evaluations, ({ settings, judge, method }) => settings?.hash ?? `${judge} ${method}`);
  return [...ways.values()].map((own) => {
    const costs = own.map(({ cost }) => cost);
    return {
      name: `${own[0]!.judge}, ${own[0]!.method}, ${own[0]!.settings?.hash ?? ""}`,
      scores: new Map(
        own.flatMap(({ book, overall }) => {
          const id = byName.get(book.file) ?? byName.get(book.title);
          return id !== undefined && isScored(overall) ? [[id, overall.score] as const] : [];
        }),
      ),
      dollars: costs.some((cost) => cost === null) ? null : mean(costs.map((cost) => cost ?? 0)),
      inputTokens: null,
    };
  });
}

/** A judge and the forecast together. */
function combined(judge: JudgeRow, forecast: JudgeRow, truth: ReadonlyMap<string, number>): JudgeRow[] {
  const ids = [...truth.keys()].filter((id) => judge.scores.has(id) && forecast.scores.has(id));
  const [left, right] = [judge, forecast].map(({ scores }) => standardised(ids.map((id) => scores.get(id)!)));
  const ratings = ids.map((id) => truth.get(id)!);
  const named = (name: string, scores: readonly number[]): JudgeRow => ({
    ...judge,
    name: `${judge.name} + forecast, ${name}`,
    scores: new Map(ids.map((id, at) => [id, scores[at]!])),
  });
  return [
    named(
      "plain sum",
      ids.map((_, at) => left![at]! + right![at]!),
    ),
    named(
      "weights learnt on other books",
      ids.map((_, at) => heldOut(left!, right!, ratings, at)),
    ),
  ];
}

/** Least squares on all books but one, for that one. */
function heldOut(left: readonly number[], right: readonly number[], ratings: readonly number[], held: number): number {
  const kept = ratings.flatMap((rating, at) => (at === held ? [] : [{ a: left[at]!, b: right[at]!, rating }]));
  const [a, b, y] = [
    mean(kept.map((row) => row.a)),
    mean(kept.map((row) => row.b)),
    mean(kept.map((row) => row.rating)),
  ];
  let [aa, bb, ab, ay, by] = [0, 0, 0, 0, 0];
  for (const row of kept) {
    aa += (row.a - a) ** 2;
    bb += (row.b - b) ** 2;
    ab += (row.a - a) * (row.b - b);
    ay += (row.a - a) * (row.rating - y);
    by += (row.b - b) * (row.rating - y);
  }
  const determinant = aa * bb - ab * ab;
  const weights = [(ay * bb - by * ab) / determinant, (by * aa - ay * ab) / determinant] as const;
  return y + weights[0] * (left[held]! - a) + weights[1] * (right[held]! - b);
}

function standardised(values: readonly number[]): number[] {
  const [centre, spread] = [mean(values), standardDeviation(values)];
  return values.map((value) => (value - centre) / spread);
}

function agreement(scores: ReadonlyMap<string, number>, truth: ReadonlyMap<string, number>) {
  const ids = [...truth.keys()].filter((id) => scores.has(id));
  const statistic = resampledKendall(
    ids.map((id) => scores.get(id)!),
    ids.map((id) => truth.get(id)!),
  );
  const { interval } = percentileBootstrap({
    draw: drawPositions(ids.length),
    statistic,
    random: seededRandom(1),
    resamples: RESAMPLES,
  });
  return { tau: statistic([...ids.keys()]).value, interval, n: ids.length };
}

function paired(
  left: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
  truth: ReadonlyMap<string, number>,
) {
  const ids = [...truth.keys()].filter((id) => left.has(id) && right.has(id));
  const ratings = ids.map((id) => truth.get(id)!);
  const [one, other] = [left, right].map((scores) =>
    resampledKendall(
      ids.map((id) => scores.get(id)!),
      ratings,
    ),
  );
  const statistic = (positions: ArrayLike<number>) => {
    const [first, second] = [one!(positions), other!(positions)];
    return first.value === null || second.value === null ? first : { value: first.value - second.value };
  };
  const { interval } = percentileBootstrap({
    draw: drawPositions(ids.length),
    statistic,
    random: seededRandom(1),
    resamples: RESAMPLES,
  });
  return { difference: statistic([...ids.keys()]).value, interval, n: ids.length };
}

function figure(value: number | null | undefined): string {
  return value === null || value === undefined ? "  –  " : value.toFixed(3).padStart(6);
}

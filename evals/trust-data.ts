import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readTable } from "../src/core/table/read-table.ts";
import { scoreTexts, trustJudges } from "../src/index.ts";
import { trustAnswer, trustWarnings } from "../src/report/agreement/trust-report.ts";

/**
 * `fabula trust` on published ratings, each beside a computation that shares no code with it:
 *
 *     npx tsx evals/trust-data.ts --ratings stories.jsonl.gz --edits paragraphs.jsonl.gz --hanna hanna_metric_scores_llm.csv
 *
 * prints what `evals/trust.md` holds. Ratings and edits are read by the embedded judges. HANNA's release
 * (github.com/dig-team/hanna-benchmark-asg) holds three raters' scores of 1,056 stories on six criteria, and those of metrics and
 * language models, in lists, a row per system, and is read as it is. That these are its annotations is checked against the
 * intraclass correlations that its authors print; who rated is not in that table.
 */
const { values: given } = parseArgs({
  options: { ratings: { type: "string" }, edits: { type: "string" }, hanna: { type: "string" } },
});
console.log(
  `# Whom to trust, on published ratings\n\nWritten by evals/trust-data.ts: what fabula trust says of published ratings, and every figure a second time by plain arithmetic.`,
);
const folder = await mkdtemp(join(tmpdir(), "fabula-trust-data-"));

/** A text, what each person said of it, and what each judge did. */
interface Rated {
  readonly people: readonly number[];
  readonly judges: Readonly<Record<string, number>>;
}

/* Plain arithmetic. */
const rounded = (value: number) => Math.round(value * 1e9) / 1e9;
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const ranks = (values: readonly number[]) => {
  const order = [...values.keys()].sort((one, other) => values[one]! - values[other]!);
  const found = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1]!] === values[order[from]!]) to++;
    for (let at = from; at <= to; at++) found[order[at]!] = 1 + (from + to) / 2;
    from = to + 1;
  }
  return found;
};
function rankCorrelation(left: readonly number[], right: readonly number[]): number {
  const [one, other] = [ranks(left), ranks(right)];
  const [a, b] = [average(one), average(other)];
  const product = one.reduce((sum, value, at) => sum + (value - a) * (other[at]! - b), 0);
  const square = (values: readonly number[], mean: number) =>
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return product / Math.sqrt(square(one, a) * square(other, b));
}
const covariance = (left: readonly number[], right: readonly number[]) => {
  const [a, b] = [average(left), average(right)];
  return left.reduce((sum, value, at) => sum + (value - a) * (right[at]! - b), 0);
};
const correlation = (left: readonly number[], right: readonly number[]) =>
  covariance(left, right) / Math.sqrt(covariance(left, left) * covariance(right, right));
/** Kendall's τ-b, pair by pair. */
function pairsInOrder(left: readonly number[], right: readonly number[]): number {
  let [order, toldLeft, toldRight] = [0, 0, 0];
  for (let one = 0; one < left.length; one++) {
    for (let other = 0; other < one; other++) {
      const [a, b] = [Math.sign(left[one]! - left[other]!), Math.sign(right[one]! - right[other]!)];
      order += a * b;
      toldLeft += a * a;
      toldRight += b * b;
    }
  }
  return order / Math.sqrt(toldLeft * toldRight);
}
const mostRatings = (texts: readonly Rated[]) => Math.max(...texts.map(({ people }) => people.length));
const raterNumbers = (texts: readonly Rated[]) => Array.from({ length: mostRatings(texts) }, (_, rater) => rater);
const without = (people: readonly number[], rater: number) => people.filter((_, at) => at !== rater);

/** For the first, second … rating: a figure over the texts that have it and another. */
function overRaters(
  texts: readonly Rated[],
  figure: (rated: readonly Rated[], rater: number) => number,
): number | null {
  if (mostRatings(texts) < 2) return null;
  return average(
    raterNumbers(texts).map((rater) =>
      figure(
        texts.filter(({ people }) => people.length > rater && people.length > 1),
        rater,
      ),
    ),
  );
}
/** One person beside the mean of the others. */
const ceilingOf = (texts: readonly Rated[]) =>
  overRaters(texts, (rated, rater) =>
    rankCorrelation(
      rated.map(({ people }) => people[rater]!),
      rated.map(({ people }) => rounded(average(without(people, rater)))),
    ),
  );
/** Krippendorff's α for intervals: disagreement within texts over that of any two ratings. */
function alphaOf(texts: readonly Rated[]): number | null {
  const rated = texts.filter(({ people }) => people.length > 1);
  if (rated.length === 0) return null;
  const all = rated.flatMap(({ people }) => people);
  const within = rated.map(({ people }) => (2 * people.length * covariance(people, people)) / (people.length - 1));
  return 1 - total(within) / all.length / ((2 * covariance(all, all)) / (all.length - 1));
}
const nearestOf = (steps: readonly number[]) => (value: number) =>
  steps.reduce((best, step) => (rounded(Math.abs(step - value)) < rounded(Math.abs(best - value)) ? step : best));
const distinct = (values: readonly number[]) => [...new Set(values)].sort((one, other) => one - other);
/** Cohen's κ with squared weights: what pairs differ by over what any two of both lists do. */
function kappaOf(left: readonly number[], right: readonly number[]): number {
  const expected = average(left.map((one) => average(right.map((other) => (one - other) ** 2))));
  return 1 - average(left.map((one, at) => (one - right[at]!) ** 2)) / expected;
}
/** Scores with the raters' mean and spread, where they are on another scale. */
function onPeoplesScale(texts: readonly Rated[], judge: string): readonly number[] {
  const ratings = texts.flatMap(({ people }) => people);
  const scores = texts.map(({ judges }) => judges[judge]!);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  if (scores.every((score) => score >= low && score <= high)) return scores;
  const spread = (values: readonly number[]) => Math.sqrt(covariance(values, values) / (values.length - 1));
  const factor = spread(ratings) / spread(scores);
  return scores.map((score) => Math.min(high, Math.max(low, average(ratings) + factor * (score - average(scores)))));
}
/** How often a judge is at least as close to the other raters as the one who is left out. */
function closeness(texts: readonly Rated[], scores: readonly number[]): number | null {
  const all = texts.map(({ people }, at) => ({ people, judges: { score: scores[at]! } }));
  if (mostRatings(texts) < 3) return null;
  return overRaters(all, (rated, rater) =>
    average(
      rated.map(({ people, judges }) => {
        const others = without(people, rater);
        const distance = (value: number) => rounded(Math.sqrt(average(others.map((other) => (value - other) ** 2))));
        return distance(judges.score!) <= distance(people[rater]!) ? 1 : 0;
      }),
    ),
  );
}

type Report = Awaited<ReturnType<typeof trustJudges>>;

function answered(title: string, command: string, report: Report, texts: readonly Rated[]): void {
  console.log(`\n## ${title}\n\n    ${command}\n\n${[...trustAnswer(report), ...trustWarnings(report)].join(" ")}\n`);
  console.log("| figure | `fabula trust` | plain arithmetic |");
  console.log("| --- | --- | --- |");
  for (const { name, ours, plain } of checked(title, report, texts)) {
    console.log(`| ${name} | ${ours.toFixed(6)} | ${plain.toFixed(6)} |`);
  }
}

/** Every figure of a report beside the same by plain arithmetic; an error where they differ. */
function checked(title: string, report: Report, texts: readonly Rated[]) {
  const lines: { readonly name: string; readonly ours: number; readonly plain: number }[] = [];
  const line = (name: string, ours: number | null | undefined, plain: number | null) => {
    if ((ours ?? null) === null && plain === null) return;
    if (typeof ours !== "number" || plain === null) throw new Error(`${title}: ${name} is known to one side only`);
    if (!(Math.abs(ours - plain) < 1e-9)) throw new Error(`${title}: ${name} is ${ours}, by plain arithmetic ${plain}`);
    lines.push({ name, ours, plain });
  };
  const { ceiling, judges } = report.study;
  line("ρ of one person with the others", ceiling.spearman.value, ceilingOf(texts));
  line("α", ceiling.alpha.value, alphaOf(texts));
  const pairsOfRaters = raterNumbers(texts).flatMap((one, _, all) => all.slice(one + 1).map((other) => [one, other]));
  const kappas = pairsOfRaters.map(([one, other]) => {
    const both = texts.filter(({ people }) => people.length > other!);
    return kappaOf(
      both.map(({ people }) => people[one!]!),
      both.map(({ people }) => people[other!]!),
    );
  });
  line("κ of two people", ceiling.kappa.value, kappas.length === 0 ? null : average(kappas));
  for (const found of judges) {
    const { judge, n } = found;
    const scored = texts.filter((text) => text.judges[judge] !== undefined);
    if (scored.length !== n) throw new Error(`${title}: ${judge} scored ${scored.length} texts, not ${n}`);
    const said = scored.map((text) => text.judges[judge]!);
    const people = scored.map((text) => rounded(average(text.people)));
    const moved = onPeoplesScale(scored, judge);
    const nearest = nearestOf(distinct(texts.flatMap((text) => text.people)));
    const asRatings = moved.map(nearest);
    line(`ρ of ${judge} (${n} texts)`, found.spearman.value, rankCorrelation(said, people));
    line(`τ-b of ${judge}`, found.kendall.value, pairsInOrder(said, people));
    line(`r of ${judge}`, found.pearson.value, correlation(said, people));
    const beside = overRaters(scored, (rated, rater) =>
      rankCorrelation(
        rated.map((text) => text.judges[judge]!),
        rated.map((text) => rounded(average(without(text.people, rater)))),
      ),
    );
    line(`ρ of ${judge} beside people`, found.besidePeople.value, beside);
    const withOne = raterNumbers(scored).map((rater) => {
      const own = scored.flatMap((text, at) => (text.people.length > rater ? [at] : []));
      return kappaOf(
        own.map((at) => asRatings[at]!),
        own.map((at) => scored[at]!.people[rater]!),
      );
    });
    line(`κ of ${judge} with one`, found.kappa.value, average(withOne));
    line(`${judge} at least as close as a person`, found.alternative?.advantage, closeness(scored, asRatings));
  }
  return lines;
}

/** The one-way intraclass correlation of a single rating, from the mean squares between and within texts. */
function intraclass(texts: readonly Rated[]): number {
  const raters = texts[0]!.people.length;
  const means = texts.map(({ people }) => average(people));
  const between = (raters * covariance(means, means)) / (texts.length - 1);
  const within = total(texts.map(({ people }) => covariance(people, people))) / (texts.length * (raters - 1));
  return (between - within) / (between + (raters - 1) * within);
}

/** What the embedded judges say, by the command that scores texts, not by the one that is tried. */
async function scoresOf(texts: readonly string[]): Promise<Record<string, number>[]> {
  const input = join(folder, "texts.jsonl");
  await writeFile(input, texts.map((text, id) => `${JSON.stringify({ id, text })}\n`).join(""));
  const found: Record<string, number>[] = texts.map(() => ({}));
  for (const judge of ["crowd", "editor", "grader"] as const) {
    const out = join(folder, `${judge}.jsonl`);
    await scoreTexts(input, { judge, out });
    for (const row of (await readTable(out)).rows) {
      const { id, overall } = row as { id: number; overall: { score?: number } };
      if (overall.score !== undefined) found[id]![judge] = overall.score;
    }
  }
  return found;
}

/** HANNA's criteria, and the intraclass correlation of a single rating that its authors' notebook prints for each. */
const CRITERIA = [
  ["CH", "Coherence", -0.0547567],
  ["RE", "Relevance", 0.137622],
  ["EM", "Empathy", 0.115955],
  ["SU", "Surprise", 0.0512276],
  ["EG", "Engagement", 0.180231],
  ["CX", "Complexity", 0.278044],
] as const;

async function hanna(path: string): Promise<void> {
  const { rows } = await readTable(path);
  const listOf = (cell: unknown) => JSON.parse(String(cell)) as number[];
  const lines: string[] = [];
  for (const [short, name, printed] of CRITERIA) {
    const human = [1, 2, 3].map((rater) => `Human ${rater} ${short}`);
    const judge = [...["ChatGPT", "Beluga-13B", "Mistral-7B"].map((model) => `${model} ${short} 1`), "BERTScore F1 Ξε"];
    const texts = rows.flatMap((row) => {
      const people = human.map((column) => listOf(row[column]));
      const scores = judge.map((column) => [column, listOf(row[column])] as const);
      return people[0]!.map((_, at) => ({
        system: String(row.Model),
        prompt: at + 1,
        people: people.map((own) => own[at]!),
        judges: Object.fromEntries(scores.map(([column, own]) => [column, own[at]!])),
      }));
    });
    const options = { judge, system: "Model", resamples: 300 };
    const report = await trustJudges(path, { ...options, human, item: "position", words: "Text length ¤§" });
    if (short === "CH") {
      const command = `fabula trust hanna_metric_scores_llm.csv --human "${human.join(",")}" --judge "${judge.join(",")}" --system Model --item position --words "Text length ¤§"`;
      answered("HANNA, coherence", command, report, texts);
    }
    const figures = checked(`HANNA, ${name}`, report, texts).length;
    const icc = intraclass(texts);
    if (Math.abs(icc - printed) > 1e-6) throw new Error(`HANNA, ${name}: the authors print ${printed}, not ${icc}`);
    await sameFromRows(name, texts, report, options);
    const { ceiling, plan } = report.study;
    const best = report.study.judges.find((one) => one.judge === plan.best)!;
    const figure = ({ value, interval }: { value: number | null; interval: readonly [number, number] | null }) =>
      `${value?.toFixed(2)} (${interval?.map((end) => end.toFixed(2)).join(" to ")})`;
    lines.push(
      `| ${name} | ${figures} | ${icc.toFixed(6)} | ${printed} | ${figure(ceiling.alpha)} | ${figure(ceiling.spearman)} | ${best.judge} | ${figure(best.spearman)} | ${figure(best.besidePeople)} |`,
    );
  }
  console.log(`
### HANNA, all criteria

Figures that \`fabula trust\` and plain arithmetic have alike, to nine digits, from the released lists and again from a row per rating; the
intraclass correlation of a single rating beside the one that HANNA's authors print; and what \`trust\` says of people and of the nearest judge.

| criterion | equal figures | ICC(1) | printed | α | ρ of one person with the others | nearest judge | ρ with people | ρ beside people |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${lines.join("\n")}`);
}

/** The same ratings in the shape of HANNA's annotations, a row per rating, have the same figures. */
async function sameFromRows(
  criterion: string,
  texts: readonly (Rated & { readonly system: string; readonly prompt: number })[],
  { study }: Report,
  options: { readonly judge: readonly string[]; readonly system: string; readonly resamples: number },
): Promise<void> {
  const table = join(folder, "annotations.jsonl");
  const rows = texts.flatMap(({ system, prompt, people, judges }, id) =>
    people.map((rating) => ({
      "Story ID": id,
      Prompt: `prompt ${prompt}`,
      Model: system,
      [criterion]: rating,
      ...judges,
    })),
  );
  await writeFile(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const again = await trustJudges(table, {
    ...options,
    resamples: 0,
    judge: [...options.judge],
    id: "Story ID",
    human: [criterion],
    item: "Prompt",
  });
  const figures = ({ ceiling, judges }: typeof study) => {
    const all = [ceiling, ...judges].flatMap((one) => [one.spearman, one.kappa]);
    return [...all, ceiling.alpha, ...judges.map(({ besidePeople }) => besidePeople)].map(({ value }) => value).join();
  };
  if (figures(again.study) !== figures(study))
    throw new Error(`HANNA, ${criterion}: rows give other figures than lists`);
}

try {
  if (given.ratings) {
    const { rows } = await readTable(given.ratings);
    const rated = rows.filter(({ ratings }) => Array.isArray(ratings));
    const judges = await scoresOf(rated.map(({ text }) => String(text)));
    answered(
      "Readers' ratings",
      "fabula trust stories.jsonl.gz --human ratings --system writer --item premise",
      await trustJudges(given.ratings, { human: ["ratings"], system: "writer", item: "premise" }),
      rated.map(({ ratings }, at) => ({ people: (ratings as number[][]).map(average), judges: judges[at]! })),
    );
  }
  if (given.edits) {
    const { rows } = await readTable(given.edits);
    const judges = await scoresOf(rows.map(({ text }) => String(text)));
    answered(
      "Editors' scores",
      "fabula trust paragraphs.jsonl.gz --human score_1_to_10",
      await trustJudges(given.edits, { human: ["score_1_to_10"], resamples: 300 }),
      rows.map(({ score_1_to_10: score }, at) => ({ people: [Number(score)], judges: judges[at]! })),
    );
  }
  if (given.hanna) await hanna(given.hanna);
} finally {
  await rm(folder, { recursive: true });
}

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
 * Ratings and edits are read by the embedded judges. HANNA's release holds three raters and the metrics' scores of 1,056 stories
 * in lists, a row per system, and is read as it is.
 */
const { values: given } = parseArgs({
  options: { ratings: { type: "string" }, edits: { type: "string" }, hanna: { type: "string" } },
});
const folder = await mkdtemp(join(tmpdir(), "fabula-trust-data-"));

/** A text, what each person said of it, and what each judge did. */
interface Rated {
  readonly people: readonly number[];
  readonly judges: Readonly<Record<string, number>>;
}

/* Plain arithmetic. */
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** Sums of whole numbers are exact: equal ratings tie. Every person rated the same aspects. */
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
/** One person beside the mean of the others, averaged over the first, second … rating. */
function ceilingOf(texts: readonly Rated[]): number | null {
  const most = Math.max(...texts.map(({ people }) => people.length));
  if (most < 2) return null;
  return average(
    Array.from({ length: most }, (_, rater) => {
      const rated = texts.filter(({ people }) => people.length > rater && people.length > 1);
      return rankCorrelation(
        rated.map(({ people }) => people[rater]!),
        rated.map(({ people }) => average(people.filter((__, at) => at !== rater))),
      );
    }),
  );
}

async function answered(
  title: string,
  command: string,
  report: Awaited<ReturnType<typeof trustJudges>>,
  texts: readonly Rated[],
): Promise<void> {
  console.log(`\n## ${title}\n\n    ${command}\n\n${[...trustAnswer(report), ...trustWarnings(report)].join(" ")}\n`);
  console.log("| figure | `fabula trust` | plain arithmetic |");
  console.log("| --- | --- | --- |");
  const ceiling = ceilingOf(texts);
  let farthest = 0;
  const line = (name: string, ours: number | null, plain: number | null) => {
    if (ours !== null && plain !== null) farthest = Math.max(farthest, Math.abs(ours - plain));
    console.log(`| ${name} | ${ours?.toFixed(6) ?? "–"} | ${plain?.toFixed(6) ?? "–"} |`);
  };
  line("ρ of one person with the others", report.study.ceiling.spearman.value, ceiling);
  for (const { judge, spearman, n } of report.study.judges) {
    const scored = texts.filter(({ judges }) => judges[judge] !== undefined);
    const plain = rankCorrelation(
      scored.map(({ judges }) => judges[judge]!),
      scored.map(({ people }) => average(people)),
    );
    line(`ρ of ${judge} (${n} texts)`, spearman.value, plain);
  }
  if (farthest > 1e-9) throw new Error(`${title}: the figures differ by ${farthest}`);
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

try {
  if (given.ratings) {
    const { rows } = await readTable(given.ratings);
    const rated = rows.filter(({ ratings }) => Array.isArray(ratings));
    const judges = await scoresOf(rated.map(({ text }) => String(text)));
    await answered(
      "Readers' ratings",
      "fabula trust stories.jsonl.gz --human ratings --system writer --item premise",
      await trustJudges(given.ratings, { human: ["ratings"], system: "writer", item: "premise" }),
      rated.map(({ ratings }, at) => ({ people: (ratings as number[][]).map(total), judges: judges[at]! })),
    );
  }
  if (given.edits) {
    const { rows } = await readTable(given.edits);
    const judges = await scoresOf(rows.map(({ text }) => String(text)));
    await answered(
      "Editors' scores",
      "fabula trust paragraphs.jsonl.gz --human score_1_to_10",
      await trustJudges(given.edits, { human: ["score_1_to_10"], resamples: 300 }),
      rows.map(({ score_1_to_10: score }, at) => ({ people: [Number(score)], judges: judges[at]! })),
    );
  }
  if (given.hanna) {
    const METRICS = ["BERTScore F1 Ξε", "ROUGE-1 F-Score Ξ§", "chrF Ξ§"];
    const { rows } = await readTable(given.hanna);
    const listOf = (cell: unknown) => JSON.parse(String(cell)) as number[];
    const texts = rows.flatMap((row) => {
      const people = ["Human 1 CH", "Human 2 CH", "Human 3 CH"].map((name) => listOf(row[name]));
      const scores = METRICS.map((column) => [column, listOf(row[column])] as const);
      return people[0]!.map((_, at) => ({
        people: people.map((own) => own[at]!),
        judges: Object.fromEntries(scores.map(([name, own]) => [name, own[at]!])),
      }));
    });
    const human = ["Human 1 CH", "Human 2 CH", "Human 3 CH"];
    await answered(
      "HANNA, coherence",
      `fabula trust hanna_metric_scores_llm.csv --human "${human.join(",")}" --judge "${METRICS.join(",")}" --system Model --item position`,
      await trustJudges(given.hanna, {
        human,
        judge: METRICS,
        system: "Model",
        item: "position",
        resamples: 300,
      }),
      texts,
    );
  }
} finally {
  await rm(folder, { recursive: true });
}

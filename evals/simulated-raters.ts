import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { csvLine } from "../src/core/csv.ts";
import { writeJsonLines } from "../src/core/json-lines.ts";
import { seededRandom } from "../src/core/random.ts";
import { readTable } from "../src/core/table/read-table.ts";
import { normalQuantile } from "../src/stats/index.ts";
import { agreeOnAnswers } from "../src/workflows/qa/agree.ts";
import { collectRatings, writeRatingSheet } from "../src/workflows/qa/rate.ts";
import { sampleAnswers } from "../src/workflows/qa/sample.ts";

/**
 * A study with known truth: systems of known quality answer, raters of known noise fill in the sheets that `qa sample` and
 * `qa rate` write, and `qa agree` is asked for the order of the systems: `npx tsx evals/simulated-raters.ts [--questions 500]`.
 */
const { values } = parseArgs({ options: { questions: { type: "string", default: "500" } } });
const SYSTEMS = 7;
const RATERS = ["ana", "ben", "cleo"];
const BOOKS = 50;
/** The chance that a system's answer is right: neighbours are 5 points apart. */
const qualityOf = (system: number) => 0.35 + 0.05 * system;

const folder = await mkdtemp(join(tmpdir(), "fabula-raters-"));
try {
  console.log(
    `${SYSTEMS} systems, 5 points of accuracy apart; ${values.questions} of 1,000 questions about ${BOOKS} books; ${RATERS.length} raters.\n`,
  );
  console.log("| raters | Krippendorff's α | τ of `qa rate` → `qa agree` with the true order |\n| --- | --- | --- |");
  for (const [name, noise] of [
    ["exact", 0],
    ["careful (noise of ½ a point)", 0.5],
    ["usual (1 point)", 1],
    ["careless (2 points)", 2],
    ["at random", Infinity],
  ] as const) {
    const { alpha, tau } = await study(noise);
    console.log(`| ${name} | ${alpha} | ${tau} |`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function study(noise: number): Promise<{ alpha: string; tau: string }> {
  const random = seededRandom(17);
  const files: string[] = [];
  const truth = new Map<string, number>();
  for (let system = 0; system < SYSTEMS; system++) {
    const rows = Array.from({ length: 1000 }, (_, at) => {
      const prediction = `answer ${at} of ${system}`;
      truth.set(prediction, random() < qualityOf(system) ? 5 : 1 + Math.floor(3 * random()));
      return {
        ...{ document_id: `book-${at % BOOKS}`, question: `Question ${at}?`, answers: [`reference ${at}`], prediction },
        ...{ system: `system-${system}`, scores: { "true-quality": qualityOf(system) } },
      };
    });
    const file = join(folder, `${system}.jsonl`);
    await writeJsonLines(file, rows);
    files.push(file);
  }
  const sample = join(folder, "sample.jsonl");
  await sampleAnswers({ inputs: files, count: Number(values.questions), seed: 1, output: sample });
  const sheets: string[] = [];
  for (const rater of RATERS) {
    const sheet = join(folder, `${rater}.csv`);
    await writeRatingSheet({ sample, rater, settings: ["reference"], seed: 1, output: sheet });
    await fillIn(sheet, (answer) => ratingOf(truth.get(answer)!, noise, random));
    sheets.push(sheet);
  }
  const rated = join(folder, "rated.jsonl");
  const { settings } = await collectRatings({ sample, sheets, output: rated });
  const { datasets } = await agreeOnAnswers({
    files: [rated],
    metrics: ["true-quality"],
    over: "items",
    resamples: 1000,
    seed: 1,
    onProgress: () => {},
  });
  const { kendall } = datasets[0]!.metrics[0]!.reference!.agreement;
  const { alpha, interval } = settings.reference!;
  return { alpha: figure(alpha.value, interval), tau: figure(kendall.value, kendall.interval) };
}

/** The truth with normal noise, rounded onto the scale; without any truth in it when the noise is infinite. */
function ratingOf(truth: number, noise: number, random: () => number): number {
  if (noise === Infinity) return 1 + Math.floor(5 * random());
  const shift = noise === 0 ? 0 : noise * normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, random())));
  return Math.min(5, Math.max(1, Math.round(truth + shift)));
}

async function fillIn(sheet: string, rate: (answer: string) => number): Promise<void> {
  const { columns, rows } = await readTable(sheet);
  const blind = await readFile(sheet, "utf8");
  if (/system-\d/.test(blind)) throw new Error("the sheet names a system: it is not blind");
  const lines = rows.map((row) =>
    csvLine(columns.map((column) => (column === "rating" ? rate(String(row.answer)) : String(row[column])))),
  );
  await writeFile(sheet, [csvLine(columns), ...lines].join("\n"));
}

function figure(value: number | null, interval: readonly [number, number] | null): string {
  if (value === null) return "undefined";
  return `${value.toFixed(3)}${interval ? ` [${interval.map((end) => end.toFixed(3)).join(", ")}]` : ""}`;
}

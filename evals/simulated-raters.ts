import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { csvLine } from "../src/core/csv.ts";
import { writeJsonLines } from "../src/core/json-lines.ts";
import { seededRandom } from "../src/core/random.ts";
import { readTable } from "../src/core/table/read-table.ts";
import { mean, normalQuantile } from "../src/stats/index.ts";
import { agreeOnAnswers } from "../src/tasks/qa/agree.ts";
import { collectRatings, writeRatingSheet } from "../src/tasks/qa/rate.ts";
import { sampleAnswers } from "../src/tasks/qa/sample.ts";

/**
 * A study with known truth: systems of known quality answer, raters of known noise fill in the sheets that `qa sample` and
 * `qa rate` write, and `qa agree` is asked for the order of the systems: `npx tsx evals/simulated-raters.ts [--questions 300]
 * [--studies 10]`.
 */
const { values } = parseArgs({
  options: { questions: { type: "string", default: "300" }, studies: { type: "string", default: "10" } },
});
const SYSTEMS = 7;
const RATERS = ["ana", "ben", "cleo"];
const BOOKS = 50;
/** The chance that a system's answer is right: neighbours are 8 points apart, which 300 questions tell apart more often than not. */
const qualityOf = (system: number) => 0.25 + 0.08 * system;

const folder = await mkdtemp(join(tmpdir(), "fabula-raters-"));
try {
  console.log(
    `${SYSTEMS} systems, 8 points of accuracy apart; ${values.questions} of 1,000 questions about ${BOOKS} books; ${RATERS.length} raters.\n`,
  );
  console.log(
    `| raters | Krippendorff's α | τ with the true order, one study | mean τ of ${values.studies} studies | lowest |\n| --- | --- | --- | --- | --- |`,
  );
  for (const [name, noise] of [
    ["exact", 0],
    ["careful (noise of ½ a point)", 0.5],
    ["usual (1 point)", 1],
    ["careless (2 points)", 2],
    ["at random", Infinity],
  ] as const) {
    const studies: Study[] = [];
    for (let seed = 1; seed <= Number(values.studies); seed++) studies.push(await study(noise, seed));
    const taus = studies.map(({ tau }) => tau);
    const [{ alphaInWords, tauInWords }] = studies as [Study];
    console.log(
      `| ${name} | ${alphaInWords} | ${tauInWords} | ${mean(taus).toFixed(3)} | ${Math.min(...taus).toFixed(3)} |`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Study {
  readonly alphaInWords: string;
  readonly tauInWords: string;
  readonly tau: number;
}

async function study(noise: number, seed: number): Promise<Study> {
  const random = seededRandom(seed);
  const files: string[] = [];
  const truth = new Map<string, number>();
  for (let system = 0; system < SYSTEMS; system++) {
    const rows = Array.from({ length: 1000 }, (_, at) => {
      const prediction = `answer ${at} of ${system}`;
      truth.set(prediction, random() < qualityOf(system) ? 5 : 1 + Math.floor(3 * random()));
      return {
        document_id: `book-${at % BOOKS}`,
        question: `Question ${at}?`,
        answers: [`reference ${at}`],
        prediction,
        system: `system-${system}`,
        scores: { "true-quality": qualityOf(system) },
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
    resamples: 500,
    seed: 1,
    onProgress: () => {},
  });
  const { kendall } = datasets[0]!.metrics[0]!.reference!.agreement;
  const { alpha, interval } = settings.reference!;
  return {
    alphaInWords: figure(alpha.value, interval),
    tauInWords: figure(kendall.value, kendall.interval),
    tau: kendall.value ?? 0,
  };
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

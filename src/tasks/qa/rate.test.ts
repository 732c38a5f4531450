import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { csvLine } from "../../core/csv.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { readTable } from "../../core/table/read-table.ts";
import { ratedAnswerSchema } from "../../qa/agreement.ts";
import { stratifiedSample } from "../../qa/rating.ts";
import { predictionSchema } from "../../qa/scoring/prediction.ts";
import { agreeOnAnswers } from "./agree.ts";
import { collectRatings, writeRatingSheet } from "./rate.ts";
import { sampleAnswers } from "./sample.ts";

const SYSTEMS = ["alpha", "beta", "gamma"];
const BOOKS = 4;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "qa-rate-"));
  const questions = Array.from({ length: 40 }, (_, at) => ({
    book: at % BOOKS,
    question: `Question ${at}?`,
    answers: [`reference ${at}`],
  }));
  for (const system of SYSTEMS) {
    const rows = questions.map(({ question, answers }, at) => ({
      question,
      answers,
      model: system,
      prediction: `${SYSTEMS.indexOf(system) + 1} points for ${at}`,
    }));
    await writeJsonLines(join(folder, `${system}.jsonl`), rows);
  }
  const books = Array.from({ length: BOOKS }, (_, book) => ({
    document_id: `b${book}`,
    title: `Book ${book}`,
    summary: `The summary of book ${book}.`,
    qas: questions.filter((one) => one.book === book).map(({ question, answers }) => ({ question, answers })),
  }));
  await writeJsonLines(join(folder, "books.jsonl"), books);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const sample = (count: number) =>
  sampleAnswers({
    inputs: SYSTEMS.map((system) => at(`${system}.jsonl`)),
    count,
    seed: 1,
    data: at("books.jsonl"),
    output: at("sample.jsonl"),
  });
const sheet = (rater: string) =>
  writeRatingSheet({
    sample: at("sample.jsonl"),
    rater,
    settings: ["reference", "summary"],
    seed: 1,
    output: at(`${rater}.csv`),
  });
async function fill(rater: string, rate: (row: Record<string, string>) => number | "") {
  const { columns, rows } = await readTable(at(`${rater}.csv`));
  const lines = rows.map((row) =>
    csvLine(columns.map((name) => String(name === "rating" ? rate(row as Record<string, string>) : row[name]))),
  );
  await writeFile(at(`${rater}.csv`), [csvLine(columns), ...lines].join("\n"));
}

describe("a study with people", () => {
  it("draws from each book in proportion, every system's answer to each question", async () => {
    const report = await sample(20);
    expect(report).toMatchObject({
      questions: 20,
      ofQuestions: 40,
      books: BOOKS,
      systems: 3,
      answers: 60,
      withoutSummary: 0,
    });
    const rows = await readJsonLines(at("sample.jsonl"), predictionSchema);
    const perBook = Array.from(
      { length: BOOKS },
      (_, book) => rows.filter((row) => row.document_id === `b${book}`).length,
    );
    expect(perBook).toEqual([15, 15, 15, 15]);
    const uneven = [...Array(30).fill("long"), ...Array(7).fill("short"), ...Array(3).fill("tiny")];
    const drawn = stratifiedSample(uneven, 8, seededRandom(2)).map((position) => uneven[position]);
    expect(drawn.filter((book) => book === "long")).toHaveLength(6);
    expect(drawn.filter((book) => book === "tiny").length).toBeGreaterThanOrEqual(0);
    expect(drawn).toHaveLength(8);
  });

  it("gives each rater a blind sheet in an order of their own, the same whenever it is written", async () => {
    await sample(20);
    await sheet("ana");
    await sheet("ben");
    const [ana, ben] = await Promise.all([readFile(at("ana.csv"), "utf8"), readFile(at("ben.csv"), "utf8")]);
    for (const system of SYSTEMS) expect(ana).not.toContain(system);
    const { rows } = await readTable(at("ana.csv"));
    expect(rows).toHaveLength(2 * 60);
    expect(rows.filter(({ setting }) => setting === "reference").every(({ summary }) => summary === "")).toBe(true);
    expect(
      rows
        .filter(({ setting }) => setting === "summary")
        .every(({ summary }) => String(summary).startsWith("The summary")),
    ).toBe(true);
    expect(ana).not.toBe(ben);
    expect(ana.split("\n").sort()).toEqual(ben.split("\n").sort());
    await sheet("ana");
    expect(await readFile(at("ana.csv"), "utf8")).toBe(ana);
    // The answers to one question are listed together; the order of the systems varies.
    const orders = new Set<string>();
    for (let row = 0; row < 60; row += 3) {
      const own = rows.slice(row, row + 3);
      expect(new Set(own.map(({ question }) => question)).size).toBe(1);
      orders.add(own.map(({ answer }) => String(answer)[0]).join(""));
    }
    expect(orders.size).toBeGreaterThan(2);
  });

  it("gives α with an interval, and the answers with their ratings go straight into qa agree", async () => {
    await sample(20);
    await sheet("ana");
    await sheet("ben");
    const points = (row: Record<string, string>) => 1 + Number(row.answer![0]);
    await fill("ana", points);
    // Ben rates half of the answers, and some of them one point higher.
    await fill("ben", (row) =>
      row.setting === "summary" ? "" : Math.min(5, points(row) + (/[05]\?$/.test(row.question!) ? 1 : 0)),
    );
    const report = await collectRatings({
      sample: at("sample.jsonl"),
      sheets: [at("ana.csv"), at("ben.csv")],
      output: at("rated.jsonl"),
    });
    const { reference, summary } = report.settings;
    expect(reference).toMatchObject({
      rated: 60,
      twice: 60,
      raters: [{ name: "ana", rated: 60, mean: 3 }, { name: "ben" }],
    });
    expect(reference!.alpha.value).toBeGreaterThan(0.7);
    expect(reference!.interval![0]).toBeLessThan(reference!.alpha.value!);
    expect(summary).toMatchObject({ rated: 60, twice: 0, alpha: { value: null } });
    const rated = await readJsonLines(at("rated.jsonl"), ratedAnswerSchema);
    expect(rated[0]!.human).toMatchObject({ reference: expect.any(Number), summary: expect.any(Number) });
    const { datasets } = await agreeOnAnswers({
      files: [at("rated.jsonl")],
      seed: 1,
      resamples: 50,
      onProgress: () => {},
    });
    expect(datasets[0]).toMatchObject({ answers: 60, systems: 3 });
    expect(datasets[0]!.metrics.map(({ metric }) => metric)).toContain("rouge-l");
  });

  it("compares the other answers where one does not say which system gave it; a file of such is refused", async () => {
    const answer = (at: number, system?: string) => ({
      ...{ system, question: `q${at % 10}`, answers: ["a"] },
      ...{ human: 1 + (at % 5), scores: { em: at % 2 } },
    });
    const rows = Array.from({ length: 20 }, (_, at) => answer(at, at < 10 ? "x" : "y"));
    await writeJsonLines(at("nameless.jsonl"), [rows[0], answer(1), ...rows.slice(1)]);
    const agree = (file: string) => agreeOnAnswers({ files: [at(file)], seed: 1, resamples: 50, onProgress: () => {} });
    expect(await agree("nameless.jsonl")).toMatchObject({
      answers: 20,
      badLines: [{ line: 2, reason: expect.stringContaining("which system gave the answer") }],
    });
    await writeJsonLines(at("all-nameless.jsonl"), [answer(1)]);
    await expect(agree("all-nameless.jsonl")).rejects.toThrow(/Line 1 of ".*all-nameless\.jsonl" .*"model"/);
  });

  it("keeps one model in two settings apart, and draws each question once", async () => {
    const rows = await readJsonLines(at("alpha.jsonl"), predictionSchema);
    await writeJsonLines(
      at("alpha.jsonl"),
      ["open", "closed"].flatMap((setting) => rows.map((row) => ({ ...row, setting }))),
    );
    expect(await sample(20)).toMatchObject({ questions: 20, ofQuestions: 40, systems: 4, answers: 80 });
    await sheet("ana");
    await fill("ana", (row) => 1 + Number(row.answer![0]));
    await collectRatings({ sample: at("sample.jsonl"), sheets: [at("ana.csv")], output: at("rated.jsonl") });
    const files = [at("rated.jsonl")];
    const { datasets } = await agreeOnAnswers({ files, seed: 1, resamples: 50, onProgress: () => {} });
    expect(datasets[0]!.systems).toBe(4);
  });

  it("says when a sheet is of another sample, or when two people's sheets have one name", async () => {
    await sample(8);
    await sheet("ana");
    await fill("ana", () => 3);
    await mkdir(at("second"));
    await copyFile(at("ana.csv"), at("second/ana.csv"));
    const collect = (...sheets: string[]) => collectRatings({ sample: at("sample.jsonl"), sheets: sheets.map(at) });
    await expect(collect("ana.csv", "second/ana.csv")).rejects.toThrow('Two sheets called "ana" rate the same answer');
    await sampleAnswers({ inputs: [at("beta.jsonl")], count: 40, seed: 9, output: at("sample.jsonl") });
    await expect(collect("ana.csv")).rejects.toThrow(/48 of 48 ratings by "ana" are of answers that are not in /);
  });

  it("says which line is rated off the scale", async () => {
    await sample(4);
    await sheet("ana");
    await fill("ana", () => 7);
    await expect(collectRatings({ sample: at("sample.jsonl"), sheets: [at("ana.csv")] })).rejects.toThrow(
      /Line 2 of .* is rated 7: give a whole number from 1 to 5/,
    );
  });
});

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTable } from "../../src/core/table/read-table.ts";
import { runFabula } from "./run-fabula.ts";

const BOOKS = 12;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-qa-table-"));
  for (const [model, right] of [
    ["ada", 5],
    ["bo", 3],
    ["cy", 1],
  ] as const) {
    const rows = Array.from({ length: BOOKS * 6 }, (_, at) => ({
      document_id: `book-${at % BOOKS}`,
      question: `Who opened door ${at}?`,
      answers: [`keeper ${at}`, `the guard ${at}`],
      prediction: Math.floor(at / BOOKS) < right ? `The guard ${at}.` : "nobody knows",
      model,
    }));
    await writeFile(join(folder, `${model}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const score = (...words: string[]) => runFabula(["qa", "score", ...words], { folder });

it("qa score A B C --out table.html makes one table of all systems with intervals, tests and every question", async () => {
  const { code, stdout, stderr } = await score("ada.jsonl", "bo.jsonl", "cy.jsonl", "--out", "table.html");
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/ada +72 +0\.8333 \[/);
  expect(stdout).toContain("whole books are drawn (12 books, 72 questions)");
  const page = await readFile(join(folder, "table.html"), "utf8");
  for (const text of ["ada", "bo", "cy", "the best of the references counts", "Every two systems: em", "book-7"]) {
    expect(page).toContain(text);
  }
  expect(page.match(/<summary>Who opened door /g)).toHaveLength(72);
});

it("--out table.csv has a row for every mean and every difference, with intervals, for programs", async () => {
  const { code, stderr } = await score("ada.jsonl", "bo.jsonl", "cy.jsonl", "--metrics", "em", "--out", "table.csv");
  expect(code, stderr).toBe(0);
  const { columns, rows } = await readTable(join(folder, "table.csv"));
  expect(columns.slice(0, 6)).toEqual(["kind", "metric", "system", "less", "value", "low"]);
  expect(rows.map(({ kind, system, less }) => [kind, system, less])).toEqual([
    ...["ada", "bo", "cy"].map((system) => ["mean", system, ""]),
    ["difference", "ada", "bo"],
    ["difference", "ada", "cy"],
    ["difference", "bo", "cy"],
  ]);
  expect(Number(rows[0]!.value)).toBeCloseTo(60 / 72, 9);
  expect(rows[3]).toMatchObject({ questions: "72", references: "best", drawn: "books" });
  expect(Number(rows[3]!.value)).toBeCloseTo(24 / 72, 9);
});

it("--references first says so, and names its columns so that they are never mixed with the usual ones", async () => {
  const first = await score("ada.jsonl", "--references", "first", "--out", "both.jsonl", "--json");
  expect(JSON.parse(first.stdout)).toMatchObject({ references: "first", metrics: { "em-first": 0 } });
  const both = await score("both.jsonl", "--json");
  expect(JSON.parse(both.stdout).metrics).toMatchObject({ "em-first": 0, em: 60 / 72 });
  expect((await score("ada.jsonl", "--references", "first")).stdout).toContain("only the first reference counts");
});

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

it("leaves out lines that are no answers and names them; a file without any answer is refused", async () => {
  const good = await readFile(join(folder, "ada.jsonl"), "utf8");
  const [first, ...rest] = good.split("\n");
  await writeFile(
    join(folder, "torn.jsonl"),
    [first, '{"prediction": "cut o', '{"prediction": "x"}', ...rest].join("\n"),
  );
  const { code, stdout, stderr } = await score("torn.jsonl", "--json");
  expect(code).toBe(3);
  expect(stderr).toMatch(/2 lines of "torn\.jsonl" left out: line 2 is not JSON; line 3 does not fit at answers: /);
  expect(JSON.parse(stdout)).toMatchObject({
    items: 72,
    metrics: { em: 60 / 72 },
    badLines: [{ line: 2 }, { line: 3 }],
  });
  await writeFile(join(folder, "none.jsonl"), "nothing\nof use\n");
  const none = await score("none.jsonl");
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('Line 1 of "none.jsonl" is not JSON')]);
});

it("says why single questions are drawn: too few books is no reason to ask for --data again", async () => {
  const rows = (await readFile(join(folder, "ada.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map((row, at) => ({ ...row, document_id: `book-${at % 3}` }));
  const lines = (given: readonly object[]) => given.map((row) => `${JSON.stringify(row)}\n`).join("");
  await writeFile(join(folder, "few.jsonl"), lines(rows));
  const books = [0, 1, 2].map((at) => ({ document_id: `book-${at}`, title: `Book ${at}`, summary: "", qas: [] }));
  await writeFile(join(folder, "books.jsonl"), lines(books));
  const few = await score("few.jsonl", "--data", "books.jsonl");
  expect(few.stdout).toContain("since 3 books are too few to draw whole (it takes 5)");
  expect(few.stdout).not.toContain("--data");

  await writeFile(join(folder, "nameless.jsonl"), lines(rows.map(({ document_id: _id, ...row }) => row)));
  expect((await score("nameless.jsonl")).stdout).toContain(
    "the books of 72 of 72 questions are not known: give the books with --data",
  );
  expect((await score("nameless.jsonl", "--data", "books.jsonl")).stdout).toContain(
    "not known: the file given with --data does not have them",
  );
});

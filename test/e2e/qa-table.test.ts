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

it("prints a real minus for people and a hyphen for programs", async () => {
  for (const [model, step] of [
    ["dee", 7],
    ["eve", 5],
  ] as const) {
    const rows = Array.from({ length: BOOKS * 6 }, (_, at) => ({
      ...{ document_id: `book-${at % BOOKS}`, question: `Who opened door ${at}?`, answers: ["the guard"], model },
      prediction: (at * step) % 11 < 6 ? "the guard" : "nobody",
    }));
    await writeFile(join(folder, `${model}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
  const { stdout } = await score("dee.jsonl", "eve.jsonl", "--metrics", "em");
  expect(stdout).toMatch(/\[−\d/);
  expect(stdout).not.toMatch(/-\d/);
  expect((await score("dee.jsonl", "eve.jsonl", "--metrics", "em", "--json")).stdout).toMatch(/\[\s*-\d/);
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
  const sampled = await runFabula(["qa", "sample", "torn.jsonl", "--n", "5", "--out", "drawn.jsonl"], { folder });
  expect([sampled.code, sampled.stderr]).toEqual([0, expect.stringContaining('2 lines of "torn.jsonl" left out')]);
  const book = { document_id: "b", title: "B", summary: "S", qas: [{ question: "Who?", answers: ["she"] }] };
  await writeFile(join(folder, "torn-books.jsonl"), `${JSON.stringify(book)}\n{"title": "no questions"}\n`);
  for (const command of ["dedupe", "filter"]) {
    const words = ["qa", command, "--in", "torn-books.jsonl", "--out", "kept.jsonl", "--json"];
    const kept = await runFabula(words, { folder });
    expect(kept.stderr).toContain('1 line of "torn-books.jsonl" left out: line 2 does not fit at document_id');
    expect(JSON.parse(kept.stdout)).toMatchObject({ documents: 1, questions: 1 });
  }
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

const write = (name: string, rows: readonly object[]) =>
  writeFile(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));

it("counts an answer that is repeated once and says so, and says where no two systems can be compared", async () => {
  const row = (model: string, at: number) => ({
    ...{ document_id: "book", question: `Whose turn is ${at}?`, answers: [`turn ${at}`], model },
    prediction: at % 2 === 0 ? `turn ${at}` : "no",
  });
  const [ada, bo] = [[0, 1, 2].map((at) => row("ada", at)), [3, 4, 5].map((at) => row("bo", at))];
  await write("twice.jsonl", [...ada, ada[0]!]);
  const twice = await score("twice.jsonl", "--metrics", "em", "--json");
  expect(JSON.parse(twice.stdout)).toMatchObject({ items: 3, metrics: { em: 2 / 3 } });
  expect(twice.stderr).toContain('1 answer in "twice.jsonl" is there already');
  // Without a question nothing says that two lines are the same.
  await write(
    "bare.jsonl",
    [1, 2, 3].map(() => ({ prediction: "yes", answers: ["yes"] })),
  );
  expect(JSON.parse((await score("bare.jsonl", "--metrics", "em", "--json")).stdout).items).toBe(3);

  await write("apart.jsonl", [...ada, ...bo]);
  const apart = await score("apart.jsonl", "--metrics", "em");
  expect(apart.stdout).toContain("No two systems have a score for the same question");
  expect(apart.stdout).not.toContain("Each system beside the next one down");
});

it("cuts the interval of a difference at what the scale allows", async () => {
  const rows = ["ada", "bo"].flatMap((model) =>
    Array.from({ length: 6 }, (_, at) => ({
      ...{
        question: `Whose turn is ${at}?`,
        answers: [`turn ${at}`],
        model,
        scores: { "j-reference": at === 1 ? 2 : 1 },
      },
      prediction: model === "ada" && at > 0 ? `turn ${at}` : "no",
      ...(model === "ada" && at > 0 && { scores: { "j-reference": 5 } }),
    })),
  );
  await write("clear.jsonl", rows);
  await score("clear.jsonl", "--metrics", "em", "--out", "clear.csv");
  const differences = (await readTable(join(folder, "clear.csv"))).rows.filter(({ kind }) => kind === "difference");
  expect(differences.map(({ metric, high }) => [metric, Number(high)])).toEqual(
    expect.arrayContaining([
      ["em", 1],
      ["j-reference", 4],
    ]),
  );
});

it("qa agree says why there is no interval, and refuses a score that is not there and a rating off the scale", async () => {
  const rated = ["a", "b", "c"].flatMap((system, level) =>
    Array.from({ length: 8 }, (_, at) => ({
      ...{
        system,
        question: `Question ${at}?`,
        human: 1 + level + (at % 2),
        scores: { em: level / 4, f1: level / 3 + at / 50 },
      },
    })),
  );
  await write("rated.jsonl", rated);
  const agree = (...words: string[]) => runFabula(["qa", "agree", "rated.jsonl", ...words], { folder });
  for (const over of ["both", "systems"]) {
    const { stdout } = await agree("--metrics", "f1", "--over", over);
    expect(stdout).toMatch(/f1 +1\.0000 +–/);
    expect(stdout).toContain("No interval: 3 systems are too few for an interval (it takes 5).");
  }
  const unknown = await agree("--metrics", "em,nope");
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('These answers have no score "nope": choose from em, f1.'),
  ]);
  for (const human of [50, "good", { reference: 0 }]) {
    await write("rated.jsonl", [...rated, { ...rated[0]!, human }]);
    const off = await agree();
    expect(off.code).toBe(3);
    expect(off.stderr).toMatch(/line 25 does not fit at human\S*: a rating is a number from 1 to 5/);
  }
});

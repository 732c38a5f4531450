import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createSimulatedServer,
  type ReplyHandler,
  type SimulatedServer,
  simulatedNovelists,
  simulatedProse,
} from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

const CHAPTERS = 10;
const judges = simulatedNovelists({}, { noise: 0.05 });
const refusals = new Set<string>();
const requests: { readonly model: string; readonly asked: string }[] = [];

/** One writer keeps its level; the other tires from chapter to chapter and repeats how it began. */
const reply: ReplyHandler = (request, random) => {
  const asked = request.messages.map(({ content }) => content).join("\n");
  requests.push({ model: request.model, asked });
  const fields = Object.keys((request.schema as { properties?: object } | undefined)?.properties ?? {});
  if (fields.includes("chapters")) {
    const chapters = Array.from({ length: CHAPTERS }, (_, at) => ({ title: `Part ${at + 1}`, events: "They go on." }));
    return JSON.stringify({ chapters });
  }
  if (/Sum up this chapter/.test(asked)) return `Summary by ${request.model}.`;
  const [, number] = /Write chapter (\d+) of/.exec(asked) ?? [];
  if (number === undefined) return judges(request, random);
  if (refusals.has(`${request.model} ${number}`)) return "";
  if (request.model === "even") return simulatedProse(0.4, 300, "en", random);
  const again = Number(number) > 1 ? " The old clerk counted the boats by the empty stairs and waited." : "";
  return `The old clerk counted the boats by the empty stairs and waited. ${simulatedProse(0.55 - 0.05 * Number(number), 300, "en", random)}${again}`;
};

let server: SimulatedServer;
const root = mkdtempSync(join(tmpdir(), "fabula-books-"));
const bench = join(root, "bench");
const environment = { FABULA_STORE: join(root, "store.db") };
const words = (...more: string[]) => [
  ...["bench", "book", bench, "--writer", `${server.judge("even")},${server.judge("tiring")}`],
  ...["--judge", server.judge("judge"), "--novels", "3", "--context", "900", "--rubric", "novel-bench-en", ...more],
];

beforeAll(async () => {
  server = await createSimulatedServer({ reply });
  mkdirSync(bench);
  const rows = ["rain", "salt", "tide"].flatMap((novel) =>
    [1, 2].map((chapter) => ({
      ...{ novel, chapter, language: "en", leak: 0, attempts: 1, reason: null },
      synopsis: {
        characters: [{ name: "Mara", about: `keeps the ledger of ${novel}` }],
        plot: [`A visitor arrives at ${novel}`, "a debt is named"],
        scenes: ["an office"],
      },
    })),
  );
  writeFileSync(join(bench, "synopses.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
});
afterAll(() => server?.close());

it("counts what whole books would ask before anything is sent", async () => {
  const { code, stdout, stderr } = await runFabula(words("--dry-run", "--json"), { environment });
  expect(code, stderr).toBe(0);
  // A plan, ten chapters and eleven scores for each of six books; summaries depend on the lengths.
  expect(JSON.parse(stdout).plan.calls).toBeGreaterThanOrEqual(6 * (1 + CHAPTERS + CHAPTERS + 1));
  expect(server.exchanges).toHaveLength(0);
});

it("plans, writes each chapter from what came before, and follows quality and repetition over the length", async () => {
  const { code, stdout, stderr } = await runFabula(words("--json"), { environment });
  expect(code, stderr).toBe(0);
  const { writers, unfinished } = JSON.parse(stdout);
  expect(unfinished).toBe(0);
  const [even, tiring] = writers;
  expect(even.books.map(({ points }: { points: unknown[] }) => points.length)).toEqual([CHAPTERS, CHAPTERS, CHAPTERS]);
  expect(tiring.curves.quality.slope.interval[1]).toBeLessThan(-0.5);
  expect(Math.abs(even.curves.quality.slope.perTenChapters)).toBeLessThan(0.5);
  expect(tiring.whole.mean).toBeLessThan(even.whole.mean);
  expect(tiring.curves.repetition.points[0].value).toBe(0);
  expect(tiring.curves.repetition.points[9].value).toBeGreaterThan(0.02);
  expect(tiring.curves.findings.mean).toBeGreaterThan(0);
  expect(tiring.curves.read.points).toEqual([]);
  // The last chapter sees the one before in full, and summaries of those that no longer fit.
  const content = requests.find(
    ({ model, asked }) => model === "tiring" && /Write chapter 10 of 10/.test(asked),
  )!.asked;
  expect(content).toContain("Summary by tiring.");
  expect(content).toContain("1. Part 1: They go on.");
  const files = readdirSync(bench).filter((name) => name.startsWith("books."));
  const [book] = readFileSync(join(bench, files[0]!), "utf8")
    .split("\n")
    .map((line) => line && JSON.parse(line));
  expect(book.chapters[9]).toMatchObject({ seen: 2, summarised: 7 });
  expect(content).toContain("Mara: keeps the ledger of");
  expect(content).toMatch(/The old clerk counted the boats/);
});

it("asks nothing twice, prints the curves, and says where a book ended early", async () => {
  const before = server.exchanges.length;
  const { code, stdout, stderr } = await runFabula(words(), { environment });
  expect(code, stderr).toBe(0);
  expect(server.exchanges.length).toBe(before);
  expect(stdout).toMatch(/tiring: 3 books, [\d,]+ words; as a whole \d\.\d\d/);
  expect(stdout).toMatch(/over ten chapters\s+−\d\.\d\d/);
  refusals.add("even 4");
  const again = await runFabula(words("--words", "400", "--json"), { environment });
  expect(again.code).toBe(3);
  const { unfinished, writers } = JSON.parse(again.stdout);
  expect(unfinished).toBe(3);
  expect(writers[0].books[0]).toMatchObject({ reason: expect.stringMatching(/^chapter 4: /) });
  expect(writers[0].books[0].points).toHaveLength(3);
});

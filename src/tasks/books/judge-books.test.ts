import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { seededRandom } from "../../core/random.ts";
import { PUBLISHED_METHODS } from "../../judge/methods/method.ts";
import { plannedCalls } from "../../judge/methods/registry.ts";
import { placeholderValue } from "../../models/placeholder-value.ts";
import { wordsSeenInWords } from "../../report/wording.ts";
import { createSimulatedServer, type SimulatedServer } from "../../testing/index.ts";
import { readBook } from "../../text/read-book.ts";
import { segmentBook } from "../../text/segments.ts";
import { type JudgedInput, type JudgeOptions, judgeBooks, judgeEach } from "./judge-books.ts";

const STORY = assetPath("examples", "the-inspector-of-weights.md");
const OUTLINE = assetPath("examples", "outline.md");

let server: SimulatedServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-judge-"));
  let answered = 0;
  server = await createSimulatedServer({
    // Every score is given, so that any gap in a result is a fault of the code.
    reply: ({ schema }) => {
      const random = seededRandom(answered++);
      const text = JSON.stringify(placeholderValue(schema, random), (key, value: unknown) =>
        (key === "score" || key === "overall") && (value === null || typeof value === "number")
          ? 60 + (answered % 5)
          : value,
      );
      return text;
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

type TestOptions = Partial<JudgeOptions> & { store: string; dryRun?: boolean };

function judge(input: JudgedInput, options: TestOptions) {
  return judgeBooks(input, optionsOf(options));
}

function optionsOf({ store, dryRun, ...rest }: TestOptions): JudgeOptions {
  return {
    judges: [server.judge("simulated-small")],
    method: "summary",
    runs: 3,
    segmentWords: 1500,
    settings: {
      store: join(folder, `${store}.db`),
      command: ["evaluate"],
      folder,
      connections: server.connections,
      ...(dryRun ? { dryRun } : {}),
    },
    services: { signal: new AbortController().signal },
    ...rest,
  };
}

const books: JudgedInput = { kind: "books", files: [STORY] };

describe("judging the example story against a simulated server", () => {
  it.each(PUBLISHED_METHODS)("by the %s method makes the planned calls, and none the second time", async (method) => {
    const segments = segmentBook(await readBook(STORY), { size: 1500 }).length;
    expect(segments).toBeGreaterThan(3);
    // The letter takes one more call.
    const planned = plannedCalls(method, segments, 3) + 1;
    const dry = await judge(books, { method, store: method, dryRun: true });
    expect(dry.plan).toMatchObject({ calls: planned, cached: 0 });
    const before = server.exchanges.length;
    const first = await judge(books, { method, store: method });
    expect(server.exchanges.length - before).toBe(planned);
    const [evaluation] = first.result;
    expect(evaluation).toMatchObject({ method, runs: 3, calls: planned, coverage: { share: 1 } });
    expect(evaluation!.overall).toMatchObject({ kind: "scored", interval: [expect.any(Number), expect.any(Number)] });
    expect(evaluation!.aspects).toHaveLength(8);
    const again = await judge(books, { method, store: method });
    expect(server.exchanges.length - before).toBe(planned);
    expect(again.result[0]!.overall).toEqual(evaluation!.overall);
    expect(again.run.summary).toMatchObject({ asked: 0, cached: planned });
  });

  it("gives each book in its order as soon as it is judged, while others are still to be asked for", async () => {
    const rows = Array.from({ length: 30 }, (_, number) => ({
      id: `b${number}`,
      title: `Book ${number}`,
      plot_summary: "A ledger is lost and found.",
    }));
    const file = join(folder, "shelf.jsonl");
    await writeFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    const before = server.exchanges.length;
    const given: { title: string; asked: number }[] = [];
    await judgeEach({ kind: "summaries", file }, optionsOf({ store: "shelf", runs: 2 }), ({ book }) => {
      given.push({ title: book.title, asked: server.exchanges.length - before });
    });
    expect(given.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
    expect(given[0]!.asked).toBeLessThan(45);
    expect(given.at(-1)!.asked).toBe(60);
  });

  it("meets a broken row before anything is asked", async () => {
    const file = join(folder, "broken.jsonl");
    await writeFile(file, '{"id":1,"title":"Whole","plot_summary":"A ledger is lost."}\n{"id":2,"title":7}\n');
    const before = server.exchanges.length;
    await expect(judge({ kind: "summaries", file }, { store: "broken" })).rejects.toThrow("Line 2");
    expect(server.exchanges.length).toBe(before);
  });

  it("says by what rule excerpts were chosen where a judge saw any", async () => {
    const notesOf = async (method: JudgeOptions["method"]) =>
      (await judge(books, { method, store: "rule", runs: 1 })).result[0]!.notes.join(" ");
    expect(await notesOf("summary")).toContain("by how far they move the grader's overall score");
    expect(await notesOf("one-pass")).not.toContain("excerpts");
  });

  it("reuses the summary of one method for another", async () => {
    await judge(books, { method: "summary", store: "shared", runs: 1 });
    const before = server.exchanges.length;
    const segments = segmentBook(await readBook(STORY), { size: 1500 }).length;
    await judge(books, { method: "aggregate", store: "shared", runs: 1 });
    expect(server.exchanges.length - before).toBe(segments + 1);
  });

  it("writes the letter from the verdicts, and none where it is not wanted; an assessment is never empty", async () => {
    const [lettered] = (await judge(books, { method: "aggregate", store: "letter", runs: 1 })).result;
    expect(lettered!.letter!.words.opening[2]).toMatch(/of its \d+ quotations were found in the book/);
    expect(lettered!.letter!.written!.well).not.toBe("");
    expect(lettered!.map!.chapters.length).toBeGreaterThan(5);
    expect(lettered!.assessment).not.toBe("");
    const before = server.exchanges.length;
    const [plain] = (await judge(books, { method: "aggregate", store: "letter", runs: 1, letter: false })).result;
    expect(server.exchanges.length).toBe(before);
    expect(plain!.letter).toBeUndefined();
    expect(plain!.assessment).toMatch(/^Of the aspects, .* is judged best/);
  });

  it("forms a panel: each judge, all together, and each left out", async () => {
    const judges = [server.judge("simulated-small"), server.judge("simulated-large")];
    const { result } = await judge(books, { judges, store: "panel" });
    const panel = result[0]!.panel!;
    expect(panel.judges.map((member) => member.judge)).toEqual(judges);
    expect(panel.without).toHaveLength(2);
    expect(panel.without[0]!.overall).toMatchObject({ score: expect.any(Number) });
    expect(panel.difference).toBeGreaterThanOrEqual(0);
  });

  it("stops early when the interval is narrow enough, and says so", async () => {
    const { result } = await judge(books, { store: "until", runs: 20, untilHalfWidth: 10 });
    expect(result[0]!.runs).toBe(3);
    expect(result[0]!.notes.join(" ")).toContain("within ±10 after 3 runs");
  });

  it("judges outlines, and rows of books whose summaries exist", async () => {
    const { result: outlines } = await judge({ kind: "outlines", files: [OUTLINE] }, { store: "outline" });
    expect(outlines[0]).toMatchObject({ method: "outline", calls: 3, book: { title: "The Lantern Debt" } });
    const rows = join(folder, "books.jsonl");
    const row = (id: string) =>
      JSON.stringify({
        id,
        title: `Book ${id}`,
        genres: ["Mystery"],
        premise: "A clerk.",
        words: 90_000,
        plot_summary: "She finds the date. She burns the ledger.",
        characters: "**Ines**: clerk",
        average_rating: 4.1,
      });
    await writeFile(rows, `${row("a")}\n${row("b")}\n`);
    const { result } = await judge({ kind: "summaries", file: rows }, { store: "rows", runs: 2 });
    expect(result.map(({ book, calls }) => [book.file, calls])).toEqual([
      ["a", 2],
      ["b", 2],
    ]);
    expect(result[0]!.coverage.share).toBe(1);
  });

  it("does not claim to have read what it knows from summaries, least of all where no text was given", async () => {
    const rows = join(folder, "no-text.jsonl");
    await writeFile(
      rows,
      JSON.stringify({ id: "x", title: "X", words: 90_000, plot_summary: "She burns the ledger." }),
    );
    const summarised = await judge(books, { store: "summarised", method: "summary", runs: 1 });
    const given = await judge({ kind: "summaries", file: rows }, { store: "given", runs: 1 });
    for (const { result } of [summarised, given]) {
      const { coverage, book } = result[0]!;
      expect(coverage).toMatchObject({ inFull: 0, throughSummaries: book.words });
      expect(wordsSeenInWords(coverage)).toMatch(/it read 0 in full and knew [\d,]+ through summaries/);
    }
  });

  it("refuses an aspect the rubric does not have", async () => {
    await expect(judge(books, { store: "wrong", aspects: ["vibes"] })).rejects.toThrow('no aspect "vibes"');
  });
});

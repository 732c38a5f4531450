import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { draftOf } from "../../support/stories.ts";
import { runFabula } from "../run-fabula.ts";

const BATCH = ["first.md", "broken.epub", "missing.md", "last.md"];
let folder: string;
let server: SimulatedServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fabula-batch-"));
  server = await createSimulatedServer();
  writeFileSync(join(folder, "first.md"), draftOf("First", 1));
  writeFileSync(join(folder, "last.md"), draftOf("Last", 2));
  writeFileSync(join(folder, "broken.epub"), "PK\u0003\u0004 and then nothing that an archive holds");
  for (const shelf of ["a", "b"]) {
    mkdirSync(join(folder, shelf));
    writeFileSync(join(folder, shelf, "novel.md"), draftOf(`Novel of ${shelf}`, 1));
  }
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const evaluate = (...words: string[]) =>
  runFabula(["evaluate", ...words], { folder, environment: { FABULA_STORE: join(folder, "calls.db") } });

describe("a batch with a broken and a missing book", () => {
  it.each([
    ["the embedded judge", () => []],
    ["a language model", () => ["--judge", server.judge("m"), "--method", "one-pass", "--runs", "1"]],
  ] as const)("is judged without them, lists them with the reason and exits 3 (%s)", async (who, words) => {
    const out = `reports of ${who}/`;
    const { code, stderr } = await evaluate(...BATCH, "--out", out, ...words());
    expect(code, stderr).toBe(3);
    expect(stderr).toMatch(/2 of 4 books could not be judged:\n {2}broken\.epub: .+\n {2}missing\.md: .+/);
    expect(readdirSync(join(folder, out)).sort()).toEqual(["first.html", "last.html"]);
  });

  it("keeps the others in one JSON document and in one file of lines", async () => {
    const { code, stdout } = await evaluate(...BATCH, "--json", "--out", "all.jsonl");
    expect(code).toBe(3);
    const { evaluations, failed } = JSON.parse(stdout);
    expect(evaluations.map(({ book }: { book: { title: string } }) => book.title)).toEqual(["First", "Last"]);
    expect(failed).toEqual([
      { file: "broken.epub", reason: expect.any(String) },
      { file: "missing.md", reason: expect.stringContaining("missing.md") },
    ]);
    expect(readFileSync(join(folder, "all.jsonl"), "utf8").trim().split("\n")).toHaveLength(2);
  });

  it("is judged without an empty folder, a link to itself and a text that is none, each with its reason", async () => {
    const shelf = join(folder, "shelf");
    mkdirSync(join(folder, "empty"), { recursive: true });
    mkdirSync(shelf, { recursive: true });
    symlinkSync(join(folder, "circle.epub"), join(folder, "circle.epub"));
    writeFileSync(join(shelf, "one.md"), draftOf("One", 2));
    writeFileSync(join(shelf, "two.md"), draftOf("Two", 3));
    writeFileSync(join(shelf, "noise.txt"), new Uint8Array([0, 1, 2, 0, 255, 0, 3, 0]));
    const { code, stderr } = await evaluate("shelf", "empty", "circle.epub", "first.md", "--out", "rest/");
    expect(stderr).toMatch(/3 of 6 books could not be judged:\n.*noise\.txt: .+\n {2}empty: .+\n {2}circle\.epub: .+/);
    expect(code).toBe(3);
    expect(readdirSync(join(folder, "rest")).sort()).toEqual(["first.html", "one.html", "two.html"]);
  });

  it("is a failure when no book can be read", async () => {
    const { code, stderr } = await evaluate("broken.epub", "missing.md");
    expect(code).toBe(1);
    expect(stderr).toContain("2 of 2 books could not be judged");
  });

  it("says once what is wrong with every book", async () => {
    const { code, stderr } = await evaluate("first.md", "last.md", "--aspects", "vibes");
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([expect.stringContaining('There is no aspect "vibes"')]);
  });
});

describe("reports of books with the same name", () => {
  it("do not overwrite each other: each is named for its folder", async () => {
    const { code, stderr } = await evaluate("a/novel.md", "b/novel.md", "first.md", "--out", "same/");
    expect(code, stderr).toBe(0);
    expect(readdirSync(join(folder, "same")).sort()).toEqual(["a-novel.html", "b-novel.html", "first.html"]);
    expect(readFileSync(join(folder, "same", "b-novel.html"), "utf8")).toContain("Novel of b");
  });
});

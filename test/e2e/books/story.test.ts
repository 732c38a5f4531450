import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { lampsBook, lampsReply } from "../../support/lamps.ts";
import { runFabula } from "../run-fabula.ts";

let folder: string;
let server: SimulatedServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-story-"));
  server = await createSimulatedServer({ reply: lampsReply() });
  await writeFile(join(folder, "lamps.md"), lampsBook());
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const fabula = (...words: string[]) =>
  runFabula([...words, "--judge", server.judge("m")], {
    folder,
    environment: { FABULA_STORE: join(folder, "calls.db") },
  });

describe("fabula story", () => {
  it("writes the story bible, with passages that stand in the book, and pays for it once", async () => {
    const written = await fabula("story", "lamps.md", "--out", "story.md");
    expect(written.code, written.stderr).toBe(0);
    const bible = await readFile(join(folder, "story.md"), "utf8");
    for (const part of ["## Cast", "### Mara", "## Time line", "### Chapter 3", "## Threads", "## What a reader asks"])
      expect(bible).toContain(part);
    expect(bible).toContain("hand with the scar: left (chapter 1: “the scar on her left hand”)");
    const asked = server.exchanges.length;
    const json = await fabula("story", "lamps.md", "--json");
    expect(json.code).toBe(0);
    expect(server.exchanges).toHaveLength(asked);
    const document = JSON.parse(json.stdout);
    expect(document).toMatchObject({ schema: "fabula.story.v1", depth: "full", shown: "both" });
    expect(document.story.facts[0].passage).toMatchObject({ chapter: 1, quote: "the scar on her left hand" });
  });

  it("says what it would cost and sends nothing with --dry-run", async () => {
    const asked = server.exchanges.length;
    const { stdout, code } = await fabula("story", "lamps.md", "--dry-run", "--refresh");
    expect(code).toBe(0);
    expect(stdout).toContain("Nothing was sent. The run would make 4 calls");
    expect(server.exchanges).toHaveLength(asked);
  });

  it("needs a language model, and a name that says in which form to write", async () => {
    const { stderr, code } = await runFabula(["story", "lamps.md", "--judge", "jury"], { folder });
    expect(code).toBe(1);
    expect(stderr).toContain("jury is an embedded judge: name a model");
    const none = await runFabula(["story", "lamps.md"], { folder });
    expect(none.stderr).toContain("needs --judge");
    expect((await fabula("story", "lamps.md", "--out", "story.pdf")).stderr).toContain(".md, .json");
  });
});

describe("fabula ask", () => {
  it("answers with the passages that stand in the book", async () => {
    const { stdout, stderr, code } = await fabula("ask", "lamps.md", "Which hand has the scar?");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("It changes from the left to the right.");
    expect(stdout).toContain("Chapter 1: “the scar on her left hand”");
    expect(stdout).not.toContain("a third hand");
    expect(stderr).toContain("Left out: 1 quotation");
  });

  it("has no answer where what the model quotes for it is not in the book", async () => {
    const { stdout, code } = await fabula("ask", "lamps.md", "Who built the lighthouse?", "--json");
    expect(code).toBe(3);
    expect(JSON.parse(stdout).answer).toMatchObject({ said: false, isUnsupported: true, passages: [] });
    const words = await fabula("ask", "lamps.md", "Who built the lighthouse?");
    expect(words.stdout).toMatch(/^No answer: what the model quotes for it is not in the book\./);
  });

  it("shows the parts that share the question's words where the book does not fit", async () => {
    const { stderr, code } = await fabula("ask", "lamps.md", "Which hand has the scar?", "--context", "6000");
    expect(code).toBe(0);
    expect(stderr).toContain("it was shown the parts that share the question's words");
  });

  it("wants the question in quotation marks", async () => {
    const { stderr, code } = await fabula("ask", "lamps.md");
    expect(code).toBe(1);
    expect(stderr).toContain("a question in quotation marks");
  });
});

describe("fabula evaluate", () => {
  const judged = (...words: string[]) => fabula("evaluate", ...words, "--runs", "1");

  it("says first what became of the findings of an earlier draft", async () => {
    const first = await judged("lamps.md");
    expect(first.code, first.stdout).toBe(0);
    await writeFile(
      join(folder, "second.md"),
      lampsBook({ 3: "She looked at the scar on her left hand. Thirty-four lamps burned along the quay." }),
    );
    const { stdout, stderr, code } = await fabula("evaluate", "second.md", "--against", "lamps.md");
    expect(code, stderr).toBe(0);
    const said = stdout.indexOf("Of 3 findings in the earlier draft, 1 is fixed and 2 still there; 0 are new.");
    expect(said).toBeGreaterThan(-1);
    expect(said).toBeLessThan(stdout.indexOf("Compared with"));
    expect(stdout).toContain("Fixed: The scar (chapters 1, 3).");
  });

  it("reads chapter by chapter where --context says that the book does not fit", async () => {
    const quiet = "The clerk kept the ledger and said little. ".repeat(400);
    await writeFile(join(folder, "long.md"), lampsBook({ 4: quiet, 5: quiet }, 2));
    const { stdout, stderr } = await judged("long.md", "--context", "19000", "--json");
    expect(JSON.parse(stdout).letter.close.shown, stderr).toBe("notes");
    const large = await judged("long.md", "--context", "40000", "--json");
    expect(JSON.parse(large.stdout).letter.close.shown).toBe("book");
  });
});

describe("fabula check with a model", () => {
  it("gives what was read and what was counted, without praise, in one list", async () => {
    const { stdout, stderr, code } = await fabula("check", "lamps.md", "--json");
    expect(code, stderr).toBe(0);
    const { judge, books } = JSON.parse(stdout);
    expect(judge).toContain("m@http");
    const titles = books[0].findings.map(({ title }: { title: string }) => title);
    expect(titles.sort()).toEqual(["The key", "The lamps", "The scar"]);
    expect(books[0].findings.every(({ origin }: { origin: string }) => origin === "read")).toBe(true);
  });

  it("reads a file of texts, with offsets into each text", async () => {
    const text =
      "Mara felt the scar on her left hand itch, as it always did.\n\nThen she rubbed the scar on her right hand.";
    await writeFile(join(folder, "texts.jsonl"), `${JSON.stringify({ id: "a", text })}\n`);
    const planned = await fabula("check", "--in", "texts.jsonl", "--out", "found.jsonl", "--dry-run");
    expect(planned.stdout).toContain("Nothing was sent.");
    const { code, stderr } = await fabula("check", "--in", "texts.jsonl", "--out", "found.jsonl");
    expect(code, stderr).toBe(0);
    const row = JSON.parse(await readFile(join(folder, "found.jsonl"), "utf8"));
    expect(row.id).toBe("a");
    expect(row.findings).not.toHaveLength(0);
    for (const { passages } of row.findings)
      for (const { start, end, quote } of passages) expect(text.slice(start, end)).toBe(quote);
  });

  it("refuses what only a model is asked for, without one", async () => {
    const { stderr, code } = await runFabula(["check", "lamps.md", "--depth", "full"], { folder });
    expect(code).toBe(1);
    expect(stderr).toContain("--depth goes with --judge");
  });
});

it("what the author keeps in book.yaml beside the book is used by later readings", async () => {
  await mkdir(join(folder, "corrected"));
  await writeFile(join(folder, "corrected", "lamps.md"), lampsBook());
  const yaml = "story:\n  intended:\n    - passage: the scar on her right hand\n      why: Mara has two scars.\n";
  await writeFile(join(folder, "corrected", "book.yaml"), yaml);
  const { stdout, stderr, code } = await fabula("check", "corrected/lamps.md", "--json");
  expect(code, stderr).toBe(0);
  const titles = JSON.parse(stdout).books[0].findings.map(({ title }: { title: string }) => title);
  expect(titles.sort()).toEqual(["The key", "The lamps"]);
  await writeFile(join(folder, "corrected", "book.yaml"), "story:\n  intended:\n    - why: no passage\n");
  const wrong = await fabula("check", "corrected/lamps.md");
  expect(wrong.stderr).toContain("book.yaml is not understood at story.intended.0");
});

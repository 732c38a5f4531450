import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { pdfOf } from "../../support/small-files.ts";
import { runFabula } from "../run-fabula.ts";

/** The first two chapters of the bundled story, printed to PDF by a browser: a title page, running heads, page numbers. */
const PDF = resolve("test/fixtures/two-chapters.pdf");
const STORY = resolve("assets/examples/the-inspector-of-weights.md");
const CHAPTERS = [
  { index: 1, title: "Chapter 1: The Crossing", words: 682 },
  { index: 2, title: "Chapter 2: Small Measures", words: 729 },
];

it("a PDF is read by its path and from standard input, chapter by chapter", async () => {
  for (const { words, input } of [
    { words: ["read", PDF, "--json"] },
    { words: ["read", "-", "--json"], input: await readFile(PDF) },
  ] as const) {
    const { code, stdout } = await runFabula(words, input ? { input } : {});
    expect(code).toBe(0);
    expect(JSON.parse(stdout).books).toMatchObject([{ title: "The Inspector of Weights", chapters: CHAPTERS }]);
  }
});

it("a PDF is judged like the text it was printed from", async () => {
  const { code, stdout } = await runFabula(["evaluate", PDF, "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).overall.kind).toBe("scored");
});

it("the built library reads a PDF by its path and from a Buffer: the words are those of the story", async () => {
  const { readBook } = await import(pathToFileURL(join(process.cwd(), "dist", "index.js")).href);
  const story = await readBook(STORY);
  const plain = (text: string) => text.replace(/[“”]/g, '"').replace(/’/g, "'").replace(/\s+/g, " ");
  for (const source of [PDF, await readFile(PDF), { bytes: await readFile(PDF), name: "story.pdf" }]) {
    const { chapters } = await readBook(source);
    expect(chapters).toHaveLength(2);
    for (const [place, { text }] of chapters.entries()) expect(plain(text)).toBe(plain(story.chapters[place].text));
  }
});

it("a PDF that cannot be read is refused for what is wrong with it", async () => {
  const refusal = async (input: Uint8Array) => {
    const { code, stderr } = await runFabula(["read", "-"], { input });
    expect(code).toBe(1);
    return stderr;
  };
  expect(await refusal((await readFile(PDF)).subarray(0, 300))).toContain(
    "standard input is not a PDF that can be read",
  );
  expect(await refusal(pdfOf([[]]))).toContain("standard input has no text layer");
});

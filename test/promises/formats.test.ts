import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { fb2, mobi, odt, rtf, type Written } from "../support/manuscripts.ts";
import { type Session, startSession } from "./session.ts";

// One story of three chapters, committed in every format that `fabula read --help`, README.md and the guide name. The EPUB and
// the DOCX were zipped from their parts, the PDF was printed by Chromium.
const FILES = join(import.meta.dirname, "files");
const CHAPTERS = ["The Bell", "The Passenger", "Low Water"];
const FORMATS: Readonly<Record<string, string>> = {
  text: "novel.txt",
  markdown: "novel.md",
  html: "novel.html",
  epub: "novel.epub",
  docx: "novel.docx",
  pdf: "novel.pdf",
  json: "novel-in-chapters.json",
};

/** Told by the file alone, and made here from the same story. */
const RECOGNISED = { rtf, odt, fb2, mobi };

function storyParagraphs(): Written[] {
  const { chaps } = JSON.parse(readFileSync(join(FILES, "novel-in-chapters.json"), "utf8"));
  return chaps.flatMap(({ title, content }: { title: string; content: string[] }) => [
    { text: title, level: 1 },
    ...content.map((text) => ({ text })),
  ]);
}

let session: Session;
beforeAll(async () => {
  session = await startSession(inject("project"));
  cpSync(FILES, session.folder, { recursive: true });
  for (const [format, make] of Object.entries(RECOGNISED))
    writeFileSync(join(session.folder, `story.${format}`), make(storyParagraphs()));
});
afterAll(() => session.close());

async function chaptersOf(line: string) {
  const { code, stdout, stderr } = await session.fabula.run(line);
  expect(code, stderr).toBe(0);
  const { books } = JSON.parse(stdout);
  expect(books).toHaveLength(1);
  return books[0];
}

it("the formats that `fabula read --help` names are those tried here", () => {
  const named = /--format NAME[\s\S]*?\(([^)]+)\)/.exec(inject("help").read!)![1]!.split(/\s*\|\s*/);
  // A novelWriter project is a folder; the tests of formats read one.
  const known = [...Object.keys(FORMATS), ...Object.keys(RECOGNISED), "novelwriter"];
  expect(named.map((name) => name.trim()).toSorted()).toEqual(known.toSorted());
});

it("the formats that README.md and the guide name are those tried here", () => {
  const said = ["README.md", "docs/guide/README.md", "docs/guide/the-page.md"]
    .map((page) => readFileSync(page, "utf8"))
    .join();
  const named = said.match(/\b(?:plain text|Markdown|HTML|EPUB|DOCX|PDF|TXT|RTF|ODT|MOBI|FB2)\b/gi)!;
  const known = ["plain text", "txt", ...Object.keys(FORMATS), ...Object.keys(RECOGNISED)];
  expect(new Set(named.map((name) => name.toLowerCase()).filter((name) => !known.includes(name)))).toEqual(new Set());
});

describe.each(Object.entries(FORMATS))("%s", (format, file) => {
  it("is read into the same chapters as in every other format", async () => {
    const { chapters, words, warnings } = await chaptersOf(`fabula read ${file} --json`);
    expect(chapters.map(({ title }: { title: string }) => title.replace(/^chapter \d+: /i, ""))).toEqual(CHAPTERS);
    expect(words).toBe(1001);
    expect(warnings).toEqual([]);
  });

  it("is read from standard input, where --format names it", async () => {
    const { chapters } = await chaptersOf(`fabula read - --format ${format} --json < ${file}`);
    expect(chapters).toHaveLength(CHAPTERS.length);
  });

  it("is judged", async () => {
    const { code, stdout, stderr } = await session.fabula.run(`fabula evaluate ${file} --judge editor --json`);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).evaluations[0].overall.kind).toBe("scored");
  });
});

it.each(Object.keys(RECOGNISED))("%s is read into the same chapters, and judged", async (format) => {
  const { chapters, words } = await chaptersOf(`fabula read story.${format} --json`);
  expect(chapters.map(({ title }: { title: string }) => title)).toEqual(CHAPTERS);
  expect(words).toBe(1001);
  const { code, stderr } = await session.fabula.run(`fabula evaluate story.${format} --judge editor --json`);
  expect(code, stderr).toBe(0);
});

it("a folder of chapter files is one book, with what its book.yaml says", async () => {
  const { title, chapters, words } = await chaptersOf("fabula read novel/ --json");
  expect(title).toBe("The Ferry at Low Water");
  expect(chapters.map((chapter: { title: string }) => chapter.title)).toEqual(CHAPTERS);
  expect(words).toBe(1001);
});

it("a folder with one book in several formats is one book", async () => {
  cpSync(join(FILES, "novel.txt"), join(session.folder, "gutenberg", "77.txt"));
  cpSync(join(FILES, "novel.html"), join(session.folder, "gutenberg", "77-h.htm"));
  expect(readdirSync(join(session.folder, "gutenberg"))).toHaveLength(2);
  expect((await chaptersOf("fabula read gutenberg/ --json")).chapters).toHaveLength(CHAPTERS.length);
});

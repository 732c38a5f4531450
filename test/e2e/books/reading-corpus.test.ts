import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { strFromU8, unzipSync } from "fflate";
import { expect, it } from "vitest";
import { FORMATS as registry } from "../../../src/text/formats/recognise-format.ts";
import { answerSchema, judge, readingCorpus, type Summary } from "../../support/reading-corpus.ts";
import { runFabula } from "../run-fabula.ts";

it("does not read its own letter as a chapter of the next draft", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fabula-letter-"));
  const story = resolve("assets/examples/the-inspector-of-weights.md");
  const titles = async (file: string) => {
    const { stdout } = await runFabula(["read", "--json", file], { folder });
    return answerSchema.parse(JSON.parse(stdout)).books[0]!.chapters.map(({ title }) => title);
  };
  // Of a Markdown file a document is made, which opens with the letter; a writer's own document gets it as a comment.
  await runFabula(["evaluate", story, "--judge", "crowd", "--out", "made.docx"], { folder });
  expect(strFromU8(unzipSync(readFileSync(join(folder, "made.docx")))["word/document.xml"]!)).toContain("FabulaLetter");
  expect(await titles("made.docx")).toEqual(await titles(story));
  await runFabula(["evaluate", "made.docx", "--judge", "crowd", "--out", "own.docx"], { folder });
  expect(await titles("own.docx")).toEqual(await titles(story));
  rmSync(folder, { recursive: true });
});

it.each(["docx", "odt", "rtf", "fb2", "mobi", "epub", "pdf", "html", "md", "txt"])(
  "reads %s on standard input, with its format and without",
  async (extension) => {
    const made = readingCorpus().find(({ file }) => file.endsWith(`/chapter-and-number.${extension}`));
    const format = { md: "markdown", txt: "text" }[extension] ?? extension;
    for (const words of [["--format", format], []]) {
      const { stdout } = await runFabula(["read", "--json", "-", ...words], { input: made!.bytes });
      expect(answerSchema.parse(JSON.parse(stdout)).books[0]!.chapters).toHaveLength(made!.chapters.length);
    }
  },
);

it("names every format that it reads under --format", async () => {
  const { stdout } = await runFabula(["read", "--help"]);
  for (const { name } of registry) expect(stdout.replace(/\s+/g, " ")).toMatch(new RegExp(`[(| ]${name}[ )]`));
});

const FORMATS = ["txt", "md", "html", "docx", "odt", "rtf", "fb2", "mobi", "azw3", "epub", "pdf"];

it("reads every file of the corpus as a reader would, or refuses it by name", async () => {
  const corpus = readingCorpus();
  expect(corpus.length).toBeGreaterThanOrEqual(200);
  expect(FORMATS.filter((format) => !corpus.some(({ file }) => file.endsWith(`.${format}`)))).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), "fabula-corpus-"));
  for (const { file, bytes } of corpus) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), bytes);
  }
  const { stdout } = await runFabula(["read", "--json", ...corpus.map(({ file }) => join(folder, file))]);
  const { books, failed } = answerSchema.parse(JSON.parse(stdout));
  const answers = new Map<string, Summary | string>();
  // Files with one name in a folder are compared as editions of one book; here each stands alone.
  for (const book of books) {
    answers.set(book.file, { ...book, warnings: book.warnings.filter((warning) => !/ differ: /.test(warning)) });
  }
  for (const { file, reason } of failed) answers.set(file, reason);
  const { readBook }: typeof import("../../../src/index.ts") = await import(
    pathToFileURL(resolve("dist/index.js")).href
  );
  const notRight: string[] = [];
  for (const made of corpus) {
    const path = join(folder, made.file);
    const { chapters } = made.refusal === undefined && answers.has(path) ? await readBook(path) : { chapters: [] };
    const { verdict, what } = judge(
      made,
      answers.get(path),
      chapters.map(({ text }) => text),
    );
    if (verdict !== "right" && verdict !== "refused by name") notRight.push(`${verdict}: ${made.file}: ${what}`);
  }
  rmSync(folder, { recursive: true });
  expect(notRight).toEqual([]);
});

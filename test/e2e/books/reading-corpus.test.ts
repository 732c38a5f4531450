import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { answerSchema, judge, readingCorpus, type Summary } from "../../support/reading-corpus.ts";
import { runFabula } from "../run-fabula.ts";

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

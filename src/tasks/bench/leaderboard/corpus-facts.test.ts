import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { corpusFacts } from "./make-leaderboard.ts";

it("a chapter that was rewritten in a book of many files is noticed, so that the novels are prepared again", async () => {
  const root = mkdtempSync(join(tmpdir(), "fabula-facts-"));
  const [novel, book] = [join(root, "novel.txt"), join(root, "book")];
  mkdirSync(book);
  writeFileSync(novel, "One file.");
  for (const chapter of ["01.txt", "02.txt"]) writeFileSync(join(book, chapter), "It rained.");
  const before = await corpusFacts([novel, book]);
  expect(before).toHaveLength(3);
  expect(await corpusFacts([novel, book])).toEqual(before);
  writeFileSync(join(book, "02.txt"), "It rained all night.");
  expect(await corpusFacts([novel, book])).not.toEqual(before);
});

it("a link that leads nowhere does not end the leaderboard", async () => {
  const book = mkdtempSync(join(tmpdir(), "fabula-facts-"));
  writeFileSync(join(book, "01.txt"), "It rained.");
  symlinkSync(join(book, "missing.txt"), join(book, "02.txt"));
  expect(await corpusFacts([book])).toHaveLength(1);
});

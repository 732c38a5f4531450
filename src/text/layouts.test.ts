import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readBook } from "./read-book.ts";

const FOLDER = "test/fixtures/layouts";
const texts = z.array(z.string());
const expectedSchema = z.record(
  z.string(),
  z.strictObject({
    chapters: texts,
    parts: texts.optional(),
    includes: texts.optional(),
    contains: texts.optional(),
    excludes: texts.optional(),
    ending: z.string().optional(),
    title: z.string().optional(),
    author: z.string().optional(),
    language: z.string().optional(),
    warning: z.string().optional(),
  }),
);
const expected = expectedSchema.parse(JSON.parse(readFileSync(join(FOLDER, "expected.json"), "utf8")));
const files = Object.keys(expected);

/** One small file per layout and language, each written for this test, with the chapters a reader would list. */
describe("layouts", () => {
  it("are at least forty", () => expect(files.length).toBeGreaterThanOrEqual(40));

  it.each(files)("%s", async (file) => {
    const want = expected[file]!;
    const book = await readBook(join(FOLDER, file));
    const text = book.chapters.map((chapter) => chapter.text).join("\n\n");
    expect(book.chapters.map(({ title }) => title?.replaceAll("　", " "))).toEqual(want.chapters);
    if (want.parts) expect(book.chapters.map(({ part }) => part?.split(":")[0])).toEqual(want.parts);
    if (want.includes) expect(book.chapters.flatMap(({ includes }) => includes ?? [])).toEqual(want.includes);
    for (const passage of want.contains ?? []) expect(text).toContain(passage);
    for (const passage of want.excludes ?? []) expect(text).not.toContain(passage);
    if (want.ending) expect(text.endsWith(want.ending)).toBe(true);
    for (const fact of ["title", "author", "language"] as const) {
      if (want[fact] !== undefined) expect(book[fact]).toBe(want[fact]);
    }
    if (want.warning) expect(book.warnings.join("\n")).toContain(want.warning);
    else expect(book.warnings.filter((warning) => !warning.startsWith("Removed, may be story"))).toEqual([]);
  });
});

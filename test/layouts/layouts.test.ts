import { describe, expect, it } from "vitest";
import { readBookFromBytes } from "../../src/text/read-book.ts";
import { ARCHIVES } from "./archives.ts";
import { CHINESE } from "./chinese.ts";
import { COUNTING } from "./counting.ts";
import { HEADINGS } from "./headings.ts";
import { KEPT_STORY } from "./kept-story.ts";
import { LANGUAGES } from "./languages.ts";
import type { LayoutCase } from "./layout-case.ts";
import { MARKED_FILES } from "./marked-files.ts";
import { NESTED_EPUBS } from "./nested-epubs.ts";
import { PLAIN_TEXTS } from "./plain-text.ts";

const cases: Readonly<Record<string, LayoutCase>> = {
  ...PLAIN_TEXTS,
  ...CHINESE,
  ...MARKED_FILES,
  ...COUNTING,
  ...HEADINGS,
  ...KEPT_STORY,
  ...ARCHIVES,
  ...LANGUAGES,
  ...NESTED_EPUBS,
};

/** Files made in memory, one for each layout; those kept as files are in `test/fixtures/layouts`. */
describe("a file set as", () => {
  it.each(Object.keys(cases))("%s", async (name) => {
    const wanted = cases[name]!;
    const book = await readBookFromBytes(wanted.bytes, wanted.file);
    const text = book.chapters.map((chapter) => chapter.text).join("\n\n");
    expect(book.chapters.map(({ title }) => title)).toEqual(wanted.chapters);
    if (wanted.parts) expect(book.chapters.map(({ part }) => part)).toEqual(wanted.parts);
    for (const passage of wanted.contains ?? []) expect(text).toContain(passage);
    for (const passage of wanted.excludes ?? []) expect(text).not.toContain(passage);
    if (wanted.title !== undefined) expect(book.title).toBe(wanted.title);
    if (wanted.author !== undefined) expect(book.author).toBe(wanted.author);
    expect(book.warnings.join("\n")).toContain(wanted.removedStory ?? "");
    const warnings = book.warnings.filter((warning) => !warning.startsWith("Removed, may be story"));
    expect(warnings.join("\n")).toContain(wanted.warning ?? "");
    if (wanted.warning === undefined) expect(warnings).toEqual([]);
  });
});

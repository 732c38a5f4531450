import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROSE } from "../../../test/support/small-files.ts";
import { readBook, readBookFromBytes } from "../read-book.ts";
import { chapterCorrectionsSchema, correctChapters } from "./chapter-corrections.ts";

const TEXT = ["Chapter 1", PROSE, "The Lamp", PROSE, "Chapter 2", PROSE, "Chapter 3", `${PROSE} End.`].join("\n\n");
const read = () => readBookFromBytes(new TextEncoder().encode(TEXT), "rain.txt");
const titles = ({ chapters }: Awaited<ReturnType<typeof read>>) => chapters.map(({ title }) => title);

describe("chapters corrected by hand", () => {
  it("are merged, split at a line, renamed and set aside, each named by the number it was found under", async () => {
    const book = await read();
    const corrected = correctChapters(book, [
      { split: 1, at: "The Lamp", title: "The Lamp" },
      { rename: 2, title: "The Ferry" },
      { merge: 3 },
    ]);
    expect(titles(corrected)).toEqual(["Chapter 1", "The Lamp", "The Ferry"]);
    expect(corrected.chapters.map(({ index }) => index)).toEqual([1, 2, 3]);
    expect(corrected.chapters[2]?.text).toContain("Chapter 3");
    expect(corrected.chapters[1]?.text.startsWith("The Lamp")).toBe(true);
    const front = correctChapters(book, [{ "front-matter": 1 }]);
    expect(titles(front)).toEqual(["Chapter 2", "Chapter 3"]);
    expect(front.removed.at(-1)).toMatchObject({ rule: "front matter, by hand", where: "Chapter 1" });
    expect(front.words).toBe(book.words - book.chapters[0]!.words);
  });

  it("that name what is not there are one clear sentence", async () => {
    const book = await read();
    expect(() => correctChapters(book, [{ rename: 9, title: "x" }])).toThrow(/no chapter 9/);
    expect(() => correctChapters(book, [{ split: 1, at: "Nowhere" }])).toThrow(/no line that begins with “Nowhere”/);
    expect(() => correctChapters(book, [{ merge: 1 }])).toThrow(/is the first/);
    expect(chapterCorrectionsSchema.safeParse([{ merge: 0 }]).success).toBe(false);
  });

  it("are checked again: a warning goes with its cause, and a new one comes", async () => {
    const text = [
      "Chapter 1",
      PROSE,
      "Chapter 2",
      `Then. ${PROSE}`,
      "The Third",
      `${PROSE} So.`,
      "Chapter 4",
      `${PROSE} End.`,
    ];
    const book = await readBookFromBytes(new TextEncoder().encode(text.join("\n\n")), "rain.txt");
    expect(book.warnings.join()).toContain("jumps: 2 to 4");
    expect(correctChapters(book, [{ split: 2, at: "The Third", title: "Chapter 3" }]).warnings).toEqual([]);
    expect(correctChapters(book, [{ rename: 1, title: "Chapter 9" }]).warnings.join()).toContain("jumps: 9 to 2");
  });

  it("are read from book.yaml", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-corrections-"));
    await writeFile(join(folder, "rain.txt"), TEXT);
    await writeFile(join(folder, "book.yaml"), "chapters:\n  - merge: 2\n  - rename: 3\n    title: Last\n");
    expect(titles(await readBook(join(folder, "rain.txt")))).toEqual(["Chapter 1", "Last"]);
  });
});

import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { epubOf, PROSE } from "../../../test/support/small-files.ts";
import { readBook } from "../read-book.ts";
import { findBooks } from "./find-books.ts";

async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fabula-find-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

const EPUB = epubOf({ "a.xhtml": `<html><body><p>${PROSE}</p></body></html>` });
const TEXT = ["CHAPTER I", PROSE, "CHAPTER II", `${PROSE} Then.`].join("\n\n");
const HTML = `<html><body><h2>CHAPTER I</h2><p>${PROSE}</p><h2>CHAPTER II</h2><p>${PROSE} Now.</p></body></html>`;

describe("a folder", () => {
  const inside = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    const folder = await folderOf(files);
    return (await findBooks([folder])).files.map((path) => relative(folder, path));
  };

  it("of EPUBs is many books, whatever note stands beside them", async () => {
    expect(await inside({ "b.epub": EPUB, "a.epub": EPUB, "README.md": "x", "list.txt": "x" })).toEqual([
      "a.epub",
      "b.epub",
    ]);
  });

  it("of numbered chapters is one book", async () => {
    expect(await inside({ "1.md": PROSE, "2.md": PROSE })).toEqual([""]);
  });

  it("of folders with one book in several formats each is many books", async () => {
    expect(
      await inside({
        "Rain_12/12.txt": TEXT,
        "Rain_12/12-h.htm": HTML,
        "Snow_13/13-0.txt": TEXT,
        "Snow_13/13.txt": TEXT,
      }),
    ).toEqual(["Rain_12", "Snow_13"]);
  });

  it("with one short text is that book", async () => {
    expect(await inside({ "story.md": `# Rain\n\n${PROSE}` })).toEqual(["story.md"]);
    expect((await readBook(await folderOf({ "story.md": `# Rain\n\n${PROSE}` }))).words).toBeGreaterThan(5);
  });

  it("of short novels with chapters of their own is many books, not one", async () => {
    const novel = `# Chapter 1\n\n${PROSE}\n\n# Chapter 2\n\n${PROSE}`;
    expect(await inside({ "rain.md": novel, "snow.md": novel, "wind-2.md": novel })).toEqual([
      "rain.md",
      "snow.md",
      "wind-2.md",
    ]);
  });

  it("of a program is no book", async () => {
    const folder = await folderOf({ "README.md": "x", "CHANGELOG.md": "x", "docs/1.md": PROSE, "docs/2.md": PROSE });
    await expect(findBooks([folder])).rejects.toThrow(/without books or chapter files/);
  });

  it("with a text that is none lists it beside the books, so that only this one fails", async () => {
    const broken = new Uint8Array([0, 1, 2, 0, 255, 0, 3, 0]);
    expect(await inside({ "a.epub": EPUB, "b.epub": EPUB, "list.txt": broken })).toEqual([
      "a.epub",
      "b.epub",
      "list.txt",
    ]);
  });

  it("with one book in two formats is read once, and says where they differ", async () => {
    const book = await readBook(await folderOf({ "12.txt": TEXT, "12-h.htm": HTML }));
    expect(book.chapters).toHaveLength(2);
    expect(book.warnings.join()).toMatch(/12-h\.htm.*12\.txt.* differ: the last paragraphs/);
  });
});

describe("several paths", () => {
  it("are the books of those that have some, and the others with their reasons", async () => {
    const folder = await folderOf({ "a.epub": EPUB, "b.epub": EPUB });
    const [empty, circle] = [join(folder, "empty"), join(folder, "circle.epub")];
    await mkdir(empty);
    await symlink(circle, circle);
    const paths = [join(folder, "a.epub"), empty, circle, join(folder, "b.epub")];
    expect(await findBooks(paths)).toEqual({
      files: [paths[0], paths[3]],
      failed: [
        { file: empty, reason: expect.stringContaining("without books") },
        { file: circle, reason: expect.stringContaining("cannot be read") },
      ],
    });
    await expect(findBooks([empty, circle])).rejects.toThrow(/no book among.*\n.*without books.*\n.*cannot be read/);
  });
});

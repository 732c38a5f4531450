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

  it("of EPUBs is many books, even with a note beside them", async () => {
    expect(await inside({ "b.epub": EPUB, "a.epub": EPUB, "README.md": "x", "list.txt": "x" })).toEqual([
      "a.epub",
      "b.epub",
    ]);
  });

  it("of numbered chapters is one book", async () => {
    expect(await inside({ "1.md": PROSE, "2.md": PROSE })).toEqual([""]);
  });

  it("of folders, each with one book in several formats, is many books", async () => {
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

  it("of a software project is not a book", async () => {
    const folder = await folderOf({ "README.md": "x", "CHANGELOG.md": "x", "docs/1.md": PROSE, "docs/2.md": PROSE });
    await expect(findBooks([folder])).rejects.toThrow(/without books or chapter files/);
  });

  const LONG = Array.from({ length: 12 }, (_value, at) => `${PROSE} That was on day ${at}.`).join("\n\n");
  const chapters = (folder: string, count = 3) =>
    Object.fromEntries(
      Array.from({ length: count }, (_value, at) => [
        `${folder}0${at + 1}.md`,
        `# Day ${at + 1}\n\n${LONG} ${folder}${at}.`,
      ]),
    );

  it("of chapters is one book beside a readme, a licence, an outline and a list of files", async () => {
    const notes = { "README.md": "x", LICENSE: "x", "index.json": "{}", "outline.md": "x", "overview.md": "x" };
    const folder = await folderOf({ ...chapters(""), ...notes });
    expect((await findBooks([folder])).files).toEqual([folder]);
    const book = await readBook(folder);
    expect(book.chapters.map(({ title }) => title)).toEqual(["Day 1", "Day 2", "Day 3"]);
  });

  it("of a repository with its chapters in folders is one book with parts", async () => {
    const folder = await folderOf({
      ...{ "README.md": "x", "package.json": "{}", "about.md": "x" },
      ...chapters("manuscript/part-1/"),
      ...chapters("manuscript/part-2/", 2),
      "docs/1.md": LONG,
      "docs/2.md": LONG,
    });
    expect((await findBooks([folder])).files).toEqual([folder]);
    const book = await readBook(folder);
    expect(book.chapters.map(({ title, part }) => `${part}: ${title}`)).toEqual([
      ...[1, 2, 3].map((day) => `part 1: Day ${day}`),
      ...[1, 2].map((day) => `part 2: Day ${day}`),
    ]);
  });

  it("of parts is divided where the headings in its files begin the chapters, and can be read file by file", async () => {
    const part = (at: number) =>
      [1, 2, 3].map((chapter) => `## Chapter ${3 * at + chapter}\n\n${LONG} ${at} ${chapter}.\n\n`).join("");
    const names = ["the-sea.md", "the-town.md"];
    const folder = await folderOf(Object.fromEntries(names.map((name, at) => [`${at}-${name}`, part(at)])));
    const book = await readBook(folder);
    expect(book.chapters).toHaveLength(6);
    expect(book.finding?.recognised).toEqual({ by: "numbered chapter headings", certainty: "certain" });
    const byFile = await readBook(folder, { corrections: [{ strategy: "the file's own division" }] });
    expect(byFile.chapters).toHaveLength(2);
  });

  it("is read through its symbolic links", async () => {
    const real = await folderOf(chapters(""));
    const folder = await folderOf({});
    for (const name of ["01.md", "02.md"]) await symlink(join(real, name), join(folder, name));
    await symlink(join(folder, "nowhere"), join(folder, "03.md"));
    expect((await findBooks([folder])).files).toEqual([folder]);
    expect((await readBook(folder)).chapters).toHaveLength(2);
  });

  it("with Leanpub's Book.txt has the chapters listed there, in that order", async () => {
    const folder = await folderOf({
      ...chapters("manuscript/"),
      "manuscript/Book.txt": "frontmatter:\n03.md\nmainmatter:\n02.md\n01.md\n",
    });
    const book = await readBook((await findBooks([folder])).files[0]!);
    expect(book.chapters.map(({ title }) => title)).toEqual(["Day 2", "Day 1"]);
    expect(book.source.format).toBe("leanpub");
  });

  it("with mdBook's SUMMARY.md has its links in order, under its parts", async () => {
    const folder = await folderOf({
      "book.toml": '[book]\ntitle = "Weather"\nauthors = ["A. Writer"]\n',
      "src/SUMMARY.md":
        "# Summary\n\n# Part One\n\n- [Rain](b.md)\n  - [Snow](a.md)\n\n# Part Two\n\n- [Wind](c.md)\n- [Gone](d.md)\n",
      ...Object.fromEntries(["a", "b", "c"].map((name) => [`src/${name}.md`, `${LONG} ${name}.`])),
    });
    const book = await readBook((await findBooks([folder])).files[0]!);
    expect(book).toMatchObject({ title: "Weather", author: "A. Writer" });
    expect(book.chapters.map(({ title, part }) => `${part}: ${title}`)).toEqual([
      "Part One: Rain",
      "Part One: Snow",
      "Part Two: Wind",
    ]);
  });

  const rtf = (text: string) => `{\\rtf1\\ansi ${text.replaceAll("\n\n", "\\par ")}}`;
  const item = (id: string, type: string, title: string, included: boolean, children = "") =>
    `<BinderItem UUID="${id}" Type="${type}"><Title>${title}</Title><MetaData>${included ? "<IncludeInCompile>Yes</IncludeInCompile>" : ""}</MetaData><Children>${children}</Children></BinderItem>`;

  it("of a Scrivener project has the draft in the binder's order, without texts that are not compiled", async () => {
    const draft = [
      item("P0", "Text", "Prologue", true),
      item("F1", "Folder", "The Ferry", true, item("S1", "Text", "Scene", true) + item("S2", "Text", "Scene", true)),
      item("F2", "Folder", "The Door", true, item("S3", "Text", "Scene", true) + item("S4", "Text", "Old", false)),
    ];
    const binder = item("D", "DraftFolder", "Manuscript", true, draft.join("")) + item("R", "Text", "Notes", true);
    const folder = await folderOf({
      "Rain.scriv/Rain.scrivx": `<ScrivenerProject><Binder>${binder}</Binder></ScrivenerProject>`,
      ...Object.fromEntries(
        ["P0", "S1", "S2", "S3", "S4", "R"].map((id) => [
          `Rain.scriv/Files/Data/${id}/content.rtf`,
          rtf(`${LONG} ${id}`),
        ]),
      ),
    });
    const files = (await findBooks([join(folder, "Rain.scriv")])).files;
    expect(files).toEqual([join(folder, "Rain.scriv")]);
    const book = await readBook(files[0]!);
    expect(book.title).toBe("Rain");
    expect(book.chapters.map(({ title }) => title)).toEqual(["Prologue", "The Ferry", "The Door"]);
    expect(book.chapters[1]?.text).toMatch(/S1\n\n\* \* \*\n\nThe rain[\s\S]*S2$/);
    expect(book.removed.map(({ rule, where }) => `${rule}: ${where}`)).toEqual([
      "left out of the book by its writer: Old",
    ]);
  });

  it("of a novelWriter project has the documents of the novel in the tree's order, without tags and notes", async () => {
    const items = [
      ["r", "None", 0, "NOVEL", "yes"],
      ["b", "r", 1, "NOVEL", "yes"],
      ["a", "r", 0, "NOVEL", "yes"],
      ["c", "r", 2, "NOVEL", "no"],
      ["n", "None", 1, "CHARACTER", "yes"],
    ].map(
      ([handle, parent, order, kind, active]) =>
        `<item handle="${handle}" parent="${parent}" order="${order}" type="FILE" class="${kind}"><name active="${active}">${handle}</name></item>`,
    );
    const folder = await folderOf({
      "nwProject.nwx": `<novelWriterXML><project><name>Weather</name><author>A. Writer</author></project><content>${items.join("")}</content></novelWriterXML>`,
      "content/a.nwd": `%%~name: a\n## Rain\n\n@pov: Anna\n\n% a note\n\n### One\n\n${LONG}\n\n### Two\n\n${LONG}`,
      "content/b.nwd": `## Snow\n\n${LONG} Snow.`,
      "content/c.nwd": `## Gone\n\n${LONG}`,
      "content/n.nwd": `# Anna\n\n${LONG}`,
    });
    const book = await readBook((await findBooks([folder])).files[0]!);
    expect(book).toMatchObject({ title: "Weather", author: "A. Writer" });
    expect(book.chapters.map(({ title }) => title)).toEqual(["Rain", "Snow"]);
    expect(book.chapters[0]?.text).not.toMatch(/note|@pov|One|Two/);
  });

  it("of an Obsidian vault has the scenes that Longform lists, without links and comments", async () => {
    const folder = await folderOf({
      "Weather.md":
        "---\nlongform:\n  format: scenes\n  title: Weather\n  sceneFolder: /\n  scenes:\n    - Snow\n    - Rain\n---\n",
      "Rain.md": `${LONG} With [[Anna|her]].`,
      "Snow.md": `${LONG} %%check this%% ![[map.png]] End.`,
      "Anna.md": "A widow.",
    });
    const book = await readBook((await findBooks([folder])).files[0]!);
    expect(book.chapters.map(({ title }) => title)).toEqual(["Snow", "Rain"]);
    expect(book.chapters.map(({ text }) => text).join()).not.toMatch(/\[\[|check this|map|widow/);
  });

  it("with a file that is not a text lists it beside the books, so that only this one fails", async () => {
    const broken = new Uint8Array([0, 1, 2, 0, 255, 0, 3, 0]);
    expect(await inside({ "a.epub": EPUB, "b.epub": EPUB, "list.txt": broken })).toEqual([
      "a.epub",
      "b.epub",
      "list.txt",
    ]);
  });

  it("of Markdown chapters with a book.yaml is one book with all of them", async () => {
    const chapters = { "01-rain.md": `# Rain\n\n${PROSE}`, "02-snow.md": `# Snow\n\n${PROSE}` };
    const book = await readBook(await folderOf({ ...chapters, "book.yaml": "title: Weather\n" }));
    expect(book.title).toBe("Weather");
    expect(book.chapters.map(({ title }) => title)).toEqual(["Rain", "Snow"]);
  });

  it("with one book in two formats is read once, and reports where they differ", async () => {
    const book = await readBook(await folderOf({ "12.txt": TEXT, "12-h.htm": HTML }));
    expect(book.chapters).toHaveLength(2);
    expect(book.warnings.join()).toMatch(/12-h\.htm.*12\.txt.* differ: the last paragraphs/);
  });
});

describe("several paths", () => {
  it("give the books at those that have some, and a reason for each of the others", async () => {
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

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../core/clock.ts";
import { sha256 } from "../../core/hash.ts";
import { mapBook } from "../../tasks/books/map-book.ts";
import { keptCharactersIn, readCharacters } from "../../tasks/books/open-book.ts";
import { NO_CORRECTIONS } from "../../text/corrections/character-and-story.ts";
import { readBook, readBookFromBytes } from "../../text/read-book.ts";
import { searchBook } from "../routes/books.ts";
import { readStoredBook, readWriterSays } from "./book-files.ts";
import { BookLibrary } from "./book-library.ts";

let folder: string;
let books: BookLibrary;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-library-"));
  books = await BookLibrary.open(join(folder, "books"), systemClock);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function add(text: string, name = "story.md") {
  const path = join(folder, "upload");
  await writeFile(path, text);
  return books.add({ path, sha256: sha256(text), name });
}

const STORY = [
  "# Chapter 1",
  "“Don’t,” she said, 红楼梦 – twice.",
  "# Chapter 2",
  "It rained 🌧 all day.\n\nIt stopped.",
].join("\n\n");

describe("a book in the library", () => {
  it("comes back as it was read, chapter by chapter and whole", async () => {
    const { id } = await add(STORY);
    // How the chapters were found is not stored: the library keeps the chapters.
    const { finding: _finding, ...read } = await readBookFromBytes(Buffer.from(STORY), "story.md");
    for (const chapter of read.chapters) {
      expect(await books.chapter(id, chapter.index)).toMatchObject({ title: chapter.title, text: chapter.text });
    }
    expect(await readStoredBook(books.folderOf(id))).toEqual(read);
    await expect(books.chapter(id, 99)).rejects.toMatchObject({ code: "E_NOT_FOUND" });
  });

  it("is the same book for the command line, with the changes made in the web app", async () => {
    const { id } = await add(STORY);
    await books.edit(id, { title: "Rain: a story", author: "A. Writer", genres: ["Weather"], premise: "It rains." });
    const own = await readStoredBook(books.folderOf(id));
    const other = await readBook(join(books.folderOf(id), "original.md"));
    const { source: _own, ...here } = own!;
    const { source: _other, finding: _finding, ...there } = other;
    expect(here).toEqual(there);
    expect(here).toMatchObject({
      title: "Rain: a story",
      author: "A. Writer",
      genres: ["Weather"],
      premise: "It rains.",
    });
  });

  it("keeps how its chapters were corrected, for every later reading here and on the command line", async () => {
    const { id } = await add(`${STORY}\n\n# Chapter 3\n\nThe end of it.`);
    expect((await books.foundChapters(id)).found.map(({ index, title }) => [index, title])).toEqual([
      [1, "Chapter 1"],
      [2, "Chapter 2"],
      [3, "Chapter 3"],
    ]);
    const corrections = [{ rename: 1, title: "Rain" }, { split: 2, at: "It stopped", title: "Sun" }, { merge: 3 }];
    await books.correct(id, corrections);
    const stored = await readStoredBook(books.folderOf(id));
    const onCommandLine = await readBook(join(books.folderOf(id), "original.md"));
    for (const book of [stored!, onCommandLine]) {
      expect(book.chapters.map(({ title }) => title)).toEqual(["Rain", "Chapter 2", "Sun"]);
      expect(book.chapters[2]!.text).toBe("It stopped.\n\nChapter 3\n\nThe end of it.");
    }
    books = await BookLibrary.open(join(folder, "books"), systemClock);
    expect(books.card(id)).toMatchObject({ chapters: 3, corrections });
    await expect(books.correct(id, [{ merge: 9 }])).rejects.toMatchObject({ code: "E_CORRECTION" });
    await books.edit(id, { author: "A. Writer" });
    expect((await readBook(join(books.folderOf(id), "original.md"))).chapters).toHaveLength(3);
    await books.correct(id, []);
    expect((await books.contents(id)).chapters.map(({ title }) => title)).toEqual([
      "Chapter 1",
      "Chapter 2",
      "Chapter 3",
    ]);
  });

  it("keeps corrections to its characters, for its file wherever that is and for the next draft", async () => {
    const story =
      "“Come,” said Hester. Hester asked Brandt, and Brandt said no. Hester said yes. Brandt said nothing more.";
    const { id } = await add(story);
    const file = join(folder, "my-own-copy.md");
    await writeFile(file, story);
    const keptCharacters = keptCharactersIn(folder);
    const names = async () =>
      (await mapBook(file, { keptCharacters })).characters!.characters.map(({ name }) => name).sort();
    expect(await names()).toEqual(["Brandt", "Hester"]);
    const corrections = { ...NO_CORRECTIONS, rename: [{ from: "Brandt", to: "The Factor" }] };
    await books.correctCharacters(id, corrections);
    expect(await names()).toEqual(["Hester", "The Factor"]);
    const { characterCorrections } = await readBook(join(books.folderOf(id), "original.md"));
    expect(characterCorrections).toEqual(corrections);
    const next = await add(`${story} They left.`, "draft-2.md");
    await books.setDraftOf(next.id, id);
    expect(await readCharacters(books.folderOf(next.id))).toEqual(corrections);
  });

  it("keeps for the next draft what is intended or put off, and opens again what was done", async () => {
    const { id } = await add(STORY);
    await books.writerSays(id, () => ({
      findings: { meant: { mark: "intended", why: "a refrain" }, put: { mark: "later" }, fixed: { mark: "done" } },
      facts: ["It rains in May."],
    }));
    const next = await add(`${STORY} They left.`, "draft-2.md");
    await books.setDraftOf(next.id, id);
    expect(await readWriterSays(books.folderOf(next.id))).toEqual({
      findings: {
        meant: { mark: "intended", why: "a refrain" },
        put: { mark: "later" },
        fixed: { mark: null, wasDone: true },
      },
      facts: ["It rains in May."],
    });
  });

  it("keeps facts about a chapter for the same chapter of the next draft, whatever its number is there", async () => {
    const { id } = await add(`${STORY}\n\n# Chapter 3\n\nThe end of it.`);
    await books.writerSays(id, () => ({
      findings: {},
      facts: [
        "It rains in May.",
        "Chapter 1, place: the gate",
        "Chapter 2, time: spring",
        "Chapter 2, scene 1 (“It rained…”), time: a Sunday",
        "Chapter 3, time: autumn",
        "Thread “Why does it rain?”, closes in chapter: 2",
        "Thread “Who is she?”, closes in chapter: never",
      ],
    }));
    // Its third chapter is gone; the one that has its number and its title now is the second.
    const moved = STORY.replace("# Chapter 2", "# Chapter 3").replace("# Chapter 1", "# Chapter 2");
    const next = await add(`# Chapter 1\n\nLong ago it snowed.\n\n${moved}`, "draft-2.md");
    await books.setDraftOf(next.id, id);
    const facts = [
      "It rains in May.",
      "Chapter 2, place: the gate",
      "Chapter 3, time: spring",
      "Chapter 3, scene 1 (“It rained…”), time: a Sunday",
      "Thread “Why does it rain?”, closes in chapter: 3",
      "Thread “Who is she?”, closes in chapter: never",
    ];
    expect((await readWriterSays(books.folderOf(next.id))).facts).toEqual(facts);
    const onCommandLine = await readBook(join(books.folderOf(next.id), "original.md"));
    expect(onCommandLine.storyCorrections?.facts).toEqual(facts);
  });

  it("keeps corrections to its chapters for the next draft if the text is still there", async () => {
    const chapter = (number: number, words: string) =>
      `## Chapter ${number}\n\nThe ${words} came down the street and nobody looked up at it.\n\nIt stopped at the ${words} door and rang the bell three times.\n\n`;
    const { id } = await add([1, 2, 3, 4].map((number) => chapter(number, `number ${number}`)).join(""));
    await books.correct(id, [{ rename: 2, title: "Rain" }, { split: 3, at: "It stopped", title: "Sun" }, { merge: 4 }]);
    // A new first chapter, and a rewritten third: the split of that chapter no longer applies.
    const next = await add(
      chapter(9, "new") +
        chapter(1, "number 1") +
        chapter(2, "number 2") +
        "## Chapter 3\n\nNothing is as it was.\n\n" +
        chapter(4, "number 4"),
      "draft-2.md",
    );
    await books.setDraftOf(next.id, id);
    expect(books.card(next.id).corrections).toEqual([{ rename: 3, title: "Rain" }, { merge: 5 }]);
    expect((await books.contents(next.id)).chapters.map(({ title }) => title)).toEqual([
      "Chapter 9",
      "Chapter 1",
      "Rain",
      "Chapter 3",
    ]);
  });

  it("is still there after a restart, and unfinished additions are not", async () => {
    const { id } = await add(STORY);
    await books.edit(id, { author: null, title: "Another Title" });
    await mkdir(join(folder, "books", ".unfinished"));
    await mkdir(join(folder, "books", "damaged"));
    await writeFile(join(folder, "books", "damaged", "card.json"), "{");
    books = await BookLibrary.open(join(folder, "books"), systemClock);
    expect(books.list().map((card) => card.id)).toEqual([id]);
    expect(books.card(id).edits).toEqual({ author: null, title: "Another Title" });
    expect(await readdir(join(folder, "books"))).not.toContain(".unfinished");
    await books.delete(id);
    expect(await readdir(join(folder, "books"))).toEqual(["damaged"]);
  });

  it("leaves nothing behind when it cannot be read", async () => {
    await expect(add("   \n", "blank.txt")).rejects.toMatchObject({ code: "E_NO_TEXT" });
    expect(await readdir(join(folder, "books"))).toEqual([]);
  });

  it("is found by words whatever their case, quotation marks and spaces, at the right place", async () => {
    const { id } = await add(STORY);
    const [hit] = await searchBook(books, id, `"DON'T,"   she`);
    const { text } = await books.chapter(id, hit!.chapter);
    expect(text.slice(hit!.start, hit!.end)).toBe("“Don’t,” she");
    expect(await searchBook(books, id, "all day. it stopped")).toHaveLength(1);
    expect(await searchBook(books, id, "楼")).toHaveLength(1);
    expect(await searchBook(books, id, "  ")).toEqual([]);
  });

  it("shows whole words around what was searched for", async () => {
    const { id } = await add(
      `# Chapter 1\n${"The harbour lay in thick fog. ".repeat(9)}A lamp burned.${" Nobody came.".repeat(9)}`,
    );
    const [hit] = await searchBook(books, id, "lamp");
    expect(hit!.before).toMatch(/^… (?:[\w.]+ )+A $/);
    expect(hit!.before).not.toMatch(/^… (?!The|harbour|lay|in|thick|fog)/);
    expect(hit!.after).toBe(` burned.${" Nobody came.".repeat(5)} …`);
    const [first] = await searchBook(books, id, "harbour");
    expect(first!.before).toBe("The ");
    const { id: chinese } = await add(
      `# 第一章\n${"雨落在港口没有人开门".repeat(12)}灯${"雨落在港口没有人开门".repeat(12)}`,
      "zh.md",
    );
    const [light] = await searchBook(books, chinese, "灯");
    expect([light!.before.length, light!.after.length]).toEqual([81, 81]);
  });

  it("keeps the original, byte by byte", async () => {
    const { id } = await add(STORY);
    expect(await readFile(join(books.folderOf(id), "original.md"), "utf8")).toBe(STORY);
  });
});

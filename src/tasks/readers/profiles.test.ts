import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storySchema } from "../../reader/predictor/story.ts";
import { readStoryFile, storyFromOutline } from "../books/described-story.ts";
import { predictForProfile } from "./predict.ts";
import { rankBooks, readerQuestions } from "./rank.ts";
import { describeProfile, importProfile, openProfile } from "./reader-profiles.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-readers-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe("a reader's profile", () => {
  it("is shown under the reader's own name, however it was asked for", async () => {
    const input = await file("shelf.csv", "title,rating\nAshes,4\n");
    await importProfile({ name: "Anna Österberg", input, folder });
    expect((await describeProfile("anna-österberg", folder)).name).toBe("Anna Österberg");
  });

  it("says that a file is not there, instead of calling it damaged", async () => {
    await expect(openProfile(join(folder, "nowhere.json"), folder)).rejects.toThrow(
      /could not be read: check the path/,
    );
  });

  it("holds an earlier choice once, although its file was imported twice", async () => {
    const input = await file("shelf.csv", "title,rating\nAshes,4\n");
    const choice = { left: { title: "Fog" }, right: { title: "Salt" }, preferred: "left" };
    const comparisons = await file("choices.jsonl", `${JSON.stringify(choice)}\n`);
    await importProfile({ name: "Berta", input, folder, comparisons });
    expect(await importProfile({ name: "Berta", input, folder, comparisons })).toMatchObject({ comparisons: 1 });
    const unknown = await file("unknown.jsonl", `${JSON.stringify({ ...choice, preferred: { prose: "left" } })}\n`);
    await expect(importProfile({ name: "Berta", input, folder, comparisons: unknown })).rejects.toThrow(
      /not an aspect/,
    );
  });

  it("keeps no book on the shelf that has been read since, and an empty shelf of a newer export is empty", async () => {
    const library = (rows: readonly string[]) =>
      file("export.csv", `Title,Author,My Rating,Average Rating,Exclusive Shelf\n${rows.join("\n")}\n`);
    const shelf = async () => (await openProfile("Dora", folder)).toRead?.map(({ title }) => title) ?? [];
    const input = await library(["Ashes,A,4,3.9,read", "Fog,A,0,4.1,to-read", "Salt,B,0,4.0,to-read"]);
    await importProfile({ name: "Dora", input, folder });
    expect(await shelf()).toEqual(["Fog", "Salt"]);
    await importProfile({
      name: "Dora",
      input: await file("more.csv", "title,author,rating\nFog (Mists #1),A,5\n"),
      folder,
    });
    expect(await shelf()).toEqual(["Salt"]);
    await importProfile({ name: "Dora", input: await library(["Ashes,A,4,3.9,read", "Salt,B,3,4.0,read"]), folder });
    expect(await shelf()).toEqual([]);
  });

  it("is asked about what the newest ratings leave open, wherever those stand in the export", async () => {
    const row = (title: string, genre: string, stars: number, shelf: string, year: number) =>
      `${title},A,${stars},3.9,${shelf},"${genre}",${year}/01/01`;
    const rows = [
      ...Array.from({ length: 150 }, (_, at) => row(`New ${at}`, "horror", 4, "read", 2024)),
      ...Array.from({ length: 150 }, (_, at) => row(`Old ${at}`, "romance", 4, "read", 2010)),
      ...["horror", "romance"].map((genre) => row(`Open ${genre}`, genre, 0, "read", 2012)),
      ...["horror", "romance"].map((genre) => row(`Wanted ${genre}`, genre, 0, "to-read", 2024)),
    ];
    const heading = "Title,Author,My Rating,Average Rating,Exclusive Shelf,Bookshelves,Date Read";
    const input = await file("newest-first.csv", `${[heading, ...rows].join("\n")}\n`);
    const { questions, candidates } = await readerQuestions(input, undefined, 1);
    expect(candidates).toBe(2);
    expect(questions.map(({ title }) => title)).toEqual(["Open romance"]);
  });

  it("takes averages and genres from a table of books, for the history and for the shelf", async () => {
    const input = await file(
      "storygraph.csv",
      "Title,Authors,Star Rating,Read Status,Tags\nAshes,A. Writer,4,read,\nHome,B. Writer,2,read,\nFog,C. Writer,,to-read,horror\n",
    );
    const known = await file(
      "books.csv",
      "title,author,average_rating,genres,rating\nAshes (The Ember #1),A. Writer,4.4,fantasy,1\nFog,C. Writer,3.1,gothic,1\nHome,Z. Other,4.9,romance,1\n",
    );
    await importProfile({ name: "Carla", input, folder, knownBooks: known });
    const { reviews, toRead } = await openProfile("Carla", folder);
    expect(reviews[0]).toMatchObject({ title: "Ashes", rating: 4, average_rating: 4.4, genres: ["fantasy"] });
    // A book of the same title by another writer is another book.
    expect(reviews[1]!.average_rating).toBeUndefined();
    expect(toRead).toMatchObject([{ title: "Fog", average_rating: 3.1, genres: ["horror"] }]);
    const { ranked } = await rankBooks(input, undefined, undefined, known);
    expect(ranked[0]!.item.story).toMatchObject({ title: "Fog", average_rating: 3.1 });
    const { basis } = await rankBooks(input, undefined);
    expect(basis).toMatchObject({ averages: 0, thin: expect.stringContaining("A thin profile") });
  });

  it("ranks a table of books, and reads an outline in a folder as an outline", async () => {
    const profile = await openProfile("Carla", folder);
    const list = await file("list.csv", "title,author,average_rating\nLoved,A. Writer,4.6\nDisliked,B. Writer,3.1\n");
    const { ranked, basis } = await rankBooks(list, profile);
    expect(ranked.map(({ item }) => item.title)).toEqual(["Loved", "Disliked"]);
    expect(basis).toMatchObject({ averages: 2 });
    const pitches = await mkdtemp(join(folder, "pitches-"));
    await writeFile(
      join(pitches, "pitch.md"),
      "# The Salt Road\nGenres: fantasy\n\n## Plot\nA smuggler crosses a desert.",
    );
    await writeFile(join(pitches, "story.txt"), "A smuggler crosses a desert.\n\nHe said: run.");
    const read = (await rankBooks(pitches, profile)).ranked.map(({ item }) => item);
    const [outline, story] = ["pitch.md", "story.txt"].map((name) => read.find((item) => item.file.endsWith(name))!);
    expect(outline).toMatchObject({ title: "The Salt Road", missing: ["premise", "characters"] });
    // A text that labels nothing is a book, and its prose is no plot.
    expect(story!.missing).toContain("plot summary");
  });

  it("leaves out of a table the books that were read, names rows without a title, and needs to know for whom", async () => {
    const profile = await openProfile("Carla", folder);
    const rows = [
      "Ashes,read",
      "Fog,to-read",
      ",to-read",
      "Rain,unread",
      "Salt,Did Not Finish",
      "Dust,finished",
      "Snow,",
    ];
    const list = await file("shelves.csv", `title,status\n${rows.join("\n")}\n`);
    const { ranked, unranked, alreadyRead } = await rankBooks(list, profile);
    expect(ranked.map(({ item }) => item.title).sort()).toEqual(["Fog", "Rain", "Snow"]);
    expect(alreadyRead).toBe(3);
    expect(unranked).toEqual([{ file: list, reason: "row 3 without a title." }]);
    await expect(rankBooks(list, undefined)).rejects.toThrow(/lists books and no ratings.*--profile PROFILE\.$/);
    const read = await file("read.csv", "title,author,shelf\nAshes,A. Writer,read\n");
    await expect(rankBooks(read, profile)).rejects.toThrow(/no book to rank: each was read or given up/);
  });

  it("takes no story's prose for its plot, whatever the story labels", async () => {
    const profile = await openProfile("Carla", folder);
    const books = await mkdtemp(join(folder, "prose-"));
    const prose = "He walked to the town and bought bread. ".repeat(250);
    await writeFile(join(books, "story.txt"), `The Salt Road\nGenre: Horror\nWords: 2,000\n\nChapter 1\n\n${prose}`);
    await writeFile(join(books, "novella.md"), `# Low Tide\n\n## The Plot\n\n${prose}\n\n## The End\n\n${prose}`);
    const { ranked, unranked } = await rankBooks(books, profile);
    expect(unranked).toEqual([]);
    expect(ranked.map(({ item: { title, story } }) => [title, story.plot_summary]).sort()).toEqual([
      ["Low Tide", undefined],
      ["story", undefined],
    ]);
  });

  it("ranks a folder with progress from the first book", async () => {
    const books = await mkdtemp(join(folder, "books-"));
    for (const title of ["one", "two"])
      await writeFile(join(books, `${title}.json`), JSON.stringify({ title, genres: ["Fantasy"] }));
    const profile = await openProfile("Berta", folder);
    const events: unknown[] = [];
    await rankBooks(books, profile, ({ stage, done, total }) => events.push([stage, done, total]));
    expect(events).toEqual([
      ["Reading", 0, 2],
      ["Reading", 1, 2],
    ]);
  });
});

describe("one story for one reader", () => {
  const story = storySchema.parse({ title: "Fog (Weather, #1)", genres: ["Horror"], premise: "A town hides." });

  it("is no opinion of a reader who has rated nothing", () => {
    const { view } = predictForProfile({ name: "eve", language: "en", reviews: [] }, story);
    expect(view!.headline).toMatch(/^Nothing is known yet of what eve likes/);
  });

  it("names a rating that the reader has given already", () => {
    const reviews = [{ title: "Fog", author: "Ann Lee", genres: [], rating: 2 }];
    const reader = { name: "eve", language: "en", reviews };
    expect(predictForProfile(reader, story).view!.notes[0]).toContain(
      "“Fog” by Ann Lee is in the profile of eve already, with 2 stars",
    );
    expect(predictForProfile(reader, { ...story, title: "Frog" }).view!.notes.join()).not.toContain("already");
    const silent = {
      ...reader,
      reviews: [
        { title: "Fog", genres: [] },
        { ...reviews[0]!, title: "Salt" },
      ],
    };
    expect(predictForProfile(silent, story).view!.notes.join()).not.toContain("already");
  });
});

describe("a story in a file", () => {
  it("is known by what a book says about itself, never by the bytes of its file", async () => {
    const path = await file("novel.epub", "PK not really a book");
    await expect(readStoryFile(path)).rejects.toThrow(/EPUB/i);
  });

  it("is no prose, whatever that labels", async () => {
    const prose = "The weights lay on the bench and nobody spoke of them. ".repeat(200);
    const labelled = `Genres: Fantasy\n\n## The Plot\n\n${prose}`;
    await expect(readStoryFile(await file("labelled.txt", labelled))).rejects.toThrow(/up to 1,500 words/);
    expect(() => storyFromOutline(labelled, "The outline")).toThrow(/up to 1,500 words/);
    const short = await readStoryFile(await file("short.txt", labelled.slice(0, 5000)));
    expect(short).toMatchObject({ genres: ["Fantasy"], plot_summary: expect.stringContaining("the bench") });
  });

  it("refuses an average on another scale than stars, instead of leaving it out", async () => {
    const path = await file("outline.json", JSON.stringify({ genres: ["Fantasy"], average_rating: 8.4 }));
    await expect(readStoryFile(path)).rejects.toThrow(/8\.4 is more than five stars/);
  });
});

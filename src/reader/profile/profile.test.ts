import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTable } from "../../core/table/read-table.ts";
import { importBooks, importReviews } from "./import-reviews.ts";
import { ProfileFiles } from "./profile-files.ts";

function file(name: string, content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "fabula-profile-")), name);
  writeFileSync(path, content);
  return path;
}

const GOODREADS = `Book Id,Title,Author,ISBN,My Rating,Average Rating,Number of Pages,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review
1,"The Salt Road (Tides, #1)",Ines Vale,"=""""",4,3.91,320,2024/03/09,2024/02/01,"fantasy, to-read, slow-burn",read,"Lovely.<br/><br/>I <i>cried</i> &amp; laughed, twice."
2,Ashes,Tom Reed,"=""""",0,4.10,210,,2024/02/01,to-read,to-read,
3,The Salt Road,Ines Vale,="0439023483",5,3.91,320,2024/06/01,2024/02/01,fantasy,read,
4,Winter Ledger,Ada Moor,"=""""",0,4.02,180,2023/01/02,2023/01/01,,read,"No stars from me, but what an ending."
`;
const STORYGRAPH = `Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Star Rating,Review,Tags
The Salt Road,Ines Vale,,978,digital,read,2024/02/01,2024/03/09,,1,reflective,slow,3.75,<div>Quiet and sure.</div>,"fantasy, sea"
Ashes,Tom Reed,,979,digital,to-read,2024/02/01,,,0,,,,,
`;

describe("importing reviews", () => {
  it("reads a Goodreads library: unrated is not zero, markup is removed, the later review of a book wins", async () => {
    const { source, reviews, toRead, without, repeats } = importReviews(await readTable(file("g.csv", GOODREADS)), 5);
    expect({ source, without, repeats }).toEqual({ source: "Goodreads", without: 0, repeats: 1 });
    expect(toRead).toMatchObject([{ title: "Ashes", average_rating: 4.1, rating: undefined }]);
    const [road, ledger] = [...reviews].sort((a, b) => a.title!.localeCompare(b.title!));
    expect(road).toMatchObject({
      title: "The Salt Road",
      rating: 5,
      review: "Lovely.\n\nI cried & laughed, twice.",
      average_rating: 3.91,
      date: "2024-06-01",
    });
    expect(road).toMatchObject({ genres: ["fantasy"], shelves: [] });
    expect(ledger).toMatchObject({ title: "Winter Ledger", rating: undefined, review: /ending/ });
  });

  it("reads a StoryGraph library with quarter stars", async () => {
    const { source, reviews, without } = importReviews(await readTable(file("s.csv", STORYGRAPH)), 5);
    expect({ source, without }).toEqual({ source: "StoryGraph", without: 0 });
    expect(reviews).toMatchObject([
      {
        rating: 3.75,
        review: "Quiet and sure.",
        genres: ["fantasy"],
        shelves: ["sea"],
        moods: ["reflective"],
        pace: "slow",
      },
    ]);
  });

  it("tells genres apart from the reader's own shelves and from housekeeping, and a book given up from an unrated one", async () => {
    const shelves = (title: string, names: string, shelf = "read") =>
      `9,${title},A,"=""""",0,0.00,1,,2024/02/01,"${names}",${shelf},`;
    const rows = [
      shelves("A", "historical-fiction, 2023-reads, library, slow-burn, own-kindle, book-club, favourites", "dnf"),
      shelves("B", "sci-fi, did-not-finish", "read"),
      shelves("C", "ya, young-adult"),
      shelves("D", "", "currently-reading"),
    ];
    const { reviews, without } = importReviews(
      await readTable(file("g.csv", `${GOODREADS.split("\n")[0]}\n${rows.join("\n")}\n`)),
    );
    expect(without).toBe(2);
    expect(reviews).toMatchObject([
      {
        title: "A",
        genres: ["historical fiction"],
        shelves: ["slow burn"],
        status: "did-not-finish",
        average_rating: undefined,
      },
      { title: "B", genres: ["sci fi"], status: "did-not-finish" },
    ]);
  });

  it("recognises the reader's own exclusive shelves: kinds of to-read, and books given up", async () => {
    const shelf = (title: string, exclusive: string, names = "", stars = 0) =>
      `9,${title},A,"=""""",${stars},3.90,1,,2024/02/01,"${names}",${exclusive},`;
    const rows = [
      shelf("Owned", "tbr-owned"),
      shelf("Next", "to-read-next"),
      shelf("Never", "not-to-read"),
      shelf("Again", "want-to-read-again", "", 5),
      shelf("Left", "kindle-unlimited", "dnf"),
      shelf("Left at half", "DNF'd"),
      shelf("Kept", "kindle-unlimited", "own-voices, fantasy", 4),
      shelf("Open", "currently-reading", "dnf"),
      shelf("Silent", "Read"),
    ];
    const { reviews, toRead, unrated } = importReviews(
      await readTable(file("g.csv", `${GOODREADS.split("\n")[0]}\n${rows.join("\n")}\n`)),
    );
    const titles = (books: readonly { readonly title?: string | undefined }[]) => books.map(({ title }) => title);
    expect(titles(toRead)).toEqual(["Owned", "Next"]);
    expect(titles(reviews)).toEqual(["Again", "Left", "Left at half", "Kept"]);
    expect(reviews.map(({ status }) => status)).toEqual([undefined, "did-not-finish", "did-not-finish", undefined]);
    expect(reviews[3]).toMatchObject({ genres: ["fantasy"], shelves: ["own voices"] });
    expect(titles(unrated)).toEqual(["Silent"]);
  });

  it("asks for no rating of a book that another edition of it has", async () => {
    const row = (title: string, stars: number) => `1,${title},A,"=""""",${stars},3.9,1,,2024/02/01,,read,`;
    const rows = [row("Tides: A Novel", 4), row('"Tides (Tides, #1)"', 0)];
    const { unrated } = importReviews(
      await readTable(file("g.csv", `${GOODREADS.split("\n")[0]}\n${rows.join("\n")}\n`)),
    );
    expect(unrated).toEqual([]);
  });

  it("converts other scales to stars, ends to ends", async () => {
    const rows = [1, 10, 5.5].map((rating, index) => JSON.stringify({ title: `Book ${index}`, rating })).join("\n");
    const { reviews } = importReviews(await readTable(file("r.jsonl", rows)), 10);
    expect(reviews.map(({ rating }) => rating)).toEqual([1, 5, 3]);
  });

  it("refuses ratings above five stars unless the scale is given, instead of dropping them", async () => {
    const rows = [3, 8].map((rating, index) => JSON.stringify({ title: `Book ${index}`, rating })).join("\n");
    const table = await readTable(file("r.jsonl", rows));
    expect(() => importReviews(table)).toThrow(/8 is more than five stars.*--ratings-scale 10/);
    expect(() => importReviews(table, 7)).toThrow(/8 is above 7/);
    expect(importReviews(table, 10).reviews).toHaveLength(2);
  });

  it("refuses ratings of an export that are not stars, with row and value, and reads them with their scale", async () => {
    const rated = async (name: string, source: string, from: string, to: string) =>
      readTable(file(name, source.replace(from, to)));
    const ten = await rated("g.csv", GOODREADS, ",5,3.91", ",8,3.91");
    expect(() => importReviews(ten)).toThrow(
      /Row 3 of ".*g\.csv", “The Salt Road”: the rating 8 is more than five stars/,
    );
    expect(importReviews(ten, 10).reviews.find(({ title }) => title === "The Salt Road")).toMatchObject({
      ...{ rating: 1 + (7 * 4) / 9, average_rating: 3.91 },
    });
    const words = await rated("g.csv", GOODREADS, ",5,3.91", ",good,3.91");
    expect(() => importReviews(words)).toThrow(/Row 3 .*: the rating "good" is not a number/);
    const stars = await rated("g.csv", GOODREADS, ",5,3.91", ",★★★☆☆,3.91");
    expect(importReviews(stars).reviews.find(({ title }) => title === "The Salt Road")).toMatchObject({ rating: 3 });
    const storygraph = await rated("s.csv", STORYGRAPH, "3.75", "7.5");
    expect(() => importReviews(storygraph)).toThrow(/Row 1 .*7\.5 is more than five stars/);
    expect(importReviews(storygraph, 10).reviews).toHaveLength(1);
  });

  it("keeps two books of one series apart when only their subtitles differ, and still joins an edition without one", async () => {
    const rows = [
      "title,author,rating",
      "Tides: The First Ebb,Ines Vale,5",
      '"Tides: A Secret History (Tides, #3.5)",Ines Vale,2',
      "Ashes: A Novel,Tom Reed,3",
      "Ashes,Tom Reed,4",
    ].join("\n");
    const { reviews, repeats } = importReviews(await readTable(file("t.csv", rows)));
    expect(reviews.map(({ rating }) => rating)).toEqual([5, 2, 4]);
    expect(repeats).toBe(1);
  });

  it("keeps StoryGraph's lowest rating, a quarter of a star", async () => {
    const { reviews } = importReviews(await readTable(file("s.csv", STORYGRAPH.replace("3.75", "0.25"))));
    expect(reviews).toMatchObject([{ rating: 0.25 }]);
  });

  it("converts the averages of a ten-point table to stars together with its ratings", async () => {
    const table = await readTable(file("t.csv", "title,rating,average_rating\nA,10,10\nB,1,5.5\n"));
    const { reviews } = importReviews(table, 10);
    expect(reviews.map(({ average_rating }) => average_rating)).toEqual([5, 3]);
    expect(() => importReviews(table)).toThrow(/10 is more than five stars/);
    const books = await readTable(file("b.csv", "title,average_rating\nA,8.2\n"));
    expect(() => importBooks(books)).toThrow(
      /the average 8\.2 is more than five stars: bring the averages to five stars\.$/,
    );
  });

  it("reads a decimal comma, and refuses a rating that is not a number", async () => {
    const german = await readTable(file("d.csv", 'title,rating\nA,"4,5"\n'));
    expect(importReviews(german).reviews).toMatchObject([{ rating: 4.5 }]);
    const marks = await readTable(file("m.csv", "title,rating\nA,4½\nB,★★★★☆\nC,⭐️⭐️½\nD,½\n"));
    expect(importReviews(marks).reviews.map(({ rating }) => rating)).toEqual([4.5, 4, 2.5, 0.5]);
    const words = await readTable(file("w.csv", "title,rating\nA,4\nB,four\n"));
    expect(() => importReviews(words)).toThrow(/Row 2 of ".*w\.csv", “B”: the rating "four" is not a number/);
  });

  it("decodes what Goodreads escapes in a review, each once", async () => {
    const escaped = GOODREADS.replace("&amp; laughed", "&lt;3 &amp;lt; &#8217;tis&nbsp;so");
    const { reviews } = importReviews(await readTable(file("g.csv", escaped)));
    expect(reviews.find(({ title }) => title === "The Salt Road")!.review).toContain("<3 &lt; ’tis so");
  });

  it("names the required columns if they are missing", async () => {
    const table = await readTable(file("x.csv", "name,stars\na,4\n"));
    expect(() => importReviews(table, 5)).toThrow(/neither a "rating" nor a "review" column.*name, stars/);
  });
});

describe("a folder of profiles", () => {
  it("keeps, lists and deletes, readable by its owner alone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fabula-profiles-"));
    const profiles = new ProfileFiles(folder);
    await profiles.save({ name: "ada", language: "en", reviews: [{ title: "x", genres: [], rating: 4 }] });
    expect((await profiles.list()).map(({ name }) => name)).toEqual(["ada"]);
    if (process.platform !== "win32") expect(statSync(join(folder, "ada.json")).mode & 0o077).toBe(0);
    await profiles.delete("ada");
    await expect(profiles.load("ada")).rejects.toThrow(/no reader profile "ada"/);
  });

  it("accepts a reader's name as people write it, and recognises it in any spelling", async () => {
    const profiles = new ProfileFiles(mkdtempSync(join(tmpdir(), "fabula-profiles-")));
    await profiles.save({ name: "Anna Österberg", language: "en", reviews: [{ title: "x", genres: [], rating: 4 }] });
    expect((await profiles.list()).map(({ name }) => name)).toEqual(["Anna Österberg"]);
    for (const name of ["Anna Österberg", "anna  österberg", "anna-österberg"]) {
      expect((await profiles.load(name)).name).toBe("Anna Österberg");
    }
    expect(await profiles.find("Berta")).toBeNull();
  });

  it("reads, lists and deletes a profile whose choices name an aspect that is no longer known", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fabula-profiles-"));
    const preferred = { prose: "right", Ending: "left" };
    const comparisons = [{ left: { title: "Fog" }, right: { title: "Salt" }, preferred }];
    writeFileSync(join(folder, "ada.json"), JSON.stringify({ name: "ada", reviews: [], comparisons }));
    const profiles = new ProfileFiles(folder);
    const [ada] = await profiles.list();
    expect(ada!.comparisons?.[0]?.preferred).toEqual({ ending: "left" });
    await profiles.delete("ada");
    expect(await profiles.list()).toEqual([]);
  });

  it("never leaves its folder, and says what is wrong with a damaged file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fabula-profiles-"));
    const profiles = new ProfileFiles(folder);
    await expect(profiles.load("../secrets")).rejects.toThrow(/cannot name a profile/);
    writeFileSync(join(folder, "bad.json"), "{");
    await expect(profiles.load("bad")).rejects.toThrow(/is not JSON/);
    writeFileSync(join(folder, "bad.json"), '{"name":"bad"}');
    await expect(profiles.load("bad")).rejects.toThrow(/not a reader profile: reviews/);
  });
});

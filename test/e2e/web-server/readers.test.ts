import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import type {
  OutlineVerdicts,
  PersonalVerdict,
  ReaderDetails,
  ReaderImport,
  ReaderShelf,
} from "../../../src/api/readers.ts";
import { addStory, problem } from "../../support/library-requests.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

describe("readers", () => {
  const HISTORY = [
    "Title,Author,My Rating,Average Rating,Bookshelves,Exclusive Shelf,My Review,Date Read",
    ...Array.from(
      { length: 8 },
      (_, at) => `Book ${at},A. Writer,${(at % 5) + 1},3.9,fantasy,read,"I liked it ${at}",2024/01/0${at + 1}`,
    ),
  ].join("\n");

  it("imports a reading history, says what the reader would make of a book, and lets the reader go", async () => {
    const response = await library.server.upload(
      "/api/readers",
      { name: "export.csv", content: HISTORY },
      { name: "ada", scale: "5" },
    );
    expect(response.status).toBe(201);
    const { reader, imported } = (await response.json()) as ReaderImport;
    expect({ name: reader.name, imported }).toEqual({ name: "ada", imported: 8 });
    const details = await library.server.json<ReaderDetails>("/api/readers/ada");
    expect(details.latest).toHaveLength(8);
    const book = await addStory(library.server);
    await library.server.send("PATCH", `/api/books/${book.id}`, {
      genres: ["Mystery"],
      premise: "An inspector finds a false weight.",
    });
    const verdict = await library.server.json<PersonalVerdict>(`/api/readers/ada/verdict?book=${book.id}`);
    expect(verdict.personal?.rating).toBeGreaterThanOrEqual(1);
    expect(verdict.headline).toContain("ada");
    expect((await library.server.get("/api/readers/ada/export")).headers.get("content-disposition")).toContain(
      "ada.jsonl",
    );
    expect((await library.server.send("DELETE", "/api/readers/ada")).status).toBe(204);
    expect((await library.server.get("/api/readers/ada")).status).toBe(404);
  });

  it("predicts an outline, compares two, ranks the to-read shelf and says which ratings would tell most", async () => {
    const more = [
      "Shelf 1,B,0,4.4,fantasy,to-read,,",
      "Shelf 2,B,0,3.1,romance,to-read,,",
      "Past,B,0,3.9,fantasy,read,,",
    ];
    const content = [HISTORY, ...more].join("\n");
    await library.server.upload("/api/readers", { name: "export.csv", content }, { name: "una", scale: "5" });
    const ask = (outlines: readonly string[]) => library.server.send("POST", "/api/readers/una/outlines", { outlines });
    const outlines = [
      "Genres: Fantasy\nPlot: A queen burns the harbour.",
      "Genres: Romance\nPlot: A cook counts the boats.",
    ];
    const found = (await (await ask(outlines)).json()) as OutlineVerdicts;
    expect(found.verdicts.map(({ personal }) => personal!.interval[0] <= personal!.rating)).toEqual([true, true]);
    expect(found.preference!.chanceLeft).toBeGreaterThan(0);
    expect(((await (await ask(outlines.slice(0, 1))).json()) as OutlineVerdicts).preference).toBeNull();
    expect((await problem(ask(["word ".repeat(3000)]))).message).toContain("too long for an outline");
    const shelf = await library.server.json<ReaderShelf>("/api/readers/una/shelf");
    expect(shelf.ranked.map(({ title }) => title)).toEqual(["Shelf 1", "Shelf 2"]);
    expect(shelf.ranked[0]!.because).toMatch(/point(s)? (up|down) most/);
    expect(shelf.questions.map(({ title }) => title)).toEqual(["Past"]);
  });

  it("says how a reader's level moved, where dates show it", async () => {
    const rows = Array.from({ length: 24 }, (_, at) =>
      JSON.stringify({
        title: `Book ${at}`,
        average_rating: 4,
        rating: at < 12 ? 2 + (at % 2) : 4 + (at % 2),
        date: `20${10 + at}-01-01`,
      }),
    );
    await library.server.upload("/api/readers", { name: "years.jsonl", content: rows.join("\n") }, { name: "ines" });
    const { drift } = await library.server.json<ReaderDetails>("/api/readers/ines");
    expect(drift).toMatchObject({ since: "2022-01-01", difference: 2 });
  });

  it.each(["../../etc/passwd", "..", "a/b.json", "a.b", ""])("takes no reader named %j", async (name) => {
    const answer = await problem(
      library.server.upload("/api/readers", { name: "x.csv", content: HISTORY }, { name, scale: "5" }),
    );
    expect(answer.status).toBe(400);
    expect((await library.server.get(`/api/readers/${encodeURIComponent(name) || "%00"}`)).ok).toBe(false);
  });

  it("names a file of reviews as its sender does", async () => {
    const answer = await problem(
      library.server.upload("/api/readers", { name: "mine.exe", content: HISTORY }, { name: "ada", scale: "5" }),
    );
    expect(answer.message).toContain('"mine.exe"');
    expect(answer.message).not.toContain(tmpdir());
  });
});

import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import type { PersonalVerdict, ReaderDetails, ReaderImport } from "../../../src/api/readers.ts";
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

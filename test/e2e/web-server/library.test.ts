import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { About } from "../../../src/api/about.ts";
import type { Paged, Problem } from "../../../src/api/answers.ts";
import type { BookDetails, BookSummary, ChapterText, SearchHit } from "../../../src/api/books.ts";
import type { BookCorrections } from "../../../src/api/corrections.ts";
import { addStory, problem } from "../../support/library-requests.ts";
import { STORY } from "../../support/stories.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

describe("the library", () => {
  it("says what there is to choose from", async () => {
    const about = await library.server.json<About>("/api/about");
    expect(about.judges.slice(0, 4)).toEqual(
      ["jury", "crowd", "editor", "grader"].map((name) => ({
        name,
        isReady: true,
        missingKey: null,
        languages: ["en"],
        aspects: ["writing"],
      })),
    );
    expect(about.methods.map(({ id }) => id)).toEqual(["close", "one-pass", "aggregate", "incremental", "summary"]);
    expect(about.aspects.map(({ id }) => id)).toContain("plot");
  });

  it("corrects chapters by hand: what was saved is what is read and judged from then on", async () => {
    const { id, contents } = await addStory(library.server);
    const address = `/api/books/${id}/corrections`;
    const known = await library.server.json<BookCorrections>(address);
    expect(known).toMatchObject({ corrections: [], found: contents.map(({ index, title }) => ({ index, title })) });
    const put = (corrections: unknown) => library.server.send("PUT", address, { corrections });
    expect((await put([{ merge: 2 }, { "front-matter": 3 }])).status).toBe(204);
    const corrected = await library.server.json<BookDetails>(`/api/books/${id}`);
    expect(corrected).toMatchObject({ chapters: contents.length - 2 });
    expect(corrected.contents[1]!.title).toBe(contents[3]!.title);
    expect((await put([{ merge: 1 }])).status).toBe(400);
    expect((await put([])).status).toBe(204);
    expect((await library.server.send("DELETE", `/api/books/${id}`)).status).toBe(204);
  });

  it("takes a book in, shows its chapters, finds words in it, changes what is said of it, and lets it go", async () => {
    const book = await addStory(library.server);
    expect(book).toMatchObject({
      title: "The Inspector of Weights",
      chapters: 12,
      file: "story.md",
      format: "markdown",
    });
    expect(book.contents).toHaveLength(12);
    const chapter = await library.server.json<ChapterText>(`/api/books/${book.id}/chapters/2`);
    expect(chapter.text).toHaveLength(book.contents[1]!.length);
    expect(chapter.text.split("\n\n")).toHaveLength(book.contents[1]!.paragraphs);

    const words = chapter.text.slice(100, 130).replace(/\s+/g, "  ");
    const hits = await library.server.json<SearchHit[]>(
      `/api/books/${book.id}/search?q=${encodeURIComponent(words.toUpperCase())}`,
    );
    expect(hits).toContainEqual(expect.objectContaining({ chapter: 2, start: 100, end: 130 }));
    expect(await library.server.json(`/api/books/${book.id}/search?q=${encodeURIComponent("(.*)+[a-")}`)).toEqual([]);

    const again = await addStory(library.server, "the same under another name.md");
    expect(again.id).toBe(book.id);

    const edit = {
      title: "<script>alert(1)</script>",
      author: null,
      genres: ["Mystery"],
      premise: "A weight is wrong.",
    };
    const edited = (await (await library.server.send("PATCH", `/api/books/${book.id}`, edit)).json()) as BookDetails;
    expect(edited).toMatchObject(edit);
    const { items } = await library.server.json<Paged<BookSummary>>("/api/books?search=SCRIPT");
    expect(items.map(({ id }) => id)).toEqual([book.id]);
    expect((await library.server.json<Paged<BookSummary>>("/api/books?search=nothing-like-it")).total).toBe(0);

    expect((await library.server.send("DELETE", `/api/books/${book.id}`)).status).toBe(204);
    expect((await library.server.get(`/api/books/${book.id}`)).status).toBe(404);
  });

  it("keeps a pasted text, with a title that could be a path", async () => {
    const title = "../../etc/passwd";
    const response = await library.server.send("POST", "/api/books", { title, text: await readFile(STORY, "utf8") });
    const book = (await response.json()) as BookDetails;
    expect(book).toMatchObject({ title, file: "pasted.txt" });
    const kept = await readdir(join(library.folder, "fabula", "library", "books"));
    expect(kept).toEqual([book.id]);
    await library.server.send("DELETE", `/api/books/${book.id}`);
  });

  it.each([
    ["../../../outside.txt", "outside.txt"],
    ["..\\..\\outside.txt", "outside.txt"],
    ["<img src=x onerror=alert(1)>.txt", "<img src=x onerror=alert(1)>.txt"],
    ["红楼梦.txt", "红楼梦.txt"],
    ["a\u202eexe.txt", "aexe.txt"],
  ])("shows the name %j of an upload as %j and never uses it as a path", async (name, shown) => {
    const text = `Chapter 1\n\n${"It rained on the harbour all that week. ".repeat(30)}`;
    const book = (await (await library.server.upload("/api/books", { name, content: text })).json()) as BookDetails;
    expect(book.file).toBe(shown);
    expect(await readdir(join(library.folder, "fabula", "library", "books", book.id))).toContain("original.txt");
    expect(existsSync(join(library.folder, "outside.txt"))).toBe(false);
    await library.server.send("DELETE", `/api/books/${book.id}`);
  });

  it("takes in a PDF, chapter by chapter", async () => {
    const content = await readFile("test/fixtures/two-chapters.pdf");
    const uploaded = await library.server.upload("/api/books", { name: "story.pdf", content });
    const book = (await uploaded.json()) as BookDetails;
    expect(book).toMatchObject({ title: "The Inspector of Weights", format: "pdf" });
    expect(book.contents.map(({ title, words }) => [title, words])).toEqual([
      ["Chapter 1: The Crossing", 682],
      ["Chapter 2: Small Measures", 729],
    ]);
    await library.server.send("DELETE", `/api/books/${book.id}`);
  });

  it("says in one sentence what is wrong with an upload", async () => {
    expect(
      await problem(library.server.upload("/api/books", { name: "x.pdf", content: "%PDF-1.7 no more" })),
    ).toMatchObject({
      status: 400,
    });
    expect(await problem(library.server.upload("/api/books", { name: "empty.txt", content: "" }))).toMatchObject({
      code: "E_EMPTY",
      message: expect.stringContaining("empty.txt"),
    });
    expect(await problem(library.server.send("POST", "/api/books", { title: "", text: "x" }))).toMatchObject({
      status: 400,
    });
    expect(await problem(library.server.send("POST", "/api/books", { title: "x", text: "y", extra: 1 }))).toMatchObject(
      {
        code: "E_REQUEST",
      },
    );
  });

  it("refuses an upload that is too large before it is all there", async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const upload = request(`${library.server.url}/api/books`, {
        method: "POST",
        headers: {
          ...library.server.headers,
          "content-type": "multipart/form-data; boundary=x",
          "content-length": String(500_000_000),
        },
      });
      upload.on("response", (response) => {
        resolve(response.statusCode ?? 0);
        upload.destroy();
      });
      upload.on("error", reject);
      upload.write('--x\r\ncontent-disposition: form-data; name="file"; filename="big.txt"\r\n\r\n');
    });
    expect(status).toBe(413);
  });

  it("refuses a file that grows beyond the limit, however it is sent", async () => {
    async function* endless() {
      yield Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="big.txt"\r\n\r\n');
      const megabyte = Buffer.alloc(1_000_000, "word ");
      for (let count = 0; count < 105; count++) yield megabyte;
      yield Buffer.from("\r\n--x--\r\n");
    }
    const response = await fetch(`${library.server.url}/api/books`, {
      method: "POST",
      headers: { ...library.server.headers, "content-type": "multipart/form-data; boundary=x" },
      body: endless(),
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(((await response.json()) as Problem).message).toContain("100 MB");
    expect((await readdir(library.folder)).filter((name) => name.startsWith("fabula-upload-"))).toEqual([]);
  });
});

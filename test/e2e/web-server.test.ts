import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { About } from "../../src/web/api/about.ts";
import type { Paged, Problem } from "../../src/web/api/answers.ts";
import type { BenchmarkDetails, BenchmarkSummary } from "../../src/web/api/benchmarks.ts";
import type { BookDetails, BookSummary, ChapterHeat, ChapterText, SearchHit } from "../../src/web/api/books.ts";
import type { ComparisonView } from "../../src/web/api/comparisons.ts";
import type { EvaluationDetails } from "../../src/web/api/evaluations.ts";
import type { Job } from "../../src/web/api/jobs.ts";
import type { QuestionResult } from "../../src/web/api/questions.ts";
import type { PersonalVerdict, ReaderDetails, ReaderImport } from "../../src/web/api/readers.ts";
import { parseEvaluations } from "../../src/workflows/read-evaluations.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

vi.setConfig({ testTimeout: 120_000 });

const STORY = readFile("assets/examples/the-inspector-of-weights.md", "utf8");

let folder: string;
let page: Served;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-serve-"));
  page = await serveFabula(folder);
});
afterAll(async () => {
  await page?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

async function addStory(name = "story.md"): Promise<BookDetails> {
  const response = await page.upload("/api/books", { name, content: await STORY });
  expect(response.status).toBe(201);
  return (await response.json()) as BookDetails;
}

async function evaluate(bookId: string): Promise<Job> {
  const request = { bookId, judges: ["pocket"], method: "aggregate", aspects: [], runs: 1, maximumCost: null };
  const job = (await (await page.send("POST", "/api/jobs", request)).json()) as Job;
  return page.watch(job.id, ["done", "failed"]);
}

async function problem(response: Promise<Response>): Promise<Problem & { status: number }> {
  const answer = await response;
  expect(answer.ok).toBe(false);
  return { status: answer.status, ...((await answer.json()) as Problem) };
}

describe("the library", () => {
  it("says what there is to choose from", async () => {
    const about = await page.json<About>("/api/about");
    expect(about.judges[0]).toEqual({ name: "pocket", isReady: true, note: null });
    expect(about.methods.map(({ id }) => id)).toEqual(["one-pass", "aggregate", "incremental", "summary"]);
    expect(about.aspects.map(({ id }) => id)).toContain("plot");
  });

  it("takes a book in, shows its chapters, finds words in it, changes what is said of it, and lets it go", async () => {
    const book = await addStory();
    expect(book).toMatchObject({
      title: "The Inspector of Weights",
      chapters: 12,
      file: "story.md",
      format: "markdown",
    });
    expect(book.contents).toHaveLength(12);
    const chapter = await page.json<ChapterText>(`/api/books/${book.id}/chapters/2`);
    expect(chapter.text).toHaveLength(book.contents[1]!.length);
    expect(chapter.text.split("\n\n")).toHaveLength(book.contents[1]!.paragraphs);

    const words = chapter.text.slice(100, 130).replace(/\s+/g, "  ");
    const hits = await page.json<SearchHit[]>(
      `/api/books/${book.id}/search?q=${encodeURIComponent(words.toUpperCase())}`,
    );
    expect(hits).toContainEqual(expect.objectContaining({ chapter: 2, start: 100, end: 130 }));
    expect(await page.json(`/api/books/${book.id}/search?q=${encodeURIComponent("(.*)+[a-")}`)).toEqual([]);

    const again = await addStory("the same under another name.md");
    expect(again.id).toBe(book.id);

    const edit = {
      title: "<script>alert(1)</script>",
      author: null,
      genres: ["Mystery"],
      premise: "A weight is wrong.",
    };
    const edited = (await (await page.send("PATCH", `/api/books/${book.id}`, edit)).json()) as BookDetails;
    expect(edited).toMatchObject(edit);
    const { items } = await page.json<Paged<BookSummary>>("/api/books?search=SCRIPT");
    expect(items.map(({ id }) => id)).toEqual([book.id]);
    expect((await page.json<Paged<BookSummary>>("/api/books?search=nothing-like-it")).total).toBe(0);

    expect((await page.send("DELETE", `/api/books/${book.id}`)).status).toBe(204);
    expect((await page.get(`/api/books/${book.id}`)).status).toBe(404);
  });

  it("keeps a pasted text, with a title that could be a path", async () => {
    const title = "../../etc/passwd";
    const response = await page.send("POST", "/api/books", { title, text: await STORY });
    const book = (await response.json()) as BookDetails;
    expect(book).toMatchObject({ title, file: "pasted.txt" });
    const kept = await readdir(join(folder, "fabula", "library", "books"));
    expect(kept).toEqual([book.id]);
    await page.send("DELETE", `/api/books/${book.id}`);
  });

  it.each([
    ["../../../outside.txt", "outside.txt"],
    ["..\\..\\outside.txt", "outside.txt"],
    ["<img src=x onerror=alert(1)>.txt", "<img src=x onerror=alert(1)>.txt"],
    ["红楼梦.txt", "红楼梦.txt"],
    ["a\u202etxt.exe", "atxt.exe"],
  ])("shows the name %j of an upload as %j and never uses it as a path", async (name, shown) => {
    const text = `Chapter 1\n\n${"It rained on the harbour all that week. ".repeat(30)}`;
    const book = (await (await page.upload("/api/books", { name, content: text })).json()) as BookDetails;
    expect(book.file).toBe(shown);
    expect(await readdir(join(folder, "fabula", "library", "books", book.id))).toContain("original.txt");
    expect(existsSync(join(folder, "outside.txt"))).toBe(false);
    await page.send("DELETE", `/api/books/${book.id}`);
  });

  it("says in one sentence what is wrong with an upload", async () => {
    expect(await problem(page.upload("/api/books", { name: "x.pdf", content: "%PDF-1.7 no more" }))).toMatchObject({
      status: 400,
    });
    expect(await problem(page.upload("/api/books", { name: "empty.txt", content: "" }))).toMatchObject({
      code: "E_EMPTY",
      message: expect.stringContaining("empty.txt"),
    });
    expect(await problem(page.send("POST", "/api/books", { title: "", text: "x" }))).toMatchObject({ status: 400 });
    expect(await problem(page.send("POST", "/api/books", { title: "x", text: "y", extra: 1 }))).toMatchObject({
      code: "E_REQUEST",
    });
  });

  it("refuses an upload that is too large before it is all there", async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const upload = request(`${page.url}/api/books`, {
        method: "POST",
        headers: {
          "x-fabula": "1",
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
    const response = await fetch(`${page.url}/api/books`, {
      method: "POST",
      headers: { "x-fabula": "1", "content-type": "multipart/form-data; boundary=x" },
      body: endless(),
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(((await response.json()) as Problem).message).toContain("100 MB");
    expect((await readdir(tmpdir())).filter((name) => name.startsWith("fabula-upload-"))).toEqual([]);
  });
});

describe("an evaluation", () => {
  let book: BookDetails;
  beforeAll(async () => {
    book = await addStory();
  });

  it("is watched chapter by chapter, then looked at, compared and taken away", async () => {
    const request = {
      bookId: book.id,
      judges: ["pocket"],
      method: "aggregate",
      aspects: [],
      runs: 1,
      maximumCost: null,
    };
    const plan = await (await page.send("POST", "/api/plans", request)).json();
    expect(plan).toMatchObject({ calls: 0, cost: 0 });
    const added = (await (await page.send("POST", "/api/jobs", request)).json()) as Job;
    const chapters: number[] = [];
    const job = await page.watch(added.id, ["done", "failed"], (event) => {
      if (event.kind === "chapter") chapters.push(event.chapter);
    });
    expect(job).toMatchObject({ state: "done", done: 12, total: 12, calls: 0, cost: 0 });
    expect(chapters).toEqual(book.contents.map(({ index }) => index));

    const details = await page.json<EvaluationDetails>(`/api/evaluations/${job.evaluationId}`);
    expect(details).toMatchObject({ bookId: book.id, judge: "pocket" });
    expect(details.evaluation.book.file).toBe("story.md");
    const quotation = details.evaluation.aspects.flatMap(({ evidence }) => evidence)[0]!;
    const { text } = await page.json<ChapterText>(`/api/books/${book.id}/chapters/${quotation.chapter}`);
    expect(text.slice(quotation.start!, quotation.end!)).toBe(quotation.quote);

    const heat = await page.json<ChapterHeat>(`/api/books/${book.id}/chapters/1/heat?aspect=characters`);
    expect(heat.sentences.length).toBeGreaterThan(10);
    expect(heat.verdict.kind).toBe("scored");

    const second = await evaluate(book.id);
    const comparison = await page.json<ComparisonView>(
      `/api/comparisons?left=${job.evaluationId}&right=${second.evaluationId}`,
    );
    expect(comparison).toMatchObject({ isSameBook: true, isSameScale: true });
    expect(comparison.rows[0]).toMatchObject({ id: "overall", difference: 0, isClear: false });

    const shelf = await page.json<Paged<BookSummary>>("/api/books");
    expect(shelf.items[0]?.latest?.evaluationId).toBe(second.evaluationId);
    expect((await page.send("DELETE", `/api/evaluations/${second.evaluationId}`)).status).toBe(204);
    expect((await page.get(`/api/evaluations/${second.evaluationId}`)).status).toBe(404);
  });

  it.each([
    "<script>alert(1)</script>",
    "../../etc/passwd",
    'a"\r\nx-evil: 1',
    "红楼梦",
    "x".repeat(480),
    "...",
    "con",
  ])("of a book titled %j is exported under a safe name, and the title stays text", async (title) => {
    await page.send("PATCH", `/api/books/${book.id}`, { title });
    const { evaluationId } = await evaluate(book.id);
    const html = await page.get(`/api/evaluations/${evaluationId}/export?format=html`);
    const disposition = html.headers.get("content-disposition")!;
    expect(disposition).toMatch(/^attachment; filename="[\w -]+\.html"; filename\*=UTF-8''[\w%-]+\.html$/);
    expect(disposition.length).toBeLessThan(1100);
    expect(html.headers.get("x-evil")).toBeNull();
    expect(await html.text()).not.toContain("<script>");
    const json = await (await page.get(`/api/evaluations/${evaluationId}/export?format=json`)).text();
    expect(parseEvaluations(json, "the export")[0]?.book.title).toBe(title);
    const markdown = await page.get(`/api/evaluations/${evaluationId}/export?format=markdown`);
    expect(markdown.headers.get("content-disposition")).toContain(".md");
    expect((await problem(page.get(`/api/evaluations/${evaluationId}/export?format=exe`))).status).toBe(400);
  });

  it("is printed as PDF where a browser is installed, and says what to do where none is", async () => {
    const { evaluationId } = await evaluate(book.id);
    const response = await page.get(`/api/evaluations/${evaluationId}/export?format=pdf`);
    if (response.ok) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(Buffer.from(bytes.subarray(0, 5)).toString("latin1")).toBe("%PDF-");
    } else expect(((await response.json()) as Problem).message).toContain("print it from your browser");
  });

  it("is refused when the request makes no sense", async () => {
    const request = {
      bookId: book.id,
      judges: ["pocket"],
      method: "aggregate",
      aspects: [],
      runs: 1,
      maximumCost: null,
    };
    const refused = (changes: object) => problem(page.send("POST", "/api/jobs", { ...request, ...changes }));
    expect(await refused({ bookId: "../../etc" })).toMatchObject({ status: 404 });
    expect(await refused({ method: "telepathy" })).toMatchObject({ code: "E_METHOD" });
    expect(await refused({ aspects: ["weather"] })).toMatchObject({ code: "E_ASPECT_UNKNOWN" });
    expect(await refused({ judges: ["pocket", "openai:gpt-4.1"] })).toMatchObject({ code: "E_JUDGE_PANEL" });
    expect(await refused({ judges: ["m@http://169.254.169.254/v1"] })).toMatchObject({ code: "E_JUDGE_UNKNOWN" });
    expect(await refused({ judges: ["llama:/etc/passwd"] })).toMatchObject({ code: "E_JUDGE_UNKNOWN" });
    expect(await refused({ runs: 1e9 })).toMatchObject({ code: "E_REQUEST" });
  });
});

describe("the benchmark", () => {
  it("shows the books of the library among published novels", async () => {
    const { id } = await addStory();
    await page.send("PATCH", `/api/books/${id}`, { title: "The Inspector of Weights" });
    await evaluate(id);
    const [summary] = await page.json<BenchmarkSummary[]>("/api/benchmarks");
    expect(summary).toMatchObject({ id: "published-novels", judge: "pocket" });
    expect(summary!.writers).toBeGreaterThan(0);
    const details = await page.json<BenchmarkDetails>(`/api/benchmarks/${summary!.id}`);
    expect(details.population).toEqual([...details.population].sort((left, right) => left - right));
    const own = details.writerRows.find(({ isAnchor }) => !isAnchor)!;
    expect(own.level.kind).toBe("scored");
    expect(Object.keys(own.dimensions)).toEqual(details.dimensions.map((dimension) => dimension.id));
  });
});

describe("readers and questions", () => {
  const HISTORY = [
    "Title,Author,My Rating,Average Rating,Bookshelves,Exclusive Shelf,My Review,Date Read",
    ...Array.from(
      { length: 8 },
      (_, at) => `Book ${at},A. Writer,${(at % 5) + 1},3.9,fantasy,read,"I liked it ${at}",2024/01/0${at + 1}`,
    ),
  ].join("\n");

  it("imports a reading history, says what the reader would make of a book, and lets the reader go", async () => {
    const response = await page.upload(
      "/api/readers",
      { name: "export.csv", content: HISTORY },
      { name: "ada", scale: "5" },
    );
    expect(response.status).toBe(201);
    const { reader, imported } = (await response.json()) as ReaderImport;
    expect({ name: reader.name, imported }).toEqual({ name: "ada", imported: 8 });
    const details = await page.json<ReaderDetails>("/api/readers/ada");
    expect(details.latest).toHaveLength(8);
    const book = await addStory();
    await page.send("PATCH", `/api/books/${book.id}`, {
      genres: ["Mystery"],
      premise: "An inspector finds a false weight.",
    });
    const verdict = await page.json<PersonalVerdict>(`/api/readers/ada/verdict?book=${book.id}`);
    expect(verdict.personal?.rating).toBeGreaterThanOrEqual(1);
    expect(verdict.headline).toContain("ada");
    expect((await page.get("/api/readers/ada/export")).headers.get("content-disposition")).toContain("ada.jsonl");
    expect((await page.send("DELETE", "/api/readers/ada")).status).toBe(204);
    expect((await page.get("/api/readers/ada")).status).toBe(404);
  });

  it.each(["../../etc/passwd", "..", "a/b.json", "Ada Lovelace", ""])("takes no reader named %j", async (name) => {
    const answer = await problem(
      page.upload("/api/readers", { name: "x.csv", content: HISTORY }, { name, scale: "5" }),
    );
    expect(answer.status).toBe(400);
    expect((await page.get(`/api/readers/${encodeURIComponent(name) || "%00"}`)).ok).toBe(false);
  });

  it("names a file of reviews as its sender does", async () => {
    const answer = await problem(
      page.upload("/api/readers", { name: "mine.exe", content: HISTORY }, { name: "ada", scale: "5" }),
    );
    expect(answer.message).toContain('"mine.exe"');
    expect(answer.message).not.toContain(tmpdir());
  });

  it("scores answers to questions and keeps the result", async () => {
    const lines = [
      { prediction: "the blue whale", answers: ["a blue whale", "whale"] },
      { prediction: "nobody", answers: ["Ishmael"] },
    ];
    const content = lines.map((line) => JSON.stringify(line)).join("\n");
    const response = await page.upload("/api/questions", { name: "answers.jsonl", content });
    const result = (await response.json()) as QuestionResult;
    expect(result).toMatchObject({ name: "answers.jsonl", items: 2 });
    expect(result.metrics.find(({ id }) => id === "em")?.mean).toBe(0.5);
    expect(await page.json<QuestionResult[]>("/api/questions")).toEqual([result]);
    expect(await problem(page.upload("/api/questions", { name: "x.jsonl", content: "{" }))).toMatchObject({
      code: "E_JSONL_LINE",
      message: expect.stringContaining("x.jsonl"),
    });
  });
});

describe("what must not work", () => {
  const raw = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    new Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const { hostname, port } = new URL(page.url);
      const sent = request({ hostname, port, path, method, headers }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          body += text;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
      });
      sent.on("error", reject);
      sent.end();
    });

  it.each([
    "/../../etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/..%5c..%5cpackage.json",
    "/package.json",
    "/api/books/..%2f..%2fetc%2fpasswd",
    "/api/books/%2e%2e",
    "/api/books/%00",
    "/api/books/a%00b/chapters/1",
    "/api/books/..%252f..%252fetc",
    "/api/evaluations/..%2f..%2fjobs",
    "/api/evaluations/%ff/export?format=html",
    "/api/jobs/..%2f..%2fcard.json",
    "/api/runs/..%2f..%2fx",
    "/api/benchmarks/..%2fx",
    "/api/nothing",
  ])("GET %s reaches no file", async (path) => {
    const { status, body } = await raw(path);
    // An address within the page is answered with the page, where it is built.
    if (status === 200) expect(body).toMatch(/^<!doctype html>/i);
    else expect([400, 404, 503]).toContain(status);
    expect(body).not.toMatch(/root:|"devDependencies"/);
  });

  it("answers to no name but this machine's own", async () => {
    for (const host of ["evil.example", "evil.example:4173", "127.0.0.1.evil.example", "localhost.evil.example"]) {
      expect((await raw("/api/about", { host })).status).toBeGreaterThanOrEqual(400);
    }
    expect((await raw("/api/about", { host: "localhost:1" })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ["without the page's header", {}],
    ["from another site", { "x-fabula": "1", "sec-fetch-site": "cross-site" }],
    ["from another port of this machine", { "x-fabula": "1", "sec-fetch-site": "same-site" }],
    ["from a foreign origin", { "x-fabula": "1", origin: "http://evil.example" }],
    ["from no origin", { "x-fabula": "1", origin: "null" }],
  ])("changes nothing %s", async (_what, headers) => {
    const book = await addStory();
    expect((await raw(`/api/books/${book.id}`, headers, "DELETE")).status).toBe(403);
    expect((await page.get(`/api/books/${book.id}`)).status).toBe(200);
  });

  it("takes no more JSON than it needs", async () => {
    const answer = await problem(page.send("POST", "/api/plans", { padding: "x".repeat(200_000) }));
    expect(answer).toMatchObject({ status: 413, code: "E_TOO_LARGE" });
  });

  it("tells another site nothing", async () => {
    expect((await raw("/api/books", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await raw("/api/books", { "sec-fetch-site": "none" })).status).toBe(200);
  });

  it("allows no other site to ask first, and no method that it does not know", async () => {
    const { status, headers } = await raw("/api/books", { origin: "http://evil.example" }, "OPTIONS");
    expect(status).toBe(403);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect((await raw("/api/books", { "x-fabula": "1" }, "TRACE")).status).toBeGreaterThanOrEqual(400);
  });

  it("says with every answer what a browser may do with it", async () => {
    for (const path of ["/", "/api/about", "/api/nothing"]) {
      const { headers } = await raw(path);
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    }
  });
});

describe("beyond this machine", () => {
  it("asks for a token, takes it once in the link, and then knows the visitor by a cookie", async () => {
    const open = await serveFabula(join(folder), ["--host", "0.0.0.0", "--library", join(folder, "other")]);
    try {
      const token = new URL(open.link).searchParams.get("token")!;
      expect(token.length).toBeGreaterThanOrEqual(32);
      const address = open.url.replace("0.0.0.0", "127.0.0.1");
      expect((await fetch(`${address}/api/about`)).status).toBe(401);
      expect((await fetch(`${address}/api/about`, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
      expect((await fetch(`${address}/api/about`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
      const wrong = await fetch(`${address}/?token=${"x".repeat(32)}`, { redirect: "manual" });
      expect(wrong.headers.get("set-cookie")).toBeNull();
      const right = await fetch(`${address}/?token=${token}`, { redirect: "manual" });
      expect(right.status).toBe(303);
      expect(right.headers.get("location")).toBe("/");
      const cookie = right.headers.get("set-cookie")!;
      expect(cookie).toMatch(/HttpOnly/i);
      expect(cookie).toMatch(/SameSite=Strict/i);
      const entered = await fetch(`${address}/api/about`, { headers: { cookie: cookie.split(";")[0]! } });
      expect(entered.status).toBe(200);
      const session = (given: string) =>
        fetch(`${address}/api/session`, {
          method: "POST",
          headers: { "x-fabula": "1", "content-type": "application/json" },
          body: JSON.stringify({ token: given }),
        });
      expect((await session("wrong")).status).toBe(401);
      expect((await session(token)).headers.get("set-cookie")).toContain("HttpOnly");
    } finally {
      await open.stop("SIGINT");
    }
  });

  it("takes no short token and no port that is taken", async () => {
    const other = ["--library", join(folder, "another")];
    await expect(serveFabula(folder, [...other, "--token", "short"])).rejects.toThrow(/at least 16 characters/);
    await expect(serveFabula(folder, [...other, "--port", new URL(page.url).port])).rejects.toThrow(/is taken/);
  });

  it("serves no library that another server serves", async () => {
    await expect(serveFabula(folder)).rejects.toThrow(new RegExp(`served from this library already, at ${page.url}`));
  });
});

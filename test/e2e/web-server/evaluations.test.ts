import { beforeAll, describe, expect, it } from "vitest";
import type { Paged } from "../../../src/api/answers.ts";
import type { BookDetails, BookSummary, ChapterHeat, ChapterText } from "../../../src/api/books.ts";
import type { ComparisonView } from "../../../src/api/comparisons.ts";
import type { EvaluationDetails } from "../../../src/api/evaluations.ts";
import type { Job } from "../../../src/api/jobs.ts";
import { parseEvaluations } from "../../../src/tasks/books/read-evaluations.ts";
import { addStory, judgeWithJury, juryRequest, problem } from "../../support/library-requests.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

describe("an evaluation", () => {
  let book: BookDetails;
  beforeAll(async () => {
    book = await addStory(library.server);
  });

  it("is watched chapter by chapter, then looked at, compared and taken away", async () => {
    const request = juryRequest(book.id);
    const plan = await (await library.server.send("POST", "/api/plans", request)).json();
    expect(plan).toMatchObject({ calls: 0, cost: 0 });
    const added = (await (await library.server.send("POST", "/api/jobs", request)).json()) as Job;
    const chapters: number[] = [];
    const job = await library.server.watch(added.id, ["done", "failed"], (event) => {
      if (event.kind === "chapter") chapters.push(event.chapter);
    });
    expect(job).toMatchObject({ state: "done", done: 12, total: 12, calls: 0, cost: 0 });
    expect(chapters).toEqual(book.contents.map(({ index }) => index));

    const details = await library.server.json<EvaluationDetails>(`/api/evaluations/${job.evaluationId}`);
    expect(details).toMatchObject({ bookId: book.id, judge: "jury" });
    expect(details.evaluation.book.file).toBe("story.md");
    const quotation = details.evaluation.aspects.flatMap(({ evidence }) => evidence)[0]!;
    const { text } = await library.server.json<ChapterText>(`/api/books/${book.id}/chapters/${quotation.chapter}`);
    expect(text.slice(quotation.start!, quotation.end!)).toBe(quotation.quote);

    const heat = await library.server.json<ChapterHeat>(`/api/books/${book.id}/chapters/1/heat`);
    expect(heat).toMatchObject({ index: 1, unscored: null, baseRate: 0.44 });
    expect(heat.sentences.length).toBeGreaterThan(10);
    expect(heat.sentences.every(({ change }) => change > 0 && change < 1)).toBe(true);

    const second = await judgeWithJury(library.server, book.id);
    const comparison = await library.server.json<ComparisonView>(
      `/api/comparisons?left=${job.evaluationId}&right=${second.evaluationId}`,
    );
    expect(comparison).toMatchObject({ isSameBook: true, isSameScale: true });
    expect(comparison.rows[0]).toMatchObject({ id: "overall", difference: 0, isClear: false });

    const shelf = await library.server.json<Paged<BookSummary>>("/api/books");
    expect(shelf.items[0]?.latest?.evaluationId).toBe(second.evaluationId);
    expect((await library.server.send("DELETE", `/api/evaluations/${second.evaluationId}`)).status).toBe(204);
    expect((await library.server.get(`/api/evaluations/${second.evaluationId}`)).status).toBe(404);
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
    await library.server.send("PATCH", `/api/books/${book.id}`, { title });
    const { evaluationId } = await judgeWithJury(library.server, book.id);
    const html = await library.server.get(`/api/evaluations/${evaluationId}/export?format=html`);
    const disposition = html.headers.get("content-disposition")!;
    expect(disposition).toMatch(/^attachment; filename="[\w -]+\.html"; filename\*=UTF-8''[\w%-]+\.html$/);
    expect(disposition.length).toBeLessThan(1100);
    expect(html.headers.get("x-evil")).toBeNull();
    expect(await html.text()).not.toContain("<script>");
    const json = await (await library.server.get(`/api/evaluations/${evaluationId}/export?format=json`)).text();
    expect(parseEvaluations(json, "the export")[0]?.book.title).toBe(title);
    const markdown = await library.server.get(`/api/evaluations/${evaluationId}/export?format=markdown`);
    expect(markdown.headers.get("content-disposition")).toContain(".md");
    expect((await problem(library.server.get(`/api/evaluations/${evaluationId}/export?format=exe`))).status).toBe(400);
  });

  it("is refused when the request makes no sense", async () => {
    const request = juryRequest(book.id);
    const refused = (changes: object) => problem(library.server.send("POST", "/api/jobs", { ...request, ...changes }));
    expect(await refused({ bookId: "../../etc" })).toMatchObject({ status: 404 });
    expect(await refused({ method: "telepathy" })).toMatchObject({ code: "E_METHOD" });
    expect(await refused({ aspects: ["weather"] })).toMatchObject({ code: "E_ASPECT_UNKNOWN" });
    expect(await refused({ judges: ["crowd", "openai:gpt-4.1"] })).toMatchObject({ code: "E_JUDGE_PANEL" });
    expect(await refused({ judges: ["m@http://169.254.169.254/v1"] })).toMatchObject({ code: "E_JUDGE_UNKNOWN" });
    expect(await refused({ judges: ["llama:/etc/passwd"] })).toMatchObject({ code: "E_JUDGE_UNKNOWN" });
    expect(await refused({ runs: 1e9 })).toMatchObject({ code: "E_REQUEST" });
  });
});

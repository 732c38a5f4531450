import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Job } from "../../src/api/jobs.ts";
import type { QuestionResult, QuestionSet } from "../../src/api/questions.ts";
import type { RatingQueue, RatingSummary } from "../../src/api/ratings.ts";
import type { RunDetails } from "../../src/api/runs.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { seriousProblemsInBoth } from "../support/axe.ts";
import { writeBenchFolder } from "../support/bench-folder.ts";
import { launchChromium } from "../support/chromium.ts";
import { hostileReply } from "../support/hostile-reply.ts";
import { addBook, judgeAs, judgeWithJury } from "../support/library-requests.ts";
import { openPage } from "../support/open-page.ts";
import { draftOf } from "../support/stories.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

const HOSTILE = ["<script>alert(1)</script>", "../../etc/passwd", `"><img src=x onerror=alert(1)>${"x".repeat(120)}`];

let folder: string;
let server: Served;
let browser: Browser;
let models: SimulatedServer;
let refusing: SimulatedServer;
let views: readonly (readonly [string, string])[];

/** A library of books with hostile titles, judged, with a reader, a run and answered questions: something to see in every view. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-access-"));
  models = await createSimulatedServer({
    faults: { refusal: 0.2, prose: 0.2, "rate-limit": 0.2 },
    reply: hostileReply,
  });
  refusing = await createSimulatedServer({ key: "a key that nobody has" });
  const bench = join(folder, "bench");
  await writeBenchFolder(bench, { "<b>writer</b>": 3.7, another: 2.4 });
  const judges = [models.judge("small"), refusing.judge("<i>large</i>")];
  [server, browser] = await Promise.all([
    serveFabula(folder, ["--bench", bench, "--judges", judges.join(",")]),
    launchChromium(),
  ]);
  const jobs: Job[] = [];
  // So many chapters that none is taken for a draft of another.
  for (const [at, chapters] of [4, 10, 1].entries()) {
    const book = await addBook(server, "story.md", draftOf(HOSTILE[at]!, chapters));
    expect(book).toMatchObject({ title: HOSTILE[at], draft: 1 });
    jobs.push(await judgeWithJury(server, book.id));
  }
  const again = await addBook(server, "again.md", `${draftOf(HOSTILE[0]!, 4)}\n\nOne more line.\n`);
  expect(again.draft).toBe(2);
  const ratings = Array.from({ length: 8 }, (_, index) => `<b>Story ${index}</b>,${1 + (index % 5)}`).join("\n");
  await server.upload("/api/readers", { name: "ada.csv", content: `title,rating\n${ratings}` }, { name: "ada" });
  const [first, second] = jobs;
  const { bookId } = first!.request;
  const by = (judge: string) => ({ ...first!.request, judges: [judge], method: "aggregate", runs: 3 });
  const judged = await judgeAs(server, by(judges[0]!));
  const failed = await judgeAs(server, by(judges[1]!));
  expect([judged.state, failed.state]).toEqual(["done", "failed"]);
  const [questions, set] = [await answerQuestions(), await loadQuestions()];
  const study = await rateChapters(bookId);
  expect((await server.json<RunDetails>(`/api/runs/${judged.runId}`)).calls).toBeGreaterThan(0);
  expect((await server.json<RunDetails>(`/api/runs/${failed.runId}`)).failures.length).toBeGreaterThan(0);
  views = [
    ["library", "#/"],
    ["book", `#/books/${bookId}`],
    ["letter", `#/books/${bookId}/letter`],
    ["story", `#/books/${bookId}/story`],
    ["ask", `#/books/${bookId}/ask`],
    ["text", `#/books/${bookId}/read?chapter=2&start=0&end=40&heat=edits`],
    ["evaluate", `#/evaluate?book=${bookId}`],
    ["progress", `#/jobs/${first!.id}`],
    ["report", `#/evaluations/${first!.evaluationId}`],
    ["report-map", `#/evaluations/${first!.evaluationId}?tab=map`],
    ["report-notes", `#/evaluations/${first!.evaluationId}?tab=notes`],
    ["report-verdicts", `#/evaluations/${first!.evaluationId}?tab=verdicts`],
    ["writing", `#/books/${bookId}/read?notes=open`],
    ["drafts", `#/drafts?before=${bookId}&after=${second!.request.bookId}`],
    ["compare", `#/compare?left=${first!.evaluationId}&right=${second!.evaluationId}`],
    ["grid", `#/grid?cell=${judged.evaluationId}:0:overall`],
    ["readers", "#/readers"],
    ["one-reader", `#/readers/ada?book=${bookId}`],
    ["benchmark", "#/benchmark"],
    ["questions", "#/questions"],
    ["question-run", `#/questions/${questions}`],
    ["question-rate", `#/questions/${questions}/rate?rater=ana&setting=reference`],
    ["question-set", `#/questions/${set}/set`],
    ["report-readers", `#/evaluations/${first!.evaluationId}?tab=readers`],
    ["report-about", `#/evaluations/${first!.evaluationId}?tab=about`],
    ["report-trust", `#/evaluations/${judged.evaluationId}?tab=trust`],
    ["disagreements", "#/disagreements"],
    ["settings", "#/settings"],
    ["runs", "#/runs"],
    ["run", `#/runs/${judged.runId}`],
    ["run-failed", `#/runs/${failed.runId}`],
    ["progress-model", `#/jobs/${judged.id}`],
    ["progress-failed", `#/jobs/${failed.id}`],
    ["report-model", `#/evaluations/${judged.evaluationId}`],
    ["map", `#/books/${bookId}/map`],
    ["chapters", `#/books/${bookId}/chapters`],
    ["trust", "#/trust"],
    ["ratings", "#/ratings"],
    ["rating-study", `#/ratings/${study}`],
    ["rating-queue", `#/ratings/${study}/rate?rater=ana`],
    ["nowhere", "#/nowhere/at/all"],
  ];
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await Promise.all([models?.close(), refusing?.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** The id of the first run. */
async function answerQuestions(): Promise<string> {
  const lines = [
    { prediction: "<b>a brass weight</b>", answers: ["a brass weight", "the weight"] },
    { prediction: "nobody", answers: ["Hester"] },
  ];
  const content = lines.map((line) => JSON.stringify(line)).join("\n");
  const ids: string[] = [];
  for (const name of ["answers.jsonl", "<script>alert(2)<.jsonl"]) {
    const response = await server.upload("/api/questions", { name, content });
    expect(response.status).toBe(201);
    ids.push(((await response.json()) as QuestionResult).id);
  }
  return ids[0]!;
}

async function loadQuestions(): Promise<string> {
  const qas = [{ question: "<b>Who</b> weighs?", answers: ["Hester <i>Vane</i>"] }];
  const content = JSON.stringify({ document_id: "d", title: HOSTILE[0], summary: "She weighs.", qas });
  const response = await server.upload("/api/question-sets", { name: "<b>set</b>.jsonl", content });
  expect(response.status).toBe(201);
  return ((await response.json()) as QuestionSet).id;
}

/** A study in which two people have rated the same chapter apart, so that there is something to settle. */
async function rateChapters(bookId: string): Promise<string> {
  const wanted = { kind: "chapters", name: "chapters", books: [bookId], run: null, most: 3, perItem: null };
  const scale = { minimum: 1, maximum: 5, raters: ["ana", "ben"] };
  const added = await server.send("POST", "/api/ratings/library", { ...wanted, ...scale });
  const { id } = (await added.json()) as RatingSummary;
  const { items } = await server.json<RatingQueue>(`/api/ratings/${id}/queue?rater=ana`);
  for (const [rater, said] of [
    ["ana", 1],
    ["ben", 5],
  ] as const)
    await server.send("PUT", `/api/ratings/${id}/ratings`, { rater, item: items[0]!.id, said });
  return id;
}

/** What must be there before a view is looked at: an empty one proves nothing. */
const FILLED: Readonly<Record<string, string>> = {
  grid: ".cell-calls tbody tr",
  questions: "tbody tr",
  "question-run": ".question-list summary",
  "question-rate": ".rating-scale button",
  "question-set": ".question-list article",
  "report-readers": ".personal",
  disagreements: ".pair .blind-verdict",
  settings: "tbody tr",
  "report-trust": "tbody tr",
  runs: "tbody tr",
  run: ".calls tbody tr",
  "run-failed": ".tag.quiet",
  "rating-study": ".rating-item .rating-scale",
  "rating-queue": ".rating-item .rating-scale",
};

/** How wide a quotation mark is beside its height; where a Chinese font draws it, as wide as a character: 1. */
const QUOTE_WIDTHS = `[...document.querySelectorAll("h1, p")].slice(0, 2).map((element) => {
  const mark = Object.assign(document.createElement("span"), { textContent: "“" });
  mark.style.cssText = "font-size: 100px; position: absolute";
  element.append(mark);
  const { width } = mark.getBoundingClientRect();
  mark.remove();
  return width / 100;
})`;

/** Half of the views at a time, so that none waits for all the others. */
const HALVES = [0, 1].flatMap((half) => [
  [`half ${half + 1}, in English, on a desk`, half, "en-GB", 1440] as const,
  [`half ${half + 1}, in Chinese, on a phone`, half, "zh-CN", 390] as const,
]);

describe("every view", () => {
  it.each(HALVES)(
    "is clear of serious barriers in light and dark and fits its window: %s",
    async (...[, half, locale, width]) => {
      const open = await openPage(browser, server.url, { locale, viewport: { width, height: 812 } });
      const { page } = open;
      const found: Record<string, string[]> = {};
      for (const [view, hash] of views.filter((_, at) => at % 2 === half)) {
        await page.goto(`${server.url}/${hash}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.waitForLoadState("networkidle");
        await expect.poll(() => page.locator(".loading").count()).toBe(0);
        await page
          .locator(FILLED[view] ?? "h1")
          .first()
          .waitFor();
        // A reply is folded away; what is in it is looked at as well.
        const reply = page.locator(".calls .call-opener").first();
        if ((await reply.count()) > 0) await reply.click();
        const problems = await seriousProblemsInBoth(page);
        const overflow = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        if (overflow !== 0) problems.push(`wider than the window by ${overflow}`);
        if ((await page.locator("main").innerText()).includes("`")) problems.push("shows a raw backtick");
        if (locale === "en-GB") {
          const wide = ((await page.evaluate(QUOTE_WIDTHS)) as number[]).filter((share) => share > 0.75);
          if (wide.length > 0) problems.push(`quotation marks are ${wide.join(", ")} of a line's height wide`);
        }
        if (problems.length > 0) found[view] = problems;
        await open.picture(`${view}-${width}`);
      }
      expect(found).toEqual({});
      expect(open.complaints).toEqual([]);
      await open.close();
    },
  );

  it("shows hostile titles as the text they are, and runs nothing of them", async () => {
    const open = await openPage(browser, server.url);
    const { page } = open;
    page.on("dialog", (dialog) => {
      open.complaints.push(`a dialog was opened: ${dialog.message()}`);
      void dialog.dismiss();
    });
    for (const title of HOSTILE) await page.getByText(title, { exact: true }).first().waitFor();
    for (const [, hash] of views) {
      await page.goto(`${server.url}/${hash}`);
      await page.waitForLoadState("networkidle");
    }
    expect(await page.locator("img, script:not([src])").count()).toBe(0);
    expect(open.complaints).toEqual([]);
    await open.close();
  });

  it("shows the current place in the navigation of a narrow window", async () => {
    const open = await openPage(browser, `${server.url}/#/runs`, { viewport: { width: 375, height: 812 } });
    const { page } = open;
    const current = page.locator(".places [aria-current]");
    const isInSight = async () => {
      const { x, width } = (await current.boundingBox())!;
      return x >= 0 && x + width <= 375;
    };
    const widths = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('nav ul'))";
    expect(await page.evaluate(widths)).toBeGreaterThan(0);
    await expect.poll(isInSight).toBe(true);
    await page.goto(`${server.url}/#/library`);
    await page.locator(".places [aria-current]", { hasText: "Library" }).waitFor();
    await expect.poll(isInSight).toBe(true);
    await open.close();
  });
});

describe("the keyboard", () => {
  it("skips to the content, opens a book, and finds the focus on the new heading", async () => {
    const open = await openPage(browser, server.url);
    const { page } = open;
    await page.locator(".tile").first().waitFor();
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.locator(":focus").getAttribute("id")).toBe("main");
    await page.locator(".tile").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Parts of the book" }).waitFor();
    await page.locator("h1:focus").waitFor();
    await open.close();
  });

  it("keeps the chosen language and colours for the next visit", async () => {
    const open = await openPage(browser, server.url);
    const { page } = open;
    await page.getByLabel("Language").selectOption("zh");
    await page.getByRole("heading", { level: 1, name: "书库" }).waitFor();
    await page.getByLabel("配色").selectOption("dark");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "书库" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await open.close();
  });
});

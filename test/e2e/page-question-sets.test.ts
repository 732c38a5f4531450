import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { QuestionResult, QuestionSet, QuestionSetSummary } from "../../src/api/questions.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../src/testing/index.ts";
import { seriousProblems } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { type OpenPage, openPage } from "../support/open-page.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

const STORY = join(import.meta.dirname, "../../assets/examples/the-inspector-of-weights.md");
const SUMMARY =
  "Hester Vane inspects the scales of the harbours. Mr Brandt's scale weighs too light. She keeps the box.";

/** A film, a story of the library with a slip, a near-duplicate and a sample in which everything is wrong. */
const DATA = [
  {
    document_id: "film-1",
    title: "A Film",
    summary: "Two people run through a town.",
    kind: "movie",
    qas: [{ question: "Who runs?", answers: ["two people"] }],
  },
  {
    document_id: "weights",
    title: "The Inspector of Weights",
    summary: SUMMARY,
    qas: [
      { question: "Who inspect the scales?", answers: ["Hester Vane", "the inspector"] },
      { question: "What does Hester Vane inspect in the harbours of the island?", answers: ["the scales"] },
      { question: "What does Hester Vane inspect in the harbours of the islands?", answers: ["the scales"] },
      { question: "Who have a scale that weigh too light?", answers: ["Mr Brant"] },
      { question: "What does Hester keep?", answers: ["the box"] },
    ],
  },
];

/** Long enough for the page to see work under way. */
const REPLY_MILLISECONDS = 100;

const model: ReplyHandler = async ({ messages, schema }) => {
  const user = messages.at(-1)!.content;
  const material = new Map(
    [...user.matchAll(/<<<(\w+) (\w+)>>>\n([\s\S]*?)\n<<<END \1 \2>>>/g)].map(([, name, , text]) => [name!, text!]),
  );
  const fields = Object.keys((schema?.properties ?? {}) as object);
  await setTimeout(REPLY_MILLISECONDS);
  if (fields.includes("correction")) {
    const text = material.get("answer") ?? material.get("question")!;
    const correction = text
      .replace("Who inspect ", "Who inspects ")
      .replace("Who have a scale that weigh", "Who has a scale that weighs")
      .replace("Brant", "Brandt");
    return JSON.stringify({ acceptable: text === correction, reason: "a slip of grammar", correction });
  }
  if (fields.includes("grade")) {
    if (material.get("answer") === "the box") return "I'm sorry, but I can't help with that request.";
    const isRight = material.get("references")!.split("\n").includes(material.get("answer")!);
    return JSON.stringify({ reason: isRight ? "the same" : "something else", grade: isRight ? 5 : 1 });
  }
  const question = material.get("question")!;
  const answer = question.startsWith("Who inspects") ? "Hester Vane" : question.includes("keep") ? "the box" : "a boat";
  return JSON.stringify({ answer, passages: [1] });
};

let folder: string;
let server: Served;
let browser: Browser;
let provider: SimulatedServer;
let open: OpenPage;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-sets-"));
  provider = await createSimulatedServer({ reply: model });
  [server, browser] = await Promise.all([serveFabula(folder, ["--judges", provider.judge("m")]), launchChromium()]);
  const story = await readFile(STORY, "utf8");
  await server.upload("/api/books", { name: "the-inspector-of-weights.md", content: story });
  open = await openPage(browser, `${server.url}/#/questions`);
  page = open.page;
});
afterAll(async () => {
  await open?.close();
  await browser?.close();
  await server?.stop("SIGINT");
  await provider?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Goes to a control with Tab alone, as somebody without a mouse does. */
async function tabTo(control: Locator): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < 250; presses++) {
    if ((await control.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${control}`);
}

async function press(control: Locator, key = "Enter"): Promise<void> {
  await tabTo(control);
  await page.keyboard.press(key);
}

const step = (name: string) => page.getByRole("region", { name, exact: true });

/** The cost is shown before anything is sent; then the step runs to its end. */
async function runWithModel(name: string): Promise<void> {
  const form = page.getByRole("form", { name, exact: true });
  const sent = provider.exchanges.length;
  await press(form.getByRole("button", { name: "Show the cost" }));
  await form.getByText(/\d+ calls/).waitFor();
  expect(provider.exchanges.length).toBe(sent);
  await press(form.getByRole("button", { name: "Start" }));
  await expect.poll(() => provider.exchanges.length, { timeout: 250_000 }).toBeGreaterThan(sent);
}

describe("a set of questions in the web app, by keyboard alone", () => {
  it("loads a data set with its book; a line that is none is left out and named", async () => {
    const content = `${DATA.map((line) => JSON.stringify(line)).join("\n")}\n{"title": "no questions"}\n`;
    await page
      .getByLabel("Data set", { exact: true })
      .setInputFiles({ name: "novels.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(content) });
    await press(page.getByRole("button", { name: "Load" }));
    await page.getByRole("heading", { level: 1, name: "novels" }).waitFor();
    await page.getByText("2 books, 6 questions").first().waitFor();
    await page.getByText(/1 line left out; the first is line 3/).waitFor();
    await page.getByText("1 of 2 books are in the library").waitFor();
  });

  it("filters, deduplicates and refines with counts, reasons and cost, and a person overrules it", async () => {
    await press(step("Filter").getByRole("button", { name: "Start" }));
    await step("Filter").getByText("2 books, 6 questions → 1 book, 5 questions").waitFor();
    expect(await step("Filter").getByRole("row").nth(1).textContent()).toBe("movie11");

    await press(step("Deduplicate").getByRole("button", { name: "Deduplicate: Start" }));
    await step("Deduplicate").getByText("1 book, 5 questions → 1 book, 4 questions").waitFor();

    // A server that answers slowly is asked again only after it has answered.
    await page.route(/\/api\/question-sets\/[^/]+$/, async (route) => {
      const response = await route.fetch();
      await setTimeout(1000);
      await route.fulfill({ response }).catch(() => {});
    });
    await runWithModel("Refine");
    await step("Refine").getByText("1 book, 4 questions → 1 book, 3 questions").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await step("Refine")
      .getByText(/\d+ calls, /)
      .waitFor();
    expect(await step("Refine").getByRole("row").nth(1).textContent()).toBe("double corrections01");
    await press(step("Refine").locator("summary"), " ");
    await step("Refine").getByText("Who inspects the scales?").first().waitFor();
    const first = step("Refine").getByRole("group", { name: /^Decision: Who inspects/ });
    await press(first.getByRole("button", { name: "reject" }));
    await step("Refine").getByText("1 of 3 decided").waitFor();
    await press(step("Review the corrections").getByRole("button", { name: "Review the corrections: Start" }));
    await page.getByRole("article", { name: "Who inspect the scales?" }).waitFor();
    await press(first.getByRole("button", { name: "accept" }));
    // Pressed once it is kept: the review reads what was kept.
    await first.getByRole("button", { name: "accept", pressed: true }).waitFor();
    await press(step("Review the corrections").getByRole("button", { name: "Review the corrections: Start" }));
    await page.getByRole("article", { name: "Who inspects the scales?" }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it("audits the refinement blind, with Y and N", async () => {
    await press(step("Audit").getByRole("button", { name: "Audit: Start" }));
    await tabTo(step("Audit").getByLabel("Your name"));
    await page.keyboard.type("ana");
    await page.keyboard.press("Enter");
    const status = page.getByRole("status").filter({ hasText: "decided" });
    await status.waitFor();
    const total = Number(/of (\d+) decided/.exec((await status.textContent())!)![1]);
    for (let place = 0; place < total; place++) {
      await expect.poll(() => status.textContent()).toContain(`${place} of ${total} decided`);
      const kept = page.waitForResponse((answer) => answer.request().method() === "PUT");
      await page.keyboard.press(/Who inspect |Brant$/.test((await page.locator("h2").textContent())!) ? "n" : "y");
      expect((await kept).status()).toBe(204);
    }
    await page.getByText("Everything is decided").waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await press(page.getByRole("link", { name: "Back to the set" }));
    await page.getByText("Reviewers: ana").waitFor();
    await page.getByRole("table", { name: /Table 1/ }).waitFor();
  });

  it("has every question kept, changed or dropped beside its evidence in the book", async () => {
    const changed = page.getByRole("article", { name: "Who inspects the scales?" });
    await press(changed.getByRole("button", { name: "Change" }));
    const text = changed.getByLabel("Answers, one on each line");
    await tabTo(text);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Hester Vane");
    await press(changed.getByRole("button", { name: "Save the change" }));
    await page.getByText("0 kept, 1 changed, 0 dropped, 2 not looked at").waitFor();
    const dropped = page.getByRole("article", { name: /^What does Hester Vane inspect/ });
    await press(dropped.getByRole("button", { name: "Drop" }));
    await page.getByText("0 kept, 1 changed, 1 dropped, 1 not looked at").waitFor();

    await press(changed.locator("summary"), " ");
    const passage = changed.locator("section.passage").first();
    await passage.getByRole("link").waitFor();
    expect(await passage.getByRole("link").getAttribute("href")).toMatch(/#\/books\/.+\/read\?chapter=\d+&start=\d+/);
    expect(await seriousProblems(page)).toEqual([]);
    for (const width of [1440, 390])
      for (const scheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await open.picture(`question-set-${width}-${scheme}`);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("has a model answer and a judge grade what is left, and says why an answer has no grade", async () => {
    await runWithModel("Answer");
    await page.getByText("1 system answered").waitFor();
    await press(page.getByRole("link", { name: "Table, judges and raters" }));
    await page.getByRole("row", { name: /@http/ }).first().waitFor();
    await runWithModel("Have a judge grade the answers");
    await page.getByText(/1 × the model refused/).waitFor();
    const table = page.getByRole("region", { name: "System", exact: true });
    expect(await table.getByRole("columnheader").allTextContents()).toEqual([
      "System",
      "Answers",
      "em",
      "f1",
      "rouge-1",
      "rouge-2",
      "rouge-l",
      "meteor",
      `${provider.judge("m")}-reference`,
    ]);
    expect(await page.getByLabel("Beside").locator("option").allTextContents()).toContain("the summary as well");
    await press(page.locator(".question-list summary").first(), " ");
    expect(await page.locator(".question-list details[open]").first().textContent()).toContain("the same");
    expect(await seriousProblems(page)).toEqual([]);
    expect(open.complaints).toEqual([]);

    // Everything that was made is there for a program as well.
    const [set] = await server.json<QuestionSetSummary[]>("/api/question-sets");
    const lines = await (await server.get(`/api/question-sets/${set!.id}/questions.jsonl`)).text();
    const [book] = lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(book.qas.map(({ question }: { question: string }) => question)).toEqual([
      "Who inspects the scales?",
      "What does Hester keep?",
    ]);
    expect(book.qas[0]).toMatchObject({ answers: ["Hester Vane"], is_question_modified: true });
    const { systems, judges } = await server.json<QuestionSet>(`/api/question-sets/${set!.id}`);
    expect([systems, judges]).toEqual([[`${provider.judge("m")}, retrieval`], [`${provider.judge("m")}-reference`]]);
  });
});

describe("systems compared", () => {
  it("shows differences with intervals over whole books and corrected tests, and every disagreement", async () => {
    const rows = (system: string, right: number) =>
      Array.from({ length: 60 }, (_, at) =>
        JSON.stringify({
          document_id: `b${at % 12}`,
          question: `Who opened door ${at}?`,
          answers: [`the keeper ${at}`],
          prediction: at % 10 < right ? `the keeper ${at}` : "nobody at all",
          system,
          scores: { "openai:m-reference": at === 3 ? 1 : at % 10 < right ? 5 : 1 },
        }),
      ).join("\n");
    const first = await server.upload("/api/questions", { name: "good.jsonl", content: rows("good", 9) });
    const run = (await first.json()) as QuestionResult;
    for (const [system, right] of [["fair", 6] as const, ["bad", 2] as const])
      await server.upload(`/api/questions/${run.id}/files`, { name: `${system}.jsonl`, content: rows(system, right) });
    // People disagree with the judge on the answer that it calls wrong.
    const { items } = await server.json<{ items: { id: string; question: string; answer: string }[] }>(
      `/api/questions/${run.id}/rating?rater=ana`,
    );
    const disputed = items.find(({ question, answer }) => question.includes("door 3?") && answer.includes("keeper"))!;
    await server.send("PUT", `/api/questions/${run.id}/rating`, { rater: "ana", item: disputed.id, rating: 5 });

    await page.goto(`${server.url}/#/questions/${run.id}`);
    const table = page.getByRole("region", { name: "Differences between systems" }).last();
    const cells = (at: number) => table.getByRole("row").nth(at).textContent();
    await expect.poll(() => cells(1)).toMatch(/^goodfair\+0\.300\+0\.\d+ … \+0\.\d+< 0\.00160$/);
    await tabTo(page.getByLabel("Compared with"));
    await page.keyboard.press("g");
    await expect.poll(() => cells(2)).toMatch(/^badgood−0\.700/);
    await page.getByText("resampled by whole books (12)").waitFor();
    await page.getByLabel("Show").selectOption("people-judge");
    await page.getByText("1 question", { exact: true }).waitFor();
    await page.getByText("Who opened door 3?").waitFor();
    await page.getByLabel("Show").selectOption("judge-wrong");
    await page.getByText("Who opened door 3?").waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await open.picture("question-comparison");
  });
});

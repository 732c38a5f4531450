import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { QuestionResult, RatingAgreement } from "../../src/api/questions.ts";
import { krippendorffAlpha } from "../../src/stats/index.ts";
import { seriousProblems } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { enter, openPage, openPageIn } from "../support/open-page.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

const SYSTEMS = ["good", "bad"];
const QUESTIONS = 10;
const DISAGREED = 5;

let folder: string;
let server: Served;
let browser: Browser;
let run: QuestionResult;

/** What the first rater thinks: the good system's answers are right, the bad one's wrong. */
const lines = (system: string) =>
  Array.from({ length: QUESTIONS }, (_, at) => ({
    document_id: `b${at % 5}`,
    title: `Book ${at % 5}`,
    question: `Who opened door ${at}?`,
    system,
    answers: [`the keeper ${at}`],
    prediction: system === "good" ? `the keeper ${at}` : `a stranger ${at}`,
    scores: { "openai:m-reference": system === "good" ? 1 : 5 },
  }))
    .map((row) => JSON.stringify(row))
    .join("\n");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-questions-"));
  [server, browser] = await Promise.all([serveFabula(folder), launchChromium()]);
  const first = await server.upload("/api/questions", { name: "good.jsonl", content: lines("good") });
  run = (await first.json()) as QuestionResult;
  const added = await server.upload(`/api/questions/${run.id}/files`, { name: "bad.jsonl", content: lines("bad") });
  expect(added.status).toBe(201);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

/** Rates with the keyboard alone: the key is chosen from what stands on the screen, as a rater does. */
async function rateAll(rater: string, keyFor: (text: string, place: number) => string, leaveAfter = Infinity) {
  const open = await openPage(browser, `${server.url}/#/questions/${run.id}/rate?rater=${rater}&setting=reference`);
  const { page } = open;
  const total = SYSTEMS.length * QUESTIONS;
  const status = page.getByRole("status").filter({ hasText: "rated" });
  await status.waitFor();
  const begun = Number(/(\d+) of \d+ rated/.exec((await status.textContent())!)![1]);
  for (let place = begun; place < Math.min(total, leaveAfter); place++) {
    await expect.poll(async () => status.textContent()).toContain(`${place} of ${total} rated`);
    const text = (await page.locator(".rating-answer").textContent())!;
    for (const system of SYSTEMS) expect(await page.locator("main").textContent()).not.toContain(`${system}:`);
    const kept = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await page.keyboard.press(keyFor(text, place));
    expect((await kept).status()).toBe(204);
  }
  await expect.poll(async () => status.textContent()).toContain(`${Math.min(total, leaveAfter)} of ${total} rated`);
  expect(await seriousProblems(page)).toEqual([]);
  await open.picture("question-rating");
  expect(open.complaints).toEqual([]);
  await open.close();
  return begun;
}

describe("Questions", () => {
  it("shows systems × metrics with intervals, and filters what a judge and F1 disagree on", async () => {
    const open = await openPage(browser, `${server.url}/#/questions`);
    const { page } = open;
    await page.getByRole("link", { name: "good.jsonl" }).click();
    const row = page.getByRole("row", { name: /^good/ }).first();
    await expect.poll(() => row.textContent()).toMatch(/good10.*1\.000 1\.000–1\.000/);
    await page.getByText("resampled by whole books (5)").waitFor();
    await page.getByText(`${QUESTIONS} questions`).waitFor();
    // No answer carries a summary: nobody can rate beside one. Only one control is called "Score".
    expect(await page.getByLabel("Beside").locator("option").allTextContents()).toEqual(["the references"]);
    expect(await page.getByRole("button", { name: "Score" }).count()).toBe(1);
    await page.getByLabel("Show").selectOption("judge-wrong");
    await page.getByText("Who opened door 3?").click();
    const opened = page.locator("details[open]");
    expect(await opened.textContent()).toContain("References: the keeper 3");
    expect(await opened.textContent()).toContain("openai:m-reference 1");
    expect(open.complaints).toEqual([]);
    expect(await seriousProblems(page)).toEqual([]);
    await open.picture("question-run");
    await open.close();
  });

  it("takes a key that is pressed in the moment in which the answer appears", async () => {
    const context = await browser.newContext({ locale: "en-GB" });
    await enter(context, server.url);
    await context.addInitScript(`new MutationObserver((_changes, observer) => {
      if (!document.querySelector(".rating-answer")) return;
      observer.disconnect();
      window.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    }).observe(document, { childList: true, subtree: true })`);
    const address = `${server.url}/#/questions/${run.id}/rate?rater=cy&setting=reference`;
    const { page, close } = await openPageIn(context, address);
    await expect.poll(() => page.getByRole("status").first().textContent()).toContain("Answer 2 of 20");
    await close();
  });

  it("two raters rate 20 answers with the keyboard, disagree on five, and α and the table come out right", async () => {
    const right = (text: string) => (text.includes("keeper") ? "5" : "1");
    // Ana stops after seven answers and goes on where she stopped.
    expect(await rateAll("ana", right, 7)).toBe(0);
    expect(await rateAll("ana", right)).toBe(7);
    // Ben finds five of the wrong answers partly right.
    const isDisputed = (text: string) => /stranger [0-4]$/.test(text.trim());
    await rateAll("ben", (text) => (isDisputed(text) ? "3" : right(text)));

    const { settings } = await server.json<RatingAgreement>(`/api/questions/${run.id}/agreement`);
    const ana = [...Array(QUESTIONS).fill(5), ...Array(QUESTIONS).fill(1)];
    const ben = [...Array(QUESTIONS).fill(5), ...Array(DISAGREED).fill(3), ...Array(QUESTIONS - DISAGREED).fill(1)];
    const expected = krippendorffAlpha([ana, ben]).value!;
    expect(settings).toHaveLength(1);
    expect(settings[0]).toMatchObject({ setting: "reference", rated: 20, twice: 20 });
    expect(settings[0]!.alpha).toBeCloseTo(expected, 9);
    expect(settings[0]!.interval![0]).toBeLessThan(expected);
    expect(settings[0]!.systems).toEqual([
      { system: "good", n: 10, mean: 5 },
      { system: "bad", n: 10, mean: 1.5 },
    ]);

    const open = await openPage(browser, `${server.url}/#/questions/${run.id}`);
    await open.page.getByText(`Krippendorff’s α ${expected.toFixed(3)}`).waitFor();
    const table = open.page.getByRole("region", { name: "System: the references" });
    await expect.poll(() => table.getByRole("row").nth(2).textContent()).toBe("bad101.50");
    const rated = await (await server.get(`/api/questions/${run.id}/rated.jsonl`)).text();
    expect(
      rated
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).human.reference)
        .sort(),
    ).toEqual([...Array(5).fill(1), ...Array(5).fill(2), ...Array(10).fill(5)]);
    await open.close();
  });
});

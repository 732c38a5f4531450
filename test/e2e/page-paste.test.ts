import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BookLetter } from "../../src/api/letters.ts";
import { seededRandom } from "../../src/core/random.ts";
import { seededReply } from "../../src/testing/index.ts";
import { seriousProblemsInBoth } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { addBook, judgeWithJury } from "../support/library-requests.ts";
import { type OpenPage, openPage } from "../support/open-page.ts";
import { draftOf } from "../support/stories.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;
let open: OpenPage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-page-paste-"));
  [server, browser] = await Promise.all([serveFabula(folder), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

/** Copies the question as a writer would, with the whole text, and gives what a chat might answer. */
async function chatReply(page: Page): Promise<string> {
  const whole = page.getByRole("button", { name: /whole text/ });
  await ((await whole.count()) > 0 ? whole : page.getByRole("button", { name: "Copy the question" })).click();
  await page.getByText("Copied.").first().waitFor();
  const prompt = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(prompt).toContain("JSON");
  const request = { messages: [{ role: "user", content: prompt }], schema: null };
  return `Of course!\n\n${await seededReply(request as never, seededRandom(prompt.length))}\n`;
}

it("reads the story through a chat window: each question copied, each reply checked, then the next", async () => {
  const book = await addBook(server, "story.md", draftOf("A Pasted Story", 2));
  open = await openPage(browser, `${server.url}/#/books/${book.id}/letter`, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = open;
  await page.locator(".letter h2").first().waitFor();
  await page.getByRole("button", { name: "Use a chat window" }).click();
  const box = page.getByRole("region", { name: "Use a chat window" });
  // In one look: the box may go between two.
  const state = () =>
    box.evaluateAll((boxes) =>
      boxes.map((one) => ({
        question: Number(/\d+/.exec(one.querySelector("h2")?.textContent ?? "")?.[0] ?? 0),
        isEmpty: (one.querySelector("textarea:not([readonly])") as { value?: string } | null)?.value === "",
        isRefused: one.querySelector("[role=alert]") !== null,
      })),
    );
  await box.getByRole("heading", { name: /^Question 1 of about \d+$/ }).waitFor();
  expect(await seriousProblemsInBoth(page)).toEqual([]);
  const paste = async (reply: string) => {
    await box.getByLabel("The reply").fill(reply);
    const answered = page.waitForResponse((response) => response.url().endsWith("/paste"));
    await box.getByRole("button", { name: "Check the reply" }).click();
    await (await answered).finished();
  };

  // The letter of another reading comes, and takes nothing of the box with it.
  await box.getByLabel("The reply").fill("Half a reply");
  await judgeWithJury(server, book.id);
  const { readings } = await server.json<BookLetter>(`/api/books/${book.id}/letter`);
  await page.evaluate(`location.hash = "#/books/${book.id}/letter?reading=${readings.at(-1)!.id}"`);
  await page.getByRole("combobox", { name: "Reading", exact: true }).waitFor();
  expect(await box.getByLabel("The reply").inputValue()).toBe("Half a reply");

  await paste("A lovely book.");
  expect(await box.getByRole("alert").textContent()).toMatch(/^This reply cannot be used: the reply holds no JSON/);
  const first = await chatReply(page);
  await paste(first);
  await box.getByRole("heading", { name: /^Question 2 of about \d+$/ }).waitFor();
  expect(await box.getByRole("alert").count()).toBe(0);

  // A window that becomes narrower moves the box, and loses nothing of it.
  await box.getByLabel("The reply").fill("Half a reply");
  await page.setViewportSize({ width: 800, height: 900 });
  await expect.poll(() => box.getByLabel("The reply").inputValue()).toBe("Half a reply");
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect.poll(() => box.getByLabel("The reply").inputValue()).toBe("Half a reply");

  await paste(first);
  expect(await box.getByRole("alert").textContent()).toMatch(
    /^This reply cannot be used: this is the reply to question \w+, word for word; .* Nothing is lost/,
  );
  await open.picture("desk-paste");

  let asked = 2;
  for (let turns = 0; (await box.count()) > 0 && turns < 60; turns++) {
    // A reply with quotations that are not in the book is sent back once.
    await paste(await chatReply(page));
    await expect.poll(async () => (await state()).every(({ isEmpty, isRefused }) => isEmpty || isRefused)).toBe(true);
    asked = (await state())[0]?.question ?? asked;
  }
  expect(asked).toBeGreaterThan(4);
  await page.locator(".letter-facts", { hasText: "paste" }).waitFor();
  const { letter } = await server.json<BookLetter>(`/api/books/${book.id}/letter`);
  expect(letter?.evaluation).toMatchObject({ judge: "paste", method: "close", cost: null });
  expect(letter?.story).toBeTruthy();

  // A question to the book goes the same way, and its answer stays.
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.getByLabel("Your question").fill("Who keeps the light?");
  await page.getByRole("button", { name: "Use a chat window" }).click();
  await box.getByRole("heading", { name: "Who keeps the light?" }).waitFor();
  await box.getByRole("button", { name: "Copy the question" }).click();
  await box.getByText("Copied.").waitFor();
  expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain("Who keeps the light?");
  expect(await seriousProblemsInBoth(page)).toEqual([]);
  await box.getByLabel("The reply").fill("I would rather not say.");
  await box.getByRole("button", { name: "Check the reply" }).click();
  await box.getByRole("alert").getByText("This reply cannot be used").waitFor();
  const { text } = await server.json<{ text: string }>(`/api/books/${book.id}/chapters/1`);
  const passages = [{ chapter: 1, quote: text.slice(0, 60) }];
  await box.getByLabel("The reply").fill(JSON.stringify({ said: true, answer: "Nobody does.", passages }));
  await box.getByRole("button", { name: "Check the reply" }).click();
  const answer = page.locator(".book-answer", { hasText: "Nobody does." }).locator("mark");
  await answer.waitFor();
  await page.reload();
  await answer.waitFor();
  expect(open.complaints).toEqual([]);
  await open.close();
});

/**
 * Takes the pictures of the guide from the web app itself, with the bundled stories and an empty library:
 *
 *   npm run build && npx tsx scripts/take-pictures.ts
 *
 * It needs the browser that the tests of the web app use. Look at every picture before committing it.
 */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { BookSummary } from "../src/api/books.ts";
import { serveFabula } from "../test/e2e/serve-fabula.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { enter } from "../test/support/open-page.ts";

const OUTPUT = "docs/guide/pictures";
const STORIES = ["the-inspector-of-weights.md", "the-lamp-at-mist-harbour.zh.md"];
const DESK = { width: 1100, height: 640 };
const PHONE = { width: 390, height: 660 };
const PATIENCE = 90_000;

const folder = await mkdtemp(join(tmpdir(), "fabula-pictures-"));
await mkdir(OUTPUT, { recursive: true });
const [server, browser] = await Promise.all([serveFabula(folder), launchChromium()]);
try {
  await takeAll(browser);
} finally {
  await browser.close();
  await server.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
}

async function openAt(size: typeof DESK, locale = "en-GB"): Promise<Page> {
  const context = await browser.newContext({ viewport: size, locale, colorScheme: "light", reducedMotion: "reduce" });
  await enter(context, server.url);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  return page;
}

/** What fits the window: a guide shows a screen, not a scroll. `from` is what stands at its top. */
async function keep(page: Page, name: string, from?: string): Promise<void> {
  await page.evaluate("document.fonts.ready");
  if (from !== undefined) {
    // The browser restores its own place first; a short moment after everything is drawn it holds still.
    await page.waitForLoadState("networkidle");
    await page.evaluate(`document.querySelector(${JSON.stringify(from)}).scrollIntoView({ block: "start" })`);
    // A line that stays at the top of the window would hide it.
    await page.evaluate(`scrollBy(0, -(document.querySelector(".report-facts")?.offsetHeight ?? 0))`);
  }
  await page.screenshot({ path: join(OUTPUT, `${name}.png`), animations: "disabled" });
  console.log(`${OUTPUT}/${name}.png`);
}

async function show(page: Page, address: string, sign: string): Promise<void> {
  await page.goto(`${server.url}/#${address}`);
  await page.locator(sign).first().waitFor();
}

async function addStories(): Promise<BookSummary[]> {
  const added: BookSummary[] = [];
  for (const name of STORIES) {
    const content = await readFile(join("assets", "examples", name), "utf8");
    const answer = await server.upload("/api/books", { name, content });
    if (!answer.ok) throw new Error(await answer.text());
    added.push((await answer.json()) as BookSummary);
  }
  return added;
}

async function evaluate(page: Page, bookId: string): Promise<string> {
  await show(page, `/evaluate?book=${bookId}`, "button:has-text('Start')");
  await page.getByText("no offline judge reads a story").waitFor();
  await page.locator("button:enabled", { hasText: "Start" }).waitFor();
  await keep(page, "evaluate");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("link", { name: "Open the report" }).click();
  await page.getByRole("navigation", { name: "Parts of the report" }).waitFor();
  return /evaluations\/([^?]+)/.exec(page.url())![1]!;
}

async function reviseAndCompare(page: Page, bookId: string): Promise<void> {
  await show(page, `/books/${bookId}/read?notes=open&chapter=2`, ".note-card");
  await page.locator(".book-scroller").focus();
  await page.keyboard.press("n");
  await page.locator(".note-card.current").waitFor();
  await keep(page, "reader-notes");
  const edit = page.getByRole("button", { name: /^Edit this paragraph of/ });
  await edit.nth(1).click();
  const field = page.getByLabel("Paragraph", { exact: true });
  await field.press("Control+End");
  await field.pressSequentially(" There was a silence, and she felt it in the pit of her stomach.");
  await page.locator("[data-figure=filter-words]").waitFor();
  await page.setViewportSize({ ...DESK, height: 820 });
  await keep(page, "editing", ".book-scroller textarea");
  await page.setViewportSize(DESK);
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Save as a new draft" }).click();
  await page.getByText(/Paragraphs: 1 rewritten/).waitFor();
  await keep(page, "drafts", ".text-changes, .text-change");
}

async function takeAll(browser: Browser): Promise<void> {
  if (!browser.isConnected()) throw new Error("the browser has gone");
  const page = await openAt(DESK);
  await page.goto(server.url);
  await page.getByRole("button", { name: "Open a sample story" }).waitFor();
  await keep(page, "first-visit");
  const [story, chinese] = await addStories();
  const report = await evaluate(page, story!.id);
  await show(page, "/", ".tile");
  await keep(page, "library");
  await show(page, `/books/${story!.id}`, "h1");
  await page.getByRole("heading", { name: "About the book" }).waitFor();
  await keep(page, "book");
  for (const [tab, sign] of [
    ["letter", ".letter h2"],
    ["map", ".strip"],
    ["notes", ".note-card, .passage, blockquote"],
    ["verdicts", "table"],
    ["about", "main h2"],
  ] as const) {
    await show(page, `/evaluations/${report}?tab=${tab}`, sign);
    await keep(page, tab, "nav.tabs");
  }
  await reviseAndCompare(page, story!.id);
  await show(page, "/grid", ".score-grid tbody td");
  await keep(page, "grid");
  await show(page, "/benchmark", "main table, main svg");
  await keep(page, "benchmark");
  const phone = await openAt(PHONE);
  for (const [name, address, sign] of [
    ["phone-letter", `/evaluations/${report}?tab=letter`, ".letter h2"],
    ["phone-map", `/evaluations/${report}?tab=map`, ".strip"],
  ] as const) {
    await show(phone, address, sign);
    await keep(phone, name, "nav.tabs");
  }
  await show(phone, `/books/${story!.id}/read?notes=open`, ".book-scroller p");
  await phone.locator(".book-scroller").focus();
  await phone.keyboard.press("n");
  await phone.locator(".note-card.current").waitFor();
  await keep(phone, "phone-reader");
  const other = await openAt(DESK, "zh-CN");
  await show(other, `/evaluate?book=${chinese!.id}`, "fieldset");
  await keep(other, "chinese-evaluate");
  await show(other, `/evaluations/${report}?tab=letter`, ".letter h2");
  await keep(other, "chinese-letter");
}

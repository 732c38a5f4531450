import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Paged } from "../../src/api/answers.ts";
import type { BookDetails, BookSummary } from "../../src/api/books.ts";
import type { BookNotes } from "../../src/api/notes.ts";
import { seriousProblemsInBoth } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { type OpenPage, openPage } from "../support/open-page.ts";
import { draftOf, STORY } from "../support/stories.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

const TITLE = "The Inspector of Weights";
let folder: string;
let server: Served;
let browser: Browser;
let open: OpenPage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-writers-"));
  [server, browser] = await Promise.all([serveFabula(folder), launchChromium()]);
  open = await openPage(browser, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

const books = async () => (await server.json<Paged<BookSummary>>("/api/books?limit=50")).items;
const story = async () => (await books()).find(({ title, draft }) => title === TITLE && draft === 1)!;

describe.sequential("a writer", () => {
  it("is told what this is, drops three files at once, looks elsewhere meanwhile, and finds all three", async () => {
    const { page, picture } = open;
    await page.getByText(/Add a manuscript and read a letter about it/).waitFor();
    await page.getByRole("button", { name: "Open a sample story" }).waitFor();
    await picture("first-visit");
    const files = [
      ["story.md", await readFile(STORY, "utf8")],
      ["second.md", draftOf("The Second Draft", 4)],
      ["third.md", draftOf("A Third Story", 1)],
    ];
    const transfer = await page.evaluateHandle(
      `(() => { const data = new DataTransfer();
        for (const [name, text] of ${JSON.stringify(files)}) data.items.add(new File([text], name)); return data; })()`,
    );
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
    await page.goto(`${server.url}/#/readers`);
    await page.getByRole("heading", { level: 1, name: "Readers" }).waitFor();
    await expect.poll(async () => (await books()).length).toBe(3);
    await page.getByRole("link", { name: "Desk", exact: true }).click();
    for (const title of [TITLE, "The Second Draft", "A Third Story"])
      await page.locator(".tile", { hasText: title }).waitFor();
  });

  it("opens a report: the letter first, then the map, the notes and the verdicts", async () => {
    const { page, picture } = open;
    await page.locator(".tile", { hasText: TITLE }).click();
    await page.getByRole("link", { name: "About", exact: true }).click();
    await page.locator("main").getByRole("link", { name: "Evaluate" }).click();
    await page.getByText("no offline judge reads a story").waitFor();
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("link", { name: "Open the report" }).click();
    const tabs = page.getByRole("navigation", { name: "Parts of the report" });
    await tabs.waitFor();
    await picture("letter");
    await tabs.getByRole("link", { name: "Map" }).click();
    await page.locator(".strip").first().waitFor();
    expect(await page.locator(".strip a").first().getAttribute("title")).toMatch(/Chapter 1.*\nLength: \d/s);
    const published = page.getByRole("region", { name: "Beside published novels" });
    await expect.poll(() => published.getByRole("row").count()).toBeGreaterThan(20);
    await picture("map");
    await tabs.getByRole("link", { name: "Notes" }).click();
    await page.getByText(/\d+ of \d+ likely notes/).waitFor();
    await picture("notes");
    await page.goBack();
    await page.locator(".strip").first().waitFor();
  });

  it("filters notes by reason, steps through them by keyboard, and marks one done for good", async () => {
    const { page, picture } = open;
    await page.goto(`${server.url}/#/books/${(await story()).id}/read?notes=open`);
    const shown = page.getByText(/\d+ of \d+ likely notes/);
    await shown.waitFor();
    const all = Number.parseInt((await shown.textContent())!, 10);
    const filter = page.getByLabel("Notes", { exact: true });
    const reasons = await filter.locator("option").allTextContents();
    const reason = reasons.find((name) => /\(\d+\)$/.test(name))!;
    await filter.selectOption({ label: reason });
    const count = Number(/\((\d+)\)$/.exec(reason)![1]);
    await expect.poll(async () => Number.parseInt((await shown.textContent())!, 10)).toBe(count);
    expect(count).toBeLessThan(all);
    await filter.selectOption("open");
    await page.locator(".book-scroller").focus();
    await page.keyboard.press("n");
    const current = page.locator(".note-card.current");
    await current.waitFor();
    await page.locator("mark.passage").first().waitFor();
    await picture("reader-notes");
    const first = await current.getAttribute("data-note");
    await page.keyboard.press("n");
    await expect.poll(() => current.getAttribute("data-note")).not.toBe(first);
    await page.keyboard.press("p");
    await expect.poll(() => current.getAttribute("data-note")).toBe(first);
    const kept = page.waitForResponse((response) => response.url().includes(`/notes/${first}`));
    await page.keyboard.press("d");
    expect((await kept).status()).toBe(204);
    await expect.poll(async () => Number.parseInt((await shown.textContent())!, 10)).toBe(all - 1);
    await page.reload();
    await shown.waitFor();
    await expect.poll(async () => Number.parseInt((await shown.textContent())!, 10)).toBe(all - 1);
    await filter.selectOption("done");
    await page.locator(`[data-note="${first}"]`).getByText("done", { exact: true }).waitFor();
  });

  it("rewrites a paragraph, sees its figures change while typing, saves a draft and compares it with the first", async () => {
    const { page, picture } = open;
    const { id } = await story();
    await page.goto(`${server.url}/#/books/${id}/read?notes=open&chapter=2`);
    await page
      .getByRole("button", { name: /^Edit this paragraph of/ })
      .nth(1)
      .click();
    const field = page.getByLabel("Paragraph", { exact: true });
    const original = await field.inputValue();
    const figure = (name: string, column: number) =>
      page.locator(`[data-figure="${name}"] td`).nth(column).textContent();
    // The paragraph as it was is read by a request of its own.
    await expect.poll(() => figure("words", 0)).toMatch(/^\d+$/);
    const words = Number(await figure("words", 0));
    await field.press("End");
    await field.pressSequentially(" There was a silence, and she felt it in the pit of her stomach.");
    await expect.poll(() => figure("words", 1)).toBe(String(words + 14));
    await expect.poll(() => figure("words", 0)).toBe(String(words));
    await page.locator("[data-figure=filter-words]").waitFor();
    // Beside what is fixed and what is new, nobody is told that nothing can be told apart.
    expect(await page.locator(".paragraph-editor").textContent()).not.toContain("no clear difference");
    const chapter = page.getByRole("region", { name: "Chapter 2 as it is now" });
    await chapter.getByText(/^0 fixed, \d+ still there, 0 new\./).waitFor();
    // A sentence of the first chapter said again, and taken out again: the chapter is read as a whole, within the whole book.
    const [, said] = /\n\n([^#\n][^\n]{300,})\n/.exec(await readFile(STORY, "utf8"))!;
    const typed = await field.inputValue();
    await field.fill(`${typed}\n\n${said}`);
    await chapter.getByText(/^0 fixed, \d+ still there, 1 new\./).waitFor();
    await chapter.getByRole("listitem").filter({ hasText: "A passage appears twice" }).waitFor();
    await field.fill(typed);
    await chapter.getByText(/^0 fixed, \d+ still there, 0 new\./).waitFor();
    expect(await seriousProblemsInBoth(page)).toEqual([]);
    await picture("editing");
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("1 paragraph revised").waitFor();
    // What is not saved yet survives a reload.
    await page.reload();
    await page.getByRole("button", { name: "Save as a new draft" }).click();
    await page.getByText(/Paragraphs: 1 rewritten, 0 added, 0 removed, 0 moved/).waitFor();
    expect(await page.locator(".text-change ins").textContent()).toContain("in the pit of her stomach");
    expect(await page.locator(".text-change .side-text").first().textContent()).toContain(original.slice(0, 60));
    const scores = page.getByRole("region", { name: "What changed in the scores" });
    // A writer sees no juror's score without asking for it.
    expect(await scores.count()).toBe(0);
    await page.getByText("Scores of the prose").click();
    expect(await scores.getByRole("row", { name: /^Editor/ }).textContent()).toContain("cannot be told");
    await picture("drafts");
    const drafts = (await server.json<BookDetails>(`/api/books/${id}`)).drafts;
    expect(drafts).toHaveLength(2);
    await page.goto(`${server.url}/#/books/${drafts[1]!.id}`);
    await page.getByRole("link", { name: "Compare with the draft before" }).waitFor();
  });

  it("exports the manuscript as DOCX with the notes that are left as comments", async () => {
    const { page } = open;
    const { id } = await story();
    const { likely, notes } = await server.json<BookNotes>(`/api/books/${id}/notes`);
    expect(likely).toBeGreaterThan(0);
    await page.goto(`${server.url}/#/books/${id}`);
    await page.locator("a[href^='#/evaluations/']").first().click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "DOCX", exact: true }).click(),
    ]);
    const entries = unzipSync(await readFile((await download.path())!));
    const comments = strFromU8(entries["word/comments.xml"]!);
    const todo = notes.filter(({ mark }) => mark === null);
    expect(todo.length).toBe(notes.length - 1);
    // One for each note to do, and the letter at the top.
    expect(comments.match(/<w:comment /g)!.length).toBeGreaterThanOrEqual(todo.length);
    expect(comments.match(/<w:comment /g)!.length).toBeLessThanOrEqual(todo.length + 1);
    const text = strFromU8(entries["word/document.xml"]!).replace(/<[^>]*>/g, "");
    expect(text).toContain("The box weighed twenty-three kilograms");
  });

  it("comes back to the place where a list was left", async () => {
    const { page } = open;
    await page.setViewportSize({ width: 390, height: 500 });
    await page.goto(`${server.url}/#/books/${(await story()).id}`);
    await page.getByRole("heading", { name: "About the book" }).waitFor();
    // The page grows while its parts arrive: until then there may be no such place to scroll to.
    await expect.poll(() => page.evaluate<number>("(window.scrollTo(0, 400), window.scrollY)")).toBe(400);
    // At once after the last move, before the browser has drawn the page there and reported the scrolling.
    await page.evaluate("(window.scrollTo(0, 380), (location.hash = '#/readers'))");
    await page.getByRole("heading", { level: 1, name: "Readers" }).waitFor();
    await expect.poll(() => page.evaluate<number>("window.scrollY")).toBe(0);
    await page.goBack();
    await expect.poll(() => page.evaluate<number>("window.scrollY")).toBe(380);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

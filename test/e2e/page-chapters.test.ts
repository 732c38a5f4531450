import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BookDetails } from "../../src/api/books.ts";
import type { EvaluationDetails } from "../../src/api/evaluations.ts";
import type { BookMapAnswer } from "../../src/api/map.ts";
import { launchChromium } from "../support/chromium.ts";
import { addBook, addStory, judgeWithJury, problem } from "../support/library-requests.ts";
import { openPage } from "../support/open-page.ts";
import { epubOf } from "../support/small-files.ts";
import { draftOf } from "../support/stories.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-chapters-"));
  [server, browser] = await Promise.all([serveFabula(folder), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

/** Chapter 3 lost its mark, a blurb stands before the story, and Chapter 5 is the end of Chapter 4. */
function misread(): string {
  const [head = "", ...chapters] = draftOf("A Misread Book", 5).split(/^## .*$/m);
  const headings = ["## Chapter 1", "## Chapter 2", "The third chapter begins here.", "## Chapter 4", "## Chapter 5"];
  const blurb = `## Readers on this book\n\n${"Everybody who has read it was glad to have read it. ".repeat(20)}\n\n`;
  return `${head}${blurb}${chapters.map((text, at) => `${headings[at]}${text}`).join("")}`;
}

it("chapters are joined, split, renamed and set aside by hand, and the next evaluation reads them so", async () => {
  const { id, contents, warnings } = await addBook(server, "misread.md", misread());
  const titles = async () => (await details()).contents.map(({ title }) => title);
  const details = () => server.json<BookDetails>(`/api/books/${id}`);
  expect(contents.map(({ title }) => title)).toEqual([
    "Readers on this book",
    ...["Chapter 1", "Chapter 2", "Chapter 4", "Chapter 5"],
  ]);
  expect(warnings.join()).toContain("jumps: 2 to 4");

  const { page, complaints, close } = await openPage(browser, `${server.url}/#/books/${id}`);
  await page.getByRole("link", { name: "Correct the chapters" }).click();
  await page.getByRole("heading", { level: 1, name: "Correct the chapters" }).waitFor();
  await page.getByRole("navigation", { name: "Parts of the book" }).waitFor();
  const field = (label: string, chapter: number) => page.getByLabel(`${label}: Chapter ${chapter}`, { exact: true });
  await field("Not part of the story", 1).check();
  await field("Title", 2).fill("The Market");
  await field("Split at the line that begins with", 3).fill("The third chapter");
  await field("Title of the new chapter", 3).fill("Chapter 3");
  await field("Join to the one before", 5).check();
  await page.getByRole("button", { name: "Save the chapters" }).click();
  await page.getByRole("link", { name: "The Market" }).waitFor();
  const corrected = ["The Market", "Chapter 2", "Chapter 3", "Chapter 4"];
  expect(await titles()).toEqual(corrected);
  expect((await details()).warnings).toEqual([]);
  expect((await details()).removed.map(({ rule }) => rule)).toContain("front matter, by hand");

  const { evaluationId } = await judgeWithJury(server, id);
  const { evaluation } = await server.json<EvaluationDetails>(`/api/evaluations/${evaluationId}`);
  expect(evaluation.book.chapters.map(({ title }) => title)).toEqual(corrected);

  // The form shows what was saved, and gives the chapters of the file back.
  await page.getByRole("link", { name: "Correct the chapters" }).click();
  await expect.poll(() => field("Title", 2).inputValue()).toBe("The Market");
  expect(await field("Join to the one before", 5).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Restore the file’s chapters" }).click();
  await page.getByRole("link", { name: "Chapter 5" }).waitFor();
  expect((await details()).warnings.join()).toContain("jumps: 2 to 4");
  expect(complaints).toEqual([]);
  await close();
});

it("a file whose parts and chapters can both be the chapters is read in either way", async () => {
  const [, ...texts] = draftOf("A Novel in Two Ways", 6).split(/^## .*$/m);
  const chapter = (text: string, at: number) =>
    `<h2>Chapter ${at + 1}</h2>${text.trim().replaceAll(/^(.+)$/gm, "<p>$1</p>")}`;
  const part = (name: string, from: number) => {
    const held = [from, from + 1, from + 2].map((at) => chapter(texts[at]!, at));
    return `<html><body><section epub:type="chapter"><h1>${name}</h1>${held.join("")}</section></body></html>`;
  };
  const epub = epubOf({ "a.xhtml": part("The Sea", 0), "b.xhtml": part("The Town", 3) });
  const { id, contents } = await addBook(server, "two-ways.epub", epub);
  const titles = async () => (await server.json<BookDetails>(`/api/books/${id}`)).contents.map(({ title }) => title);
  const chapters = [1, 2, 3, 4, 5, 6].map((chapter) => `Chapter ${chapter}`);
  expect(contents.map(({ title }) => title)).toEqual(chapters);

  const { page, complaints, picture, close } = await openPage(browser, `${server.url}/#/books/${id}/chapters`);
  const ways = page.getByRole("group", { name: /Divided by numbered chapter headings: 6 chapters/ });
  await ways.waitFor();
  await picture("reading-choice");
  await ways.getByRole("button", { name: "By the file's own division: 2 chapters" }).click();
  await page.getByRole("link", { name: "The Town" }).waitFor();
  expect(await titles()).toEqual(["The Sea", "The Town"]);

  await page.getByRole("link", { name: "Correct the chapters" }).click();
  await page.getByRole("button", { name: "By numbered chapter headings: 6 chapters" }).click();
  await page.getByRole("link", { name: "Chapter 6" }).waitFor();
  expect(await titles()).toEqual(chapters);
  expect(complaints).toEqual([]);
  await close();
});

it("two characters are joined by hand, and the map counts them as one", async () => {
  const { id } = await addStory(server);
  const characters = async () =>
    (await server.json<BookMapAnswer>(`/api/books/${id}/map`)).characters!.characters.map(({ name, mentions }) => ({
      name,
      mentions,
    }));
  const [first, second, ...others] = await characters();
  const { page, complaints, close } = await openPage(browser, `${server.url}/#/books/${id}/map`);
  await page.getByText("Correct the characters", { exact: true }).click();
  const name = (of: string) => page.getByLabel(`Name of ${of}`, { exact: true });
  await page.getByLabel(`${second!.name} is the same as…`, { exact: true }).selectOption(first!.name);
  // Choosing a name changes nothing yet.
  expect(await name(second!.name).isVisible()).toBe(true);
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await name(second!.name).waitFor({ state: "detached" });
  expect(await name(first!.name).isVisible()).toBe(true);
  expect(await characters()).toEqual([{ name: first!.name, mentions: first!.mentions + second!.mentions }, ...others]);

  await page.getByRole("button", { name: "Undo all corrections" }).click();
  await name(second!.name).waitFor();
  expect(await characters()).toEqual([first, second, ...others]);

  // What is typed is kept by the click that follows it, though the server has not answered the one when the other comes.
  let answer = () => {};
  const clicked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/characters$/, async (route) => {
    await clicked;
    await route.continue();
  });
  await page.getByLabel(`${second!.name} is the same as…`, { exact: true }).selectOption(others[0]!.name);
  await name(first!.name).fill("Somebody Else");
  await page.getByRole("button", { name: "Join", exact: true }).click();
  answer();
  await name(second!.name).waitFor({ state: "detached" });
  await name("Somebody Else").waitFor();
  await expect.poll(async () => (await characters()).map((one) => one.name)).not.toContain(first!.name);
  expect((await characters()).map((one) => one.name)).not.toContain(second!.name);
  expect(complaints).toEqual([]);
  await close();

  const corrections = { merge: [["", first!.name]], split: [], rename: [], drop: [] };
  expect(await problem(server.send("PATCH", `/api/books/${id}/characters`, corrections))).toMatchObject({
    status: 400,
  });
});

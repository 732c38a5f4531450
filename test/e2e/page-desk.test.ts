import { readdirSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import type { Browser, Download, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BookLetter, Story } from "../../src/api/letters.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { seriousProblems, seriousProblemsInBoth } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { ABSENT, FAULTY_DRAFT, REPAIRED_DRAFT } from "../support/drafts-with-faults.ts";
import { hasLibreOffice, resolvedInOffice } from "../support/libre-office.ts";
import { docx, type Written } from "../support/manuscripts.ts";
import { type OpenPage, openPage } from "../support/open-page.ts";
import { simulatedReader } from "../support/simulated-reader.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;
let models: SimulatedServer;
let open: OpenPage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-desk-"));
  models = await createSimulatedServer({
    reply: async (request, random) => {
      const schema = JSON.stringify(request.schema);
      if (schema.includes('"works"')) await mayWrite;
      return schema.includes('"said"') ? JSON.stringify(ANSWER) : simulatedReader(request, random);
    },
  });
  await writeFile(
    join(folder, "prices.yaml"),
    `date: 2026-01-01\nmodels:\n  "${models.judge("reader")}": { input: 10, output: 40 }\n`,
  );
  [server, browser] = await Promise.all([serve(), launchChromium()]);
  open = await openPage(browser, server.url, { viewport: { width: 1440, height: 900 } });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

/** What the model's letter waits for. */
let mayWrite = Promise.resolve();

const ANSWER = {
  said: true,
  answer: "Forty-three, and later thirty-four.",
  passages: [{ chapter: 1, quote: "Forty-three names stood on the wall." }],
};

const serve = () => serveFabula(folder, ["--judges", models.judge("reader"), "--prices", join(folder, "prices.yaml")]);

/** A manuscript in Markdown as a Word file that an editor opens: with the types and relations of its parts. */
function asDocx(markdown: string): Uint8Array {
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packaged = "http://schemas.openxmlformats.org/package/2006";
  const bare = docx(
    markdown.split(/\n{2,}/).map((block): Written => {
      const heading = /^(#+) (.*)$/.exec(block);
      if (!heading) return { text: block };
      return heading[1] === "#" ? { text: heading[2]!, style: "Title" } : { text: heading[2]!, level: 1 };
    }),
  );
  return zipSync({
    ...unzipSync(bare),
    "[Content_Types].xml": strToU8(
      `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${word}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${word}.styles+xml"/></Types>`,
    ),
    "_rels/.rels": strToU8(
      `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    "word/_rels/document.xml.rels": strToU8(
      `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ),
  });
}

async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const transfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); const bytes = Uint8Array.from(${JSON.stringify([...bytes])});
      data.items.add(new File([bytes], ${JSON.stringify(name)})); return data; })()`,
  );
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

/** A file of the built page is named after the module that it begins with. */
const moduleNames = (folder: string) =>
  new Set(readdirSync(folder, { recursive: true }).map((path) => parse(String(path)).name));

/** Which of these addresses are code or style of the lab. */
function loadedOfLab(urls: readonly string[]): string[] {
  const [lab, desk] = [moduleNames("page/lab"), moduleNames("page/desk")];
  expect(lab.size).toBeGreaterThan(30);
  return urls.filter((url) => {
    const name = /\/assets\/(.+)-[\w-]{8}\.\w+$/.exec(url)?.[1] ?? "";
    return lab.has(name) && !desk.has(name);
  });
}

/** The parts of the page in the order in which a screen reader meets them. */
async function readingOrder(page: Page): Promise<string[]> {
  const tree = await page.locator("main").ariaSnapshot();
  const parts =
    tree.match(/(?<=^ *- '?)(?:(?:heading|navigation|complementary|region) ".*?"(?= \[level=[12]\]|:)|article)/gm) ??
    [];
  return parts.filter((part, at) => part !== parts[at - 1]);
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const finding = (page: Page, title: string) => page.locator(".finding").filter({ hasText: title });

async function saved(download: Promise<Download>): Promise<Uint8Array> {
  return readFile(await (await download).path());
}

describe.sequential("the writer's desk", () => {
  it("opens with the books, loads nothing of the lab, and is small", async () => {
    const files: { url: string; bytes: number }[] = [];
    const fresh = await browser.newContext({ locale: "en-GB" });
    await fresh.request.get(server.link);
    const page = await fresh.newPage();
    page.on("response", async (response) => {
      if (!/\/assets\/|\/$/.test(new URL(response.url()).pathname)) return;
      const { responseBodySize } = await response.request().sizes();
      files.push({ url: response.url(), bytes: responseBodySize });
    });
    // The server starts what reads a book, long before one is dropped.
    const expected = page.waitForResponse((response) => response.url().endsWith("/api/books/coming"));
    await page.goto(server.url);
    expect((await expected).status()).toBe(204);
    await page.getByText("No books yet").waitFor();
    await page.waitForLoadState("networkidle");
    const kilobytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
    console.log(`first load: ${kilobytes.toFixed(1)} kB compressed in ${files.length} files`);
    expect(kilobytes).toBeLessThan(110);
    expect(loadedOfLab(files.map(({ url }) => url))).toEqual([]);
    expect(files.filter(({ url }) => url.includes("chinese"))).toEqual([]);
    await fresh.close();
  });

  it("remembers which home one works in, and every address stays what it was", async () => {
    const { page } = open;
    await page.getByRole("link", { name: "Lab", exact: true }).click();
    await heading(page, "Grid");
    await page.goto(`${server.url}/`);
    await page.reload();
    await heading(page, "Grid");
    await page.getByRole("link", { name: "Desk", exact: true }).click();
    await heading(page, "Library");
    await page.goto(`${server.url}/#/runs`);
    await heading(page, "Runs");
    // A link into the lab is a look: what was chosen stays.
    await page.goto(`${server.url}/`);
    await page.reload();
    await heading(page, "Library");
  });

  it("goes from a dropped Word file to the open letter without another click", async () => {
    const { page, picture } = open;
    // Dropped in the lab: anywhere will do.
    await page.goto(`${server.url}/#/runs`);
    await heading(page, "Runs");
    await drop(page, "entwurf 7.docx", asDocx(FAULTY_DRAFT));
    await heading(page, "The Storm");
    // A busy machine takes its time.
    await finding(page, "How many names?").waitFor({ timeout: 250_000 });
    expect(await page.getByText("1 finding", { exact: false }).count()).toBe(0);
    await picture("desk-letter");
    expect(await seriousProblemsInBoth(page)).toEqual([]);
    expect(await readingOrder(page)).toEqual([
      'heading "The Storm"',
      'navigation "Parts of the book"',
      'heading "In short"',
      'heading "Must fix: any reader will stop here"',
      "article",
      'heading "Should fix: a careful reader will notice"',
      "article",
      'heading "Worth a thought"',
      "article",
      'complementary "Read the story with a model"',
      'complementary "Passages"',
    ]);
    // As it is read aloud: what it is, the place, then what can be said of it.
    expect(await page.locator(".letter").ariaSnapshot()).toMatch(
      /heading "In short" \[level=2\][\s\S]*article[\s\S]*heading "\d+\. How many names\?" \[level=3\][\s\S]*list:[\s\S]*group "Your decision: How many names\?"[\s\S]*button "Accept"[\s\S]*button "Done"/,
    );
  });

  it("shows both places of a contradiction beside the letter, and goes on by keyboard", async () => {
    const { page, picture } = open;
    await finding(page, "How many names?")
      .getByRole("button", { name: /How many names/ })
      .click();
    const pane = page.getByRole("complementary", { name: "Passages" });
    await pane.getByText("Forty-three names stood on the wall.").waitFor();
    const marked = pane.locator("mark");
    // Each place comes with a request of its own.
    await expect
      .poll(() => marked.allTextContents())
      .toEqual([expect.stringMatching(/Forty-three names/), expect.stringMatching(/thirty-four names/)]);
    // The chapter around a passage may come later, and its mark is another element then.
    const boxes = () => Promise.all([marked.nth(0).boundingBox(), marked.nth(1).boundingBox()]);
    await expect
      .poll(async () => {
        const [left, right] = await boxes();
        return left !== null && right !== null && right.x > left.x + left.width - 1;
      })
      .toBe(true);
    await picture("desk-contradiction");
    expect(await seriousProblemsInBoth(page)).toEqual([]);
    const before = await page.locator(".finding.open h3").textContent();
    await page.keyboard.press("j");
    await expect.poll(() => page.locator(".finding.open h3").textContent()).not.toBe(before);
    await page.keyboard.press("k");
    await expect.poll(() => page.locator(".finding.open h3").textContent()).toBe(before);
    await expect.poll(() => page.evaluate("document.activeElement.closest('.finding') !== null")).toBe(true);
  });

  it("shows only what a filter lets through", async () => {
    const { page } = open;
    const all = await page.locator(".finding").count();
    await page.getByRole("combobox", { name: "Kind" }).selectOption({ label: "passage appears twice" });
    await expect.poll(() => page.locator(".finding").count()).toBe(3);
    await page.getByRole("combobox", { name: "Chapter" }).selectOption({ label: "Chapter 1" });
    await expect.poll(() => page.locator(".finding").count()).toBe(2);
    // It is there again for whoever comes back.
    await page.getByRole("link", { name: "Story", exact: true }).click();
    await page.getByRole("heading", { name: "Scenes" }).waitFor();
    await page.getByRole("link", { name: "Letter", exact: true }).click();
    await expect.poll(() => page.locator(".finding").count()).toBe(2);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => page.locator(".finding").count()).toBe(all);

    const { letter } = await server.json<BookLetter>(
      `/api/books/${page.url().split("/books/")[1]!.split("/")[0]}/letter`,
    );
    const numbered = letter!.findings.filter(({ number }) => number !== null);
    const severities = [...new Set(numbered.map(({ severity }) => severity))];
    expect(severities.length).toBeGreaterThan(1);
    for (const severity of severities) {
      const ids = numbered.filter((found) => found.severity === severity).map(({ id }) => `finding-${id}`);
      await page.getByRole("combobox", { name: "Priority" }).selectOption(severity);
      await expect
        .poll(async () => (await page.locator(".finding").evaluateAll((all) => all.map(({ id }) => id))).sort())
        .toEqual(ids.sort());
    }
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => page.locator(".finding").count()).toBe(all);
  });

  it("keeps what is said of findings across a restart, and lets them be opened again", async () => {
    const { page } = open;
    const names = finding(page, "How many names?");
    const order = finding(page, "Chapter numbers out of sequence");
    const mark = async (which: typeof names, name: string) => {
      const kept = page.waitForResponse((response) => /\/findings\//.test(response.url()));
      await which.getByRole("button", { name, exact: true }).click();
      expect((await kept).status()).toBe(204);
    };
    const said = (which: typeof names) => which.locator(".finding-facts strong");
    // Without the server nothing is kept, and nothing is shown as if it were.
    await page.route("**/findings/*", (route) => route.abort());
    await order.getByRole("button", { name: "Later" }).click();
    await page.getByRole("alert").getByText("The server is not responding").waitFor();
    await order.getByRole("button", { name: "Later", pressed: false }).waitFor();
    await page.unroute("**/findings/*");
    await mark(names, "Done");
    await mark(order, "Accept");
    const address = page.url();
    await server.stop("SIGINT");
    server = await serve();
    await page.context().request.get(server.link);
    await page.goto(address.replace(/^http:\/\/[^/]+/, server.url));
    await said(names).filter({ hasText: "done" }).waitFor();
    await said(order).filter({ hasText: "accepted" }).waitFor();
    await mark(names, "Done");
    await expect.poll(() => said(names).count()).toBe(0);
    await page.reload();
    await names.getByRole("button", { name: "Done", pressed: false }).waitFor();
    open.complaints.length = 0;
  });

  it("writes the findings as comments into the writer's own Word file, and reads back which are resolved", async () => {
    const { page } = open;
    const accepted = page.waitForResponse((response) => /\/findings\//.test(response.url()));
    await finding(page, "How many names?").getByRole("button", { name: "Accept" }).click();
    await accepted;
    await page.getByText("Export").click();
    expect(await seriousProblemsInBoth(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: /Manuscript with comments/ }).click();
    const bytes = await saved(download);
    const own = unzipSync(bytes);
    const comments = strFromU8(own["word/comments.xml"]!);
    expect(comments).toContain("How many names?");
    expect(strFromU8(own["word/document.xml"]!)).toContain("commentRangeStart");
    if (!hasLibreOffice()) expect(process.env.CI, "CI must have LibreOffice").toBeUndefined();
    // Where LibreOffice cannot be installed, what version 7.4 saved of this file after the comment was resolved in it.
    const edited = hasLibreOffice()
      ? await resolvedInOffice(bytes, "How many names?")
      : await readFile("test/fixtures/resolved-in-libreoffice.docx");
    const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    await page.setInputFiles("input[accept='.docx']", {
      name: "edited.docx",
      mimeType: type,
      buffer: Buffer.from(edited),
    });
    await page.getByText(/1 done, \d+ still open\./).waitFor();
    await finding(page, "How many names?").getByRole("button", { name: "Done", pressed: true }).waitFor();
  });

  it("takes the letter and its notes along", async () => {
    const { page } = open;
    if (!(await page.getByRole("link", { name: "Letter (HTML)" }).isVisible())) await page.getByText("Export").click();
    const html = page.waitForEvent("download");
    await page.getByRole("link", { name: "Letter (HTML)" }).click();
    // The letter and no more, with what was said of its findings.
    const written = Buffer.from(await saved(html)).toString("utf8");
    expect(written).toContain("How many names? (done)");
    expect(written).not.toContain("Aspect by aspect");
    const notes = page.waitForEvent("download");
    await page.getByRole("link", { name: /Notes for Scrivener/ }).click();
    expect((await notes).suggestedFilename()).toBe("The-Storm-notes.zip");
    const files = unzipSync(await saved(notes));
    const about = Object.keys(files).find((name) => name.startsWith("Findings/") && name.includes("How many names"))!;
    expect(strFromU8(files[about]!)).toMatch(/\[\[Chapter/);
    const note = about.replace(/^Findings\/|\.md$/g, "");
    expect(strFromU8(files["Findings.md"]!)).toContain(`- [x] [[${note}]]`);
    await page.keyboard.press("Escape");
  });

  it("tells a repaired draft by its text, and names the five faults that are fixed", async () => {
    const { page, picture } = open;
    await drop(page, "quite another name.md", strToU8(REPAIRED_DRAFT));
    const changes = page.getByRole("region", { name: "Since draft 1" });
    await changes.getByText(/^5 fixed, \d still there, 0 new\./).waitFor({ timeout: 250_000 });
    const fixed = changes.locator("details", { hasText: "Fixed (5)" }).getByRole("listitem");
    expect((await fixed.allTextContents()).filter((text) => /“The storm came over the hill/.test(text))).toHaveLength(
      1,
    );
    expect((await fixed.getByRole("link").allTextContents()).sort()).toEqual([
      "A passage appears twice",
      "A passage appears twice",
      "A passage appears twice",
      "Chapter numbers out of sequence",
      "How many names?",
    ]);
    await picture("desk-drafts");
    expect(await seriousProblemsInBoth(page)).toEqual([]);
  });

  it("keeps a book with its drafts in one place on the shelf, and says what is left to do there", async () => {
    const { page, picture } = open;
    await page.locator(".finding").first().waitFor();
    const left = (await page.locator(".finding").count()) - 1;
    expect(left).toBeGreaterThan(0);
    await page.locator(".finding").first().getByRole("button", { name: "Done" }).click();
    await expect.poll(() => page.locator(".finding.settled").count()).toBe(1);
    await page.getByRole("link", { name: "Library" }).first().click();
    const book = page.locator(".shelf li", { hasText: "The Storm" });
    await book.getByText(`${left} open finding`).waitFor();
    expect(await book.count()).toBe(1);
    expect(await book.textContent()).not.toMatch(/of 100|crowd|jury/i);
    // All of the shelf is there: nobody is told that it is one of one.
    expect(await page.getByText(/^\d+ of \d+$/).count()).toBe(0);
    expect(await seriousProblemsInBoth(page)).toEqual([]);
    await picture("desk-shelf");
    await book.getByRole("link", { name: "Draft 1", exact: true }).click();
    await page.locator(".letter-facts", { hasText: "words" }).waitFor();
    expect(await page.getByRole("region", { name: "Since draft 1" }).count()).toBe(0);
    await page.goBack();
    await book.locator(".tile").click();
    await page.getByRole("region", { name: "Since draft 1" }).waitFor();
  });

  it("keeps books apart and joins them by hand", async () => {
    const { page } = open;
    await page.getByRole("button", { name: "This is a different book" }).click();
    await expect.poll(() => page.getByRole("region", { name: "Since draft 1" }).count()).toBe(0);
    await page.getByRole("link", { name: "About" }).click();
    await page.getByLabel("This is a draft of").selectOption({ label: "The Storm" });
    await page.getByRole("button", { name: "Join", exact: true }).click();
    await page.getByRole("region", { name: "Drafts" }).waitFor();
  });

  it("reads the story with a model: price first, then what is found, then the letter", async () => {
    const { page, picture } = open;
    await page.getByRole("link", { name: "Letter", exact: true }).click();
    const offer = page.locator(".model-reading summary");
    await offer.filter({ hasText: /about \$\d+\.\d\d/ }).waitFor();
    const most = Number(/at most \$(\d+\.\d\d)/.exec((await page.locator(".model-choice").textContent())!)![1]);
    let write = () => {};
    mayWrite = new Promise((resolve) => {
      write = resolve;
    });
    await page.getByRole("button", { name: "Read the story" }).click();
    await page.getByText(/^\d+ found so far$/).waitFor();
    write();
    await page.locator(".letter-facts", { hasText: "reader" }).waitFor();
    const { cost } = (await server.json<BookLetter>(`/api${/\/books\/\w+\/letter/.exec(page.url())![0]}`)).readings[0]!;
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(most);
    await expect.poll(() => page.locator(".finding").count()).toBeGreaterThan(100);
    await page.getByText("Export").click();
    const taken = async (name: string) => {
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name }).click();
      return Buffer.from(await saved(download)).toString("utf8");
    };
    const story = JSON.parse(await taken("Story (JSON)")) as Story;
    expect(story.chapters.map(({ place }) => place)).toEqual(["the quay", "the quay", "the quay"]);
    expect(story.people.map(({ name }) => name)).toContain("Keeper 0");
    expect(await taken("Story (Markdown)")).toMatch(
      /^# The Storm[\s\S]*Keeper 0[\s\S]*the quay|^# The Storm[\s\S]*the quay[\s\S]*Keeper 0/,
    );
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Story", exact: true }).click();
    await page.getByRole("heading", { name: "Scenes" }).waitFor();
    await page.locator(".board-chapter").nth(2).waitFor();
    await expect.poll(() => page.locator(".scene").count()).toBe(3);
    await page.getByRole("heading", { name: "Threads" }).waitFor();
    // On the card itself; what is kept is one list, which the next reading is told.
    const card = page.locator(".board-chapter", { hasText: "Chapter Two" });
    await card.getByRole("button", { name: "Correct Chapter Two" }).click();
    await card.getByLabel("Place").fill("the old mill");
    await card.getByLabel("Who is there").fill("Hadley and Voss");
    await card.getByLabel("Tension").selectOption("5");
    expect(await seriousProblemsInBoth(page)).toEqual([]);
    const other = page.locator(".board-chapter", { hasText: "Chapter Three" });
    await other.getByRole("button", { name: "Correct Chapter Three" }).click();
    await other.getByLabel("Place").fill("the lock");
    // Two saved at once, while a third correction is being typed: all three are kept.
    const list = page.getByLabel("What the reading got wrong");
    await list.fill("Hadley is a woman.");
    await page.locator(".scene-board form").evaluateAll((forms) => {
      for (const form of forms as { requestSubmit(): void }[]) form.requestSubmit();
    });
    await card.getByText("the old mill").waitFor();
    await other.getByText("the lock").waitFor();
    const kept = page.waitForResponse(
      (response) => response.request().method() === "PUT" && response.url().endsWith("/facts"),
    );
    await list.locator("xpath=ancestor::form").getByRole("button", { name: "Save" }).click();
    await (await kept).finished();
    await page.reload();
    await card.getByText("tension 5 of 5").waitFor();
    await card.getByText("Tension", { exact: true }).waitFor();
    await expect.poll(() => card.textContent()).toMatch(/the old mill.*Hadley and Voss.*Corrected by you/);
    await expect
      .poll(() => list.inputValue())
      .toBe(
        "Hadley is a woman.\nChapter 2, place: the old mill\nChapter 2, who is there: Hadley and Voss\nChapter 2, tension from 1 to 5: 5\nChapter 3, place: the lock",
      );
    await picture("desk-story");
    expect(await seriousProblems(page)).toEqual([]);
  });

  it("corrects a thread, and the story that is exported has the correction", async () => {
    const { page } = open;
    const thread = page.locator(".threads li").first();
    await thread.getByRole("button", { name: /^Correct/ }).click();
    await thread.getByLabel("Thread").fill("Who chained the gate");
    await thread.getByLabel("Closes in").selectOption({ label: "Chapter 3" });
    expect(await seriousProblems(page)).toEqual([]);
    const kept = page.waitForResponse(
      (response) => response.request().method() === "PUT" && response.url().endsWith("/facts"),
    );
    await thread.getByRole("button", { name: "Save" }).click();
    await (await kept).finished();
    await thread.getByText("Who chained the gate").first().waitFor();
    await thread.getByRole("link", { name: "closes in Chapter 3" }).waitFor();
    await page.getByRole("link", { name: "Letter", exact: true }).click();
    await page.getByText("Export").click();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Story (Markdown)" }).click();
    const story = strFromU8(await saved(download));
    expect(story).toContain("Who chained the gate: opens in chapter");
    expect(story).toContain("Hadley is a woman.");
    expect(story).toContain("the old mill");
  });

  it("answers questions from the book, with passages that lead to their places", async () => {
    const { page } = open;
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    const asked = models.exchanges.length;
    const status = page.locator(".ask-choice").getByRole("status");
    // Enter spends nothing before the price is there.
    const field = page.getByLabel("Your question");
    await field.fill("How many names are on the wall?");
    await field.press("Enter");
    await status.filter({ hasText: /\$|no charge|price not known/ }).waitFor();
    expect(models.exchanges).toHaveLength(asked);
    await field.press("Enter");
    await page.getByText("Forty-three, and later thirty-four.").first().waitFor();
    // It is there again for whoever comes back.
    await page.getByRole("link", { name: "Letter", exact: true }).click();
    await page.locator(".letter h2").first().waitFor();
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByText("Forty-three, and later thirty-four.").first().waitFor();
    // Asked again, and the call fails: the reason is shown, and the answer stays.
    const failed = { answer: null, reason: "the connection broke", plan: null };
    await page.route("**/ask", (route) => {
      const sent = route.request().postDataJSON();
      if (!sent || sent.isPlan) return route.continue();
      return route.fulfill({ json: { ...failed, kept: { ...sent, ...failed, askedAt: "2026-01-01T00:00:00Z" } } });
    });
    await field.fill("How many names are on the wall?");
    await status.filter({ hasText: /\$|no charge|nothing to pay|price not known/ }).waitFor();
    await field.press("Enter");
    await page.getByRole("alert").getByText("the connection broke").waitFor();
    expect(await page.getByText("Forty-three, and later thirty-four.").count()).toBeGreaterThan(0);
    await page.unroute("**/ask");
    const passage = page.getByRole("region", { name: /Chapter One/ });
    await passage.locator("mark", { hasText: "Forty-three names stood on the wall." }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await passage.getByRole("link", { name: "Open in the text" }).click();
    await page.locator("mark.passage").first().waitFor();
    // What the letter finds is marked in the text, as long as one likes.
    await page.locator("mark.finding[title]").first().waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByLabel("Findings").selectOption("off");
    await expect.poll(() => page.locator("mark.finding").count()).toBe(0);
  });

  it("loads nothing of the lab in any of its views", async () => {
    const { page } = open;
    const book = /#\/books\/\w+/.exec(page.url())![0];
    const urls: string[] = [];
    page.on("response", (response) => urls.push(response.url()));
    for (const view of [
      "#/",
      book,
      ...["letter", "story", "read", "map", "ask", "chapters"].map((part) => `${book}/${part}`),
    ]) {
      await page.goto(`${server.url}/${view}`);
      await page.reload();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expect.poll(() => page.locator(".loading").count()).toBe(0);
      await page.waitForLoadState("networkidle");
    }
    expect(urls.filter((url) => url.endsWith(".js")).length).toBeGreaterThan(20);
    expect(loadedOfLab(urls)).toEqual([]);
    // And none of it is in a file of another name.
    const imports = readdirSync("page/desk", { recursive: true })
      .map(String)
      .filter((path) => /\.tsx?$/.test(path))
      .map(async (path) => [path, /from ".*\/lab\//.test(await readFile(join("page/desk", path), "utf8"))] as const);
    expect((await Promise.all(imports)).filter(([, isOfLab]) => isOfLab)).toEqual([]);
  });

  it("joins, parts and renames characters, and the letter changes", async () => {
    const { page, picture } = open;
    await page.goto(`${server.url}/#/library`);
    await drop(page, "ferry.md", strToU8(ABSENT));
    const letterSays = (title: string) => page.getByRole("button", { name: new RegExp(title) });
    await letterSays("Rosamund is not seen again").waitFor();
    const inCast = async (change: () => Promise<unknown>) => {
      await page.getByRole("link", { name: "Story", exact: true }).click();
      await page.getByText("Correct the characters").click();
      expect(await seriousProblemsInBoth(page)).toEqual([]);
      const again = page.waitForResponse((response) => response.url().endsWith("/readings"));
      await change();
      await again;
      await page.getByRole("link", { name: "Letter", exact: true }).click();
      await page.locator(".letter h2").first().waitFor();
    };
    await inCast(async () => {
      await page.getByLabel("Rosamund is the same as…").selectOption("Beatrice");
      await page.locator(".corrections").getByRole("button", { name: "Join" }).click();
    });
    await expect.poll(() => letterSays("Rosamund is not seen again").count()).toBe(0);
    await inCast(() => page.getByTitle("Rosamund is somebody else").click());
    await letterSays("Rosamund is not seen again").waitFor();
    await inCast(async () => {
      await page.getByLabel("Name of Rosamund").fill("Rosalind");
      await page.getByLabel("Name of Rosamund").blur();
    });
    await letterSays("Rosalind is not seen again").waitFor();
    await picture("desk-cast");
    // So does the letter of a model: what is counted in it follows, and it says that the rest waits.
    await page.getByRole("button", { name: "Read the story" }).click();
    await page.locator(".letter-facts", { hasText: "reader" }).waitFor();
    await inCast(async () => {
      await page.getByLabel("Name of Rosalind").fill("Rosemary");
      await page.getByLabel("Name of Rosalind").blur();
      await page.getByText("what the model wrote keeps the old names until its next reading").waitFor();
    });
    await page.getByText("What is counted follows your corrections of the cast").waitFor();
    await letterSays("Rosemary is not seen again").waitFor();
  });

  it("reads on a phone with the letter first, in the dark too", async () => {
    const phone = await openPage(browser, open.page.url(), {
      viewport: { width: 390, height: 844 },
      colorScheme: "dark",
    });
    await phone.page.locator(".letter h2").first().waitFor();
    expect((await phone.page.locator(".letter h2").first().boundingBox())!.y).toBeLessThan(844);
    expect(await phone.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(await seriousProblems(phone.page)).toEqual([]);
    await phone.picture("desk-phone-dark");
    // A finger hits what it is meant to hit.
    const mark = phone.page.locator(".marks button").first();
    await mark.scrollIntoViewIfNeeded();
    expect((await mark.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    // What opens over the letter is on the screen too, and so is every field of a chapter.
    await phone.page.getByText("Export").click();
    await phone.page.getByRole("link", { name: /Notes for Scrivener/ }).waitFor();
    expect(await phone.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    const panel = (await phone.page.locator(".take-out .panel").boundingBox())!;
    expect(panel.x).toBeGreaterThanOrEqual(0);
    expect(panel.x + panel.width).toBeLessThanOrEqual(390);
    await phone.page.goto(phone.page.url().replace(/letter.*$/, "chapters"));
    const rows = phone.page.locator(".table-scroller");
    await rows.waitFor();
    expect(await rows.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
    // Most of the screen is for the text; what it can be shown with is opened by its name.
    await phone.page.goto(phone.page.url().replace(/chapters$/, "read"));
    const paragraph = phone.page.locator("p.block:not(.muted)").first();
    await paragraph.waitFor();
    expect((await phone.page.locator(".book-scroller").boundingBox())!.height).toBeGreaterThan(844 / 2);
    await phone.page.getByText("Colours, findings, notes and search").click();
    // A place that is found is marked in its line, and does not break it.
    await phone.page.getByRole("searchbox").fill(/\p{L}{4,}/u.exec(await paragraph.innerText())![0]);
    await phone.page.locator("mark.hit").first().waitFor();
    const drawn = "getComputedStyle(document.querySelector('mark.hit')).display";
    expect(await phone.page.evaluate(drawn)).toBe("inline");
    expect(await seriousProblems(phone.page)).toEqual([]);
    // No column of the map is cut off.
    await phone.page.goto(phone.page.url().replace(/read.*$/, "map"));
    const figures = phone.page.locator(".table-scroller:has(.figures)");
    await figures.waitFor();
    expect(await figures.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
    await phone.close();
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { madeNovel } from "../../benchmarks/support/made-library.ts";
import type { ChapterText } from "../../src/api/books.ts";
import { launchChromium } from "../support/chromium.ts";
import { addBook } from "../support/library-requests.ts";
import { openPage, openPageIn } from "../support/open-page.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

const CHAPTERS = 60;

let folder: string;
let server: Served;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-reader-"));
  [server, browser] = await Promise.all([serveFabula(folder), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

describe("a long book", () => {
  it("is drawn only where one looks, and opens at any passage", async () => {
    const content = madeNovel(CHAPTERS, 3000);
    const book = await addBook(server, "long.md", content);
    const { text } = await server.json<ChapterText>(`/api/books/${book.id}/chapters/40`);
    const start = text.indexOf(" ", Math.floor(text.length / 2)) + 1;
    const address = (query: string) => `${server.url}/#/books/${book.id}/read${query}`;

    const open = await openPage(browser, address(`?chapter=40&start=${start}&end=${start + 30}`));
    const { page } = open;
    const fetched: string[] = [];
    page.on("request", (request) => {
      if (/chapters\/\d+$/.test(request.url())) fetched.push(request.url());
    });
    const mark = page.locator("mark.passage");
    await mark.first().waitFor();
    expect((await mark.allTextContents()).join("")).toBe(text.slice(start, start + 30));
    await expect.poll(() => isInSight(open.page, "mark.passage")).toBe(true);
    expect(await page.locator(".block").count()).toBeLessThan(100);

    // Chapters before it come and are measured; the passage stays where it is.
    await page.locator(".book-scroller").focus();
    const before = (await mark.first().boundingBox())!.y;
    await page.waitForLoadState("networkidle");
    expect(Math.abs((await mark.first().boundingBox())!.y - before)).toBeLessThan(2);

    await page.keyboard.press("End");
    const last = await server.json<ChapterText>(`/api/books/${book.id}/chapters/${CHAPTERS}`);
    const end = last.text.trim().split("\n\n").at(-1)!;
    await expect.poll(() => page.locator(".block").last().textContent()).toBe(end);
    await page.getByLabel(/^Chapters/).selectOption("2");
    await page.locator("h2[data-chapter='2']").waitFor();
    await expect.poll(() => isInSight(page, "h2[data-chapter='2']")).toBe(true);
    expect(fetched.length).toBeLessThan(15);
    expect(open.complaints).toEqual([]);
    await open.close();
  });

  const isInSight = async (page: Awaited<ReturnType<typeof openPage>>["page"], selector: string) => {
    const [box, view] = await Promise.all([
      page.locator(selector).first().boundingBox(),
      page.locator(".book-scroller").boundingBox(),
    ]);
    // A browser scrolls by whole pixels; text does not stand on them.
    return box !== null && view !== null && box.y >= view.y - 1 && box.y + box.height <= view.y + view.height + 1;
  };
});

describe("a server on this machine", () => {
  it("says what to do to who has no token, and lets in whoever opens the printed link, after a restart too", async () => {
    const own = await mkdtemp(join(tmpdir(), "fabula-token-"));
    const first = await serveFabula(own);
    const port = new URL(first.url).port;
    let second: Served | null = null;
    try {
      const without = await openPageIn(await browser.newContext({ locale: "en-GB" }), first.url);
      await without.page
        .getByText(/open the link that .?fabula serve.? printed/)
        .first()
        .waitFor();
      await without.close();
      const open = await openPageIn(await browser.newContext({ locale: "en-GB" }), first.link);
      await open.page.getByText("No books yet").waitFor();
      expect(open.page.url()).not.toContain("token");
      expect(open.complaints).toEqual([]);
      expect(await open.page.evaluate("document.cookie")).toBe("");
      expect(await open.page.context().cookies()).toMatchObject([{ httpOnly: true, sameSite: "Strict" }]);

      await first.stop("SIGINT");
      second = await serveFabula(own, ["--port", port]);
      expect(second.link).toBe(first.link);
      await open.page.reload();
      await open.page.getByText("No books yet").waitFor();
      await open.close();
    } finally {
      await first.stop("SIGINT");
      await second?.stop("SIGINT");
      await rm(own, { recursive: true, force: true });
    }
  });
});

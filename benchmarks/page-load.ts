/**
 * The page in a real browser: what the first load weighs, how soon the report of a 120,000-word novel can be used, how
 * soon a 400,000-word book is open, and how evenly it scrolls.
 *
 *   npx tsx benchmarks/page-load.ts [--report-words 120000] [--book-words 400000] [--repeats 5]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import type { BookDetails } from "../src/api/books.ts";
import { type Served, serveFabula } from "../test/e2e/serve-fabula.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { addBook, judgeWithJury } from "../test/support/library-requests.ts";
import { madeNovel } from "./support/made-novel.ts";

const { values } = parseArgs({
  options: {
    "report-words": { type: "string", default: "120000" },
    "book-words": { type: "string", default: "400000" },
    repeats: { type: "string", default: "5" },
  },
});
const repeats = Number(values.repeats);
const WORDS_PER_CHAPTER = 4000;

/** Scrolls by requestAnimationFrame and gives the milliseconds between frames. */
const SCROLLING = `new Promise((resolve) => {
  const scroller = document.querySelector(".book-scroller");
  const frames = [];
  const started = performance.now();
  let before = started;
  const step = (now) => {
    frames.push(now - before);
    before = now;
    scroller.scrollTop += 30;
    if (now - started < 3000) requestAnimationFrame(step);
    else resolve(frames.slice(1));
  };
  requestAnimationFrame(step);
})`;

const folder = await mkdtemp(join(tmpdir(), "fabula-page-load-"));
const [server, browser] = await Promise.all([serveFabula(folder), launchChromium()]);
try {
  await firstLoad(browser, server);
  await report(browser, server, Number(values["report-words"]));
  await book(browser, server, Number(values["book-words"]));
} finally {
  await browser.close();
  await server.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
}

/** Bytes over the wire, compressed as the server sends them, until the library can be used. */
async function firstLoad(browser: Browser, { url }: Served): Promise<void> {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  let files = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    files += 1;
  });
  await page.goto(url);
  await page.getByText("No books yet").waitFor();
  await page.waitForLoadState("networkidle");
  line("first load, compressed", `${(bytes / 1000).toFixed(1)} kB in ${files} answers`, "at most 300 kB");
  await page.close();
}

async function report(browser: Browser, server: Served, words: number): Promise<void> {
  const { id: bookId } = await add(server, words);
  const { evaluationId } = await judgeWithJury(server, bookId);
  const times = await repeated(browser, `${server.url}/#/evaluations/${evaluationId}`, (page) =>
    page.locator(".quotation a").last().waitFor(),
  );
  line(`report of ${words.toLocaleString("en-GB")} words, from address to use`, spread(times), "under 1,000 ms");
}

async function book(browser: Browser, server: Served, words: number): Promise<void> {
  const { id } = await add(server, words);
  const address = `${server.url}/#/books/${id}/read`;
  const middle = Math.ceil(words / WORDS_PER_CHAPTER / 2);
  const opened = await repeated(browser, address, (page) => page.locator(".block:not(.muted)").first().waitFor());
  line(`book of ${words.toLocaleString("en-GB")} words, open`, spread(opened), "under 1,000 ms");
  const within = await repeated(browser, `${address}?chapter=${middle}&start=200&end=260`, (page) =>
    page.locator("mark.passage").first().waitFor(),
  );
  line("the same, open at a passage in its middle", spread(within), "under 1,000 ms");

  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${address}?chapter=${middle}`);
  await page.locator(".block:not(.muted)").first().waitFor();
  const frames = (await page.evaluate(SCROLLING)) as number[];
  const late = frames.filter((frame) => frame > 1000 / 30).length;
  line(
    "scrolling for three seconds, a page every half second",
    `${(1000 / median(frames)).toFixed(0)} frames a second`,
    "60",
  );
  line("frames later than a thirtieth of a second", `${late} of ${frames.length}`, "hardly any");
  await page.close();
}

async function add(server: Served, words: number): Promise<BookDetails> {
  const content = madeNovel(Math.round(words / WORDS_PER_CHAPTER), WORDS_PER_CHAPTER);
  return addBook(server, `made-${words}.md`, content);
}

/** Milliseconds from the address to the sign of use, each time in a browser profile that has loaded nothing. */
async function repeated(browser: Browser, url: string, ready: (page: Page) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const started = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    await ready(page);
    times.push(performance.now() - started);
    await context.close();
  }
  return times;
}

function line(name: string, figure: string, aim: string): void {
  console.log(`  ${name.padEnd(56)} ${figure.padStart(28)}   (aim: ${aim})`);
}

function spread(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)})`;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

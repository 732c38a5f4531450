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
import type { Browser } from "playwright-core";
import type { BookDetails } from "../src/api/books.ts";
import { type Served, serveFabula } from "../test/e2e/serve-fabula.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { addBook, judgeWithJury } from "../test/support/library-requests.ts";
import { enter } from "../test/support/open-page.ts";
import { frameTimes, line, median, newWindow, openingTimes, spread } from "./support/browser-times.ts";
import { madeNovel } from "./support/made-library.ts";

const { values } = parseArgs({
  options: {
    "report-words": { type: "string", default: "120000" },
    "book-words": { type: "string", default: "400000" },
    repeats: { type: "string", default: "5" },
  },
});
const repeats = Number(values.repeats);
const WORDS_PER_CHAPTER = 4000;

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
  await enter(page.context(), url);
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
  const times = await openingTimes(browser, `${server.url}/#/evaluations/${evaluationId}`, repeats, (page) =>
    page.locator(".quotation a").last().waitFor(),
  );
  line(`report of ${words.toLocaleString("en-GB")} words, from address to use`, spread(times), "under 1,000 ms");
}

async function book(browser: Browser, server: Served, words: number): Promise<void> {
  const { id } = await add(server, words);
  const address = `${server.url}/#/books/${id}/read`;
  const middle = Math.ceil(words / WORDS_PER_CHAPTER / 2);
  const opened = await openingTimes(browser, address, repeats, (page) =>
    page.locator(".block:not(.muted)").first().waitFor(),
  );
  line(`book of ${words.toLocaleString("en-GB")} words, open`, spread(opened), "under 1,000 ms");
  const within = await openingTimes(browser, `${address}?chapter=${middle}&start=200&end=260`, repeats, (page) =>
    page.locator("mark.passage").first().waitFor(),
  );
  line("the same, open at a passage in its middle", spread(within), "under 1,000 ms");

  const page = await newWindow(browser, server.url);
  await page.goto(`${address}?chapter=${middle}`);
  await page.locator(".block:not(.muted)").first().waitFor();
  const frames = await frameTimes(page, ".book-scroller", 30);
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

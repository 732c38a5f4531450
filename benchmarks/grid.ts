/**
 * The grid in a real browser, with 500 books × 6 judges × 8 aspects (24,000 verdicts) in the library and 100,000 calls in the
 * store: how soon it can be used, how quickly it sorts, scrolls and opens a score, and how much memory it takes.
 *
 *   npx tsx benchmarks/grid.ts [--books 500] [--judges 6] [--calls 100000] [--repeats 5]
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { type Served, serveFabula } from "../test/e2e/serve-fabula.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { makeLibrary } from "./support/made-library.ts";

const { values } = parseArgs({
  options: {
    books: { type: "string", default: "500" },
    judges: { type: "string", default: "6" },
    calls: { type: "string", default: "100000" },
    repeats: { type: "string", default: "5" },
  },
});
const size = { books: Number(values.books), judges: Number(values.judges), calls: Number(values.calls) };
const repeats = Number(values.repeats);

/** Scrolls from the first row to the last in three seconds and gives the milliseconds between frames. */
const SCROLLING = `new Promise((resolve) => {
  const scroller = document.querySelector(".grid-scroller");
  const frames = [];
  const started = performance.now();
  let before = started;
  const step = (now) => {
    frames.push(now - before);
    before = now;
    scroller.scrollTop = (scroller.scrollHeight * (now - started)) / 3000;
    if (now - started < 3000) requestAnimationFrame(step);
    else resolve(frames.slice(1));
  };
  requestAnimationFrame(step);
})`;

const folder = await mkdtemp(join(tmpdir(), "fabula-grid-"));
const [library, store] = [join(folder, "library"), join(folder, "store.db")];
await timed("made", () => makeLibrary(library, store, size));
const server = await timed("server started", () => serveFabula(folder, ["--library", library, "--store", store]));
const browser = await launchChromium();
try {
  await answers(server);
  // What any view takes on this machine just now.
  await opened(browser, "for comparison: the view of readers, empty", `${server.url}/#/readers`, "h1");
  await opened(browser, "grid", `${server.url}/#/grid`, ".cell-link strong");
  await used(browser, server);
  line("load of the machine in the last minute", loadavg()[0]!.toFixed(1));
  line("memory of the server", `${await megabytesOf(server.pid)} MB`);
} finally {
  await browser.close();
  await server.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
}

async function answers({ get }: Served): Promise<void> {
  for (const sort of ["disagreement", "cost", "missing"]) {
    const path = `/api/grid?sort=${sort}&limit=120`;
    const first = await milliseconds(async () => void (await (await get(path)).text()));
    const times: number[] = [];
    for (let at = 0; at < repeats; at++) {
      times.push(await milliseconds(async () => void (await (await get(`${path}&from=${at * 120}`)).text())));
    }
    line(`the server's answer, sorted by ${sort}`, `${first.toFixed(0)} ms first, then ${spread(times)}`);
  }
}

/** From the address to the sign of use, each time in a browser profile that has loaded nothing. */
async function opened(browser: Browser, name: string, url: string, sign: string): Promise<void> {
  const times: number[] = [];
  for (let at = 0; at < repeats; at++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    times.push(
      await milliseconds(async () => {
        await page.goto(url, { waitUntil: "commit" });
        await page.locator(sign).first().waitFor();
      }),
    );
    await context.close();
  }
  line(`${name}, from address to use`, spread(times), "under 1,000 ms");
}

async function used(browser: Browser, { url }: Served): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}/#/grid`);
  const cell = page.locator(".cell-link strong").first();
  await cell.waitFor();
  const sorted = await milliseconds(async () => {
    await page.getByLabel("Sort by").selectOption("title");
    await page.locator(".grid-scroller:not(.stale) .book-row a", { hasText: /^The Book Number 1$/ }).waitFor();
  });
  line("sorted by title", `${sorted.toFixed(0)} ms`, "under 1,000 ms");
  const found = await milliseconds(async () => {
    await page.getByLabel("Search titles").fill("Number 7");
    await page.locator(".grid-scroller:not(.stale) .book-row a", { hasText: /^The Book Number 7$/ }).waitFor();
  });
  line("searched, with the pause after typing", `${found.toFixed(0)} ms`, "under 1,000 ms");
  await page.getByLabel("Search titles").fill("");
  await page.locator(".grid-scroller:not(.stale) .book-row a", { hasText: /^The Book Number 1$/ }).waitFor();
  const frames = (await page.evaluate(SCROLLING)) as number[];
  line("frames a second while scrolling through all rows", (1000 / median(frames)).toFixed(0), "60");
  await page.locator(".score-grid tbody .cell-link strong").first().waitFor();
  const drawn = await page.locator(".score-grid tr[aria-rowindex]").count();
  line("rows drawn, of all", `${drawn} of ${size.books * (1 + size.judges)}`);
  const opening = await milliseconds(async () => {
    await page.locator(".cell-link strong").last().click();
    await page.locator(".cell-panel h2").waitFor();
  });
  line("a score opened", `${opening.toFixed(0)} ms`, "under 1,000 ms");
  const listed = await milliseconds(() => page.locator(".cell-calls tbody tr").first().waitFor());
  line("its calls listed after that", `${listed.toFixed(0)} ms`, "under 1,000 ms");
  line("memory of the page's scripts after all that", await heapOf(page));
  await page.close();
}

async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return `${(usedSize / 1e6).toFixed(1)} MB`;
}

async function megabytesOf(pid: number): Promise<string> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return (Number(kilobytes) / 1000).toFixed(0);
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  line(name, `${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function line(name: string, figure: string, aim?: string): void {
  console.log(`  ${name.padEnd(52)} ${figure.padStart(34)}${aim ? `   (aim: ${aim})` : ""}`);
}

function spread(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)}–${Math.max(...times).toFixed(0)})`;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

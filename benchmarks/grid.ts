/**
 * The grid in a real browser, with 500 books × 6 judges × 8 aspects (24,000 verdicts) in the library and 100,000 calls in the
 * store: how soon it can be used, how quickly it sorts, scrolls and opens a score, and how much memory it takes; then the same
 * for disagreements, trust, runs, calls and comparisons.
 *
 *   npx tsx benchmarks/grid.ts [--books 500] [--judges 6] [--calls 100000] [--repeats 5]
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import type { Paged } from "../src/api/answers.ts";
import type { EvaluationSummary } from "../src/api/evaluations.ts";
import { type Served, serveFabula } from "../test/e2e/serve-fabula.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { frameTimes, line, median, milliseconds, newWindow, openingTimes, spread } from "./support/browser-times.ts";
import { LONG_RUNS, makeLibrary } from "./support/made-library.ts";

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
  await otherViews(browser, server);
  line("load of the machine in the last minute", loadavg()[0]!.toFixed(1));
  line("memory of the server", `${await megabytesOf(server.pid)} MB`);
} finally {
  await browser.close();
  await server.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
}

/** The views that look at the same 24,000 verdicts and 100,000 calls from other sides; the first answer reads what later ones hold. */
async function otherViews(browser: Browser, { url, json, get }: Served): Promise<void> {
  const { items } = await json<Paged<EvaluationSummary>>("/api/evaluations?limit=2");
  const [left, right] = LONG_RUNS;
  for (const path of [
    "/api/disagreements?limit=50",
    "/api/disagreements/judges",
    "/api/votes/queue?voter=me&limit=10",
    `/api/evaluations/${items[0]!.id}/trust`,
    "/api/runs?limit=50",
    `/api/runs/${left}/calls?limit=100`,
    `/api/runs/${left}/calls?limit=100&outcome=failed`,
    `/api/runs/compare?left=${left}&right=${right}`,
  ]) {
    const ask = () => milliseconds(async () => void (await (await get(path)).text()));
    const first = await ask();
    const times: number[] = [];
    for (let at = 0; at < repeats; at++) times.push(await ask());
    const name = path.replace(items[0]!.id, "ID").replace(left, "RUN").replace(right, "OTHER").slice("/api".length);
    line(name, `${first.toFixed(0)} ms first, then ${spread(times)}`, "under 1,000 ms");
  }
  const trust = `${url}/#/evaluations/${items[0]!.id}?tab=trust`;
  await opened(browser, "disagreements", `${url}/#/disagreements`, ".widest tbody tr");
  await opened(browser, "trust panel", trust, ".trust-checks tbody tr");
  await opened(browser, "runs", `${url}/#/runs`, "main tbody tr");
  await opened(browser, "calls of a run of 10,000", `${url}/#/runs/${left}`, "td.model");
  await opened(browser, "two runs compared", `${url}/#/runs/compare?left=${left}&right=${right}`, ".two-replies");
  await opened(browser, "two evaluations compared", comparisonOf(url, items), ".differences tbody tr");
}

function comparisonOf(url: string, [left, right]: readonly EvaluationSummary[]): string {
  return `${url}/#/compare?left=${left!.id}&right=${right!.id}`;
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

async function opened(browser: Browser, name: string, url: string, sign: string): Promise<void> {
  const times = await openingTimes(browser, url, repeats, (page) => page.locator(sign).first().waitFor());
  line(`${name}, from address to use`, spread(times), "under 1,000 ms");
}

async function used(browser: Browser, { url }: Served): Promise<void> {
  const page = await newWindow(browser, url);
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
  const frames = await frameTimes(page, ".grid-scroller", "whole");
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

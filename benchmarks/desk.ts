/**
 * The writer's desk in a real browser: what its first load weighs and that nothing of the Lab comes with it, how soon the letter
 * of a 120,000-word novel can be read after the file is dropped (the first book of a server just started, dropped at once and after the
 * Desk has been open for a moment, and later ones), how soon a chapter is rechecked while one types, how soon a model's reading has a price, and how evenly
 * letter and text scroll with at least 500 findings.
 *
 * The processor time of the server stands beside the clock: on a shared machine it is what can be compared.
 *
 *   npx tsx benchmarks/desk.ts [--words 120000] [--findings 500] [--repeats 5] [--open 3] [--book FILE] [--only load,letter,recheck,price,scrolling]
 */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { seededRandom } from "../src/core/random.ts";
import { median } from "../src/stats/distribution.ts";
import { createSimulatedServer } from "../src/testing/index.ts";
import { type Served, serveFabula } from "../test/e2e/serve-fabula.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { addBook, judgeWithJury } from "../test/support/library-requests.ts";
import { frameTimes, line, milliseconds, newWindow, spread } from "./support/browser-times.ts";
import { madeNovel } from "./support/made-library.ts";

const { values } = parseArgs({
  options: {
    words: { type: "string", default: "120000" },
    findings: { type: "string", default: "500" },
    repeats: { type: "string", default: "5" },
    /** For how many seconds the Desk is open before the first book is dropped. */
    open: { type: "string", default: "3" },
    book: { type: "string" },
    only: { type: "string", default: "load,letter,recheck,price,scrolling" },
  },
});
const isWanted = (part: string) => values.only.split(",").includes(part);
const words = Number(values.words);
const WORDS_PER_CHAPTER = 4000;
/** Files of the build that belong to a view of the Lab. */
const LAB = /grid|disagreements|benchmark|questions|runs?-|readers|evaluate|report|compare|job-|settings|chinese/;

const PEOPLE = ["Margaret", "Hadley", "Rosamund", "Tobias Crane", "Mrs. Whitlow", "Edmund", "Beatrice", "Captain Voss"];

const folder = await mkdtemp(join(tmpdir(), "fabula-desk-"));
const models = await createSimulatedServer({ reply: () => "{}" });
const judge = models.judge("reader");
const [server, browser] = await Promise.all([serveFabula(folder, ["--judges", judge]), launchChromium()]);
try {
  if (isWanted("load")) await firstLoad(browser, server);
  if (isWanted("letter")) await letters(browser, judge);
  if (isWanted("recheck")) await recheck(server);
  if (isWanted("price")) await price(server);
  if (isWanted("scrolling")) await scrolling(browser, server, Number(values.findings));
} finally {
  await browser.close();
  await server.stop("SIGINT");
  await models.close();
  await rm(folder, { recursive: true, force: true });
}

/** Bytes of the files over the wire, compressed as the server sends them, until the library can be used. */
async function firstLoad(browser: Browser, { url }: Served): Promise<void> {
  const page = await newWindow(browser, url);
  const files: { path: string; bytes: number }[] = [];
  page.on("response", async (response) => {
    const path = new URL(response.url()).pathname;
    if (!/^\/(assets\/.*)?$/.test(path)) return;
    files.push({ path, bytes: (await response.request().sizes()).responseBodySize });
  });
  await page.goto(url);
  await page.getByText("No books yet").waitFor();
  await page.waitForLoadState("networkidle");
  const kilobytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  line("first load, compressed", `${kilobytes.toFixed(1)} kB in ${files.length} files`, "under 110 kB");
  line("of these, files of the Lab", String(files.filter(({ path }) => LAB.test(path)).length), "0");
  await page.close();
}

interface Letter {
  readonly time: number;
  /** Processor time of the server and its processes. */
  readonly worked: number;
}

/** The first book of a server is read by processes that have just started; that is what a writer meets first. */
async function letters(browser: Browser, judge: string): Promise<void> {
  const given = values.book === undefined ? null : await readFile(values.book);
  const name = values.book === undefined ? "novel.md" : basename(values.book);
  const open = Number(values.open);
  const atOnce: Letter[] = [];
  const afterAMoment: Letter[] = [];
  const later: Letter[] = [];
  for (let repeat = 0; repeat < Number(values.repeats); repeat++) {
    // Each time another book, so that nothing is known of it.
    const book = (number: number) => given ?? Buffer.from(peopled(words, 3 * repeat + number));
    await withServer(judge, async (server) => {
      atOnce.push(await letter(browser, server, name, book(1), 0));
    });
    await withServer(judge, async (server) => {
      afterAMoment.push(await letter(browser, server, name, book(2), open));
      later.push(await letter(browser, server, name, book(3), 0));
    });
  }
  const what = given === null ? `a made novel of ${words.toLocaleString("en-GB")} words` : name;
  console.log(`  letter of ${what}, from the drop:`);
  told("  first book of a server, Desk just opened (cold)", atOnce);
  told(`  first book of a server, Desk open for ${open} s (cold)`, afterAMoment);
  if (given === null) told("  a later book of that server (warm)", later);
}

function told(what: string, letters: readonly Letter[]): void {
  line(what, spread(letters.map(({ time }) => time)), "under 3,000 ms");
  if (process.platform !== "linux") return;
  line("    of it, processor time of the server", spread(letters.map(({ worked }) => worked)), "");
}

async function withServer(judge: string, work: (server: Served) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fabula-desk-"));
  const server = await serveFabula(folder, ["--judges", judge]);
  try {
    await work(server);
  } finally {
    await server.stop("SIGINT");
    await rm(folder, { recursive: true, force: true });
  }
}

/** From the drop to a letter that can be read and scrolled, the Desk having been open for so many seconds. */
async function letter(browser: Browser, server: Served, name: string, book: Uint8Array, open: number): Promise<Letter> {
  const page = await newWindow(browser, server.url);
  await page.goto(server.url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await holdFile(page, name, book);
  await setTimeout(1000 * open);
  const before = processorMilliseconds(server.pid);
  const time = await milliseconds(async () => {
    await page.dispatchEvent("body", "drop", { dataTransfer: await page.evaluateHandle("window.held") });
    await page.locator(".letter :is(h2, .finding)").first().waitFor({ timeout: 300_000 });
  });
  const worked = processorMilliseconds(server.pid) - before;
  // The page asks for the price of a model's reading after the letter. Closed before, it would end the process that the next book finds.
  await page.locator(".model-reading summary", { hasText: /no charge|about|not known|already/ }).waitFor();
  await page.close();
  return { time, worked };
}

/** A chapter after each of twelve changes; the first half, in which the book is read and the code warms up, is not counted. */
async function recheck(server: Served): Promise<void> {
  const given = values.book === undefined ? peopled(words, 77) : await readFile(values.book);
  const { id } = await addBook(server, values.book === undefined ? "typing.md" : basename(values.book), given);
  const times: number[] = [];
  const worked: number[] = [];
  for (let change = 0; change < 12; change++) {
    const revisions = [{ chapter: 3, start: 0, end: 0, text: `Somebody has typed ${change} words. ` }];
    const before = processorMilliseconds(server.pid);
    const time = await milliseconds(async () => {
      const answer = await server.send("POST", `/api/books/${id}/chapters/3/recheck`, { revisions });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.json();
    });
    if (change < 6) continue;
    times.push(time);
    worked.push(processorMilliseconds(server.pid) - before);
  }
  line("a chapter rechecked after a change", spread(times), "");
  if (process.platform === "linux") line("  of it, processor time of the server", spread(worked), "about 300 ms");
}

/** Of a process and all that it started, in hundredths of a second as Linux counts; elsewhere 0. */
function processorMilliseconds(root: number): number {
  if (process.platform !== "linux") return 0;
  const processes = readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent, ...rest] = readFileSync(`/proc/${name}/stat`, "latin1")
        .replace(/^.*\) /s, "")
        .split(" ");
      // Fields 14 to 17: its own time, and that of the children it has waited for.
      const ticks = rest.slice(9, 13).reduce((sum, field) => sum + Number(field), 0);
      return [{ id: Number(name), parent: Number(parent), ticks }];
    } catch {
      return [];
    }
  });
  const own = new Set([root]);
  for (let known = 0; known !== own.size; ) {
    known = own.size;
    for (const { id, parent } of processes) if (own.has(parent)) own.add(id);
  }
  return 10 * processes.reduce((sum, { id, ticks }) => sum + (own.has(id) ? ticks : 0), 0);
}

/** What a model's reading would cost: the first price starts a process, later ones find it running. */
async function price(server: Served): Promise<void> {
  const { id } = await addBook(server, "priced.md", peopled(words, 55));
  const times: number[] = [];
  const before = processorMilliseconds(server.pid);
  for (let repeat = 0; repeat < Number(values.repeats); repeat++) {
    const request = { bookId: id, judges: [judge], method: "close", aspects: [], runs: 1, maximumCost: null };
    times.push(
      await milliseconds(async () => {
        const answer = await server.send("POST", "/api/plans", request);
        if (!answer.ok) throw new Error(await answer.text());
        await answer.json();
      }),
    );
  }
  line("the price of a model's reading", spread(times), "under 1,000 ms");
  if (process.platform === "linux") {
    const each = (processorMilliseconds(server.pid) - before) / times.length;
    line("  of it, processor time of the server", `${each.toFixed(0)} ms each`, "");
  }
}

async function scrolling(browser: Browser, server: Served, findings: number): Promise<void> {
  const page = await newWindow(browser, server.url);
  let id = "";
  let shown = 0;
  // Not every planted fault becomes a finding of its own: more of them until there are enough.
  for (let planted = findings; shown < findings; planted = Math.ceil((1.1 * planted * findings) / shown)) {
    if (planted > 8 * findings) throw new Error(`${planted} planted faults give ${shown} findings only.`);
    ({ id } = await addBook(server, `faults-${planted}.md`, withRepeats(peopled(words, 99), planted)));
    await judgeWithJury(server, id);
    await page.goto(`${server.url}/#/books/${id}/letter`);
    await page.locator(".finding").first().waitFor();
    shown = await page.locator(".finding").count();
  }
  frames(`the letter with ${shown} findings`, await frameTimes(page, "html", 30));
  await page.goto(`${server.url}/#/books/${id}/read?notes=open&all=1`);
  await page.locator("mark.finding").first().waitFor();
  frames(
    "the text of that book, its findings marked and line notes open",
    await frameTimes(page, ".book-scroller", 30),
  );
  await page.close();
}

function frames(what: string, times: readonly number[]): void {
  const late = times.filter((time) => time > 1000 / 30).length;
  line(`scrolling ${what}`, `${(1000 / median(times)).toFixed(0)} frames a second`, "60");
  line("  frames later than a thirtieth of a second", `${late} of ${times.length}`, "hardly any");
}

/** A file that the page holds, to be dropped: making it must not count. */
async function holdFile(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const data = Buffer.from(bytes).toString("base64");
  await page.evaluate(
    `(() => { const bytes = Uint8Array.from(atob("${data}"), (letter) => letter.charCodeAt(0));
      window.held = new DataTransfer(); window.held.items.add(new File([bytes], ${JSON.stringify(name)})); })()`,
  );
}

/** A made novel in which people are named and speak: names and dialogue take most of the time that reading takes. */
function peopled(words: number, seed: number): string {
  const random = seededRandom(seed);
  const somebody = () => PEOPLE[Math.floor(random() * PEOPLE.length)]!;
  return madeNovel(Math.round(words / WORDS_PER_CHAPTER), WORDS_PER_CHAPTER, seed)
    .replace("# A Made Novel", `# A Made Novel of Seed ${seed}`)
    .replace(/(?<=\. )([A-Z])([a-z ]+)\./g, (sentence, first: string, rest: string) => {
      const draw = random();
      if (draw < 0.25) return `“${first}${rest},” said ${somebody()}.`;
      return draw < 0.5 ? `${somebody()} ${first.toLowerCase()}${rest}.` : sentence;
    });
}

/** So many paragraphs, spread over the book, that stand a second time in its last chapters. */
function withRepeats(book: string, count: number): string {
  const paragraphs = book.split("\n\n").filter((text) => text.length > 200 && !text.startsWith("#"));
  const step = Math.max(1, Math.floor(paragraphs.length / count));
  const again = paragraphs.filter((_, at) => at % step === 0).slice(0, count);
  return `${book.trimEnd()}\n\n## A Last Chapter\n\n${again.toReversed().join("\n\n")}\n`;
}

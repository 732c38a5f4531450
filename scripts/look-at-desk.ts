/**
 * Takes a picture of every view of the Desk at three widths, light and dark, for somebody to look at: `test-output/desk/VIEW-WIDTH[-dark].png`;
 * of long ones also what is below, one screen after the other: `VIEW-2-WIDTH.png`.
 *
 *   npm run build && npx tsx scripts/look-at-desk.ts [--only letter,story] [--widths 1440,390] [--light] [--planted FOLDER] [--book FILE]
 *
 * With `--planted`, the folder that holds `cargo-unknown.md`, a recorded model reads that book; otherwise a made one reads a short
 * draft with faults. `--book` adds a long book of your own. Ends at the first view that cannot be shown.
 */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { readExchanges, requestHash } from "../evals/recorded-model.ts";
import type { BookSummary } from "../src/api/books.ts";
import type { Job } from "../src/api/jobs.ts";
import { createSimulatedServer } from "../src/testing/index.ts";
import { parseBookBytes } from "../src/text/parse-book.ts";
import { type Served, serveFabula } from "../test/e2e/serve-fabula.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { FAULTY_DRAFT, REPAIRED_DRAFT } from "../test/support/drafts-with-faults.ts";
import { enter } from "../test/support/open-page.ts";
import { simulatedReader } from "../test/support/simulated-reader.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    widths: { type: "string", default: "1440,1280,390" },
    light: { type: "boolean", default: false },
    planted: { type: "string" },
    book: { type: "string" },
  },
});
const OUTPUT = "test-output/desk";
const PATIENCE = 300_000;
const HEIGHTS: Readonly<Record<string, number>> = { 390: 844 };
const widths = values.widths.split(",").map(Number);
const only = values.only?.split(",");

const LONG_TITLE =
  "The Life and Strange Surprising Adventures of a Keeper of Lamps, Who Lived Alone Upon an Uninhabited Rock, With an Account of How She Was at Last Delivered";
const QUIET_STORY = `# ${LONG_TITLE}\n\n${Array.from(
  { length: 3 },
  (_, at) =>
    `## Chapter ${at + 1}\n\nShe lit the lamp${", and then another".repeat(at)}. The sea was calm. Nobody came up the stairs that evening.`,
).join("\n\n")}\n`;

const planted = values.planted;
const [story, revised] = planted
  ? await Promise.all(["cargo-unknown.md", "cargo-unknown.original.md"].map((name) => readFile(join(planted, name))))
  : [Buffer.from(FAULTY_DRAFT), Buffer.from(REPAIRED_DRAFT)];
const replies = new Map<string, string>();
if (planted) {
  const book = await parseBookBytes(story!, "cargo-unknown.md", {});
  for (const { request, reply } of await readExchanges("test/recorded/close-reading/cargo-unknown.jsonl", book))
    replies.set(request, reply);
}
const folder = await mkdtemp(join(tmpdir(), "fabula-look-"));
await mkdir(OUTPUT, { recursive: true });
const models = await createSimulatedServer({
  reply: (request, random) => {
    if (JSON.stringify(request.schema).includes('"said"')) {
      const text = request.messages.at(-1)!.content;
      const quote = /[A-Z][^.“”"\n]{30,90}\./.exec(text.slice(text.length / 3))?.[0] ?? "";
      return JSON.stringify({
        said: true,
        answer: "On the third day, in the hold.",
        passages: [{ chapter: 2, quote }],
      });
    }
    const { messages } = request as unknown as Parameters<typeof requestHash>[0];
    return replies.get(requestHash({ messages })) ?? simulatedReader(request, random);
  },
});
const judge = models.judge("reader");
const [server, browser] = await Promise.all([serveFabula(folder, ["--judges", judge]), launchChromium()]);
try {
  await lookAtAll();
} finally {
  await browser.close();
  await server.stop("SIGINT");
  await models.close();
  await rm(folder, { recursive: true, force: true });
}

/** What else is to be known of a view. */
interface Look {
  /** Whether what was asked of the server is there in the end; a view of waiting never has it. */
  readonly isAnswered?: boolean;
  /** How many screens of it are looked at. */
  readonly screens?: number;
  readonly on?: Served;
}

/** One view at every width, in both themes. `ready` says that it is there; `act` opens what is to be seen. */
async function look(
  name: string,
  address: string,
  ready: string,
  act: (page: Page) => Promise<unknown> = async () => {},
  { isAnswered = true, screens = 1, on = server }: Look = {},
): Promise<void> {
  if (only && !only.some((wanted) => name.startsWith(wanted))) return;
  for (const width of widths) {
    const context = await browser.newContext({
      viewport: { width, height: HEIGHTS[width] ?? 900 },
      locale: "en-GB",
      reducedMotion: "reduce",
    });
    await enter(context, on.url);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    try {
      await page.goto(`${on.url}/#${address}`);
      await page.locator(ready).first().waitFor();
      await act(page);
      if (isAnswered) await page.waitForLoadState("networkidle");
      await page.evaluate("document.fonts.ready");
      for (let screen = 1; screen <= screens; screen++) {
        if (screen > 1) await page.evaluate("scrollBy(0, innerHeight - 60)");
        for (const scheme of values.light ? (["light"] as const) : (["light", "dark"] as const)) {
          await page.emulateMedia({ colorScheme: scheme });
          const shown = screen === 1 ? name : `${name}-${screen}`;
          const path = join(OUTPUT, `${shown}-${width}${scheme === "dark" ? "-dark" : ""}.png`);
          await page.screenshot({ path, animations: "disabled" });
          console.log(path);
        }
      }
    } catch (cause) {
      throw new Error(`${name} at ${width} cannot be shown`, { cause });
    } finally {
      await context.close();
    }
  }
}

async function add(name: string, content: string | Uint8Array): Promise<BookSummary> {
  const answer = await server.upload("/api/books", { name, content });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as BookSummary;
}

async function ended(response: Response): Promise<void> {
  if (!response.ok) throw new Error(await response.text());
  const job = await server.watch(((await response.json()) as Job).id, ["done", "failed", "paused"]);
  if (job.state !== "done") throw new Error(`${job.state}: ${job.note}`);
}

async function offline(bookId: string): Promise<void> {
  await ended(await server.send("POST", `/api/books/${bookId}/readings`));
}

async function readClosely(bookId: string): Promise<void> {
  const request = { bookId, judges: [judge], method: "close", aspects: [], runs: 1, maximumCost: null };
  await ended(await server.send("POST", "/api/jobs", request));
}

async function lookAtAll(): Promise<void> {
  await look("first-visit", "/", ".first-visit");
  await look("not-found", "/nowhere", "h1");
  const book = await add("draft 1.md", story!);
  const at = (part: string) => `/books/${book.id}/${part}`;
  await offline(book.id);
  await look("letter", at("letter"), ".finding, .letter h2");
  await look("letter-open", at("letter"), ".finding", (page) => page.locator(".finding h3 button").first().click());
  await look("story-counted", at("story"), "main h2", undefined, { screens: 3 });
  await readClosely(book.id);
  await look("read-letter", at("letter"), ".finding");
  await look("read-open", at("letter"), ".finding", async (page) => {
    await page.locator(".finding h3 button").nth(1).click();
    await page.locator(".passage mark").first().waitFor();
  });
  await look("read-below", at("letter"), ".finding", (page) => page.evaluate("scrollTo(0, 2200)"));
  await look("out", at("letter"), ".finding", (page) => page.getByText("Export").click());
  await look("story", at("story"), ".board-chapter");
  await look("story-edit", at("story"), ".board-chapter", (page) =>
    page
      .getByRole("button", { name: /^Correct / })
      .first()
      .click(),
  );
  for (const [part, heading] of [
    ["timeline", "Time line"],
    ["cast", "Cast"],
    ["threads", "Threads"],
  ])
    await look(`story-${part}`, at("story"), ".board-chapter", (page) =>
      page
        .getByRole("heading", { name: new RegExp(heading!, "i") })
        .first()
        .evaluate((found) => found.scrollIntoView()),
    );
  await look("ask", at("ask"), "textarea, input");
  await look("ask-answered", at("ask"), "main form", async (page) => {
    await page.getByLabel("Your question").fill("When does the crew find out what is in the hold?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("mark").first().waitFor();
  });
  await look("map", at("map"), "main h2, .strip", undefined, { screens: 3 });
  await look("chapters", at("chapters"), "table");
  await look("about", `/books/${book.id}`, "main h2", undefined, { screens: 3 });
  await look("text", at("read"), ".block");
  await look("notes", `${at("read")}?notes=open`, ".note-card, .reader-toolbar");
  await look("revise", `${at("read")}?notes=open&chapter=1`, ".edit-paragraph", async (page) => {
    await page.locator(".edit-paragraph").nth(1).click();
    await page.getByLabel("Paragraph", { exact: true }).press("Control+End");
    await page.getByLabel("Paragraph", { exact: true }).pressSequentially(" Nobody saw it.");
    await page.locator(".live-chapter").waitFor();
  });
  await look("settings", "/settings", "main h2");
  const draft = await add("draft 2.md", revised!);
  await offline(draft.id);
  await look("draft-letter", `/books/${draft.id}/letter`, ".letter h2");
  await look("drafts", `/drafts?before=${book.id}&after=${draft.id}`, "main h2", undefined, { screens: 3 });
  await look("drafts-none", "/drafts", "h1");
  const quiet = await add("quiet.md", QUIET_STORY);
  await offline(quiet.id);
  await look("quiet-letter", `/books/${quiet.id}/letter`, ".letter");
  const sample = await add("sample.md", await readFile("assets/examples/the-inspector-of-weights.md"));
  await look("sample-notes", `/books/${sample.id}/read?notes=open`, ".note-card");
  const chinese = await add("lamp.zh.md", await readFile("assets/examples/the-lamp-at-mist-harbour.zh.md"));
  await offline(chinese.id);
  await look("chinese-letter", `/books/${chinese.id}/letter`, ".letter h2");
  if (values.book) {
    const long = await add(basename(values.book), await readFile(values.book));
    await offline(long.id);
    await look("long-letter", `/books/${long.id}/letter`, ".letter h2");
    await look("long-story", `/books/${long.id}/story`, "main h2");
    await look("long-map", `/books/${long.id}/map`, ".strip");
    await look("long-chapters", `/books/${long.id}/chapters`, "table");
  }
  await look("library", "/", ".tile");
  await look("paste", "/", ".tile", (page) => page.getByRole("button", { name: /Paste/ }).click());
  await look(
    "reading",
    "/",
    ".tile",
    async (page) => {
      await page.route("**/api/books", (route) => (route.request().method() === "POST" ? undefined : route.continue()));
      await page.setInputFiles("input[type=file]", {
        name: "the new one.md",
        mimeType: "text/markdown",
        buffer: Buffer.from("# X"),
      });
    },
    { isAnswered: false },
  );
  await look("upload-failed", "/", ".tile", async (page) => {
    const buffer = Buffer.from("PK");
    await page.setInputFiles("input[type=file]", { name: "plan.xlsx", mimeType: "application/octet-stream", buffer });
    await page.getByRole("button", { name: "Dismiss" }).waitFor();
  });
  // A reading by a model in the middle of its work.
  const last = (await server.json<Job[]>("/api/jobs")).find(({ request }) => request.method === "close")!;
  const job = {
    ...last,
    state: "running",
    stage: "Reading the book",
    step: { done: 2, total: 11 },
    done: 9,
    total: 22,
  };
  const found = ["The scar changes hands", "Who chained the gate?"].map((title) => ({
    kind: "found",
    title,
    chapters: [1],
  }));
  const told = [{ kind: "state", job }, ...found].map((event) => `event: job\ndata: ${JSON.stringify(event)}\n\n`);
  await look(
    "under-way",
    at("letter"),
    ".finding",
    async (page) => {
      await page.route("**/events", (route) =>
        route.fulfill({ contentType: "text/event-stream", body: told.join("") }),
      );
      await page.route("**/letter?*", async (route) => {
        const answer = (await (await route.fetch()).json()) as object;
        await route.fulfill({ json: { ...answer, job } });
      });
      await page.reload();
      await page.getByText("Who chained the gate?").waitFor();
    },
    { isAnswered: false },
  );
  await look("failed", at("letter"), ".finding", async (page) => {
    await page.route("**/letter?*", (route) => route.abort());
    await page.reload();
    await page.getByRole("alert").first().waitFor();
  });
  await look("search", at("read"), ".block", async (page) => {
    const folded = page.locator(".reader-layers summary");
    if (await folded.isVisible()) await folded.click();
    await page.getByLabel("Search in the book").fill("the");
    await page.locator(".search-hits mark").first().waitFor();
  });
  await look("paste-box", at("letter"), ".finding", async (page) => {
    const offer = page.locator(".model-reading");
    if (!(await offer.getByLabel("Model").isVisible())) await offer.locator("summary").click();
    await offer.getByLabel("Model").selectOption({ label: "Use a chat window" });
    await offer.getByRole("button", { name: "Use a chat window" }).click();
    await page.locator(".paste-question").waitFor();
  });
  // What is said of findings is kept: these come last.
  await look("filter-nothing", at("letter"), ".finding", async (page) => {
    const folded = page.locator("summary", { hasText: /findings?$/ });
    if (await folded.isVisible()) await folded.click();
    await page.getByLabel("State").selectOption("later");
    await page.getByText("No finding matches.").waitFor();
  });
  await look("marked", at("letter"), ".finding", async (page) => {
    const mark = (finding: number, name: string) =>
      page.locator(".finding").nth(finding).getByRole("button", { name, exact: true });
    for (const [finding, name] of [
      [0, "Intended"],
      [1, "Done"],
    ] as const) {
      if ((await mark(finding, name).getAttribute("aria-pressed")) !== "true") await mark(finding, name).click();
      await page.locator(`.finding:nth-of-type(n) button[aria-pressed=true]`, { hasText: name }).first().waitFor();
    }
    await page.locator(".finding").first().scrollIntoViewIfNeeded();
  });
  await lookWithoutModels();
}

/** A server that knows no model, as most writers start it. */
async function lookWithoutModels(): Promise<void> {
  const own = await mkdtemp(join(tmpdir(), "fabula-look-"));
  const on = await serveFabula(own);
  try {
    const answer = await on.upload("/api/books", { name: "draft.md", content: FAULTY_DRAFT });
    const { id } = (await answer.json()) as BookSummary;
    const begun = await on.send("POST", `/api/books/${id}/readings`);
    await on.watch(((await begun.json()) as Job).id, ["done"]);
    await look("no-model-letter", `/books/${id}/letter`, ".finding", undefined, { on });
    await look("no-model-ask", `/books/${id}/ask`, "main h2", undefined, { on });
  } finally {
    await on.stop("SIGINT");
    await rm(own, { recursive: true, force: true });
  }
}

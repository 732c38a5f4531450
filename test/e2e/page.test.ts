import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Download } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Paged } from "../../src/api/answers.ts";
import type { BookSummary } from "../../src/api/books.ts";
import type { EvaluationSummary } from "../../src/api/evaluations.ts";
import { bookEvaluationSchema } from "../../src/judge/evaluation.ts";
import { writeBenchFolder } from "../support/bench-folder.ts";
import { launchChromium } from "../support/chromium.ts";
import { type OpenPage, openPage } from "../support/open-page.ts";
import { draftOf, STORY } from "../support/stories.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;
let open: OpenPage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-page-"));
  const bench = join(folder, "bench");
  await writeBenchFolder(bench, { "writer-a": 3.7, "writer-b": 3.6, "writer-c": 2.4 });
  [server, browser] = await Promise.all([serveFabula(folder, ["--bench", bench]), launchChromium()]);
  open = await openPage(browser, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});
// The content security policy is the server's own: a refused style or script would be a complaint.
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

const book = async (title: string) => {
  const { items } = await server.json<Paged<BookSummary>>("/api/books?limit=50");
  return items.find((item) => item.title === title)!;
};

describe.sequential("the page with the embedded jury", () => {
  it("takes a file, opens its letter, and shows the chapters and what was cleaned away", async () => {
    const { page, picture } = open;
    await page.getByText("No books yet").waitFor();
    await page.setInputFiles("input[type=file]", STORY);
    await page.getByRole("heading", { level: 1, name: "The Inspector of Weights" }).waitFor();
    await page.getByRole("link", { name: "About", exact: true }).click();
    const chapters = page.getByRole("region", { name: "Chapters" });
    await expect.poll(() => chapters.getByRole("listitem").count()).toBe(12);
    await page.getByText("1 passage of the file is not part of the story and will not be read.").waitFor();
    await picture("book");
  });

  it("keeps what is written about a book", async () => {
    const { page } = open;
    await page.getByLabel("Author").fill("A. N. Other");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").first().waitFor();
    await page.reload();
    await page.getByText("by A. N. Other").first().waitFor();
  });

  it("takes a dropped file and a pasted text", async () => {
    const { page, picture } = open;
    await page.getByRole("link", { name: "Library" }).first().click();
    await page.getByRole("link", { name: /The Inspector of Weights/ }).waitFor();
    const transfer = await page.evaluateHandle(
      `(() => { const data = new DataTransfer();
        data.items.add(new File([${JSON.stringify(draftOf("The Second Draft", 4))}], "draft.md")); return data; })()`,
    );
    await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
    await page.getByText("Drop to add the book").waitFor();
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
    await page.getByRole("heading", { level: 1, name: "The Second Draft" }).waitFor();

    await page.getByRole("link", { name: "Library" }).first().click();
    // Pasted onto the page itself; the button opens the same dialog.
    await page.getByRole("button", { name: "Paste text" }).waitFor();
    await page.evaluate(`(() => { const data = new DataTransfer();
      data.setData("text/plain", "Chapter 1\\n\\nIt rained.\\n\\nChapter 2\\n\\nIt stopped.");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true })); })()`);
    await page.getByLabel("Title", { exact: true }).fill("Pasted");
    expect(await page.getByLabel("Text", { exact: true }).inputValue()).toContain("It stopped.");
    await page.getByRole("button", { name: "Add this text" }).click();
    await page.getByRole("heading", { level: 1, name: "Pasted" }).waitFor();
    await page.getByRole("link", { name: "Library" }).first().click();
    await expect
      .poll(() =>
        page
          .getByRole("listitem")
          .filter({ has: page.locator(".cover") })
          .count(),
      )
      .toBe(3);
    await picture("library");
  });

  it.each(["The Inspector of Weights", "The Second Draft"])(
    "says what judging %s would cost, judges while one watches, and opens the report",
    async (title) => {
      const { page, picture } = open;
      await page.goto(`${server.url}/#/books/${(await book(title)).id}`);
      await page.locator("main").getByRole("link", { name: "Evaluate" }).click();
      await page
        .getByText(/nothing is spent/i)
        .first()
        .waitFor();
      await picture("evaluate");
      await page.getByRole("button", { name: "Start" }).click();
      await page.getByRole("heading", { name: "Chapter by chapter" }).waitFor();
      await page.getByRole("link", { name: /Chapter 1: \d/ }).waitFor();
      await page.getByRole("link", { name: "Open the report" }).waitFor();
      await picture("progress");
      await expect.poll(() => page.getByTestId("announcer").textContent()).toContain("Done");
      await page.getByRole("link", { name: "Open the report" }).click();
      await page.getByRole("navigation", { name: "Parts of the report" }).waitFor();
    },
  );

  it("shows three jurors with their ranges and who is speaking, the cost, and why something has no score", async () => {
    const { page, picture } = open;
    await page.goto(`${server.url}/#/books/${(await book("The Inspector of Weights")).id}`);
    await page.locator("a[href^='#/evaluations/']").first().click();
    await page.getByRole("link", { name: "Verdicts" }).click();
    const facts = page.locator(".report-facts");
    await expect.poll(() => facts.textContent()).toMatch(/Jury.*100 % of the words.*\$0/);
    const jurors = page.getByRole("region", { name: "The jurors, side by side" });
    for (const [name, scale, speaker] of [
      ["Crowd", 100, "readers of short stories online"],
      ["Editor", 10, "professional editors"],
      ["Grader", 20, "a language-model grader"],
    ] as const) {
      const row = await jurors.getByRole("row", { name: new RegExp(`^${name}`) }).textContent();
      expect(row).toMatch(new RegExp(`${name}\\d+\\.\\d of ${scale}.*\\d–\\d.*${speaker}`));
    }
    await page.getByText(/^The jurors (cannot be told apart|disagree)/).waitFor();
    await page.getByText(/^Crowd: readers of short stories online/).waitFor();
    expect(await page.getByRole("row", { name: /Plot and structure/ }).textContent()).toContain(
      "no offline judge reads a story",
    );
    expect(await page.getByRole("row", { name: /Themes/ }).textContent()).toMatch(/unscored: .+/);
    await page.getByRole("img", { name: "Overall, chapter by chapter" }).waitFor();
    await picture("report");
  });

  it("opens the book at a passage that is clicked, highlighted", async () => {
    const { page, picture } = open;
    const quotation = page.locator(".quotation a").first();
    const quote = (await quotation.textContent())!;
    const where = (await page.locator(".quotation footer").first().textContent())!;
    expect(where).toMatch(/an editor changes it with probability 0\.\d\d/);
    await quotation.click();
    const mark = page.locator("mark.passage");
    await mark.first().waitFor();
    expect((await mark.allTextContents()).join("")).toBe(quote);
    await page.locator("mark.passage:focus").waitFor();
    const top = async () => (await mark.first().boundingBox())?.y ?? -1;
    await expect.poll(async () => (await top()) > 100 && (await top()) < 800).toBe(true);
    await page.locator(".block .heat").first().waitFor();
    expect(await page.getByLabel("Sentences in colour").inputValue()).toBe("edits");
    expect(await page.locator(".heat-legend").textContent()).toMatch(
      /editor changes a sentence.*0.*0\.44 \(base rate\).*1/,
    );
    const chapter = page.getByLabel(/^Chapters/).locator("option:checked");
    await expect.poll(async () => where.includes((await chapter.textContent())!)).toBe(true);
    await picture("passage");
    await page.getByRole("link", { name: "Back to the report" }).click();
    await page.getByRole("heading", { name: "Aspect by aspect" }).waitFor();
  });

  it("finds words in the book and goes there", async () => {
    const { page, picture } = open;
    await page.goto(`${server.url}/#/books/${(await book("The Inspector of Weights")).id}/read`);
    await page.getByRole("searchbox").fill("great poise of the Carrow");
    await page.locator("button.hit").first().click();
    await page.locator("mark.passage").first().waitFor();
    expect(await page.locator("mark.passage").first().textContent()).toBe("great poise of the Carrow");
    await page.getByLabel("Sentences in colour").selectOption("edits");
    await page.locator(".block .heat").first().waitFor();
    await picture("search");
    await page.getByRole("searchbox").fill("zeppelin");
    await page.getByText("No matches in the book.").waitFor();
  });

  it("compares two books", async () => {
    const { page, picture } = open;
    const { items } = await server.json<Paged<EvaluationSummary>>("/api/evaluations?limit=10");
    const idOf = (title: string) => items.find((item) => item.title === title)!.id;
    await page.goto(`${server.url}/#/compare`);
    await page.getByLabel("Left").selectOption(idOf("The Inspector of Weights"));
    await page.getByLabel("Right").selectOption(idOf("The Second Draft"));
    const overall = page.getByRole("row", { name: /Overall/ });
    await overall.waitFor();
    expect(await overall.textContent()).toMatch(/[+−]?\d+\.\d.*…/);
    await page.getByText(/^Scored on neither side: .*Themes/).waitFor();
    await picture("compare");
  });

  it("imports a reader and sets the personal verdict beside the general one", async () => {
    const { page, picture } = open;
    await page.getByRole("link", { name: "Readers", exact: true }).click();
    await page.getByLabel("Name of the reader").fill("ada");
    const ratings = Array.from(
      { length: 12 },
      (_, index) =>
        `Story ${index},Writer ${index % 4},${2 + (index % 4)},"A ${index % 2 ? "slow" : "tense"} mystery."`,
    );
    await page.getByLabel("File", { exact: true }).setInputFiles({
      name: "ratings.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(["title,author,rating,review", ...ratings].join("\n")),
    });
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("link", { name: /12 ratings were imported/ }).click();
    await page.getByLabel("Book").selectOption({ label: "The Inspector of Weights" });
    await page.getByRole("heading", { name: "Readers in general" }).waitFor();
    await page.getByRole("heading", { name: "Reasons" }).waitFor();
    await picture("reader");
  });

  it("shows the benchmark", async () => {
    const { page, picture } = open;
    await page.getByRole("link", { name: "Benchmark" }).first().click();
    await page.getByRole("img", { name: "Writers among the human novels" }).waitFor();
    const leaderboard = page.getByRole("region", { name: "Leaderboard" });
    expect(await leaderboard.getByRole("row", { name: /writer-a/ }).textContent()).toMatch(/\d\.\d–\d/);
    expect(await page.getByRole("region", { name: "Dimension by dimension" }).getByRole("columnheader").count()).toBe(
      9,
    );
    await picture("benchmark");
  });

  it("scores answers to questions by every metric", async () => {
    const { page, picture } = open;
    await page.getByRole("link", { name: "Questions" }).first().click();
    const lines = [
      { prediction: "a brass weight", answers: ["a brass weight", "the weight"] },
      { prediction: "nobody", answers: ["Hester"] },
    ];
    await page.getByLabel("File of answers", { exact: true }).setInputFiles({
      name: "answers.jsonl",
      mimeType: "application/jsonl",
      buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")),
    });
    await page.getByRole("button", { name: "Score", exact: true }).click();
    const row = page.getByRole("row", { name: /answers/ });
    await row.waitFor();
    expect(await row.textContent()).toContain("0.500");
    await picture("questions");
  });

  it("exports the report in four formats", async () => {
    const { page } = open;
    const { items } = await server.json<Paged<EvaluationSummary>>("/api/evaluations?limit=10");
    await page.goto(`${server.url}/#/evaluations/${items[0]!.id}`);
    const exported = async (format: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: format, exact: true }).click(),
      ]);
      return bytesOf(download);
    };
    expect((await exported("HTML")).toString()).toContain(items[0]!.title);
    expect((await exported("Markdown")).toString()).toContain(items[0]!.title);
    expect(bookEvaluationSchema.parse(JSON.parse((await exported("JSON")).toString())).book.title).toBe(
      items[0]!.title,
    );
    expect((await exported("PDF")).subarray(0, 5).toString()).toBe("%PDF-");
  });
});

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile((await download.path())!);
}

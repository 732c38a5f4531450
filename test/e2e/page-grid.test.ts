import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CellCallDetails, CellCalls, CellDetails } from "../../src/api/cells.ts";
import type { GridLine, GridPage } from "../../src/api/grid.ts";
import { placeholderValue } from "../../src/models/placeholder-value.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { seriousProblems } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { addBook, judgeAs, judgeWithJury, juryRequest } from "../support/library-requests.ts";
import { openPage } from "../support/open-page.ts";
import { draftOf } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

const SENTENCE = "They were green to the seventh, and below the seventh they were only a guess.";
const INVENTED = "The dragon sneezed twice and bought the island.";
const WINDOWS = [
  ["light", "en-GB", 1280],
  ["dark", "zh-CN", 390],
  ["light", "en-GB", 1920],
] as const;

let folder: string;
let server: Served;
let browser: Browser;
let models: SimulatedServer;
let empty: Served;

/** A lenient and a strict judge, who quote one sentence of the book and invent another. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-grid-"));
  models = await createSimulatedServer({
    reply: ({ model, schema }, random) =>
      JSON.stringify(placeholderValue(schema, random), (key, value: unknown) => {
        if (key === "strengths")
          return [{ point: "The steps are seen.", quotes: [SENTENCE, INVENTED].map((text) => ({ chapter: 1, text })) }];
        const isScore = key === "score" || (key === "overall" && typeof value !== "string");
        return isScore ? (model === "lenient" ? 80 : 40) + Math.floor(random() * 9) : value;
      }),
  });
  const judges = [models.judge("lenient"), models.judge("strict")];
  [server, empty, browser] = await Promise.all([
    serveFabula(folder, [
      ...["--library", join(folder, "library"), "--store", join(folder, "store.db")],
      ...["--judges", judges.join(",")],
    ]),
    serveFabula(folder, ["--library", join(folder, "none"), "--store", join(folder, "none.db")]),
    launchChromium(),
  ]);
  for (const [title, judged] of [
    ["The Inspector of Weights", judges],
    ["A Second Book", judges.slice(0, 1)],
  ] as const) {
    const book = await addBook(server, "story.md", draftOf(title, 4));
    for (const judge of judged) {
      const job = await judgeAs(server, { ...juryRequest(book.id), judges: [judge], method: "aggregate", runs: 3 });
      expect(job).toMatchObject({ state: "done" });
    }
    expect(await judgeWithJury(server, book.id)).toMatchObject({ state: "done" });
  }
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([server?.stop("SIGINT"), empty?.stop("SIGINT"), models?.close()]);
  await rm(folder, { recursive: true, force: true });
});

function cellOf(page: Page, judge: string, column: string) {
  const line = page.getByRole("row", { name: judge }).first();
  return line.getByRole("link", { name: new RegExp(`^${column}`) });
}

async function lineBy(judge: string): Promise<GridLine> {
  const { rows } = await server.json<GridPage>("/api/grid?limit=400");
  return rows.find((row): row is GridLine => row.kind === "line" && row.judge === models.judge(judge))!;
}

describe("the grid", () => {
  it("leads from a score to the sentence in the book and back, and asks no model on the way", async () => {
    const asked = models.exchanges.length;
    const open = await openPage(browser, `${server.url}/#/grid`);
    const { page } = open;
    await page.getByText("All scores are on a scale of 0 to 100.").first().waitFor();
    // The books about which the judges differ most come first.
    await expect
      .poll(() => page.locator(".book-row a").allTextContents())
      .toEqual(["The Inspector of Weights", "A Second Book"]);
    const strict = await lineBy("strict");
    const plot = cellOf(page, "strict", "Plot");
    const score = await plot.locator("strong").textContent();
    // On a laptop of 1280 pixels no column is cut, neither alone nor with the panel, which stands beside the grid.
    const insideScroller = `(() => {
      const { right } = document.querySelector(".grid-scroller").getBoundingClientRect();
      return document.querySelector(".score-grid thead th:last-child").getBoundingClientRect().right <= right;
    })()`;
    expect(page.viewportSize()!.width).toBe(1280);
    expect(await page.evaluate(insideScroller)).toBe(true);
    // An embedded judge reads no aspects: one sentence, not a row of dashes.
    const juror = page.getByRole("row", { name: "Crowd" }).first();
    expect(await juror.locator("td").count()).toBe(2);
    await juror.getByText("no offline judge reads a story").waitFor();
    await plot.click();
    const beside = (await page.locator(".cell-panels").boundingBox())!;
    const grid = (await page.locator(".grid-scroller").boundingBox())!;
    expect(beside.x).toBeGreaterThanOrEqual(grid.x + grid.width);
    expect(beside.y).toBeLessThan(grid.y + grid.height);
    expect(await page.evaluate(insideScroller)).toBe(true);

    const panel = page.getByRole("article", { name: "Behind the score" });
    await panel.getByRole("heading", { name: /^Plot/ }).waitFor();
    expect(await panel.locator(".figure strong").textContent()).toBe(score);
    const cell = await server.json<CellDetails>(`/api/cells/${strict.evaluationId}/${strict.member}/plot`);
    expect(cell.verdict.kind === "scored" && cell.verdict.score.toFixed(1)).toBe(score);
    await panel.getByText(INVENTED).first().waitFor();
    expect(await panel.getByText("not found in the book").count()).toBeGreaterThan(0);
    const address = page.url();

    await panel.getByRole("link", { name: SENTENCE }).first().click();
    const mark = page.locator("mark.passage");
    await mark.first().waitFor();
    expect((await mark.allTextContents()).join("")).toBe(SENTENCE);
    await page.getByRole("link", { name: "Back to the score" }).click();
    await panel.getByRole("heading", { name: /^Plot/ }).waitFor();
    expect(page.url()).toBe(address);
    await panel.getByRole("link", { name: SENTENCE }).first().waitFor();

    // Every word of a call that the score rests on.
    await panel
      .getByRole("button", { name: /^judging/ })
      .first()
      .click();
    await panel.getByText("Read as JSON in the form that was asked for.", { exact: false }).waitFor();
    await panel.getByText("Prompt as sent").click();
    await panel.getByText("Reply as received").click();
    const calls = await server.json<CellCalls>(`/api/cells/${strict.evaluationId}/${strict.member}/plot/calls`);
    expect(calls.kind).toBe("listed");
    const [first] = calls.calls.filter(({ purpose }) => purpose === "judge");
    const call = await server.json<CellCallDetails>(
      `/api/cells/${strict.evaluationId}/${strict.member}/plot/calls/${first!.position}`,
    );
    expect(call.read).toMatchObject({ kind: "scored" });
    expect(await panel.locator(".call-words pre").allTextContents()).toEqual(
      expect.arrayContaining([call.reply, call.prompt!.at(-1)!.content]),
    );
    expect(call.parsed?.kind === "read" && call.parsed.strengths[0]!.quotations.map(({ found }) => found)).toEqual([
      true,
      false,
    ]);
    expect(models.exchanges).toHaveLength(asked);
    await open.picture("grid-cell");
    expect(open.complaints).toEqual([]);
    await open.close();
  });

  it("sets two scores side by side by keyboard, and the address shows the same another day", async () => {
    const asked = models.exchanges.length;
    const open = await openPage(browser, `${server.url}/#/grid?sort=title&aspect=plot&search=inspector`);
    const { page } = open;
    await cellOf(page, "lenient", "Plot").waitFor();
    await page.locator(".score-grid [tabindex='0']").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    const focused = page.locator(".score-grid :focus");
    const id = async () => new URLSearchParams((await focused.getAttribute("href"))!.split("?")[1]).get("cell");
    const firstCell = await id();
    const lenient = await lineBy("lenient");
    expect(firstCell).toBe(`${lenient.evaluationId}:${lenient.member}:plot`);
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Behind the score" }).getByRole("heading", { level: 2 }).waitFor();
    await page.getByRole("button", { name: "Compare with another score" }).click();
    await expect.poll(() => focused.count()).toBe(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "Second score" }).getByRole("heading", { level: 2 }).waitFor();
    await page.getByText(/^Second minus first: −/).waitFor();
    const address = page.url();
    expect(address).toContain("beside=");
    expect(new URLSearchParams(address.split("?")[1]).get("cell")).toBe(firstCell);
    const figures = () => page.locator(".cell-panel .figure").allTextContents();
    const shown = await figures();
    await open.picture("grid-pair");
    await open.close();

    const later = await openPage(browser, address);
    await later.page.getByRole("article", { name: "Second score" }).getByRole("heading", { level: 2 }).waitFor();
    await expect.poll(() => later.page.locator(".cell-panel .figure").allTextContents()).toEqual(shown);
    expect(await later.page.getByLabel("Sort by").inputValue()).toBe("title");
    expect(await later.page.locator(".score-grid thead th").allTextContents()).toEqual([
      "Judge · Method",
      "Plot and structure",
    ]);
    expect(models.exchanges).toHaveLength(asked);
    await later.close();
  });

  it("plans and costs what was not measured of a judge with one click, to the digit of the command's dry run", async () => {
    const asked = models.exchanges.length;
    const { evaluationId } = await lineBy("strict");
    const open = await openPage(browser, `${server.url}/#/evaluations/${evaluationId}?tab=trust`);
    const { page } = open;
    for (const name of ["Stress test", "Contamination", "Position bias", "Repeatability"]) {
      const row = page.getByRole("row", { name: new RegExp(name) });
      await row.getByRole("button", { name: "Plan and cost it" }).click();
      const plan = row.getByRole("status");
      await plan.getByText(/\d calls?/).waitFor();
      // A model on this machine costs nothing.
      expect(await plan.textContent()).toMatch(/about \$0.* \d+ calls?.*tokens in/);
      // Evaluations can be started here; what a command measures is there to be copied.
      expect(await row.getByRole("button", { name: "Start" }).count()).toBe(name === "Repeatability" ? 1 : 0);
      if (name !== "Stress test") continue;
      const command = (await row.locator(".command-line").textContent())!.replace(/ > .*$/, "");
      const words = [...command.split(" ").slice(1), "--dry-run", "--store", join(folder, "store.db")];
      const dry = JSON.parse((await runFabula(words, { folder })).stdout) as { plan: { calls: number } };
      expect(await plan.textContent()).toContain(`${dry.plan.calls} calls`);
      expect(dry.plan.calls).toBeGreaterThan(10);
    }
    expect(models.exchanges).toHaveLength(asked);
    await open.picture("trust-planned");
    expect(await seriousProblems(page)).toEqual([]);
    expect(open.complaints).toEqual([]);
    await open.close();
  });

  it.each(WINDOWS)("is clear of barriers and fits its window, filled and empty: %s, %s, %i px", async (...window) => {
    const [colorScheme, locale, width] = window;
    const options = { colorScheme, locale, viewport: { width, height: 900 } };
    const { evaluationId, member } = await lineBy("strict");
    for (const [name, url] of [
      ["filled", `${server.url}/#/grid?cell=${evaluationId}:${member}:plot`],
      ["empty", `${empty.url}/#/grid`],
    ] as const) {
      const open = await openPage(browser, url, options);
      const { page } = open;
      await page
        .locator(name === "filled" ? ".cell-calls tbody tr" : ".empty-state")
        .first()
        .waitFor();
      if (name === "filled") {
        await page.locator(".cell-calls button").first().click();
        await page.locator(".cell-call details").first().waitFor();
      }
      await open.picture(`grid-${name}-${colorScheme}-${width}`);
      expect(await seriousProblems(page)).toEqual([]);
      const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      expect(await page.evaluate(overflow)).toBe(0);
      expect(open.complaints).toEqual([]);
      await open.close();
    }
  });
});

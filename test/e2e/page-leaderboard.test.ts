import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import {
  createSimulatedServer,
  type SimulatedServer,
  simulatedNovelists,
  simulatedProse,
} from "../../src/testing/index.ts";
import { seriousProblemsInBoth } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { openPage } from "../support/open-page.ts";
import { runFabula } from "./run-fabula.ts";
import { serveFabula } from "./serve-fabula.ts";

const NOVELS = 9;
const CHAPTERS = 3;
/** Four words in a row that are no names of models or files. */
const ENGLISH_SENTENCE = /(?:\b[a-z]{2,}\b[ ,]+){4}/i;
const WRITERS = { ada: 0.55, bea: 0.5, cleo: 0.05 };

/** Novels of rising quality, in three genres, long enough to be read as chapters. */
function writeCorpus(folder: string, language: "en" | "zh"): string {
  mkdirSync(folder, { recursive: true });
  const list = ["file,genre,year"];
  for (let novel = 1; novel <= NOVELS; novel++) {
    const random = seededRandom(novel + (language === "zh" ? 100 : 0));
    const chapters = Array.from({ length: CHAPTERS + 1 }, (_, index) => {
      const heading = language === "en" ? `# Chapter ${index + 1}` : `第${"一二三四五"[index]}章 雨夜`;
      return `${heading}\n\n${simulatedProse((0.6 * novel) / NOVELS, 260, language, random)}\n`;
    });
    const file = `novel-${novel}.${language === "en" ? "md" : "txt"}`;
    writeFileSync(join(folder, file), chapters.join("\n"));
    list.push(`${file},${["harbour", "city", "road"][novel % 3]},${2015 + novel}`);
  }
  const listed = `${folder}.csv`;
  writeFileSync(listed, `${list.join("\n")}\n`);
  return listed;
}

describe.each([
  ["English", "en" as const],
  ["Chinese", "zh" as const],
])("a leaderboard in %s, from a folder of novels to a site", (_, language) => {
  const root = mkdtempSync(join(tmpdir(), `fabula-leaderboard-${language}-`));
  const environment = { FABULA_STORE: join(root, "store.db") };
  const [corpus, site] = [join(root, "novels"), join(root, "site")];
  let server: SimulatedServer;
  let browser: Browser;
  let words: string[];

  beforeAll(async () => {
    const list = writeCorpus(corpus, language);
    server = await createSimulatedServer({ reply: simulatedNovelists(WRITERS), latency: 15 });
    browser = await launchChromium();
    const writers = join(root, "writers.txt");
    writeFileSync(
      writers,
      `# who writes\n${server.judge("ada")} cutoff=2020 name="Ada One" maker=Harbour released=2025-03\n${server.judge("cleo")}\n`,
    );
    const judges = [server.judge("ann"), server.judge("bob")].join(",");
    words = ["bench", "leaderboard", corpus, "--writers", writers, "--judges", judges, "--out", site, "--list", list];
    words.push("--chapters", String(CHAPTERS), "--check-texts", "2", "--check-repeats", "3", "--concurrency", "4");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  const answered = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;

  it("says what it would ask before anything is sent", async () => {
    const { code, stdout, stderr } = await runFabula([...words, "--dry-run", "--json"], { environment });
    expect(code, stderr).toBe(0);
    const scored = NOVELS * CHAPTERS * 2 + 2 * 3 * 2;
    expect(JSON.parse(stdout).plan.calls).toBe(scored + NOVELS * CHAPTERS * (1 + 2 + 2 * 2));
    expect(answered()).toBe(0);
  });

  it("is killed in the middle, goes on, and pays for no answer twice", async () => {
    const child = spawn(process.execPath, ["dist/cli/main.js", ...words], { env: { ...process.env, ...environment } });
    await expect.poll(answered).toBeGreaterThan(100);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("close", resolve));
    expect(existsSync(join(site, "index.html"))).toBe(false);
    const { code, stdout, stderr } = await runFabula([...words, "--json"], { environment });
    expect(code, stderr).toBe(0);
    const { writers } = JSON.parse(stdout);
    expect(writers.map(({ writer }: { writer: string }) => writer)).toEqual([
      server.judge("ada"),
      server.judge("cleo"),
    ]);
    expect(writers.map(({ groups }: { groups: string }) => groups)).toEqual(["a", "b"]);
    const calls = NOVELS * CHAPTERS * 2 + 2 * 3 * 2 + NOVELS * CHAPTERS * (1 + 2 + 2 * 2);
    // What was in flight when it was killed may have been asked twice.
    expect(answered()).toBeLessThanOrEqual(calls + 8);
  });

  it("takes one more writer for the price of that writer", async () => {
    const before = answered();
    const writers = words[words.indexOf("--writers") + 1]!;
    writeFileSync(writers, `${readFileSync(writers, "utf8")}${server.judge("bea")}\n`);
    const { code, stdout, stderr } = await runFabula(words, { environment });
    expect(code, stderr).toBe(0);
    expect(answered() - before).toBe(NOVELS * CHAPTERS * 3);
    if (language === "zh") expect(stdout).not.toMatch(ENGLISH_SENTENCE);
    else expect(stdout).toContain("Writers that share a letter cannot be told apart.");
  });

  it("has rows of scores that say what made them", () => {
    const rows = readFileSync(
      join(`${site}.bench`, `scores.ann-http-127.0.0.1-${new URL(server.url).port}-v1.jsonl`),
      "utf8",
    );
    expect(JSON.parse(rows.split("\n")[0]!)).toMatchObject({
      judge: server.judge("ann"),
      rubric: `novel-bench-${language}`,
      settings: "temperature 0",
      promptHash: expect.stringMatching(/^[0-9a-f]{12}$/),
      textHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("is a site that a browser shows without a complaint, on a desk, on a phone and on paper", async () => {
    const url = pathToFileURL(join(site, "index.html")).href;
    const desk = await openPage(browser, url);
    expect(await desk.page.locator("html").getAttribute("lang")).toBe(language === "zh" ? "zh-CN" : "en");
    const board = desk.page.getByRole("region", { name: language === "en" ? "Leaderboard" : "排行榜" });
    expect(await board.getByRole("row").count()).toBe(4);
    if (language === "zh") expect(await desk.page.locator("body").innerText()).not.toMatch(ENGLISH_SENTENCE);
    await desk.picture(`leaderboard-${language}`);
    await desk.page.emulateMedia({ media: "print" });
    expect(await desk.page.locator("nav").isVisible()).toBe(false);
    await desk.page.emulateMedia({ media: "screen" });
    for (const name of language === "en" ? ["Methods", "Texts", "Leaderboard"] : ["方法", "文本", "排行榜"]) {
      await desk.page.getByRole("navigation").getByRole("link", { name }).click();
      await desk.page.getByRole("heading", { level: 1 }).waitFor();
      expect(await seriousProblemsInBoth(desk.page), name).toEqual([]);
    }
    const phone = await openPage(browser, url, { viewport: { width: 390, height: 844 } });
    for (const file of ["index.html", "methods.html", "texts.html"]) {
      await phone.page.goto(pathToFileURL(join(site, file)).href);
      expect(await phone.page.evaluate("document.documentElement.scrollWidth"), file).toBeLessThanOrEqual(390);
      await phone.picture(`leaderboard-${language}-phone-${file.replace(".html", "")}`);
    }
    expect([...desk.complaints, ...phone.complaints]).toEqual([]);
    for (const file of ["CITATION.cff", "data/leaderboard.csv", "data/leaderboard.parquet", "data/scores.parquet"])
      expect(existsSync(join(site, file)), file).toBe(true);
    await desk.close();
    await phone.close();
  });

  it("has a page for each writer and novel, whose texts load when they are opened, from a disk too", async () => {
    const { page, complaints, picture, close } = await openPage(browser, pathToFileURL(join(site, "index.html")).href);
    await page.getByRole("link", { name: "Ada One" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada One" }).waitFor();
    await expect.poll(() => page.locator("main").innerText()).toMatch(/Harbour[\s\S]*2025-03[\s\S]*\d+ (?:words|字)/);
    const works = page.locator("details.work");
    expect(await works.count()).toBe(NOVELS);
    expect(await page.locator(".work-text").count()).toBe(0);
    await works.first().locator("summary").click();
    const text = works.first().locator(".work-text");
    await text.first().waitFor();
    expect(await text.count()).toBe(CHAPTERS);
    expect((await text.first().innerText()).length).toBeGreaterThan(200);
    await works.first().locator("article details").first().locator("summary").click();
    await expect.poll(() => works.first().locator("article table").first().innerText()).toContain("simulated");
    if (language === "zh") expect(await page.locator("body").innerText()).not.toMatch(ENGLISH_SENTENCE);
    expect(await seriousProblemsInBoth(page)).toEqual([]);
    await picture(`leaderboard-${language}-writer`);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await picture(`leaderboard-${language}-writer-phone`);
    await page.locator(".work-row > a").nth(1).click();
    await page.getByRole("heading", { level: 1, name: "novel" }).waitFor();
    expect(await page.locator("details.work").count()).toBe(3);
    await page.locator("details.work").last().locator("summary").click();
    await page.locator(".work-text").first().waitFor();
    await picture(`leaderboard-${language}-novel`);
    expect(complaints).toEqual([]);
    await close();
  });

  it("shows the same in the web app, where every board has a label of its own", async () => {
    const served = await serveFabula(root, ["--bench", `${site}.bench`, "--store", join(root, "store.db")]);
    try {
      const { page, complaints, picture, close } = await openPage(browser, `${served.url}/#/benchmark`);
      const labels = page.getByLabel("Benchmark").locator("option");
      await labels.first().waitFor({ state: "attached" });
      const names = (await labels.allTextContents()).filter((name) => name.startsWith("site.bench"));
      expect(names.toSorted()).toEqual(["site.bench · ann", "site.bench · ann + bob", "site.bench · bob"]);
      // All judges together come first, as on the site, and every table calls the writers as people do.
      expect(names[0]).toBe("site.bench · ann + bob");
      await page.getByRole("link", { name: "Ada One" }).first().waitFor();
      const tables = (await page.locator("main table").allInnerTexts()).join("\n");
      expect(tables.match(/Ada One/g)!.length).toBeGreaterThan(2);
      expect(tables).not.toContain("http://");
      await page.getByRole("link", { name: "Ada One" }).first().click();
      await page.locator("details.work").first().locator("summary").click();
      await page.locator(".work-text").first().waitFor();
      expect(await page.locator(".work-text").count()).toBe(CHAPTERS);
      await picture(`leaderboard-${language}-app`);
      expect(complaints).toEqual([]);
      await close();
    } finally {
      await served.stop("SIGINT");
    }
  });
});

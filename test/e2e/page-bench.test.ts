import { EventEmitter, once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VoteQueue, VoterAgreement } from "../../src/api/votes.ts";
import { systemClock } from "../../src/core/clock.ts";
import { EvaluationFiles } from "../../src/server/library/evaluation-files.ts";
import { seriousProblems } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { FAULTY_JUDGE, madeEvaluation, SOUND_JUDGES, worth } from "../support/judged-library.ts";
import { addBook } from "../support/library-requests.ts";
import { openPage } from "../support/open-page.ts";
import { draftOf } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

const TITLES = ["The Ferry", "The Lamp", "The Orchard", "The Salt Road"];
const JUDGES = [...SOUND_JUDGES, FAULTY_JUDGE];

let folder: string;
let server: Served;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-bench-"));
  browser = await launchChromium();
  server = await serve();
  const books = [];
  for (const title of TITLES) books.push(await addBook(server, `${title}.md`, draftOf(title, 2)));
  await server.stop("SIGINT");
  const shelf = await EvaluationFiles.open(join(folder, "library", "evaluations"), systemClock);
  for (const judge of JUDGES) {
    for (const [book, { id }] of books.entries()) await shelf.add(id, madeEvaluation(judge, book, TITLES[book]!));
  }
  server = await serve();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

const serve = () => serveFabula(folder, ["--library", join(folder, "library"), "--store", join(folder, "store.db")]);
const desk = (page: Page) => page.getByRole("region", { name: "Blind vote" });
const table = (page: Page) => page.getByRole("region", { name: "Whom you believe" }).first();

const signsOf = (signs: { getAttribute(name: string): string | null }[]) =>
  signs.map((sign) => sign.getAttribute("data-sign"));

/** The share and interval that the table shows for a judge. */
async function shownShare(page: Page, judge: string): Promise<string> {
  return (
    await table(page)
      .getByRole("row", { name: new RegExp(judge) })
      .locator("td")
      .allTextContents()
  ).join(" ");
}

/** The key of whoever thinks as the made books are worth: the score nearer to it. */
async function honestKey(page: Page): Promise<string> {
  const title = (await desk(page).locator(".pair .kicker a").textContent())!;
  const question = (await desk(page).locator(".pair h3").textContent())!;
  const aspect = /^(\w+)/.exec(question)![1]!.toLowerCase();
  const value = worth(TITLES.indexOf(title), aspect);
  const scores = (await desk(page).locator(".blind-score strong").allTextContents()).map(Number);
  return Math.abs(scores[0]! - value) <= Math.abs(scores[1]! - value) ? "a" : "b";
}

/** As on a busy server: the next pairs are listed after a vote is kept, and arrive before the vote is answered. */
async function listWhileVoting(page: Page): Promise<void> {
  const isKept = new EventEmitter();
  const listed = new Set<Promise<unknown>>();
  await page.route("**/api/votes/queue?*", async (route) => {
    const list = Promise.race([once(isKept, "vote"), delay(1000)])
      .then(() => route.fetch())
      .then((response) => route.fulfill({ response }))
      .catch(() => {})
      .finally(() => listed.delete(list));
    listed.add(list);
    await list;
  });
  await page.route("**/api/votes", async (route) => {
    const response = await route.fetch();
    const onTheirWay = [...listed];
    isKept.emit("vote");
    await Promise.all(onTheirWay);
    if (onTheirWay.length > 0) await delay(100);
    await route.fulfill({ response });
  });
}

describe("the bench of evidence", () => {
  it("leads to the faulty judge among three in under ten clicks", async () => {
    const open = await openPage(browser, server.url);
    const { page } = open;
    let clicks = 0;
    const click = async (name: string | RegExp) => {
      clicks += 1;
      await page.getByRole("link", { name }).first().click();
    };
    await click(/^Lab$/);
    await click("Disagreements");
    const standings = page.getByRole("region", { name: "Each judge beside the others" }).first();
    const first = standings.locator("tbody tr").first();
    await expect.poll(() => first.getByRole("link").textContent()).toContain(FAULTY_JUDGE);
    await expect.poll(() => first.textContent()).toContain("stands apart");
    await open.picture("disagreements");
    const sign = await first.locator("[data-sign]").getAttribute("data-sign");
    expect(await standings.locator("[data-sign]").evaluateAll(signsOf)).toHaveLength(3);
    expect(new Set(await standings.locator("[data-sign]").evaluateAll(signsOf)).size).toBe(3);
    await click(/^erratic/);
    const repeatability = page.getByRole("row", { name: /Repeatability/ });
    await expect.poll(() => repeatability.textContent()).toContain("4 texts are too few to call that good or bad");
    expect(clicks).toBeLessThan(10);
    await expect.poll(() => page.locator(".one-judge h3 [data-sign]").getAttribute("data-sign")).toBe(sign);
    expect(await seriousProblems(page)).toEqual([]);
    await open.picture("trust");
    // The judge has the same sign wherever it appears.
    await page.goto(`${server.url}/#/grid`);
    const line = page.getByRole("row", { name: FAULTY_JUDGE }).first();
    await expect.poll(() => line.locator("[data-sign]").first().getAttribute("data-sign")).toBe(sign);
    expect(open.complaints).toEqual([]);
    await open.close();
  });

  it("takes twenty blind votes by keyboard, and says at once whom the voter believes, with an interval", async () => {
    const queue = await (await server.get("/api/votes/queue?voter=me&limit=50")).text();
    for (const judge of JUDGES) expect(queue).not.toContain(judge);
    const open = await openPage(browser, `${server.url}/#/disagreements`);
    const { page } = open;
    await desk(page).locator(".pair h3").waitFor();
    await listWhileVoting(page);
    const { left } = JSON.parse(queue) as VoteQueue;
    const leftOver = (votes: number) =>
      desk(page)
        .getByText(`${left - votes} pairs left`)
        .waitFor();
    await leftOver(0);
    const shares: string[] = [];
    for (let votes = 1; votes <= 20; votes++) {
      for (const judge of JUDGES) expect(await desk(page).locator(".pair").textContent()).not.toContain(judge);
      // The tenth is a score of the voter's own: digits, then Enter.
      if (votes === 10) await page.keyboard.type("50\n");
      else await page.keyboard.press(await honestKey(page));
      await leftOver(votes);
      if (votes === 1 || votes === 20) shares.push(await shownShare(page, FAULTY_JUDGE));
    }
    expect(shares[0]).toMatch(/\d+ % *\d+ %–\d+ %/);
    expect(shares[1]).not.toBe(shares[0]);
    await open.picture("votes");

    const { votes, judges } = await server.json<VoterAgreement>("/api/votes?voter=me");
    expect(votes).toBe(20);
    const faulty = judges.find(({ judge }) => judge === FAULTY_JUDGE)!;
    expect(faulty.interval[1]).toBeLessThan(0.5);
    expect(shares[1]).toContain(`${Math.round(100 * faulty.share)} %`);
    expect(shares[1]).toContain(`${Math.round(100 * faulty.interval[0])} %–${Math.round(100 * faulty.interval[1])} %`);

    await page.keyboard.press("Backspace");
    await leftOver(19);
    expect((await server.json<VoterAgreement>("/api/votes?voter=me")).votes).toBe(19);
    expect(open.complaints).toEqual([]);
    await open.close();
  });

  it("gives the command line the same votes, after a restart too", async () => {
    const before = await server.json<VoterAgreement>("/api/votes");
    expect(before.votes).toBe(19);
    await server.stop("SIGKILL");
    server = await serve();
    expect(await server.json<VoterAgreement>("/api/votes")).toEqual({ ...before, file: before.file });
    const library = join(folder, "library");
    const agree = await runFabula(["agree", "--votes", library, "--json"], { folder });
    expect(JSON.parse(agree.stdout)).toMatchObject({
      schema: "fabula.vote-agreement.v1",
      votes: 19,
      judges: before.judges,
    });
    const health = await runFabula(["health", "--votes", before.file, "--json", await exported()], { folder });
    const { judges } = JSON.parse(health.stdout) as {
      judges: { judge: string; findings: { check: string; state: string }[] }[];
    };
    const finding = (judge: string) =>
      judges.find((one) => one.judge.startsWith(judge))!.findings.find(({ check }) => check === "agreement")!;
    expect(finding(FAULTY_JUDGE).state).toBe("problem");
    expect((await readFile(before.file, "utf8")).split("\n").filter(Boolean)).toHaveLength(21);
  });
});

/** The evaluations of the library in one file, as `fabula evaluate` writes them. */
async function exported(): Promise<string> {
  const path = join(folder, "evaluations.jsonl");
  const lines = JUDGES.flatMap((judge) =>
    TITLES.map((title, book) => JSON.stringify(madeEvaluation(judge, book, title))),
  );
  await writeFile(path, lines.join("\n"));
  return path;
}

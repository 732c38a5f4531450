import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { launchChromium } from "../support/chromium.ts";
import { hostileReply } from "../support/hostile-reply.ts";
import { type OpenPage, openPage } from "../support/open-page.ts";
import { STORY } from "../support/stories.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let browser: Browser;
let models: SimulatedServer;
let folder: string;
let server: Served;
let open: OpenPage;

beforeAll(async () => {
  browser = await launchChromium();
  models = await createSimulatedServer({
    latency: [150, 300],
    faults: { "rate-limit": 0.1, "server-error": 0.1, "drop-midway": 0.05, prose: 0.05 },
    retryAfterSeconds: 0.05,
    reply: async (request, random) => {
      if (held && held.given >= held.most) await held.until;
      else if (held) held.given += 1;
      return hostileReply(request, random);
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await models?.close();
});
const start = (words: readonly string[] = []) =>
  serveFabula(folder, ["--judges", models.judge("simulated-small"), ...words]);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-page-models-"));
  server = await start();
  open = await openPage(browser, server.url);
});
afterEach(async () => {
  await open.close();
  await server.stop("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** What replies wait for, after as many as are given first. */
let held: { readonly most: number; given: number; readonly until: Promise<void> } | null = null;

/** From now on the model gives so many replies and no more, so that whoever watches finds the work under way, until what is returned is called. */
function holdReplies(most = 0): () => void {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  held = { most, given: 0, until };
  return () => {
    held = null;
    release();
  };
}

/** Adds the story and begins to judge it with the simulated model. */
async function begin(): Promise<void> {
  const { page } = open;
  await page.setInputFiles("input[type=file]", STORY);
  await page.getByRole("link", { name: "About", exact: true }).click();
  await page.locator("main").getByRole("link", { name: "Evaluate" }).click();
  await page.getByLabel(/simulated-small/).check();
  expect(await page.getByLabel(/^Jury/).isChecked()).toBe(false);
  await page.getByRole("radio", { name: /aggregate/i }).check();
  await page.getByLabel("Runs").fill("4");
  await page.getByText(/\d+ calls/).waitFor();
  expect(models.exchanges).toHaveLength(asked);
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("progressbar").waitFor();
}

let asked = 0;
afterEach(() => {
  asked = models.exchanges.length;
});

describe.sequential("the page with a language model that fails now and then", () => {
  it("asks nothing before it is told to, pauses, resumes, and shows what the model said as text", async () => {
    const { page, picture } = open;
    const release = holdReplies();
    await begin();
    await page.getByRole("button", { name: "Pause" }).click();
    release();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await picture("paused");
    await page.getByRole("button", { name: "Resume" }).click();
    // What the model said of each part of the book so far, before the report is there.
    await page
      .getByRole("link", { name: /^Chapters? \d.*: \d\d\.\d/ })
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Open the report" }).waitFor();
    await picture("progress-by-model");
    await page.getByRole("link", { name: "Open the report" }).click();
    await page.getByRole("link", { name: "Verdicts" }).click();
    await page.getByRole("heading", { name: "Aspect by aspect" }).waitFor();
    expect(await page.locator(".report-facts").textContent()).toContain("Judgesimulated-smallMethod");
    expect(await page.locator(".report-facts").getByTitle(models.judge("simulated-small")).count()).toBe(1);
    await page.getByText("<img src=x").first().waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).not.toBe("broken");
    await picture("report-model");
    expect(open.complaints).toEqual([]);

    // Everything that was asked is among the runs, with what it cost.
    await page.getByRole("link", { name: "Runs" }).click();
    await page.locator("a[href^='#/runs/']").first().click();
    await page.getByRole("heading", { name: "By model and purpose" }).waitFor();
    await page.getByRole("heading", { name: "Every call" }).waitFor();
    // A call opens with the prompt as it was sent and the reply as it came.
    await page
      .getByRole("button", { name: /^Open call/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Prompt as sent" }).waitFor();
    const shown = (await page.locator(".prompt-and-reply pre").allTextContents()).join("\n");
    const paragraphs = (await readFile(STORY, "utf8")).split("\n\n").filter((text) => text.length > 200);
    expect(paragraphs.some((text) => shown.includes(text.slice(0, 40)))).toBe(true);
    await picture("run");
  });

  it("says that the server is gone, finds it again, and goes on where it was", async () => {
    const { page, picture } = open;
    const release = holdReplies(8);
    await begin();
    await page
      .getByText(/[2-9] of \d+|1\d of \d+/)
      .first()
      .waitFor();
    await server.stop("SIGKILL");
    release();
    await page.getByText("The server is not responding; trying again.", { exact: false }).first().waitFor();
    await picture("server-gone");
    server = await start(["--port", new URL(server.url).port]);
    await page.getByText("The server was restarted.", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("link", { name: "Open the report" }).click();
    await page.getByRole("link", { name: "Verdicts" }).click();
    await page.getByRole("heading", { name: "Aspect by aspect" }).waitFor();
  });

  it("cancels, and keeps no report", async () => {
    const { page } = open;
    const release = holdReplies();
    await begin();
    await page.getByRole("button", { name: "Cancel the evaluation" }).click();
    release();
    await page.getByText("Cancelled").first().waitFor();
    expect(await page.getByRole("link", { name: "Open the report" }).count()).toBe(0);
  });

  it("pauses, resumes and cancels a reading beside the letter, also after the server was stopped", async () => {
    const { page } = open;
    await page.setInputFiles("input[type=file]", STORY);
    await page.locator(".letter h2").first().waitFor();
    const reading = page.getByRole("region", { name: "Progress" });
    const read = page.getByRole("button", { name: "Read the story" });
    const release = holdReplies();
    await read.click();
    await reading.getByRole("button", { name: "Pause" }).click();
    release();
    await reading.getByRole("button", { name: "Resume" }).waitFor();
    await expect.poll(() => reading.getByRole("status").textContent()).toBe("Paused");
    await expect.poll(() => read.count()).toBe(0);
    // After a restart it is paused still, and goes on from here.
    const address = page.url().replace(/^.*#/, "/#");
    await server.stop("SIGKILL");
    server = await start();
    await page.context().request.get(server.link);
    await page.goto(server.url + address);
    const releaseAgain = holdReplies();
    await reading.getByRole("button", { name: "Resume" }).click();
    await reading.getByRole("button", { name: "Cancel the reading" }).click();
    releaseAgain();
    await read.waitFor();
    await expect.poll(() => reading.count()).toBe(0);
    open.complaints.length = 0;
  });
});

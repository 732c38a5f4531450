import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { EvaluationFiles } from "../../src/server/library/evaluation-files.ts";
import { launchChromium } from "../support/chromium.ts";
import { madeEvaluation, SOUND_JUDGES } from "../support/judged-library.ts";
import { latinSentences } from "../support/latin-sentences.ts";
import { addStory, judgeWithJury } from "../support/library-requests.ts";
import { openPage } from "../support/open-page.ts";
import { STORY } from "../support/stories.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;
let views: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-chinese-"));
  browser = await launchChromium();
  server = await serve();
  const { id } = await addStory(server);
  const { evaluationId: jury } = await judgeWithJury(server, id);
  await server.stop("SIGINT");
  const files = await EvaluationFiles.open(join(folder, "library", "evaluations"), systemClock);
  const made = [];
  for (const judge of SOUND_JUDGES) made.push(await files.add(id, madeEvaluation(judge, 1, "One")));
  server = await serve();
  const report = (evaluation: string) =>
    ["verdicts", "trust", "readers", "about"].map((tab) => `evaluations/${evaluation}?tab=${tab}`);
  views = [
    ...["", `books/${id}`, `evaluate?book=${id}`, "disagreements", "grid", "settings", "runs", "readers", "benchmark"],
    ...["questions", `compare?left=${made[0]!.id}&right=${made[1]!.id}`, "nowhere"],
    ...[...report(jury!), `evaluations/${jury}?tab=letter`, ...report(made[0]!.id)],
  ];
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

const serve = () => serveFabula(folder, ["--library", join(folder, "library"), "--store", join(folder, "store.db")]);

it("has no English sentence in the Chinese interface but what a book or a judge said", async () => {
  const remarks =
    "Something good about Something weak about Plot and structure Writing and language World-building and setting";
  const said = `${await readFile(STORY, "utf8")} ${remarks}`;
  const open = await openPage(browser, server.url, { locale: "zh-CN" });
  const { page } = open;
  const found: Record<string, string[]> = {};
  for (const view of views) {
    await page.goto(`${server.url}/#/${view}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await expect.poll(() => page.locator(".loading").count()).toBe(0);
    expect(await page.locator("main").textContent()).toMatch(/[\u4e00-\u9fff]/);
    const sentences = (await latinSentences(page, said)).filter((text) => !/^Something (good|weak) about /.test(text));
    if (sentences.length > 0) found[view] = sentences;
  }
  expect(found).toEqual({});
  await open.close();
});

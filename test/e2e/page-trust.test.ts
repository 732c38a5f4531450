import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trustJudges } from "../../src/index.ts";
import { trustAnswer } from "../../src/report/agreement/trust-report.ts";
import { seriousProblems } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { openPage } from "../support/open-page.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-page-trust-"));
  [server, browser] = await Promise.all([serveFabula(folder), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

describe("whom to trust, in the web app", () => {
  it("answers a table as the command does, and says which columns it has when one is missing", async () => {
    const rows = Array.from({ length: 40 }, (_, at) => {
      const worth = (at * 7) % 10;
      return `t${at},${1 + (worth >> 1)},${1 + ((worth + (at % 2)) >> 1)},${worth * 8 + (at % 3)},${(at * 11) % 13}`;
    });
    const table = join(folder, "ratings.csv");
    await writeFile(table, `id,r1,r2,close,loose\n${rows.join("\n")}\n`);
    const open = await openPage(browser, `${server.url}/#/trust`);
    const { page } = open;
    await page.getByLabel("Table", { exact: true }).last().setInputFiles(table);
    await page.getByRole("button", { name: "Whom to trust?" }).click();
    await page
      .getByRole("alert")
      .getByText(/has the columns id, r1, r2, close, loose/)
      .waitFor();
    await page.getByLabel("People’s columns").fill("r1, r2");
    await page.getByRole("button", { name: "Whom to trust?" }).click();
    const expected = trustAnswer(await trustJudges(table, { human: ["r1", "r2"] }));
    for (const sentence of expected) await page.getByText(sentence).waitFor();
    await page.getByRole("row", { name: /^close 40/ }).waitFor();
    await page.locator(".plot-figure svg[role=img]").waitFor();
    expect(await page.locator("main").textContent()).toContain("ratings.csv");
    expect(await seriousProblems(page)).toEqual([]);
    await open.picture("whom-to-trust");
    // The refusal is one that the server makes.
    expect(open.complaints.filter((complaint) => !/400/.test(complaint))).toEqual([]);
    await open.close();
  });
});

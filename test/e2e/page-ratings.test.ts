import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RatingQueue, RatingStudy, RatingSummary } from "../../src/api/ratings.ts";
import { trustJudges } from "../../src/index.ts";
import { krippendorffAlpha } from "../../src/stats/index.ts";
import { seriousProblems } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { openPage } from "../support/open-page.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-page-ratings-"));
  [server, browser] = await Promise.all([serveFabula(folder), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

const TEXTS = Array.from({ length: 24 }, (_, at) => ({
  id: `t${at}`,
  title: `Chapter ${at}`,
  text: `Chapter ${at}. She waited.`,
  gpt: (at * 7) % 10,
}));
const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");

describe("rating by several people", () => {
  it("begins in the web app, hides judges until the rater has spoken, and settles what is disputed", async () => {
    const table = join(folder, "chapters.jsonl");
    await writeFile(table, lines(TEXTS));
    const open = await openPage(browser, `${server.url}/#/ratings`);
    const { page } = open;
    await page.getByLabel("What is rated").setInputFiles(table);
    await page.getByLabel("Raters", { exact: true }).fill("ana, ben");
    await page.getByRole("button", { name: "New study" }).click();
    await page.getByRole("link", { name: "chapters.jsonl" }).click();
    await page.getByRole("link", { name: "ana" }).click();
    await page.getByText("0 of 24 rated").waitFor();
    expect(await page.locator("main").textContent()).not.toContain("gpt:");
    await page.getByRole("button", { name: "4", exact: true }).click();
    await page.getByText(/^gpt: \d/).waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Cannot judge" }).click();
    await page.getByText("2 of 24 rated").waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await open.picture("rating-queue");

    const [{ id }] = await server.json<[RatingSummary]>("/api/ratings");
    const queueOf = (rater: string) => server.json<RatingQueue>(`/api/ratings/${id}/queue?rater=${rater}`);
    const [ana, ben] = [await queueOf("ana"), await queueOf("ben")];
    expect(ana.items.map((item) => item.id)).not.toEqual(ben.items.map((item) => item.id));
    expect(Object.keys(ana.judges).sort()).toEqual(Object.keys(ana.said).sort());
    const put = (path: string, body: object) => server.send("PUT", `/api/ratings/${id}/${path}`, body);
    // Ana goes with the judge, Ben at half the pace; of one text they say opposite things.
    const scores = TEXTS.map(({ gpt }, at) =>
      at === 3 ? [5, 1] : [1 + Math.floor(gpt / 2.5), 1 + Math.floor(gpt / 2.6)],
    );
    for (const [at, { id: item }] of TEXTS.entries()) {
      for (const [who, rater] of ["ana", "ben"].entries())
        expect((await put("ratings", { rater, item, said: scores[at]![who]! })).status).toBe(200);
    }
    expect((await put("ratings", { rater: "ana", item: "t1", said: 9 })).status).toBe(400);
    expect((await put("ratings", { rater: "cy", item: "t1", said: 3 })).status).toBe(404);

    await page.goto(`${server.url}/#/ratings/${id}`);
    const alpha = krippendorffAlpha([scores.map(([one]) => one!), scores.map(([, two]) => two!)], "interval").value!;
    await page.getByText(`α = ${alpha.toFixed(2)}, over 24 items`).waitFor();
    const dispute = page.getByRole("article", { name: "Chapter 3" });
    await dispute.getByRole("button", { name: "2", exact: true }).click();
    await dispute.getByRole("button", { name: "2", exact: true, pressed: true }).waitFor();
    const study = await server.json<RatingStudy>(`/api/ratings/${id}`);
    expect(study.disputes[0]).toMatchObject({ item: { id: "t3" }, decided: 2 });
    await open.picture("rating-study");
    expect(open.complaints).toEqual([]);
    await open.close();

    // Straight into trust.
    const exported = join(folder, "ratings.csv");
    await writeFile(exported, await (await server.get(`/api/ratings/${id}/ratings.csv`)).text());
    const report = await trustJudges(exported, { human: ["rating"], rater: "rater", resamples: 0 });
    expect(report.human).toEqual(["ana", "ben"]);
    expect(report.study.judges.map(({ judge }) => judge)).toEqual(["gpt"]);
    expect(report.study.ceiling.alpha.value).toBeCloseTo(alpha, 12);
  });

  it("deals out pairs and answers, so many raters to each", async () => {
    const add = async (name: string, rows: readonly object[]) => {
      const response = await server.upload(
        "/api/ratings",
        { name, content: lines(rows) },
        { raters: "ana,ben,cy", perItem: "2" },
      );
      return (await response.json()) as RatingSummary & { message?: string };
    };
    const pairs = await add(
      "pairs.jsonl",
      TEXTS.map(({ id, text }) => ({ id, first: text, second: "Another." })),
    );
    expect(pairs).toMatchObject({ isOfPairs: true, scale: { minimum: 0, maximum: 1 } });
    const { progress } = await server.json<RatingStudy>(`/api/ratings/${pairs.id}`);
    expect(progress.map(({ assigned }) => assigned)).toEqual([16, 16, 16]);
    const answers = await add("answers.jsonl", [{ id: "q1", question: "Who waits?", answer: "She does." }]);
    const queue = await server.json<RatingQueue>(`/api/ratings/${answers.id}/queue?rater=ana`);
    expect(queue.items[0]).toMatchObject({ question: "Who waits?", text: "She does.", second: null });
    expect((await add("empty.jsonl", [{ id: "x", title: "Nothing" }])).message).toMatch(
      /Row 1 of "empty.jsonl" has nothing to rate/,
    );
  });
});

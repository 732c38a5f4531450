import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ItemText, RatingChoices, RatingQueue, RatingStudy, RatingSummary } from "../../src/api/ratings.ts";
import type { TrustAnswer } from "../../src/api/trust.ts";
import { trustJudges } from "../../src/index.ts";
import { krippendorffAlpha, spearman } from "../../src/stats/index.ts";
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
    // What was settled on stands for people; how well they agree does not change by it.
    expect(report.settled).toBe(1);
    const people = scores.map(([one, two], at) => (at === 3 ? 2 : (one! + two!) / 2));
    const judged = TEXTS.map(({ gpt }) => gpt);
    expect(report.study.judges[0]!.spearman.value).toBeCloseTo(spearman(people, judged).value!, 12);
    const answer = await server.json<TrustAnswer>(`/api/ratings/${id}/trust`);
    expect(answer.judges[0]!.spearman.value).toBeCloseTo(spearman(people, judged).value!, 12);
    expect(answer.notes.join(" ")).toContain("The adjudicated score of 1 text stands in place of the mean");
  });

  it("takes books, chapters, pairs and answers from the library, each rater by a link of their own, all by keyboard", async () => {
    const books = ["Alpha", "Beta", "Gamma"].map((title) => ({
      title,
      content: `# ${title}\n\n## One\n\n${`${title} opened the first door. `.repeat(40)}\n\n## Two\n\n${`${title} closed the second. `.repeat(40)}\n`,
    }));
    for (const { title, content } of books)
      expect((await server.upload("/api/books", { name: `${title}.md`, content })).status).toBe(201);
    const verdicts = books.map(({ title }, at) => JSON.stringify({ id: title, gpt: 20 + 30 * at })).join("\n");
    await server.upload("/api/grid/import", { name: "gpt.jsonl", content: verdicts }, { judgeScale: "0,100" });
    const add = async (kind: string, more: object = {}) => {
      const about = { kind, name: kind, books: [], run: null, most: null, perItem: null, minimum: 1, maximum: 10 };
      const response = await server.send("POST", "/api/ratings/library", { ...about, raters: ["ana", "ben"], ...more });
      return (await response.json()) as RatingSummary & { message?: string };
    };
    const whole = await add("books");
    const { progress } = await server.json<RatingStudy>(`/api/ratings/${whole.id}`);
    const token = progress.find(({ rater }) => rater === "ana")!.token;

    // A browser that knows nothing but ana's link.
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${server.url}/?token=${token}`);
    await page.getByText("0 of 3 rated").waitFor();
    await page.getByText(/opened the first door/).waitFor();
    expect(await page.getByRole("link", { name: "Grid" }).count()).toBe(0);
    await page.keyboard.press("0");
    await page.getByText(/^gpt · imported: \d+/).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("x");
    await page.getByText("2 of 3 rated").waitFor();
    await context.close();

    const asAna = (method: string, path: string, body?: object) =>
      fetch(server.url + path, {
        method,
        headers: { ...server.headers, authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
    const own = (await (await asAna("GET", `/api/ratings/${whole.id}`)).json()) as RatingStudy;
    expect(own).toMatchObject({ isRater: true, raters: ["ana"], disputes: [], alpha: null });
    const refused = [
      ["GET", "/api/books"],
      ["GET", `/api/ratings/${whole.id}/ratings.csv`],
      ["GET", `/api/ratings/${whole.id}/queue?rater=ben`],
      ["PUT", `/api/ratings/${whole.id}/decisions`],
    ] as const;
    for (const [method, path] of refused)
      expect([path, (await asAna(method, path, method === "PUT" ? {} : undefined)).status]).toEqual([path, 403]);
    expect(
      (await asAna("PUT", `/api/ratings/${whole.id}/ratings`, { rater: "ben", item: "Alpha", said: 3 })).status,
    ).toBe(403);
    const forged = `${token!.slice(0, -4)}AAAA`;
    const withForged = await fetch(`${server.url}/api/ratings/${whole.id}`, {
      headers: { ...server.headers, authorization: `Bearer ${forged}` },
    });
    expect(withForged.status).toBe(401);

    // Which of a pair comes first differs by rater; what is kept does not.
    // With eight raters, the chance that all of them see every pair the same way round is one in eight million.
    const raters = ["ana", "ben", "cy", "dee", "eli", "fay", "gus", "hal"];
    const pairs = await add("pairs", { raters });
    expect(pairs).toMatchObject({ items: 3, isOfPairs: true });
    const shownFirst: boolean[] = [];
    for (const rater of raters) {
      const queue = await server.json<RatingQueue>(`/api/ratings/${pairs.id}/queue?rater=${rater}`);
      for (const { id: item } of queue.items) {
        const path = `/api/ratings/${pairs.id}/text?${new URLSearchParams({ item, rater })}`;
        const { parts, second } = await server.json<ItemText>(path);
        const isFirst = parts[0]!.text.startsWith(item.split(" / ")[0]!);
        expect(second![0]!.text.startsWith(item.split(" / ")[isFirst ? 1 : 0]!)).toBe(true);
        shownFirst.push(isFirst);
        // Both prefer the one that comes first in the alphabet.
        const later = item.split(" / ").toSorted()[0] === item.split(" / ")[0];
        const sent = { rater, item, said: later === isFirst ? 1 : 0 };
        const judges = await (await server.send("PUT", `/api/ratings/${pairs.id}/ratings`, sent)).json();
        const [one, two] = item.split(" / ").map((title) => books.findIndex((book) => book.title === title));
        const better = one! > two! ? 1 : 0;
        expect(judges).toEqual({ "gpt · imported": isFirst ? better : 1 - better });
      }
    }
    expect(new Set(shownFirst).size).toBe(2);
    const csv = (await (await server.get(`/api/ratings/${pairs.id}/ratings.csv`)).text()).trim().split("\n").slice(1);
    for (const line of csv) {
      const [id = "", , , , rating] = line.split(",");
      expect(Number(rating)).toBe(id.split(" / ").toSorted()[0] === id.split(" / ")[0] ? 1 : 0);
    }

    expect(await add("chapters", { most: 4 })).toMatchObject({ items: 4, isOfPairs: false });
    expect(await add("chapters", { items: ["Alpha, chapter 9"] })).toMatchObject({
      message: "Not in the library: Alpha, chapter 9.",
    });
    expect(await add("answers")).toMatchObject({ message: expect.stringMatching(/which run of questions/) });
    const answers = [
      { system: "one", question: "Who opens?", prediction: "Alpha", answers: ["Alpha"], document_id: "a" },
      { system: "two", question: "Who opens?", prediction: "Beta", answers: ["Alpha"], document_id: "a" },
    ];
    const run = (await (
      await server.upload("/api/questions", { name: "answers.jsonl", content: lines(answers) })
    ).json()) as { id: string };
    const ofAnswers = await add("answers", { run: run.id });
    const queue = await server.json<RatingQueue>(`/api/ratings/${ofAnswers.id}/queue?rater=ben`);
    expect(queue.items.map(({ text }) => text).sort()).toEqual(["Alpha", "Beta"]);
    expect(JSON.stringify(queue.items)).not.toContain('"two"');

    // Single pairs, chosen by name in the form.
    const open = await openPage(browser, `${server.url}/#/ratings`);
    const form = open.page.getByRole("form", { name: "New study" });
    await form.getByLabel("Rate", { exact: true }).selectOption("pairs");
    await form.getByText("Choose single items").click();
    await form.getByRole("checkbox", { name: /Alpha.*Beta|Beta.*Alpha/ }).check();
    await form.getByLabel("Search").fill("gamma alpha");
    await expect.poll(() => form.getByRole("checkbox").count()).toBe(1);
    await form.getByRole("checkbox", { name: /Alpha.*Gamma|Gamma.*Alpha/ }).check();
    await form.getByText("2 chosen.").waitFor();
    expect(await seriousProblems(open.page)).toEqual([]);
    await open.picture("rating-choice");
    await form.getByLabel("Raters", { exact: true }).fill("ana, ben");
    await form.getByRole("button", { name: "New study" }).click();
    await form.getByText("None chosen").waitFor();
    const [newest] = await server.json<RatingSummary[]>("/api/ratings");
    expect(newest).toMatchObject({ items: 2, isOfPairs: true });
    const ofTwo = await server.json<RatingQueue>(`/api/ratings/${newest!.id}/queue?rater=ana`);
    expect(ofTwo.items.every(({ id }) => id.includes("Alpha"))).toBe(true);
    for (const [kind, more, names] of [
      ["books", "", ["Alpha", "Beta", "Gamma"]],
      ["chapters", "&search=beta", ["Beta: One", "Beta: Two"]],
      ["answers", `&run=${run.id}`, ["one · Who opens? (Alpha) · Alpha", "two · Who opens? (Alpha) · Beta"]],
    ] as const) {
      const { choices, total } = await server.json<RatingChoices>(`/api/ratings/library?kind=${kind}${more}`);
      expect(choices.map(({ name }) => name).sort()).toEqual(names);
      expect(total).toBe(names.length);
    }

    // A revoked link is dead for the browser that has it, too; the rater's next one works, and ratings stay.
    const held = await browser.newContext();
    const before = await held.newPage();
    await before.goto(`${server.url}/?token=${token}`);
    await before.getByText("2 of 3 rated").waitFor();
    await open.page.goto(`${server.url}/#/ratings/${whole.id}`);
    await open.page.getByRole("button", { name: "Revoke the link for ana" }).click();
    const tokenNow = async () =>
      (await server.json<RatingStudy>(`/api/ratings/${whole.id}`)).progress.find(({ rater }) => rater === "ana")!.token;
    await expect.poll(tokenNow).not.toBe(token);
    await open.picture("rating-links");
    const refusal = await asAna("GET", `/api/ratings/${whole.id}/queue?rater=ana`);
    expect([refusal.status, await refusal.json()]).toMatchObject([403, { message: expect.stringMatching(/revoked/) }]);
    await before.reload();
    await before.getByText("This link was revoked").first().waitFor();
    await before.goto(`${server.url}/?token=${await tokenNow()}`);
    await before.getByText("2 of 3 rated").waitFor();
    await held.close();
    expect(open.complaints).toEqual([]);
    await open.close();
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

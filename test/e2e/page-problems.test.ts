import { mkdtemp, open as openFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Job } from "../../src/api/jobs.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { LIMITS } from "../../src/text/files/read-file.ts";
import { seriousProblems } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { addBook, judgeAs, judgeWithJury, juryRequest } from "../support/library-requests.ts";
import { openPage } from "../support/open-page.ts";
import { draftOf } from "../support/stories.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;
let models: SimulatedServer;
let refusing: SimulatedServer;
let bookId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-problems-"));
  models = await createSimulatedServer({ latency: 200 });
  refusing = await createSimulatedServer({ key: "a key that nobody has" });
  const prices = join(folder, "prices.yaml");
  await writeFile(prices, `date: 2026-01-01\nmodels:\n  "${models.judge("dear")}": { input: 100, output: 100 }\n`);
  serve = () =>
    serveFabula(folder, ["--prices", prices, "--judges", [models.judge("dear"), refusing.judge("shut")].join(",")], {
      OPENAI_API_KEY: "",
      FABULA_API_KEY: "not that key",
      FABULA_BASE_URL: refusing.url,
    });
  [server, browser] = await Promise.all([serve(), launchChromium()]);
  bookId = (await addBook(server, "story.md", draftOf("A Story", 4))).id;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await Promise.all([models?.close(), refusing?.close()]);
  await rm(folder, { recursive: true, force: true });
});
let serve: () => Promise<Served>;

type Act = (page: Page) => Promise<unknown>;

/** Opens a view in both languages and looks for the words of each. */
async function saidInBoth(hash: string, english: RegExp, chinese: RegExp, act: Act = async () => {}, then?: Act) {
  for (const [locale, words] of [
    ["en-GB", english],
    ["zh-CN", chinese],
  ] as const) {
    const { page, close } = await openPage(browser, `${server.url}/${hash}`, { locale });
    await act(page);
    await page.getByText(words).first().waitFor();
    if (locale === "zh-CN") await then?.(page);
    expect(await seriousProblems(page)).toEqual([]);
    await close();
  }
}

/** The same for a sentence of the server. Its translation is general: the server's own words are folded away beside it. */
async function translated(hash: string, english: RegExp, chinese: RegExp, act?: Act) {
  await saidInBoth(hash, english, chinese, act, async (page) => {
    const original = page.locator("details", { hasText: english });
    expect(await original.locator("p[lang=en]").isVisible()).toBe(false);
    await original.getByText("服务器的原话").click();
    expect(await original.locator("p[lang=en]").textContent()).toMatch(english);
  });
}

const byModel = (judge: string, maximumCost: number | null = null) => ({
  ...juryRequest(bookId),
  judges: [judge],
  method: "summary",
  runs: 2,
  maximumCost,
});

describe("a problem is told in the reader's language", () => {
  it("when a file is no book", async () => {
    const bytes = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3, 0, 0, 0, 0xff, 0xfe, 0, 9, 0]);
    await translated("#/", /is a program or its data/, /不支持这种文件/, (page) =>
      page.setInputFiles("input[type=file]", { name: "program.bin", mimeType: "", buffer: bytes }),
    );
    await translated("#/", /is empty/, /文件是空的/, (page) =>
      page.setInputFiles("input[type=file]", { name: "nothing.txt", mimeType: "", buffer: Buffer.alloc(0) }),
    );
  });

  it("when a file is too large", async () => {
    const path = join(folder, "large.txt");
    const file = await openFile(path, "w");
    await file.truncate(LIMITS.fileBytes + 3_000_000);
    await file.close();
    await translated("#/", /larger than the 100 MB/, /内容过大/, (page) =>
      page.setInputFiles("input[type=file]", path),
    );
  });

  it("when there is no such page of a book, report or job", async () => {
    await translated("#/evaluations/gone", /There is no such evaluation/, /没有找到/);
    await translated("#/jobs/gone", /There is no such job/, /没有找到/);
  });

  it("when a text is too short, or in a language that the judge does not read", async () => {
    const short = await addBook(server, "short.md", "# Short\n\nIt rained all day.");
    const foreign = await addBook(server, "foreign.md", `# 雨\n\n${"雨下了一整天，街上没有人。".repeat(60)}`);
    const report = async (id: string) => `#/evaluations/${(await judgeWithJury(server, id)).evaluationId}?tab=verdicts`;
    await saidInBoth(await report(short.id), /words of prose, and at least \d+ are needed/, /正文只有 \d+ 个英文词/);
    await translated(
      `#/evaluate?book=${foreign.id}&judge=jury`,
      /This book is in Chinese, and the embedded judges read English only/,
      /随附的评委只读英文/,
    );
  });

  it("when a key is missing", async () => {
    const view = `#/evaluate?book=${bookId}`;
    await saidInBoth(view, /no key: enter one, or set OPENAI_API_KEY/, /没有密钥：请输入，或设置 OPENAI_API_KEY/);
    await translated(view, /openai:gpt-4.1 cannot be asked/, /无法询问这位评委：缺少密钥/, (page) =>
      page.getByLabel(/Another judge|其他评委/).fill("openai:gpt-4.1"),
    );
  });

  it("when a provider refuses, and offers to try again", async () => {
    const job = await judgeAs(server, byModel(refusing.judge("shut")));
    expect(job.state).toBe("failed");
    await translated(`#/jobs/${job.id}`, /refused the key or the account/, /模型服务拒绝了密钥或账户/, (page) =>
      page.getByRole("button", { name: /Resume|继续/ }).waitFor(),
    );
  });

  it("when the cost limit is reached", async () => {
    const job = await judgeAs(server, byModel(models.judge("dear"), 0.01));
    expect(job).toMatchObject({ state: "paused", noteCode: "cost-limit" });
    await translated(`#/jobs/${job.id}`, /cost limit of \$0.01/, /已达到费用上限/);
    const { page, picture, close } = await openPage(browser, `${server.url}/#/jobs/${job.id}`);
    await picture("cost-limit");
    await page.getByLabel("Maximum cost in dollars").fill("1000");
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("link", { name: "Open the report" }).waitFor();
    expect((await server.json<Job>(`/api/jobs/${job.id}`)).request.maximumCost).toBe(1000);
    await close();
  });

  it("when an evaluation was paused, and when the server ended under it", async () => {
    const begun = async () =>
      (await (await server.send("POST", "/api/jobs", byModel(models.judge("dear")))).json()) as Job;
    const paused = await begun();
    await server.watch(paused.id, ["running"]);
    await server.send("POST", `/api/jobs/${paused.id}/pause`);
    await server.watch(paused.id, ["paused"]);
    await translated(`#/jobs/${paused.id}`, /nothing that was paid for is lost/, /已暂停：已付费的内容不会丢失/);
    const killed = await begun();
    // With a run of its own, it is known on disk to have started.
    await expect.poll(async () => (await server.json<Job>(`/api/jobs/${killed.id}`)).runId).not.toBeNull();
    await server.stop("SIGKILL");
    server = await serve();
    await translated(`#/jobs/${killed.id}`, /The server stopped while this was running/, /服务器在评估途中结束/);
  });
});

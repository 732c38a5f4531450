import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { translatedNames } from "../../page/texts/translated.ts";
import type { ComparisonView } from "../../src/api/comparisons.ts";
import type { EvaluationDetails } from "../../src/api/evaluations.ts";
import { judgeInWords } from "../../src/api/judges.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { type BookEvaluation, bookEvaluationSchema } from "../../src/judge/evaluation.ts";
import { placeholderValue } from "../../src/models/placeholder-value.ts";
import { EvaluationFiles } from "../../src/server/library/evaluation-files.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { seriousProblems } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { addBook, judgeAs, juryRequest } from "../support/library-requests.ts";
import { openPage } from "../support/open-page.ts";
import { draftOf } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

const WINDOWS = [
  ["in the light, in English, on a desk", { colorScheme: "light", locale: "en-GB" }, 1280],
  ["in the dark, in Chinese, on a phone", { colorScheme: "dark", locale: "zh-CN" }, 375],
] as const;

let folder: string;
let server: Served;
let browser: Browser;
let models: SimulatedServer;
let bookId: string;
const evaluationIds: Record<"juryDraft" | "modelDraft", string> = { juryDraft: "", modelDraft: "" };

/** A lenient and a strict judge: no score of the one is a score of the other. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-judgements-"));
  models = await createSimulatedServer({
    reply: ({ model, schema }, random) =>
      JSON.stringify(placeholderValue(schema, random), (key, value: unknown) => {
        const isScore = key === "score" || (key === "overall" && typeof value !== "string");
        return isScore ? (model === "lenient" ? 80 : 40) + Math.floor(random() * 9) : value;
      }),
  });
  browser = await launchChromium();
  server = await serve();
  bookId = (await addBook(server, "draft.md", draftOf("The Second Draft", 5))).id;
  // Drafts are held against each other on the command line; here they are put where the page finds them.
  const drafts = { juryDraft: await changedByJury(), modelDraft: await changedByModel() };
  await server.stop("SIGINT");
  const stored = await EvaluationFiles.open(join(folder, "library", "evaluations"), systemClock);
  for (const [name, evaluation] of Object.entries(drafts)) {
    evaluationIds[name as keyof typeof evaluationIds] = (await stored.add(bookId, evaluation)).id;
  }
  server = await serve();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});

const judge = (name: "lenient" | "strict") => models.judge(name);
const serve = () =>
  serveFabula(folder, [
    ...["--library", join(folder, "library"), "--store", join(folder, "store.db")],
    ...["--judges", `${judge("lenient")},${judge("strict")}`],
  ]);

async function judged(judges: readonly string[], method = "aggregate"): Promise<string> {
  const job = await judgeAs(server, { ...juryRequest(bookId), judges, method, runs: 3 });
  expect(job).toMatchObject({ state: "done" });
  return job.evaluationId!;
}

/** Four chapters, then five of which the second is rewritten. */
async function drafts(): Promise<[string, string]> {
  const [before, after] = [join(folder, "draft-1.md"), join(folder, "draft-2.md")];
  await writeFile(before, draftOf("The Second Draft", 4));
  const changed = draftOf("The Second Draft", 5).replace(/(## .*\n\n)([^#]+)(?=## )/, "$1It rained. It was wet. $2");
  await writeFile(after, changed);
  return [before, after];
}

async function changedByJury(): Promise<BookEvaluation> {
  const [before, after] = await drafts();
  return evaluation(["evaluate", after, "--against", before]);
}

async function changedByModel(): Promise<BookEvaluation> {
  const [before, after] = await drafts();
  const common = ["--judge", judge("lenient"), "--store", join(folder, "own.db"), "--local"];
  const earlier = await evaluation(["evaluate", before, "--method", "aggregate", "--runs", "3", ...common]);
  return evaluation(["evaluate", after, "--against", earlier.run!, ...common]);
}

async function evaluation(words: readonly string[]): Promise<BookEvaluation> {
  const { stdout, stderr } = await runFabula([...words, "--json"], { folder });
  expect(stdout, stderr).not.toBe("");
  return bookEvaluationSchema.parse(JSON.parse(stdout));
}

async function cells(row: Locator): Promise<string[]> {
  return (await row.locator("th, td").allTextContents()).map((text) => text.trim());
}

function figure(verdict: Verdict): string {
  return verdict.kind === "scored" ? verdict.score.toFixed(1) : verdict.reason;
}

/** How much of a part's tables is out of sight to the right. */
function hiddenWidth(part: Locator): Promise<number> {
  return part
    .locator(".table-scroller")
    .evaluateAll((all) => Math.max(...all.map((one) => one.scrollWidth - one.clientWidth)));
}

describe("the report of a panel", () => {
  it.each(WINDOWS)("says what each judge said and how far they differ, %s", async (_what, options, width) => {
    const id = await judged([judge("lenient"), judge("strict")]);
    const { evaluation } = await server.json<EvaluationDetails>(`/api/evaluations/${id}`);
    const open = await openPage(browser, `${server.url}/#/evaluations/${id}?tab=verdicts`, {
      ...options,
      viewport: { width, height: 812 },
    });
    const section = open.page.locator("section", { hasText: /The panel|评委团/ });
    await section.getByRole("table").waitFor();
    expect(await section.locator("p").first().textContent()).toContain(evaluation.panel!.difference!.toFixed(1));
    const { judges } = evaluation.panel!;
    expect((await cells(section.locator("thead tr"))).slice(1)).toEqual(
      judges.map(({ judge: said }) => judgeInWords(said)),
    );
    const rows = section.locator("tbody tr");
    expect(await rows.count()).toBe(1 + evaluation.aspects.length);
    expect((await cells(rows.first())).slice(1)).toEqual(judges.map(({ overall }) => figure(overall)));
    for (const [index, { id, name }] of evaluation.aspects.entries()) {
      const shownName = translatedNames(options.locale === "zh-CN" ? "zh" : "en").aspect(id, name);
      const row = [shownName, ...judges.map(({ aspects }) => figure(aspects[id]!))];
      expect(await cells(rows.nth(index + 1))).toEqual(row);
    }
    expect(await hiddenWidth(section)).toBe(0);
    expect(await seriousProblems(open.page)).toEqual([]);
    await open.picture(`panel-${options.colorScheme}-${width}`, section);
    expect(open.complaints).toEqual([]);
    await open.close();
  });
});

describe("the report of a second draft", () => {
  it.each(
    WINDOWS.flatMap((window) => [
      ["the embedded jury", "juryDraft", ...window] as const,
      ["a language model", "modelDraft", ...window] as const,
    ]),
  )("by %s says what changed (%s) %s", async (_judge, draft, _what, options, width) => {
    const { evaluation } = await server.json<EvaluationDetails>(`/api/evaluations/${evaluationIds[draft]}`);
    const open = await openPage(browser, `${server.url}/#/evaluations/${evaluationIds[draft]}?tab=verdicts`, {
      ...options,
      viewport: { width, height: 812 },
    });
    const section = open.page.locator("section", { hasText: /Since the earlier draft|与上一稿相比/ });
    await section.getByRole("table").first().waitFor();
    const { overall, aspects, segments } = evaluation.changes!;
    expect(segments.length).toBeGreaterThan(0);
    expect(overall.difference).not.toBeNull();
    const [, before, after] = await cells(section.locator("tbody tr").first());
    expect([before, after]).toEqual([overall.before!.toFixed(1), overall.after!.toFixed(1)]);
    const counts = await Promise.all(
      [0, 1].map((table) => section.locator("table").nth(table).locator("tbody tr").count()),
    );
    expect(counts).toEqual([1 + Object.keys(aspects).length, segments.length]);
    // A phone shows the interval after a push to the side.
    if (width > 1000) expect(await hiddenWidth(section)).toBe(0);
    expect(await seriousProblems(open.page)).toEqual([]);
    await open.picture(`${draft}-${options.colorScheme}-${width}`, section);
    expect(open.complaints).toEqual([]);
    await open.close();
  });
});

describe("the comparison of one book", () => {
  it.each([
    [
      "by two judges",
      /Two judges read the same book/,
      () => [judged([judge("strict")]), judged([judge("lenient")])] as const,
    ],
    [
      "by two methods",
      /read in two ways/,
      () => [judged([judge("strict")]), judged([judge("strict")], "one-pass")] as const,
    ],
    [
      "by the grader and a model",
      /have different scales/,
      () => [judged(["grader"]), judged([judge("lenient")])] as const,
    ],
  ])("%s sets the scores side by side", async (what, note, both) => {
    const [left, right] = await Promise.all(both());
    const view = await server.json<ComparisonView>(`/api/comparisons?left=${left}&right=${right}`);
    const open = await openPage(browser, `${server.url}/#/compare`);
    const { page } = open;
    await page.getByLabel("Left").selectOption(left);
    await page.getByLabel("Right").selectOption(right);
    const table = page.getByRole("table", { name: /the same book/ });
    await table.waitFor();
    const row = await cells(table.getByRole("row", { name: /^Overall/ }));
    expect(row.slice(1, 3)).toEqual([figure(view.rows[0]!.left), figure(view.rows[0]!.right)]);
    if (what === "by the grader and a model") expect(view.left.scale).not.toEqual(view.right.scale);
    await page.getByText(`on a scale of ${view.scale.minimum} to ${view.scale.maximum}`).waitFor();
    await page.getByText(note).waitFor();
    for (const side of ["left", "right"] as const) {
      const panel = page.getByRole("region", { name: side === "left" ? "Left" : "Right" });
      const shown = (await panel.textContent())!.toLowerCase();
      expect(shown).toContain(judgeInWords(view[side].judge).toLowerCase());
      expect(shown).toContain(view[side].method);
    }
    if (what === "by two judges") expect(row[5]).toBe("clear");
    // Swapped, every difference points the other way.
    const differences = async () => (await table.locator("tbody tr td:nth-child(4)").allTextContents()).join();
    const before = await differences();
    await page.getByRole("button", { name: "Swap" }).click();
    const turned = before.replace(/[+−]/g, (sign) => (sign === "+" ? "−" : "+"));
    await expect.poll(differences).toBe(turned);
    expect(await seriousProblems(page)).toEqual([]);
    await open.picture(`compare-${what.replaceAll(" ", "-")}`);
    expect(open.complaints).toEqual([]);
    await open.close();
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GridPage, ImportAnswer } from "../../src/api/grid.ts";
import type { VoterAgreement } from "../../src/api/votes.ts";
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

describe("verdicts and ratings made elsewhere", () => {
  const BOOKS = Array.from({ length: 12 }, (_, at) => ({
    id: `Novel ${at}`,
    ana: 1 + ((at * 3) % 5),
    ben: 1 + ((at * 3 + (at % 2)) % 5),
    near: 20 * (1 + ((at * 3) % 5)),
    far: 10 + ((at * 37) % 80),
  }));
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
  const send = async (name: string, content: string, fields: Record<string, string>) => {
    const response = await server.upload("/api/grid/import", { name, content }, fields);
    return { status: response.status, ...((await response.json()) as ImportAnswer & { message?: string }) };
  };

  it("come into the grid and the votes, and go out in the shapes of other tools", async () => {
    const table = join(folder, "elsewhere.jsonl");
    await writeFile(table, lines(BOOKS));
    const open = await openPage(browser, `${server.url}/#/grid`);
    const { page } = open;
    await page.getByText("Import and export").click();
    await page.getByLabel("Verdicts, ratings or votes").setInputFiles(table);
    await page.getByLabel("Judges’ scale").fill("0,50");
    await page.getByText("More columns").click();
    await page.getByLabel("People’s columns").fill("ana, ben");
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page
      .getByText("Say on which scale the judges scored, lowest and highest: their scores lie between 10 and 100.")
      .waitFor();
    await page.getByLabel("Judges’ scale").fill("0,100");
    await page.getByLabel("People’s scale").fill("1,5");
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page
      .getByText(/^24 verdicts by near, far added to the grid\. 12 texts are no books of this library/)
      .waitFor();
    await page
      .getByRole("rowheader", { name: /Novel 3/ })
      .first()
      .waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await open.picture("grid-import");
    expect(open.complaints.filter((complaint) => !/400/.test(complaint))).toEqual([]);
    await open.close();

    const grid = await server.json<GridPage>("/api/grid?sort=title&limit=400");
    expect(grid.totals).toMatchObject({ books: 12, lines: 24 });
    const cells = grid.rows.flatMap((row) =>
      row.kind === "line" ? [[row.judge, row.method, row.cells[0]?.verdict]] : [],
    );
    expect(cells).toContainEqual(["near", "imported", { kind: "scored", score: BOOKS[3]!.near }]);
    // Every rating is an own score on the two judges: 1 of 5 is 20 of 100. A book on which both judges agree decides nothing.
    const apart = BOOKS.filter(({ near, far }) => near !== far);
    const votes = await server.json<VoterAgreement>("/api/votes");
    expect(votes.votes).toBe(2 * apart.length);
    const sided = apart.flatMap(({ ana, ben, near, far }) =>
      [ana, ben].map((own) => Math.sign(Math.abs(far - 20 * own) - Math.abs(near - 20 * own))),
    );
    const near = votes.judges.find(({ judge }) => judge === "near")!;
    expect(near.won).toBe(sided.filter((sign) => sign > 0).length);
    expect(near.tied).toBe(sided.filter((sign) => sign === 0).length);

    // Out again, and in as `fabula trust` reads it: the same agreement from every shape as from the table itself.
    const own = await trustJudges(table, { human: ["ana", "ben"], resamples: 0 });
    for (const format of ["csv", "jsonl", "inspect.json", "promptfoo.json", "langfuse.jsonl", "langsmith.jsonl"]) {
      const file = join(folder, `out.${format}`);
      await writeFile(file, await (await server.get(`/api/grid/export?format=${format}`)).text());
      const human = /^(?:csv|jsonl)$/.test(format) ? ["ana", "ben"] : ["human"];
      const again = await trustJudges(file, { human, resamples: 0 });
      const figures = ({ study }: typeof own) =>
        Object.fromEntries(study.judges.map(({ judge, spearman }) => [judge, spearman.value!.toFixed(12)]));
      expect([format, figures(again)]).toEqual([format, figures(own)]);
    }
  });

  it("are read by aspect and by run, and votes by the names of their judges", async () => {
    const long = ["Novel 1", "Novel 2"].flatMap((id) =>
      [1, 2].flatMap((run) =>
        ["overall", "plot"].map((criterion) => ({ id, judge: "long", criterion, score: run + 2 })),
      ),
    );
    expect(await send("long.jsonl", lines(long), { judgeScale: "1,5" })).toMatchObject({ status: 201, verdicts: 2 });
    const { rows } = await server.json<GridPage>("/api/grid?judge=long&limit=400");
    const line = rows.find((row) => row.kind === "line");
    expect(line).toMatchObject({ runs: 2, cells: [{ verdict: { score: 70 } }, { verdict: { score: 70 } }] });
    const vote = "voter,book,aspect,judge_a,judge_b,choice\n";
    const added = await send(
      "votes.csv",
      `${vote}cy,Novel 1,overall,far,long,B\ncy,Novel 2,overall,long,far,far\ncy,Novel 99,overall,a,b,A\n`,
      {},
    );
    expect(added).toMatchObject({ status: 201, votes: 2, unused: 1, verdicts: 0 });
    const { judges } = await server.json<VoterAgreement>("/api/votes?voter=cy");
    expect(judges.map(({ judge, won, votes }) => [judge, won, votes]).sort()).toEqual([
      ["far", 1, 2],
      ["long", 1, 2],
    ]);
    // Votes of one library come into another as they were exported.
    const exported = await (await server.get("/api/votes/export?format=jsonl")).text();
    expect(await send("votes.jsonl", exported, {})).toMatchObject({ status: 201, unused: 0 });
    expect(await send("empty.csv", "id,name\nx,y\n", {})).toMatchObject({
      status: 400,
      message: expect.stringMatching(/"empty\.csv" holds no scores/),
    });
  });
});

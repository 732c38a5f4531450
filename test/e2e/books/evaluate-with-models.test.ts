import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookEvaluationSchema } from "../../../src/judge/evaluation.ts";
import { placeholderValue } from "../../../src/models/placeholder-value.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { STORY } from "../../support/stories.ts";
import { runFabula } from "../run-fabula.ts";

const OUTLINE = join(process.cwd(), "assets", "examples", "outline.md");
let server: SimulatedServer;
let folder: string;
let judge: string;
/** What the server was asked, in the order of the requests. */
const prompts: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-models-"));
  server = await createSimulatedServer({
    reply: ({ schema, messages }, random) => {
      prompts.push(messages.map(({ content }) => content).join("\n"));
      return JSON.stringify(placeholderValue(schema, random), (key, value: unknown) =>
        key === "score" || (key === "overall" && typeof value !== "string") ? 60 + Math.floor(random() * 20) : value,
      );
    },
  });
  judge = server.judge("simulated-small");
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const fabula = (...words: string[]) =>
  runFabula(words, { folder, environment: { FABULA_STORE: join(folder, "calls.db") } });

it("forecasts the same from genres in any case", async () => {
  const forecast = async (genre: string) => {
    const outline =
      "Inspector Vane crosses to an island and finds a weight that has been wrong for thirty years, under the seal of her late father.";
    await writeFile(join(folder, "outline.md"), `---\ntitle: Weights\ngenres: [${genre}]\n---\n\n${outline}\n`);
    const { code, stdout, stderr } = await fabula("forecast", "outline.md", "--json");
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const expected = await forecast("Literary Fiction");
  expect(expected.forecasts[0].why).toContainEqual(
    expect.objectContaining({ field: "genres", term: "literary fiction" }),
  );
  for (const genre of ["Literary fiction", "LITERARY FICTION"]) expect(await forecast(genre)).toEqual(expected);
});

it("reads replies that were each asked about one aspect", async () => {
  await writeFile(
    join(folder, "themes.txt"),
    "### Review:\n**Themes:**\nThin.\n\n### Overall Assessment:\nThin.\n\n### Score: 2.5",
  );
  const { code, stdout } = await fabula("replies", "themes.txt", "--aspect", "themes", "--scale", "1-5", "--json");
  expect(code).toBe(3);
  const [reply] = JSON.parse(stdout).replies;
  expect(reply.aspects.themes).toEqual({ kind: "scored", score: 2.5 });
  expect(reply.overall.reason).toBe("the reply was asked about another aspect alone");
  const wrong = await fabula("replies", "themes.txt", "--aspect", "vibes");
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('no aspect "vibes"') });
});

describe("fabula evaluate with a language model", () => {
  it("judges again as in a saved evaluation, and says whether the settings are the same", async () => {
    const words = ["--judge", judge, "--preset", "paper", "--runs", "2", "--aspects", "plot,themes"];
    const first = await fabula("evaluate", STORY, ...words, "--out", "first.json");
    expect(first.code, first.stderr).toBe(0);
    const { settings } = JSON.parse(await readFile(join(folder, "first.json"), "utf8"));
    expect(settings.presentation).toEqual({ excerpts: "one chapter", genres: 3, before: "plot", rest: "apart" });
    const again = await fabula("evaluate", STORY, "--like", "first.json", "--out", "again.json");
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain(`Judged with the same settings as before (${settings.hash}).`);
    await fabula("evaluate", STORY, "--out", "jury.json");
    const jury = await fabula("evaluate", STORY, "--like", "jury.json", "--out", "again.json");
    expect(jury.code, jury.stderr).toBe(0);
    expect(jury.stderr).toContain("Judged with the same settings as before");
    const none = await fabula("evaluate", STORY, "--like", "themes.txt");
    expect(none.code).toBe(1);
  });

  it("says what a model would cost to those who have no key for it yet", async () => {
    const { code, stdout, stderr } = await runFabula(
      ["evaluate", STORY, "--judge", "openai:gpt-4.1", "--dry-run", "--json"],
      { folder, environment: { FABULA_STORE: join(folder, "calls.db"), OPENAI_API_KEY: "" } },
    );
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).plan.expectedCost).toBeGreaterThan(0);
  });

  it("claims no certainty when every run gives the same score", async () => {
    const steady = await createSimulatedServer({
      reply: ({ schema }, random) =>
        JSON.stringify(placeholderValue(schema, random), (key, value: unknown) =>
          key === "score" || (key === "overall" && typeof value !== "string") ? 70 : value,
        ),
    });
    const words = ["evaluate", STORY, "--judge", steady.judge("steady"), "--method", "one-pass", "--runs", "3"];
    const { code, stdout, stderr } = await fabula(...words);
    await steady.close();
    expect(code, stderr).toBe(0);
    // Whole numbers hide half a point either way.
    expect(stdout).toMatch(/Overall .* 70\.0 {2}69\.3–70\.7/);
    expect(stdout).not.toMatch(/70\.0 ?(?:–|to) ?70\.0/);
  });

  it("says of a real quotation that the passage was found, not that the claim beside it was checked", async () => {
    const liar = await createSimulatedServer({
      reply: ({ schema }, random) =>
        JSON.stringify(placeholderValue(schema, random), (key, value: unknown) => {
          if (key === "score" || (key === "overall" && typeof value !== "string")) return 40;
          if (key === "point") return "The ferryman murders Hester in the first chapter.";
          return key === "quotes" ? [{ chapter: 1, text: "every pound of butter between here and Laide" }] : value;
        }),
    });
    const words = ["evaluate", STORY, "--judge", liar.judge("liar"), "--method", "one-pass", "--runs", "1"];
    const { stdout } = await fabula(...words, "--out", "liar.md");
    await liar.close();
    const report = await readFile(join(folder, "liar.md"), "utf8");
    for (const text of [stdout, report]) {
      expect(text.replace(/\s+/g, " ")).toMatch(
        /Passages found in the book: (\d+) of \1 quotations in all runs\. That a passage stands there does not make the remark about it right\./,
      );
      expect(text).not.toMatch(/checked quotation|verified/i);
    }
  });

  it("makes with --preset paper no call that the paper does not make", async () => {
    const words = ["evaluate", STORY, "--judge", "openai:gpt-4.1", "--method", "one-pass", "--dry-run", "--json"];
    const calls = async (...more: string[]) => JSON.parse((await fabula(...words, ...more)).stdout).plan.calls;
    // Five runs; without the preset an edit letter comes to them.
    expect([await calls("--preset", "paper"), await calls()]).toEqual([5, 6]);
  });

  it("plans, judges, writes a report and remembers every call", async () => {
    const words = [
      "evaluate",
      STORY,
      "--judge",
      judge,
      "--method",
      "aggregate",
      "--runs",
      "2",
      "--segment-words",
      "2000",
    ];
    const before = server.exchanges.length;
    const asked = () => server.exchanges.length - before;
    const plan = await fabula(...words, "--dry-run", "--json");
    const { calls } = JSON.parse(plan.stdout).plan;
    expect(asked()).toBe(0);
    const first = await fabula(...words, "--json", "--out", "report.html");
    expect(first.code, first.stderr).toBe(0);
    expect(asked()).toBe(calls);
    const evaluation = bookEvaluationSchema.parse(JSON.parse(first.stdout));
    expect(evaluation).toMatchObject({ judge, method: "aggregate", runs: 2, calls });
    const again = await fabula(...words);
    expect(again.code).toBe(0);
    expect(again.stderr).toContain(`${calls} from the store`);
    expect(asked()).toBe(calls);
    const against = await fabula(
      "evaluate",
      STORY,
      "--judge",
      judge,
      "--against",
      evaluation.run!,
      "--segment-words",
      "2000",
    );
    expect(against.code, against.stderr).toBe(0);
    expect(against.stdout).toContain("the text is the same");
    expect(asked()).toBe(calls);
  });

  it("tells the judge the genres of the book, in the capitals they were written in", async () => {
    prompts.length = 0;
    const run = await fabula("evaluate", STORY, "--judge", judge, "--method", "one-pass", "--runs", "1", "--json");
    expect(run.code, run.stderr).toBe(0);
    expect(prompts[0]).toContain("Genres: Literary fiction, Mystery");
  });

  it("does not say in the letter that a judge of summaries has read the book", async () => {
    const { code, stdout, stderr } = await fabula(
      "evaluate",
      STORY,
      "--judge",
      judge,
      "--method",
      "summary",
      "--runs",
      "1",
    );
    expect(code, stderr).toBe(0);
    const report = stdout.replace(/\s+/g, " ");
    expect(report).toContain("knew the book only through summaries, which cover 100 % of its words");
    expect(report).not.toMatch(/read 100 % of the words/);
  });

  it("takes a panel, an outline and a collection", async () => {
    const panel = `${judge},${server.judge("simulated-large")}`;
    const outline = await fabula("evaluate", OUTLINE, "--outline", "--panel", panel, "--runs", "1");
    expect(outline.code, outline.stderr).toBe(0);
    expect(outline.stdout).toContain("without this judge");
    const row = { id: "a", title: "A", plot_summary: "She finds the date.", words: 90000 };
    await writeFile(join(folder, "books.jsonl"), `${JSON.stringify(row)}\n${JSON.stringify({ ...row, id: "b" })}\n`);
    const rows = await fabula(
      "evaluate",
      "--in",
      "books.jsonl",
      "--judge",
      judge,
      "--runs",
      "1",
      "--out",
      "evaluations.jsonl",
    );
    expect(rows.code, rows.stderr).toBe(0);
    const lines = (await readFile(join(folder, "evaluations.jsonl"), "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).book.file)).toEqual(["a", "b"]);
  });

  it.each([
    [["--method", "summary"], "--method is for language models"],
    [["--outline"], "--outline is for language models"],
    [["--judge", "nobody"], "is not a judge"],
    [["--judge", "openai:gpt-4o"], "OPENAI_API_KEY"],
    [["--judge", "m@http://127.0.0.1:9/v1", "--aspects", "vibes"], 'no aspect "vibes"'],
    [["--judge", "m@http://127.0.0.1:9/v1", "--against", "nothing"], "no judged draft"],
  ])("says in one sentence what is wrong: %j", async (words, sentence) => {
    const { code, stderr } = await runFabula(["evaluate", STORY, ...words], {
      folder,
      environment: { FABULA_STORE: join(folder, "calls.db"), OPENAI_API_KEY: "" },
    });
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
  });
});

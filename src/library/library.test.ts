import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { draftOf } from "../../test/support/stories.ts";
import { assetPath } from "../core/assets.ts";
import { ERROR_CODES, FabulaError } from "../core/errors.ts";
import {
  agreement,
  type ChatModel,
  compareBooks,
  createChatModel,
  evaluateBook,
  evaluateBooks,
  forecastRating,
  type LibraryEvent,
  lineNotes,
  loadRubric,
  mapManuscript,
  openRun,
  planEvaluation,
  predictReader,
  readBook,
  readVerdicts,
  renderReport,
  runTask,
  scoreAnswers,
  stressJudge,
} from "../index.ts";
import { placeholderValue } from "../models/placeholder-value.ts";
import { createSimulatedServer, type SimulatedServer } from "../testing/index.ts";

let STORY: string;
const scored = (value: string) => value.replace(/"(score|overall)":(?:null|[\d.]+)/g, '"$1":61');

let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-library-"));
  STORY = join(folder, "story.md");
  await writeFile(STORY, draftOf("The Inspector of Weights", 3));
  server = await createSimulatedServer({
    reply: ({ schema }, random) => scored(JSON.stringify(placeholderValue(schema, random))),
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
});

/** A model of a program's own, under a name of its own. */
function ownModel(): ChatModel & { asked: number } {
  return {
    id: "house-model",
    contextTokens: null,
    asked: 0,
    async complete({ schema }) {
      this.asked++;
      return {
        text: scored(JSON.stringify(placeholderValue(schema?.schema, () => 0.5))),
        reasoning: null,
        stop: "stop",
        usage: { inputTokens: 100, outputTokens: 10, cachedInputTokens: 0, reasoningTokens: 0 },
        model: "house-model",
        latencyMilliseconds: 1,
      };
    },
  };
}
const quick = { runs: 1, letter: false, method: "one-pass" } as const;

describe("evaluateBook", () => {
  it("asks the judge that is named, with nothing but its name, and says what happens", async () => {
    const events: LibraryEvent[] = [];
    const evaluation = await evaluateBook(STORY, {
      ...quick,
      judge: server.judge("simulated-small"),
      onEvent: (event) => events.push(event),
    });
    expect(evaluation.judge).toBe(server.judge("simulated-small"));
    expect(evaluation.calls).toBeGreaterThan(0);
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["progress", "answered"]));
    expect(events.at(-1)).toEqual({ kind: "finished", status: "done" });
  });

  it("finds a provider's key in the environment", async () => {
    process.env.OPENAI_API_KEY = "simulated-key";
    process.env.OPENAI_BASE_URL = server.connections.openai?.baseUrl ?? "";
    const { judge, overall } = await evaluateBook(STORY, { ...quick, judge: "openai:gpt-4.1-mini", maxCost: 1 });
    expect({ judge, kind: overall.kind }).toEqual({ judge: "openai:gpt-4.1-mini", kind: "scored" });
    delete process.env.OPENAI_API_KEY;
    await expect(evaluateBook(STORY, { ...quick, judge: "openai:gpt-4.1-mini" })).rejects.toMatchObject({
      code: "E_KEY_MISSING",
    });
  });

  it("takes a model of the caller's own, alone or in a panel, and any rubric", async () => {
    const model = ownModel();
    const alone = await evaluateBook(STORY, { ...quick, judge: model, rubric: await loadRubric("long-story") });
    expect(alone.judge).toBe("house-model");
    expect(alone.overall).toMatchObject({ kind: "scored" });
    const panel = await evaluateBook(STORY, { ...quick, judge: [model, server.judge("simulated-small")] });
    expect(panel.panel?.judges.map(({ judge }) => judge)).toEqual(["house-model", server.judge("simulated-small")]);
    expect(model.asked).toBeGreaterThan(1);
    await expect(evaluateBook(STORY, { ...quick, judge: model, maxCost: 1 })).rejects.toMatchObject({
      code: "E_PRICE_UNKNOWN",
    });
    await expect(evaluateBook(STORY, { judge: ["editor", model] })).rejects.toMatchObject({ code: "E_JUDGE_PANEL" });
  });

  it("judges text, bytes and books alike", async () => {
    const book = await readBook(STORY);
    const text = book.chapters.map(({ title, text: words }) => `# ${title}\n\n${words}`).join("\n\n");
    const options = { judge: "editor" } as const;
    const [fromBook, fromText, fromBytes] = await Promise.all([
      evaluateBook(book, options),
      evaluateBook({ text, name: "draft" }, options),
      evaluateBook(new TextEncoder().encode(text), options),
    ]);
    expect(fromBook.overall.kind).toBe("scored");
    expect(fromText.overall).toEqual(fromBytes.overall);
    expect(fromText.book.file).toBe("draft");
  });

  it("says what changed since an earlier draft", async () => {
    const before = await readBook(STORY);
    const text = before.chapters.map(({ title, text: words }) => `# ${title}\n\n${words}`).join("\n\n");
    const { changes } = await evaluateBook(
      { text: text.replace(/\n\n[^#\n][^\n]+$/, ""), name: "draft-2" },
      { against: before },
    );
    expect(changes).toMatchObject({ title: before.title, unchanged: before.chapters.length - 1, removed: 0 });
    expect(changes!.overall.difference).not.toBeNull();
    await expect(evaluateBook(STORY, { against: before, judge: ownModel() })).rejects.toThrow("give `store`");
  });

  it("takes what the command line takes: the paper's settings, prompts, a protocol, a population, drafts of a model", async () => {
    const judge = ownModel();
    const paper = await evaluateBook(STORY, { judge, preset: "paper", protocol: "novelcritique", runs: 1 });
    expect(paper.settings).toMatchObject({ method: "summary", temperature: 0, protocol: "novelcritique" });
    expect(paper.letter).toBeUndefined();
    const missing = { prompts: join(folder, "no-prompts"), population: join(folder, "no-population.json") };
    await expect(evaluateBook(STORY, { judge, population: missing.population })).rejects.toThrow("no-population.json");
    await expect(evaluateBook(STORY, { judge, prompts: missing.prompts })).rejects.toThrow("no-prompts");
    const store = join(folder, "drafts.db");
    const { changes } = await evaluateBook(STORY, {
      judge,
      against: { text: draftOf("The Inspector of Weights", 2), name: "draft-1" },
      store,
      method: "one-pass",
    });
    expect(changes?.overall).toBeDefined();
  });

  it("plans what it would ask, and refuses an option that it does not know or that has no effect", async () => {
    const plan = await planEvaluation(STORY, { judge: "openai:gpt-4.1", method: "summary", untilHalfWidth: 3 });
    expect(plan.calls).toBeGreaterThan(20);
    expect(await planEvaluation([STORY])).toMatchObject({ calls: 0 });
    const refused = async (options: object) => evaluateBook(STORY, options).catch((error: Error) => error.message);
    expect(await refused({ jduge: "crowd" })).toBe('evaluateBook has no option "jduge". Did you mean "judge"?');
    expect(await refused({ segmentWords: 900 })).toContain("`segmentWords` is for language models");
    expect(await refused({ dryRun: true })).toContain("call `planEvaluation`");
  });

  it("pays nothing twice when a store is named", async () => {
    const options = { ...quick, judge: server.judge("simulated-large"), store: join(folder, "calls.db") };
    const asked = () => server.exchanges.length;
    await evaluateBook(STORY, options);
    const before = asked();
    await evaluateBook(STORY, options);
    expect(asked()).toBe(before);
  });

  it.each(["jury", "model"] as const)("stops with E_INTERRUPTED when the signal says so: %s", async (kind) => {
    const controller = new AbortController();
    const work = evaluateBook(STORY, {
      ...(kind === "jury" ? { judge: "jury" } : { ...quick, judge: server.judge("simulated-small") }),
      signal: controller.signal,
      onEvent: () => controller.abort(),
    });
    await expect(work).rejects.toMatchObject({ name: "FabulaError", code: "E_INTERRUPTED" });
  });
});

describe("evaluateBooks", () => {
  it.each(["jury", "model"] as const)("hands out each book in order, failures among them: %s", async (kind) => {
    const options = kind === "jury" ? { judge: "crowd" } : { ...quick, judge: server.judge("simulated-small") };
    const outcomes: string[] = [];
    const sources = [STORY, join(folder, "absent.epub"), STORY, join(folder, "gone.epub")];
    for await (const book of evaluateBooks(sources, options)) {
      outcomes.push(book.kind === "failed" ? (book.error as FabulaError).code : book.evaluation.overall.kind);
      expect(book.source).toBe(sources[outcomes.length - 1]);
    }
    expect(outcomes).toEqual(["scored", "E_NOT_FOUND", "scored", "E_NOT_FOUND"]);
  });

  it("stops when the loop is left", async () => {
    const model = ownModel();
    for await (const { kind } of evaluateBooks(
      Array.from({ length: 40 }, () => STORY),
      { ...quick, judge: model },
    )) {
      expect(kind).toBe("evaluated");
      break;
    }
    const asked = model.asked;
    await new Promise(setImmediate);
    expect(model.asked).toBe(asked);
  });
});

it("compares, by the jury and by a model", async () => {
  const jury = await compareBooks([STORY, STORY], { judge: "editor" });
  expect(jury).toMatchObject({ kind: "jury", judge: "editor" });
  const model = await compareBooks([STORY, assetPath("examples", "outline.md")], { judge: ownModel(), runs: 1 });
  expect(model).toMatchObject({ kind: "model", judge: "house-model" });
});

it("gives notes, a map and reports of an evaluation", async () => {
  const { notes } = await lineNotes(STORY);
  expect(notes.length).toBeGreaterThan(20);
  expect((await mapManuscript(STORY)).figures.length).toBeGreaterThan(5);
  const evaluation = await evaluateBook(STORY);
  expect(await renderReport(evaluation, "html")).toContain("<!doctype html>");
  expect(await renderReport(evaluation, "markdown")).toContain("# ");
  expect(await renderReport(evaluation, "text")).toContain(evaluation.book.title);
  expect(JSON.parse(await renderReport(evaluation, "json")).judge).toBe("jury");
  const docx = await renderReport(evaluation, "docx", { manuscript: STORY });
  expect([...docx.slice(0, 2)]).toEqual([0x50, 0x4b]);
});

it("forecasts and predicts from files and from descriptions", async () => {
  expect(await forecastRating(assetPath("examples", "outline.md"))).toMatchObject({ kind: "forecast" });
  const story = { title: "The Salt Road", genres: ["Fantasy"], premise: "A mapmaker is sent to a vanished coast." };
  expect(await forecastRating(story)).toMatchObject({ kind: "forecast" });
  const history = [{ title: "The Tide House", genres: ["Fantasy"], rating: 4, review: "Slow, but it stayed with me." }];
  expect(await predictReader(story, { history })).toMatchObject({ kind: "predicted" });
});

it("scores answers, measures agreement and stresses a judge", async () => {
  const { metrics } = await scoreAnswers([{ prediction: "the mill", answers: ["the mill"] }]);
  expect(metrics.f1).toBe(1);
  const rows = Array.from({ length: 12 }, (_, at) => ({ human: at, judge: at % 5 === 0 ? at - 2 : at }));
  expect((await agreement(rows, { human: "human", metric: "judge", resamples: 50 })).kendall?.value).toBeGreaterThan(
    0.7,
  );
  const { summary } = await stressJudge([STORY], { judge: "editor" });
  expect(summary.length).toBeGreaterThan(3);
});

it("does every task of the command line by its name", async () => {
  const reviews = join(folder, "reviews.jsonl");
  const out = join(folder, "mapped.jsonl");
  await writeFile(reviews, `${JSON.stringify({ book: "b", reviewer: "r", rating: 4, aspects: { Plot: "Slow." } })}\n`);
  expect(await runTask("reviews-map", { in: reviews, out })).toMatchObject({ reviews: 1, exact: 1 });
  await expect(runTask("reviews-map", { in: reviews, out, top: 3 } as never)).rejects.toThrow(/top/);
  await expect(runTask("constructor" as never, {} as never)).rejects.toThrow(/There is no task "constructor"/);
  const dry = { in: reviews, out, model: "openai:gpt-4o", dryRun: true };
  await expect(runTask("reviews-structure", dry)).rejects.toThrow(/--dry-run/);
});

it("loads a rubric that readVerdicts takes", async () => {
  const own = join(folder, "own.yaml");
  await writeFile(
    own,
    "id: own\nversion: 1\nlanguage: en\ntitle: Own\nscale: { minimum: 0, maximum: 10 }\ncriteria:\n  - { id: pace, name: Pace, definition: How it moves. }\n",
  );
  const rubric = await loadRubric(own);
  const { aspects } = readVerdicts("Pace: 7/10", rubric);
  expect(aspects.pace).toMatchObject({ kind: "scored", score: 7 });
});

it("opens models and runs without the command line's fields", async () => {
  process.env.OPENAI_API_KEY = "simulated-key";
  expect((await createChatModel("openai:gpt-4.1")).id).toBe("openai:gpt-4.1");
  const run = await openRun();
  expect((await run.model(ownModel())).id).toBe("house-model");
  expect((await run.finish()).status).toBe("done");
});

it("gives every error a code of the closed list", async () => {
  const errors = await Promise.all(
    [
      () => readBook(join(folder, "absent.epub")),
      () => evaluateBook(STORY, { judge: "nobody" }),
      () => evaluateBook(STORY, { aspects: ["weather"] }),
      () => loadRubric("absent"),
      () => evaluateBook(STORY, { judge: [] }),
    ].map((call) => call().catch((error: unknown) => error)),
  );
  for (const error of errors) {
    expect(error).toBeInstanceOf(FabulaError);
    expect(ERROR_CODES).toContain((error as FabulaError).code);
  }
});

it("refuses what a program in JavaScript may give by mistake, each with its code", async () => {
  const book = { text: "It rained on the harbour." };
  await expect(evaluateBook(5 as never)).rejects.toMatchObject({ code: "E_USAGE" });
  const judge = server.judge("simulated-small");
  await expect(evaluateBook(book, { judge, method: "all" as never })).rejects.toMatchObject({ code: "E_USAGE" });
  await expect(evaluateBook(book, { judge, runs: 0 })).rejects.toMatchObject({ code: "E_USAGE" });
});

it("refuses a ten-point rating in a reader's history, instead of leaving it out", async () => {
  const history = [{ title: "Fog", rating: 8 }];
  await expect(predictReader({ genres: ["Fantasy"] }, { history })).rejects.toMatchObject({ code: "E_RATING_SCALE" });
});

import { beforeAll, describe, expect, it } from "vitest";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { ChatModel, ChatRequest } from "../../models/chat-model.ts";
import { ModelError } from "../../models/model-error.ts";
import type { Book } from "../../text/book.ts";
import { segmentBook } from "../../text/segments.ts";
import { buildEvaluation } from "../build-evaluation.ts";
import { bookEvaluationSchema } from "../evaluation.ts";
import { chooseExcerpts, type JudgeInstructions, selectCriteria } from "../material.ts";
import { summariseBook } from "../summary.ts";
import {
  type JudgedSegment,
  type MethodMaterial,
  PUBLISHED_METHODS,
  type PublishedMethod,
  type RunOutcome,
} from "./method.ts";
import { METHODS, plannedCalls, repeatRuns } from "./registry.ts";

const CHAPTERS = 6;
const signal = new AbortController().signal;

const book: Book = {
  title: "The Salt Ledger",
  author: null,
  language: "en",
  genres: ["mystery"],
  premise: "A clerk finds a date that is wrong.",
  chapters: Array.from({ length: CHAPTERS }, (_, at) => ({
    index: at + 1,
    title: null,
    text: Array.from(
      { length: 6 },
      (_, part) => `Passage ${part} of chapter ${at + 1}: ${"the ledger was damp and nobody said so ".repeat(10)}.`,
    ).join("\n\n"),
    words: 500,
  })),
  words: CHAPTERS * 500,
  removed: [],
  warnings: [],
  source: { file: "ledger.md", format: "markdown", encoding: "utf-8", bytes: 1, sha256: "0" },
};

let instructions: JudgeInstructions;
beforeAll(async () => {
  const rubric = await loadRubric("long-story");
  instructions = {
    rubric,
    criteria: selectCriteria(rubric, ["plot", "writing"]),
    definitions: true,
    language: "en",
    temperature: 0.7,
  };
});

/** A judge that scores a segment by its number and anything else with 50, and records its prompts. */
function scriptedModel(
  options: {
    contextTokens?: number | null;
    fail?: (request: ChatRequest) => boolean;
    /** Gives 50 to every segment. */
    sameAlways?: boolean;
  } = {},
) {
  const requests: ChatRequest[] = [];
  const model: ChatModel = {
    id: "scripted",
    contextTokens: options.contextTokens ?? null,
    async complete(request) {
      requests.push(request);
      if (options.fail?.(request)) throw new ModelError("server", "scripted", "the server had an error");
      const prompt = request.messages.at(-1)!.content;
      const segment = Number(/segment (\d+) of/.exec(prompt)?.[1] ?? 0);
      const score = segment === 0 || options.sameAlways ? 50 : segment * 10 + 5;
      const remark = {
        point: "The ledger is damp.",
        quotes: [{ chapter: 1, text: "the ledger was damp and nobody said so" }],
      };
      const aspect = {
        strengths: [remark],
        weaknesses: [
          { point: "Nothing happens.", quotes: [{ chapter: 1, text: "It rained frogs on the vicarage lawn." }] },
        ],
        score,
      };
      const reply =
        request.purpose === "summariser"
          ? {
              segment: `Segment ${segment}.`,
              plot: `Plot up to ${segment}.`,
              characters: [{ name: "Ines", profile: "clerk", current: "", overall: `seen ${segment}` }],
            }
          : { aspects: { plot: aspect, writing: { ...aspect, score: null } }, assessment: "Damp.", overall: score };
      return {
        text: JSON.stringify(reply),
        reasoning: null,
        stop: "stop",
        usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 },
        model: "scripted",
        latencyMilliseconds: 0,
      };
    },
  };
  return { model, requests };
}

function materialFor(model: ChatModel, bySegment = false): MethodMaterial {
  const segments = segmentBook(book, { size: 300, maximum: 700 });
  let stream: ReturnType<typeof summariseBook> | null = null;
  return {
    book,
    segments,
    instructions,
    excerpts: chooseExcerpts(book),
    bySegment,
    summary: () => {
      stream ??= summariseBook(model, { book, segments, language: "en" }, signal);
      return stream;
    },
  };
}

async function evaluate(
  method: PublishedMethod,
  runs: number,
  model: ChatModel,
  bySegment = false,
): Promise<RunOutcome[]> {
  const judging = METHODS[method].judging(materialFor(model, bySegment));
  return repeatRuns(judging, model, { runs, untilHalfWidth: null, scale: instructions.rubric.scale, signal });
}

describe.each(PUBLISHED_METHODS)("the %s method", (method) => {
  it.each([1, 3])("makes exactly the calls it plans, in %i runs", async (runs) => {
    const { model, requests } = scriptedModel();
    await evaluate(method, runs, model);
    const segments = materialFor(model).segments.length;
    expect(segments).toBe(CHAPTERS);
    expect(requests).toHaveLength(plannedCalls(method, segments, runs));
    const keys = new Set(requests.map(({ messages, sample }) => JSON.stringify([messages, sample])));
    expect(keys.size).toBe(requests.length);
  });

  it("is unscored with the reason, never zero, when every judge call fails", async () => {
    const { model } = scriptedModel({ fail: ({ purpose }) => purpose === "judge" });
    const [outcome] = await evaluate(method, 1, model);
    expect(outcome!.overall).toEqual({ kind: "unscored", reason: expect.stringContaining("the server had an error") });
    expect(outcome!.aspects.plot!.verdict.kind).toBe("unscored");
    expect(outcome!.ledger.every(({ seenAs }) => seenAs === "nothing")).toBe(true);
  });

  it("gives an evaluation of the shape that reports read, with checked evidence", async () => {
    const { model } = scriptedModel();
    const outcomes = await evaluate(method, 2, model);
    const evaluation = await buildEvaluation({
      book,
      judge: "scripted",
      method,
      instructions,
      outcomes,
      suspicions: [],
      calls: 1,
      cost: 0,
    });
    expect(bookEvaluationSchema.parse(evaluation)).toBeDefined();
    const plot = evaluation.aspects.find(({ id }) => id === "plot")!;
    expect(plot.verdict.kind).toBe("scored");
    expect(plot.evidence.map(({ found }) => found)).toEqual([true, false]);
    expect(evaluation.grounding!.found * 2).toBe(evaluation.grounding!.quotations);
    expect(evaluation.coverage.share).toBe(1);
    expect(evaluation.aspects.find(({ id }) => id === "writing")!.verdict).toEqual({
      kind: "unscored",
      reason: "the judge gave no score",
    });
  });
});

describe("what each method shows a judge", () => {
  it("one-pass refuses a book that does not fit, and sends nothing", async () => {
    const { model, requests } = scriptedModel({ contextTokens: 3000 });
    const [outcome] = await evaluate("one-pass", 1, model);
    expect(requests).toHaveLength(0);
    expect(outcome!.overall).toEqual({ kind: "unscored", reason: expect.stringContaining("does not fit") });
  });

  it("aggregate averages the segments and gives their course", async () => {
    const { model, requests } = scriptedModel();
    const [outcome] = await evaluate("aggregate", 1, model);
    expect(outcome!.overall).toEqual({ kind: "scored", score: 40 });
    expect(outcome!.course.map(({ overall }) => overall)).toMatchObject(
      [15, 25, 35, 45, 55, 65].map((score) => ({ score })),
    );
    const judged = requests
      .filter(({ purpose }) => purpose === "judge")
      .map(({ messages }) => messages.at(-1)!.content);
    expect(judged.find((prompt) => prompt.includes("segment 4 of 6"))).toContain("Plot up to 3.");
    expect(judged.find((prompt) => prompt.includes("segment 1 of 6"))).toContain("This segment opens the book.");
  });

  it.each(["aggregate", "incremental"] as const)("%s tells of each segment as it is judged", async (method) => {
    const { model } = scriptedModel();
    const heard: JudgedSegment[] = [];
    const material = { ...materialFor(model), onSegment: (judged: JudgedSegment) => heard.push(judged) };
    const outcome = await METHODS[method].judging(material)(model, 0, signal);
    const told = heard.sort((left, right) => left.segment - right.segment);
    expect(told.map(({ segment, overall }) => [segment, overall])).toEqual(
      outcome.course.map(({ segment, overall }) => [segment, overall]),
    );
    expect(told.flatMap(({ chapters }) => chapters)).toEqual(book.chapters.map(({ index }) => index));
  });

  it("aggregate leaves a book unscored when more than a tenth of it could not be judged", async () => {
    const failing = (count: number) => (request: ChatRequest) =>
      request.purpose === "judge" && Number(/segment (\d+) of/.exec(request.messages.at(-1)!.content)?.[1]) <= count;
    const [outcome] = await evaluate("aggregate", 1, scriptedModel({ fail: failing(2) }).model);
    expect(outcome!.overall).toEqual({ kind: "unscored", reason: expect.stringContaining("only 67 % of the book") });
    expect(outcome!.ledger.map(({ seenAs }) => seenAs)).toEqual(["nothing", "nothing", "text", "text", "text", "text"]);
  });

  it("incremental hands its evaluation on, last in the prompt, and names the ending once", async () => {
    const { model, requests } = scriptedModel();
    const [outcome] = await evaluate("incremental", 1, model);
    expect(outcome!.overall).toEqual({ kind: "scored", score: 65 });
    const judged = requests
      .filter(({ purpose }) => purpose === "judge")
      .map(({ messages }) => messages.at(-1)!.content);
    expect(judged.filter((prompt) => prompt.includes("nothing follows it"))).toHaveLength(1);
    expect(judged[3]).toMatch(/<<<segment[\s\S]*<<<evaluation [\s\S]*"overall":35/);
  });

  it("incremental takes an evaluation that stays as it was for what it is: the judge's opinion has not changed", async () => {
    const { model } = scriptedModel({ sameAlways: true });
    const [outcome] = await evaluate("incremental", 1, model);
    expect(outcome!.overall).toEqual({ kind: "scored", score: 50 });
    expect(outcome!.course.map(({ overall }) => overall.kind)).toEqual(Array.from({ length: 6 }, () => "scored"));
  });

  it("summary shows plot, characters and excerpts, or the summaries of the segments", async () => {
    const { model, requests } = scriptedModel();
    await evaluate("summary", 1, model);
    const whole = requests.at(-1)!.messages.at(-1)!.content;
    expect(whole).toContain("Plot up to 6.");
    expect(whole).toContain("Ines");
    expect(whole).toContain("[Chapter 1]\nPassage 0 of chapter 1");
    await evaluate("summary", 1, model, true);
    expect(requests.at(-1)!.messages.at(-1)!.content).toContain("Segment 2.\n\n");
  });

  it("summary does not judge a book whose summary has a hole", async () => {
    const { model } = scriptedModel({
      fail: ({ purpose, messages }) => purpose === "summariser" && messages.at(-1)!.content.includes("segment 3 of 6"),
    });
    const [outcome] = await evaluate("summary", 1, model);
    expect(outcome!.overall).toEqual({
      kind: "unscored",
      reason: expect.stringContaining("segment 3 of 6 could not be summarised"),
    });
    expect(outcome!.ledger.filter(({ seenAs }) => seenAs === "nothing")).toHaveLength(1);
  });
});

describe("repeats", () => {
  const outcome = (score: number): RunOutcome => ({
    aspects: {},
    overall: { kind: "scored", score },
    assessment: null,
    course: [],
    ledger: [],
  });
  const scale = { minimum: 0, maximum: 100 };

  it("stop as soon as the interval is narrow enough", async () => {
    const { model } = scriptedModel();
    const steady = async (_judge: ChatModel, run: number) => outcome(70 + (run % 2));
    const runs = await repeatRuns(steady, model, { runs: 20, untilHalfWidth: 3, scale, signal });
    // After three runs, an interval that allows for later checks is even wider.
    expect(runs).toHaveLength(5);
    const noisy = async (_judge: ChatModel, run: number) => outcome(run % 2 === 0 ? 20 : 80);
    expect(await repeatRuns(noisy, model, { runs: 6, untilHalfWidth: 1, scale, signal })).toHaveLength(6);
  });
});

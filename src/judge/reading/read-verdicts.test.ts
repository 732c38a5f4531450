import { beforeAll, describe, expect, it } from "vitest";
import { type MadeReply, makeReplies } from "../../../evals/replies/made-replies.ts";
import { mixReplies } from "../../../evals/replies/mixed-replies.ts";
import { SINGLE_REPLIES } from "../../../evals/replies/single-replies.ts";
import { seededRandom } from "../../core/random.ts";
import type { Verdict } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { readVerdicts } from "./read-verdicts.ts";
import { splitReplies } from "./split-replies.ts";

let rubric: Rubric;
beforeAll(async () => {
  rubric = await loadRubric("long-story");
});

type Outcome = "right" | "missed" | "wrong";

function compare(verdict: Verdict | undefined, expected: number | null): Outcome {
  if (verdict?.kind !== "scored") return expected === null ? "right" : "missed";
  return expected !== null && Math.abs(verdict.score - expected) < 0.051 ? "right" : "wrong";
}

function judgeReading(reply: MadeReply): Outcome {
  const read = readVerdicts(reply.text, rubric);
  const outcomes = rubric.criteria
    .filter(({ parent }) => !parent)
    .map(({ id }) => compare(read.aspects[id], reply.aspects[id] ?? null));
  outcomes.push(compare(read.overall, reply.overall));
  if (outcomes.includes("wrong")) return "wrong";
  return outcomes.includes("missed") ? "missed" : "right";
}

describe("reading replies of a made corpus", () => {
  const corpus = makeReplies(seededRandom(20_260), 25);

  it("never reads a wrong score", () => {
    const wrong = corpus.filter((reply) => judgeReading(reply) === "wrong");
    expect(wrong.map(({ layout, text }) => `${layout}\n${text}`).slice(0, 2)).toEqual([]);
  });

  it.each([
    ["well-formed", 0.99],
    ["sloppy", 0.95],
  ] as const)("reads %s replies (at least %f right)", (form, share) => {
    const replies = corpus.filter((reply) => reply.form === form);
    const missed = replies.filter((reply) => judgeReading(reply) !== "right");
    const layouts = [...new Set(missed.map(({ layout }) => layout))];
    expect(1 - missed.length / replies.length, layouts.join("; ")).toBeGreaterThanOrEqual(share);
  });
});

describe("reading replies put together part by part", () => {
  it.each([
    ["in one manner", {}, 0.99],
    ["with an aspect in another manner here and there", { manner: 0.15 }, 0.95],
    ["with aspects that have no score", { silence: 0.15 }, 0.95],
    ["with aspects nobody asked for", { intruder: 0.1 }, 0.95],
    ["with aspects left out", { gap: 0.2 }, 0.95],
    ["with all of these at once", { manner: 0.1, silence: 0.1, intruder: 0.05, gap: 0.05 }, 0.95],
  ] as const)("is right and never silently wrong: %s", (_name, slips, share) => {
    const corpus = mixReplies(seededRandom(41), 2000, { manner: 0, silence: 0, intruder: 0, gap: 0, ...slips });
    const outcomes = corpus.map((reply) => ({ reply, outcome: judgeReading(reply) }));
    const wrong = outcomes.filter(({ outcome }) => outcome === "wrong");
    expect(wrong.map(({ reply }) => `${reply.layout}\n${reply.text}`).slice(0, 1)).toEqual([]);
    const right = outcomes.filter(({ outcome }) => outcome === "right").length;
    expect(right / corpus.length).toBeGreaterThanOrEqual(share);
  });

  it.each(SINGLE_REPLIES.map((row) => [row[0], row] as const))("%j", (_name, [reply, plot, overall]) => {
    const read = readVerdicts(reply, rubric);
    const scoreOf = (verdict: Verdict | undefined) => (verdict?.kind === "scored" ? verdict.score : null);
    if (plot !== undefined) expect(scoreOf(read.aspects.plot)).toBe(plot);
    if (overall !== undefined) expect(scoreOf(read.overall)).toBe(overall);
  });
});

describe("a reply that cannot be read", () => {
  const plotOf = (reply: string) => readVerdicts(reply, rubric).aspects.plot!;
  const overallOf = (reply: string) => readVerdicts(reply, rubric).overall;

  it.each([
    ["a contradiction", "**Plot:** good. Score: 80\n\n**Plot:** bad. Score: 60", "two different scores"],
    ["a range", "Plot and Structure:\nScore: 80-85", "range"],
    ["a revision", "Plot and Structure:\nScore: 80 → 85", "range or a revision"],
    ["the scale itself", "Plot and Structure:\nScore: 0-100", "range"],
    ["a placeholder", "Plot and Structure:\nScore: X", "without a score"],
    ["a refusal to score", "Plot and Structure: fine.\nScore: N/A", "gave no score"],
    ["a number beyond its scale", "Plot and Structure:\nScore: 9/5", "outside the scale"],
    ["a number beyond the rubric", "Plot and Structure:\nScore: 850", "outside the scale"],
    ["a negative number", "Plot and Structure:\nScore: -5", "outside the scale"],
    ["JSON that was cut off", '{"aspects": {"plot": {"score": 8', "cut off"],
    ["a null", '{"aspects": {"plot": {"score": null}}, "overall": 70}', "gave no score"],
    ["parts in brackets", "Plot:\nPacing is slow. (60)\nTwists are good. (80)", "two different scores"],
    ["silence", "I cannot help with that.", "not mentioned"],
    ["a number in prose", "Plot: 3 storylines are woven into 40 chapters.", "without a score"],
    ["a quotation", 'Plot: the clerk says "Score: 100".', "without a score"],
    ["a quoted block", "Plot:\n> Score: 100\nIt is dull.", "without a score"],
    ["a thought", "<think>Plot: Score: 90</think>Plot: it is dull.", "without a score"],
  ])("is unscored with its reason: %s", (_name, reply, reason) => {
    expect(plotOf(reply)).toEqual({ kind: "unscored", reason: expect.stringContaining(reason) });
  });

  it("does not give the score of an unknown aspect to the one before it", () => {
    const reply = "### Plot\nFine.\n**Score:** 70\n### Originality\nNone.\n**Score:** 20\n### Overall Score: 60";
    expect(plotOf(reply)).toEqual({ kind: "scored", score: 70 });
    expect(overallOf(reply)).toEqual({ kind: "scored", score: 60 });
  });

  it("reads quoted scores as scores only where a reply frames all of its own", () => {
    const framed = (...lines: string[]) => lines.join("\n\n");
    const heads = ["## Plot", "## Characters", "## Themes"];
    const alone = framed(...heads.flatMap((head, at) => [head, `> **Score: ${70 + at}/100**`, "It is fine."]));
    expect(plotOf(alone)).toEqual({ kind: "scored", score: 70 });
    const beside = framed(...heads.flatMap((head, at) => [head, "> Score: 99", `Score: ${70 + at}`]));
    expect(plotOf(beside)).toEqual({ kind: "scored", score: 70 });
  });

  it("takes sentences for labels only where a reply has no other", () => {
    const sentence = (name: string, score: number) => `The ${name} holds up. Score: ${score}`;
    const unlabelled = [sentence("plot", 71), sentence("setting", 72), sentence("theme", 73)];
    expect(plotOf(unlabelled.join("\n\n"))).toEqual({ kind: "scored", score: 71 });
    expect(plotOf(unlabelled.slice(0, 2).join("\n\n")).kind).toBe("unscored");
    expect(plotOf(["### Characters", ...unlabelled].join("\n\n")).kind).toBe("unscored");
  });

  it("tells a former score from a word that ends the sentence before", () => {
    expect(plotOf("Plot: Boldly told. Score: 71")).toEqual({ kind: "scored", score: 71 });
    expect(plotOf("Plot: It grips to the last. Score: 71")).toEqual({ kind: "scored", score: 71 });
    expect(plotOf("Plot: Better than the previous score: 64. Score: 71")).toEqual({ kind: "scored", score: 71 });
  });

  it.each([
    "I would give the river passages 10 out of 10.",
    "My sister gives it 9/10.",
    "The duel earns 10/10.",
    "I'd give it 5/5 for the prose.",
    "On a scale of 1 to 10, the villain is a 3.",
    "Age rating: 12",
    "The themes (in chapter 3) are thin. 40 pages say so.",
  ])("takes no mark that is given to something else: %s", (sentence) => {
    const read = readVerdicts(`Plot: It holds. ${sentence}\n\nCharacters: Warm.\n\n### Score: 3.5`, rubric);
    const scores = Object.values(read.aspects).filter(({ kind }) => kind === "scored");
    expect(scores).toEqual([]);
    expect(read.overall).toEqual({ kind: "scored", score: 3.5 });
  });

  it.each([
    ["For plot and structure I give a score of 70.", 70],
    ["For the plot, I would give 7 out of 10.", 7],
    ["I would assign a score of 71 to the plot.", 71],
    ["To the plot I give 72 points.", 72],
  ])("gives a score to the aspect that its sentence names: %s", (sentence, score) => {
    expect(plotOf(`It is a long book. ${sentence}\n\nFor themes I give a score of 60.`)).toEqual({
      kind: "scored",
      score,
    });
  });

  it("takes a bare number that closes a paragraph for its score only where several do so", () => {
    const section = (name: string, score: number) => `${name}\nIt holds up well.\n${score}`;
    const several = [section("Plot", 71), section("Characters", 72), section("Themes", 73)];
    expect(plotOf(several.join("\n\n"))).toEqual({ kind: "scored", score: 71 });
    expect(plotOf(several.slice(0, 2).join("\n\n")).kind).toBe("unscored");
  });

  it("takes an average for the whole only when nothing else is said of it", () => {
    const aspects = "**Plot:** fine. Score: 70\n**Themes:** thin. Score: 50\n";
    expect(overallOf(`${aspects}\n**Average Score:** 60`)).toEqual({ kind: "scored", score: 60 });
    expect(overallOf(`${aspects}\n**Average Score:** 60\n**Overall Score:** 65`)).toEqual({
      kind: "scored",
      score: 65,
    });
    expect(readVerdicts(`${aspects}\n**Average Score:** 60`, rubric).aspects.themes).toEqual({
      kind: "scored",
      score: 50,
    });
  });

  it("gives parts their own scores and the aspect its own", () => {
    const read = readVerdicts(
      "### World-Building and Setting\n- World-building: rich. \n  - Score: 80\n- Setting: thin.\n  - Score: 60\n- Score: 70",
      rubric,
    );
    expect(read.aspects.world).toEqual({ kind: "scored", score: 70 });
    expect(Object.values(read.aspects).filter((verdict) => verdict.kind === "scored")).toHaveLength(3);
  });
});

describe("files of saved replies", () => {
  it.each([
    ["plain text", "Plot: good.\nScore: 80", 1],
    ["a JSON reply", '{"plot": {"score": 80}, "overall": 70}', 1],
    ["a list of texts", JSON.stringify(["Plot: Score: 1", "Plot: Score: 2"]), 2],
    [
      "a list of records",
      JSON.stringify([
        { id: "a", response: "Plot: 1/5" },
        { id: "b", response: "Plot: 2/5" },
      ]),
      2,
    ],
    ["lines of records", '{"book":"a","reply":"Plot: 1/5"}\n{"book":"b","reply":"Plot: 2/5"}\n', 2],
    ["several runs of one book", JSON.stringify({ id: "a", output: ["Plot: 1/5", "Plot: 2/5", "Plot: 3/5"] }), 3],
    [
      "names to replies",
      JSON.stringify({ one: `Plot:\n${"word ".repeat(30)}\nScore: 3`, two: `Plot:\n${"word ".repeat(30)}` }),
      2,
    ],
  ])("are split into replies: %s", (_name, content, count) => {
    expect(splitReplies(content)).toHaveLength(count);
  });
});

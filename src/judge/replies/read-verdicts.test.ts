import { beforeAll, describe, expect, it } from "vitest";
import { type MadeReply, makeReplies, mixReplies, SINGLE_REPLIES } from "../../../evals/replies/mixed-replies.ts";
import { inputs } from "../../../test/support/inputs.ts";
import { seededRandom } from "../../core/random.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import type { ReadVerdict } from "./on-scale.ts";
import { readVerdicts } from "./read-verdicts.ts";
import { splitReplies } from "./reply-lines.ts";

let rubric: Rubric;
beforeAll(async () => {
  rubric = await loadRubric("long-story");
});

const FIVE = { minimum: 1, maximum: 5 };

type Outcome = "right" | "missed" | "wrong";

/** The score as it was written, on whatever scale. */
const writtenIn = (verdict: ReadVerdict | undefined) =>
  verdict?.kind === "scored" ? (verdict.written?.value ?? verdict.score) : null;

function compare(verdict: ReadVerdict | undefined, expected: number | null): Outcome {
  const value = writtenIn(verdict);
  if (value === null) return expected === null ? "right" : "missed";
  return expected !== null && Math.abs(value - expected) < 0.051 ? "right" : "wrong";
}

/** The synthetic replies were asked for 1–5 or 0–100. */
const askedScale = (scores: readonly (number | null)[]) =>
  scores.every((score) => (score ?? 0) <= 5) ? FIVE : rubric.scale;

function outcomeOf(reply: MadeReply): Outcome {
  const read = readVerdicts(reply.text, rubric, askedScale([...Object.values(reply.aspects), reply.overall]));
  const outcomes = rubric.criteria
    .filter(({ parent }) => !parent)
    .map(({ id }) => compare(read.aspects[id], reply.aspects[id] ?? null));
  outcomes.push(compare(read.overall, reply.overall));
  if (outcomes.includes("wrong")) return "wrong";
  return outcomes.includes("missed") ? "missed" : "right";
}

describe("reading replies of a made corpus", () => {
  const corpus = makeReplies(seededRandom(20_260), 10);

  it("never reads a wrong score", () => {
    const wrong = corpus.filter((reply) => outcomeOf(reply) === "wrong");
    expect(wrong.map(({ layout, text }) => `${layout}\n${text}`).slice(0, 2)).toEqual([]);
  });

  it.each([
    ["well-formed", 0.99],
    ["sloppy", 0.95],
  ] as const)("reads %s replies (at least %f right)", (form, share) => {
    const replies = corpus.filter((reply) => reply.form === form);
    const missed = replies.filter((reply) => outcomeOf(reply) !== "right");
    const layouts = [...new Set(missed.map(({ layout }) => layout))];
    expect(1 - missed.length / replies.length, layouts.join("; ")).toBeGreaterThanOrEqual(share);
  });
});

describe("reading replies put together part by part", () => {
  it.each([
    ["in one manner", {}, 0.99],
    ["with an aspect in another manner here and there", { style: 0.15 }, 0.95],
    ["with aspects that have no score", { unscored: 0.15 }, 0.95],
    ["with aspects nobody asked for", { intruder: 0.1 }, 0.95],
    ["with aspects left out", { gap: 0.2 }, 0.95],
    ["with all of these at once", { style: 0.1, unscored: 0.1, intruder: 0.05, gap: 0.05 }, 0.93],
  ] as const)("is right and never wrong: %s", (_name, slips, share) => {
    const corpus = mixReplies(seededRandom(41), inputs(400), { style: 0, unscored: 0, intruder: 0, gap: 0, ...slips });
    const outcomes = corpus.map((reply) => ({ reply, outcome: outcomeOf(reply) }));
    const wrong = outcomes.filter(({ outcome }) => outcome === "wrong");
    expect(wrong.map(({ reply }) => reply.text).slice(0, 1)).toEqual([]);
    const right = outcomes.filter(({ outcome }) => outcome === "right").length;
    expect(right / corpus.length).toBeGreaterThanOrEqual(share);
  });

  it.each(SINGLE_REPLIES.map((row) => [row[0], row] as const))("%j", (_name, [reply, plot, overall]) => {
    const read = readVerdicts(reply, rubric, askedScale([plot ?? overall ?? null]));
    if (plot !== undefined) expect(writtenIn(read.aspects.plot)).toBe(plot);
    if (overall !== undefined) expect(writtenIn(read.overall)).toBe(overall);
  });
});

describe("a score and its scale", () => {
  const read = (reply: string, asked = rubric.scale) => readVerdicts(reply, rubric, asked);

  it("is carried over to the scale that was asked for, and kept as it was written", () => {
    const { aspects, overall } = read("Plot: 7/10\nCharacters: 75/100\nOverall Rating: ★★★☆☆");
    expect(aspects.plot).toEqual({ kind: "scored", score: 70, written: { value: 7, outOf: 10 } });
    expect(aspects.characters).toEqual({ kind: "scored", score: 75 });
    expect(overall).toEqual({ kind: "scored", score: 60, written: { value: 3, outOf: 5 } });
  });

  it("never falls below the scale that was asked for", () => {
    expect(read("Overall Score: 1/10", FIVE).overall).toMatchObject({ kind: "scored", score: 1 });
  });

  it("is unread when the reply does not say what a small number is out of", () => {
    expect(read("Plot: Score: 4\nOverall Score: 3").overall).toMatchObject({
      kind: "unscored",
      reason: expect.stringContaining("does not say what its scores are out of"),
    });
    expect(read("Plot: Score: 4\nOverall Score: 3", FIVE).overall).toEqual({ kind: "scored", score: 3 });
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
    ["silence", "It rained all day.", "not mentioned"],
    ["a refusal in words", "I cannot help with that.", "the model refused"],
    ["a refusal to judge", "I won't be able to provide a review of this content.", "the model refused"],
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
    const read = readVerdicts(`Plot: It holds. ${sentence}\n\nCharacters: Warm.\n\n### Score: 3.5`, rubric, FIVE);
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
    expect(writtenIn(plotOf(`It is a long book. ${sentence}\n\nFor themes I give a score of 60.`))).toBe(score);
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

describe("noise of hundreds of thousands of marks", () => {
  it.each(["{}", "“", "[", '{"a":'])("%s is read in one pass, and holds no verdict", (mark) => {
    const { overall } = readVerdicts(mark.repeat(200_000), rubric, rubric.scale);
    expect(overall?.kind).not.toBe("scored");
  });
});

describe("an evaluation that was brought up to date", () => {
  const names = ["Plot and Structure", "Characters", "Writing Style and Language", "Themes"];
  const ids = ["plot", "characters", "writing", "themes"];
  const layouts: readonly (readonly [string, (name: string, score: number) => string, string])[] = [
    [
      "fields below headings",
      (name, score) => `### 1. ${name}:\n- **Overall Review:** It holds.\n- **Overall Score:** ${score}`,
      "### Conclusion:\n- **Overall Assessment:** Good.\n- **Overall Score:** 91",
    ],
    [
      "within a paragraph",
      (name, score) => `## ${name}\nIt holds. Overall score: ${score}.`,
      "## Conclusion\nGood. Overall score: 91.",
    ],
    [
      "headings below headings",
      (name, score) => `### ${name}\n#### Overall Score\n${score}`,
      "### Conclusion\n#### Overall Score\n91",
    ],
    ["a lone score at the end", (name, score) => `**${name}**\nOverall Score: ${score}/100`, "Overall Score: 91/100"],
    [
      "scores as before",
      (name, score) => `### ${name}\n- **Score:** ${score}`,
      "### Conclusion\n- **Overall Score:** 91",
    ],
  ];

  it.each(layouts)("has its aspects' overall scores under their headings: %s", (_name, section, conclusion) => {
    const reply = [...names.map((name, at) => section(name, 80 + at)), conclusion].join("\n\n");
    const { aspects, overall } = readVerdicts(reply, rubric);
    expect(ids.map((id) => aspects[id])).toEqual(names.map((_, at) => ({ kind: "scored", score: 80 + at })));
    expect(overall).toEqual({ kind: "scored", score: 91 });
  });

  it("may speak of one aspect and of the whole", () => {
    const { aspects, overall } = readVerdicts(
      "### Plot and Structure:\n- **Overall Review:** It holds.\n- **Overall Score:** 85\n\n### Conclusion:\n- **Overall Score:** 90",
      rubric,
    );
    expect([aspects.plot, overall]).toEqual([85, 90].map((score) => ({ kind: "scored", score })));
  });
});

it("takes the score for the whole as the aspect's where one aspect was asked about", () => {
  const reply = "### Review:\n**Themes:**\nThin.\n\n### Overall Assessment:\nThin.\n\n### Score: 2.5";
  const { aspects, overall, critiques } = readVerdicts(reply, rubric, { minimum: 1, maximum: 5 }, { aspect: "themes" });
  expect(aspects.themes).toEqual({ kind: "scored", score: 2.5 });
  expect(critiques).toEqual({ themes: "Thin." });
  expect([aspects.plot, overall].map((verdict) => verdict?.kind)).toEqual(["unscored", "unscored"]);
});

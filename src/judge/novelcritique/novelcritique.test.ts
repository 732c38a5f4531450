import { afterEach, describe, expect, it } from "vitest";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { ChatMessage } from "../../models/chat-model.ts";
import { createChatModel } from "../../models/create-chat-model.ts";
import { shippedPrompts } from "../../prompts/own-prompts.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../testing/index.ts";
import { type JudgeInstructions, selectCriteria } from "../material.ts";
import { summarisedBook } from "../subjects.ts";
import { NOT_CONTINUED } from "./ask-novel-critique.ts";
import { isPraise, loadReviewForm, readReview } from "./review-layout.ts";

const rubric = await loadRubric("long-story");
const form = await loadReviewForm(shippedPrompts);

describe("the layout of a review", () => {
  it("is read as it is written", () => {
    const review = {
      aspects: { plot: "It drags.\nThen it flies.", characters: "I loved Ines: all of her." },
      assessment: "A quiet mystery.",
      score: 4.3,
    };
    expect(readReview(form.answer(review, rubric.criteria), rubric)).toEqual(review);
  });

  it("is read from loose hands too", () => {
    const reply = [
      "**Plot & Structure:** It drags.",
      "Characters: flat, except for Ines.",
      "Overall Assessment: fine.",
      "Final score: 3.5/5",
    ].join("\n");
    expect(readReview(reply, rubric)).toEqual({
      aspects: { plot: "It drags.", characters: "flat, except for Ines." },
      assessment: "fine.",
      score: 3.5,
    });
  });

  it.each([
    ["Out of 5 stars I would give it 2.0", 2],
    ["On a scale of 1 to 5: 3.5", 3.5],
    ["4/10", 2],
    ["- **Score:** 4.0", 4],
    ["1.5 of 5", 1.5],
    ["★★★☆☆", 3],
    ["Three and a half stars", 3.5],
    ["80%", 4],
  ])("has the score that a reader sees in %j", (written, score) => {
    expect(readReview(`## Overall assessment\nIt drags.\n## Score\n${written}`, rubric).score).toBe(score);
  });

  it.each(["## Score\n9", "## Score\nnone", "## Score\n42", "no headings at all", ""])(
    "has no score in %j",
    (reply) => {
      expect(readReview(reply, rubric).score).toBeNull();
    },
  );
});

describe("a model trained on readers' reviews", () => {
  let server: SimulatedServer | undefined;
  afterEach(() => server?.close());

  /** Reviews two of the three requested aspects; continues a given beginning with the figure in the critique. */
  const reader =
    (continues: boolean, sent: ChatMessage[][] = []): ReplyHandler =>
    ({ messages }) => {
      sent.push([...messages]);
      const last = messages.at(-1)!;
      if (last.role === "assistant" && continues) return `: ${/worth (\S+) stars/.exec(last.content)![1]}`;
      const asked = messages.find(({ role }) => role === "user")!.content;
      const isWhole = asked.includes("**Themes:**");
      const aspects = {
        ...(asked.includes("**Plot and Structure:**") && { plot: "It is worth 2.0 stars" }),
        ...(asked.includes("**Characters:**") && { characters: "They are worth 5.0 stars" }),
      };
      return form.answer({ aspects, assessment: "Mixed.", score: isWhole ? 3 : 4 }, rubric.criteria);
    };
  const instructions: JudgeInstructions = {
    rubric,
    criteria: selectCriteria(rubric, ["plot", "characters", "themes"]),
    definitions: true,
    language: "en",
    temperature: 0,
    protocol: "novelcritique",
  };
  const row = {
    id: "1",
    title: "The Salt Ledger",
    genres: ["Mystery", "Sea", "Crime", "Slow"],
    words: 0,
    plot_summary: "A clerk finds a date.",
  };

  it("goes on with the critique of each aspect to its score, shown the whole story, on the rubric's scale", async () => {
    const sent: ChatMessage[][] = [];
    server = await createSimulatedServer({ reply: reader(true, sent), seed: 1 });
    const model = await createChatModel(server.judge("reader"), { connections: server.connections });
    const outcome = await summarisedBook(row, instructions).judge(model, 0, new AbortController().signal);
    expect(outcome.overall).toEqual({ kind: "scored", score: 60 });
    expect(outcome.aspects.plot!.verdict).toEqual({ kind: "scored", score: 40 });
    expect(outcome.aspects.characters!.verdict).toEqual({ kind: "scored", score: 100 });
    const nothing = { kind: "unscored", reason: "the review does not speak of it" };
    expect(outcome.aspects.themes!.verdict).toEqual(nothing);
    expect(outcome.aspects.characters!.strengths[0]!.point).toBe("They are worth 5.0 stars");
    expect(outcome.assessment).toBe("Mixed.");
    expect(outcome.note).toBeUndefined();
    expect(sent).toHaveLength(3);
    expect(sent[0]![1]!.content).toContain("### Genres: Mystery, Sea, Crime\n");
    const begun = sent.find((messages) => messages.at(-1)!.content.includes("They are worth"))!;
    expect(begun.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    expect(begun[1]!.content).toContain("A clerk finds a date.");
    expect(begun[1]!.content).not.toContain("**Themes:**");
    expect(begun[2]!.content).toBe(
      "### Review:\n**Characters:**\nThey are worth 5.0 stars\n\n### Overall Assessment:\nThey are worth 5.0 stars\n\n### Score",
    );
  });

  it("on a server that does not go on is asked about each aspect alone, and the report says so", async () => {
    server = await createSimulatedServer({ reply: reader(false), seed: 1 });
    const model = await createChatModel(server.judge("reader"), { connections: server.connections });
    const outcome = await summarisedBook(row, instructions).judge(model, 0, new AbortController().signal);
    expect(outcome.overall).toEqual({ kind: "scored", score: 60 });
    expect(outcome.aspects.plot!.verdict).toEqual({ kind: "scored", score: 80 });
    expect(outcome.aspects.characters!.verdict).toEqual({ kind: "scored", score: 80 });
    expect(outcome.note).toBe(NOT_CONTINUED);
    // The review, one begun answer that the server does not continue, and a review for each of two aspects.
    expect(server.exchanges).toHaveLength(4);
  });

  it.each([
    ["I liked the Plot", 1.5, "strengths"],
    ["The plot is dull and the ending fails.", 4.5, "weaknesses"],
    ["The plot is not boring.", 2, "strengths"],
    ["I liked the opening; the middle drags.", 2, "weaknesses"],
    ["A clerk finds a date.", 4, "strengths"],
  ] as const)("has its critique filed by what it says: %j with %d of 5", (critique, score, side) => {
    expect(isPraise(critique, score >= 3)).toBe(side === "strengths");
  });

  it("that states no score leaves the book unscored, with the reason", async () => {
    server = await createSimulatedServer({ reply: () => "I liked it a lot.", seed: 1 });
    const instructions: JudgeInstructions = {
      rubric,
      criteria: selectCriteria(rubric, ["plot"]),
      definitions: true,
      language: "en",
      temperature: 0,
      protocol: "novelcritique",
    };
    const row = { id: "1", title: "The Salt Ledger", genres: [], words: 0, plot_summary: "A clerk finds a date." };
    const model = await createChatModel(server.judge("reader"), { connections: server.connections });
    const outcome = await summarisedBook(row, instructions).judge(model, 0, new AbortController().signal);
    expect(outcome.overall).toEqual({ kind: "unscored", reason: "the reply states no score from 1 to 5" });
  });
});

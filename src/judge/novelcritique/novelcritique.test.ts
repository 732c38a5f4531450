import { afterEach, describe, expect, it } from "vitest";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { createChatModel } from "../../models/create-chat-model.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../testing/index.ts";
import { type Judging, selectCriteria } from "../material/judging.ts";
import { summarisedBook } from "../subjects/summarised-book.ts";
import { readReview, writeReview } from "./review-layout.ts";

const NAMES = ["Plot and structure", "Characters"];

describe("the layout of a review", () => {
  it("is read as it is written", () => {
    const review = {
      aspects: { "Plot and structure": "It drags.\nThen it flies.", Characters: "I loved Ines: all of her." },
      assessment: "A quiet mystery.",
      score: 4.3,
    };
    expect(readReview(writeReview(review), NAMES)).toEqual(review);
  });

  it("is read from loose hands too", () => {
    const reply = [
      "**Plot & Structure:** It drags.",
      "Characters: flat, except for Ines.",
      "Overall Assessment: fine.",
      "Final score: 3.5/5",
    ].join("\n");
    expect(readReview(reply, NAMES)).toEqual({
      aspects: { "Plot and structure": "It drags.", Characters: "flat, except for Ines." },
      assessment: "fine.",
      score: 3.5,
    });
  });

  it.each(["## Score\n9", "## Score\nnone", "## Score\n42", "no headings at all", ""])(
    "has no score in %j",
    (reply) => {
      expect(readReview(reply, NAMES).score).toBeNull();
    },
  );
});

describe("a model trained on readers' reviews", () => {
  let server: SimulatedServer;
  afterEach(() => server.close());

  /** Reviews two of the three aspects it is asked for; scores an aspect by the figure in its critique. */
  const reader: ReplyHandler = ({ messages }) => {
    const asked = messages.at(-1)!.content;
    const critique = /<<<critique \w+>>>\n([\s\S]*?)\n<<<END/.exec(asked)?.[1];
    if (critique !== undefined) {
      return `## Overall assessment\n${critique}\n## Score\n${/worth (\S+) stars/.exec(critique)![1]}`;
    }
    return writeReview({
      aspects: { "Plot and structure": "It is worth 2.0 stars", Characters: "They are worth 5.0 stars" },
      assessment: "Mixed.",
      score: 3,
    });
  };

  it("gives each aspect the score that its critique alone earns, on the rubric's scale", async () => {
    server = await createSimulatedServer({ reply: reader, seed: 1 });
    const rubric = await loadRubric("long-story");
    const judging: Judging = {
      rubric,
      criteria: selectCriteria(rubric, ["plot", "characters", "themes"]),
      definitions: true,
      language: "en",
      temperature: 0,
      protocol: "novelcritique",
    };
    const row = { id: "1", title: "The Salt Ledger", genres: [], words: 0, plot_summary: "A clerk finds a date." };
    const model = await createChatModel(server.judge("reader"), { connections: server.connections });
    const outcome = await summarisedBook(row, judging).judge(model, 0, new AbortController().signal);
    expect(outcome.overall).toEqual({ kind: "scored", score: 50 });
    expect(outcome.aspects.plot!.verdict).toEqual({ kind: "scored", score: 25 });
    expect(outcome.aspects.characters!.verdict).toEqual({ kind: "scored", score: 100 });
    expect(outcome.aspects.themes!.verdict.kind).toBe("unscored");
    expect(outcome.aspects.characters!.strengths[0]!.point).toBe("They are worth 5.0 stars");
    expect(outcome.assessment).toBe("Mixed.");
    expect(server.exchanges.filter(({ outcome: end }) => end === "answered")).toHaveLength(3);
  });

  it("that states no score leaves the book unscored, with the reason", async () => {
    server = await createSimulatedServer({ reply: () => "I liked it a lot.", seed: 1 });
    const rubric = await loadRubric("long-story");
    const judging: Judging = {
      rubric,
      criteria: selectCriteria(rubric, ["plot"]),
      definitions: true,
      language: "en",
      temperature: 0,
      protocol: "novelcritique",
    };
    const row = { id: "1", title: "The Salt Ledger", genres: [], words: 0, plot_summary: "A clerk finds a date." };
    const model = await createChatModel(server.judge("reader"), { connections: server.connections });
    const outcome = await summarisedBook(row, judging).judge(model, 0, new AbortController().signal);
    expect(outcome.overall).toEqual({ kind: "unscored", reason: "the reply states no score from 1 to 5" });
  });
});

import { describe, expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { loadRubric } from "../criteria/load-rubric.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { kendallTau } from "../stats/correlation.ts";
import type { Comparison } from "../stats/rating.ts";
import { type JudgeInstructions, selectCriteria } from "./material.ts";
import { comparePair, nextPairing, positionBias, standings, tally } from "./pairwise.ts";

const rubric = await loadRubric("long-story");
const instructions: JudgeInstructions = {
  rubric,
  criteria: selectCriteria(rubric, ["plot", "writing"]),
  definitions: true,
  language: "en",
  temperature: 0.7,
};
const signal = new AbortController().signal;

/** Decides by what it sees: `plot` by the longer text, `writing` always for the first, and overall always a tie. */
const biased: ChatModel = {
  id: "biased",
  contextTokens: null,
  async complete({ messages }) {
    const text = messages.at(-1)!.content;
    const length = (name: string) => new RegExp(`<<<${name} \\w+>>>([\\s\\S]*?)<<<END ${name}`).exec(text)![1]!.length;
    const plot = length("first") > length("second") ? "first" : "second";
    const reply = {
      aspects: { plot: { reason: "", better: plot }, writing: { reason: "", better: "first" } },
      reason: "",
      overall: "tie",
    };
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };
    return {
      text: JSON.stringify(reply),
      reasoning: null,
      stop: "stop",
      usage,
      model: "biased",
      latencyMilliseconds: 0,
    };
  },
};

describe("comparing two books", () => {
  it("asks in both orders and tells preference from position", async () => {
    const outcome = await comparePair(
      biased,
      instructions,
      { id: "a", text: "a long story" },
      { id: "b", text: "short" },
      2,
      signal,
    );
    expect(outcome.meetings).toHaveLength(4);
    expect(tally(outcome.meetings, "plot")).toEqual({
      left: 4,
      right: 0,
      ties: 0,
      better: "tie",
      leaning: "left",
      p: 0.125,
      consistent: { same: 2, of: 2 },
    });
    expect(tally(outcome.meetings, "writing")).toEqual({
      left: 2,
      right: 2,
      ties: 0,
      better: "tie",
      leaning: "tie",
      p: 1,
      consistent: { same: 0, of: 2 },
    });
    expect(tally(outcome.meetings, "overall")).toMatchObject({ ties: 4, better: "tie" });
    const writing = outcome.meetings.map((meeting) => ({ ...meeting, choices: { writing: meeting.choices.writing! } }));
    expect(positionBias(writing)).toMatchObject({ first: 4, decisions: 4, bias: 0.5 });
    const plot = outcome.meetings.map((meeting) => ({ ...meeting, choices: { plot: meeting.choices.plot! } }));
    expect(positionBias(plot).bias).toBe(0);
  });
});

describe("naming a winner", () => {
  const meetings = (outcomes: readonly ("left" | "right" | "tie")[]) =>
    outcomes.map((outcome, at) => ({
      ...{ left: "a", right: "b", leftFirst: at % 2 === 0, run: Math.floor(at / 2) },
      choices: { plot: { outcome, reason: "" } },
    }));
  const times = (count: number, outcome: "left" | "right" | "tie") => Array.from({ length: count }, () => outcome);

  it.each([
    [4, 2, "tie", "left"],
    [5, 1, "tie", "left"],
    [6, 0, "left", "left"],
    [1, 8, "right", "right"],
    [2, 0, "tie", "left"],
  ] as const)("%i–%i is %s", (left, right, better, leaning) => {
    const answers = meetings([...times(left, "left"), ...times(right, "right"), ...times(1, "tie")]);
    expect(tally(answers, "plot")).toMatchObject({ left, right, ties: 1, better, leaning });
  });

  it("happens by chance at most one time in twenty", () => {
    const random = seededRandom(12);
    for (const runs of [3, 5, 10]) {
      let named = 0;
      for (let trial = 0; trial < 2000; trial++) {
        const { better } = tally(
          meetings(Array.from({ length: 2 * runs }, () => (random() < 0.5 ? "left" : "right"))),
          "plot",
        );
        if (better !== "tie") named++;
      }
      expect(named / 2000).toBeLessThan(0.06);
    }
  });
});

describe("a comparison that lacks a choice", () => {
  const reply = (value: object) => ({
    text: JSON.stringify(value),
    reasoning: null,
    stop: "stop" as const,
    usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 },
    model: "scripted",
    latencyMilliseconds: 0,
  });
  const part = {
    aspects: { plot: "First", writing: { reason: "?", better: "neither" } },
    reason: "It moves.",
    overall: "first",
  };
  const compare = async (second: object) => {
    const asked: string[] = [];
    const model: ChatModel = {
      id: "scripted",
      contextTokens: null,
      async complete({ messages }) {
        asked.push(messages.at(-1)!.content);
        return reply(asked.at(-1)!.includes("An earlier reply") ? second : part);
      },
    };
    const [left, right] = [
      { id: "a", text: "one" },
      { id: "b", text: "two" },
    ];
    return { asked, ...(await comparePair(model, instructions, left, right, 1, signal)) };
  };

  it("keeps the others and asks for that one alone", async () => {
    const { asked, meetings, failures } = await compare({
      aspects: { writing: { reason: "Clean.", better: "second" } },
    });
    expect(asked).toHaveLength(4);
    expect(asked.filter((text) => text.endsWith("in the form asked for above: aspects.writing."))).toHaveLength(2);
    expect(failures).toEqual([]);
    expect(tally(meetings, "plot").consistent).toEqual({ same: 0, of: 1 });
    expect(meetings.map(({ choices }) => choices.writing?.outcome).sort()).toEqual(["left", "right"]);
    expect(meetings[0]!.choices.overall!.reason).toBe("It moves.");
  });

  it("says which choice is missing when it is missing twice", async () => {
    const { meetings, failures } = await compare({ aspects: {} });
    expect(meetings).toHaveLength(2);
    expect(failures).toEqual(Array.from({ length: 2 }, () => "the judge chose between the books, but not on writing"));
    expect(tally(meetings, "writing").better).toBeNull();
  });
});

describe("a tournament", () => {
  const contestants = Array.from({ length: 10 }, (_, at) => `book-${at}`);
  const strength = (id: string) => Number(id.slice(5)) * 0.6;

  function play(
    rounds: number,
    choose: (comparisons: readonly Comparison[], random: () => number) => { left: string; right: string },
  ) {
    const random = seededRandom(9);
    const comparisons: Comparison[] = [];
    for (let round = 0; round < rounds; round++) {
      const { left, right } = choose(comparisons, random);
      const chance = 1 / (1 + Math.exp(strength(right) - strength(left)));
      comparisons.push({ left, right, outcome: random() < chance ? "left" : "right" });
    }
    const ranked = standings(contestants, comparisons);
    return kendallTau(
      ranked.map(({ strength: fitted }) => fitted),
      ranked.map(({ id }) => strength(id)),
    ).value!;
  }

  it("finds the order from a fraction of all meetings", () => {
    const chosen = play(60, (comparisons) => nextPairing(contestants, comparisons, { meetingsPerPair: 10 })!);
    expect(chosen).toBeGreaterThan(0.7);
  });

  it("never asks a pair more often than allowed, and ends", () => {
    const comparisons: Comparison[] = [];
    for (
      let pairing = nextPairing(["a", "b", "c"], comparisons, { meetingsPerPair: 2 });
      pairing;
      pairing = nextPairing(["a", "b", "c"], comparisons, { meetingsPerPair: 2 })
    ) {
      comparisons.push({ ...pairing, outcome: "left" });
    }
    expect(comparisons).toHaveLength(6);
    expect(standings(["a", "b", "c"], comparisons).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });
});

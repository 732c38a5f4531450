import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { kendallTau } from "../../stats/correlation/kendall-tau.ts";
import type { Comparison } from "../../stats/rating/paired-comparisons.ts";
import { type Judging, selectCriteria } from "../material/judging.ts";
import { comparePair } from "./compare-pair.ts";
import { positionBias, tally } from "./tally.ts";
import { nextPairing, standings } from "./tournament.ts";

const rubric = await loadRubric("long-story");
const judging: Judging = {
  rubric,
  criteria: selectCriteria(rubric, ["plot", "writing"]),
  definitions: true,
  language: "en",
  temperature: 0.7,
};
const signal = new AbortController().signal;

/** Chooses by what it sees: `plot` by which text is longer, `writing` always the first, the whole always a tie. */
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
      judging,
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
      better: "left",
      consistent: { same: 2, of: 2 },
    });
    expect(tally(outcome.meetings, "writing")).toEqual({
      left: 2,
      right: 2,
      ties: 0,
      better: "tie",
      consistent: { same: 0, of: 2 },
    });
    expect(tally(outcome.meetings, "overall")).toMatchObject({ ties: 4, better: "tie" });
    const writing = outcome.meetings.map((meeting) => ({ ...meeting, choices: { writing: meeting.choices.writing! } }));
    expect(positionBias(writing)).toMatchObject({ first: 4, decisions: 4, bias: 0.5 });
    const plot = outcome.meetings.map((meeting) => ({ ...meeting, choices: { plot: meeting.choices.plot! } }));
    expect(positionBias(plot).bias).toBe(0);
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

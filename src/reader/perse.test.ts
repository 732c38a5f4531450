import { describe, expect, it } from "vitest";
import { FIVE, TEN } from "./evaluation/score-scale.ts";
import { fromPerseRelease, persePastReview, readPerseChoice, readPerseReview } from "./perse.ts";
import { onRatingScale } from "./predictor/rating-scale.ts";
import { pairSchema, pastReviewSchema } from "./predictor/story.ts";

const reply = (text: string) => ({ text, stop: "stop" as const }) as Parameters<typeof readPerseReview>[0];

describe("PerSE's form", () => {
  it("marks plots, reviews and whole scores, with or without the words", () => {
    const past = pastReviewSchema.parse({ plot_summary: "A queen and her sister.", rating: 4, review: "Slow." });
    expect(persePastReview(past, 0, { scale: TEN, withWords: true })).toBe(
      "[The Start of Plot 0]\nA queen and her sister.\n[The End of Plot 0]\n[Review] Slow.\n[Score] 8",
    );
    expect(persePastReview(past, 1, { scale: TEN, withWords: false })).not.toContain("[Review]");
  });

  it.each([
    ["[Review] I was bored.\n[Score] 7", TEN, 7, "I was bored."],
    ["[Review] I was bored. [Score] 8/10", TEN, 8, "I was bored."],
    ["[Review] I was bored. [Score]: 3.5 out of 5", FIVE, 3.5, "I was bored."],
    ['Here it is: ```json\n{"Review": "I was bored.", "Score": 7}\n```', TEN, 7, "I was bored."],
  ])("reads %s", (text, scale, score, reason) => {
    expect(readPerseReview(reply(text), scale)).toEqual({ kind: "read", value: { score, reason } });
  });

  it("reads no score from a reply that states none, or one beyond the scale", () => {
    expect(readPerseReview(reply("[Review] I was bored."), TEN)).toMatchObject({ kind: "unreadable" });
    expect(readPerseReview(reply("[Review] Superb. [Score] 12"), TEN)).toMatchObject({ kind: "unreadable" });
  });

  it.each([
    ["[Ending] Plot B", "second"],
    ['```json\n{"Choice": "Plot A",\n}\n```', "first"],
    ["Plot A opens well and Plot B ends well. [Ending] Plot B", "second"],
    ["[Ending] N/A", "tie"],
    ["I would take Plot A.", "first"],
  ])("reads the choice in %s", (text, value) => {
    expect(readPerseChoice(reply(text))).toEqual({ kind: "read", value });
  });

  it("reads no choice from a reply that names both plots or neither", () => {
    for (const text of ["Plot A or Plot B", "Both have their charm.", ""])
      expect(readPerseChoice(reply(text))).toMatchObject({ kind: "unreadable" });
  });
});

describe("PerSE's release", () => {
  const film = (id: string, score: number) => ({
    reviewer_name: "critic",
    movie_id: id,
    movie_title: `Film ${id}`,
    summ_plot: `Somebody finds ${id}.`,
    clean_review: `Title ||| words of ${id}`,
    score,
  });

  it("gives a critic's reviews in stars, and the film that comes last as the one asked about", () => {
    const line = { examples: [film("a", 1), film("b", 10), film("c", 7)], idx: 4, completion: "…", prompt: ["…"] };
    const pair = onRatingScale(pairSchema.loose(), undefined, "PerMPST.k2.jsonl").parse(line);
    expect(pair).toMatchObject({
      ...{ id: 4, reader: "critic", query: { book: "c", plot_summary: "Somebody finds c." } },
      history: [{ book: "a", rating: 1, review: "Title\nwords of a" }, { rating: 5 }],
    });
    expect(pair.rating).toBeCloseTo(3.667, 3);
  });

  const plots = (first: string, second: string) =>
    `[The Start of Plot A]\n${first}\n[The End of Plot A]\n[The Start of Plot B]\n${second}\n[The End of Plot B]`;
  const plan = (premise: string, rest: string) => `Premise  ${premise}Settings  A town.Characters ${rest}`;
  const asked = {
    idx: 7,
    review_id: "W1",
    prompt: [
      `[The Start of User Preference]\n${plots(plan("P", "one"), plan("P", "two"))}\n{"Choice": "Plot B",}\n[The End of User Preference]\n${plots(plan("Q", "three"), plan("Q", "four"))}\n[Response]`,
    ],
    completion: '```json\n{\n  "Choice": "Plot A",\n}\n```',
  };

  it("gives the earlier choice and the two plots asked about, on the aspect that the file is named for", () => {
    expect(fromPerseRelease(asked, "data/PerDOC.E.valid.jsonl")).toMatchObject({
      line: {
        ...{ id: 7, reader: "W1", preferred: { ending: "left" } },
        comparisons: [{ left: { premise: "P" }, preferred: { ending: "right" } }],
        left: { premise: "Q", plot_summary: "Settings  A town.Characters three" },
        right: { plot_summary: "Settings  A town.Characters four" },
      },
    });
    expect(fromPerseRelease({ ...asked, aspect: "Surprise" }, "any.jsonl")).toMatchObject({
      line: { preferred: { surprise: "left" } },
    });
    expect(fromPerseRelease(asked, "any.jsonl")).toContain("name the file as released");
  });

  it("leaves other lines as they are", () => {
    expect(fromPerseRelease({ id: 1, history: [], query: {} }, "pairs.jsonl")).toBeNull();
  });
});

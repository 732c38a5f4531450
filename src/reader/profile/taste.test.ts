import { describe, expect, it } from "vitest";
import { loadPersonalModel } from "../predictor/personal-weights.ts";
import { thinProfileInWords } from "./profile-depth.ts";
import { readerTaste } from "./taste.ts";

const vocabulary = { version: 1, aspects: { plot: ["plot"] }, others: {} };
const review = (title: string, genre: string, rating: number, words: string) => ({
  title,
  genres: [genre],
  rating,
  average_rating: 4,
  review: words,
});

describe("what a reader rewards and punishes compared with others", () => {
  it("names genres and aspects with the reviews behind them, beyond how the reader differs anyway", () => {
    const reviews = [
      review("Wings", "Fantasy", 5, "I flew through it. What a plot!"),
      review("Crowns", "Fantasy", 5, "The plot turned and turned."),
      review("Clues", "Mystery", 2, "I guessed it on page nine."),
      review("Fog", "Mystery", 2, "Too much fog."),
    ];
    const { rewards, punishes } = readerTaste(reviews, loadPersonalModel(), vocabulary, (aspect) => aspect);
    expect(rewards.map(({ name }) => name).sort()).toEqual(["Fantasy", "plot"]);
    expect(punishes).toMatchObject([{ kind: "genre", name: "Mystery", reviews: 2 }]);
    const plot = rewards.find(({ kind }) => kind === "aspect")!;
    expect(plot.evidence[0]).toMatchObject({ title: "Wings", rating: 5, others: 4, quote: "What a plot!" });
  });

  it("says how many more ratings would help, and nothing once there are enough", () => {
    expect(thinProfileInWords(2)).toMatch(/with 2 ratings.*0\.37.*3 more.*0\.43/);
    expect(thinProfileInWords(0)).toContain("No ratings yet");
    expect(thinProfileInWords(5)).toBeNull();
  });
});

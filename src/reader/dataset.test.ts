import { describe, expect, it } from "vitest";
import { bookNames, maskBook, namesLeft } from "./dataset.ts";

const story = {
  title: "The Salt Road: A Novel (Tides, #1)",
  author: "Ines K. Vale",
  genres: [],
  plot_summary: "Then Merrow met Hope. Later Merrow and Hope fled with Tom Calder. In the end Hope and Merrow wed.",
};
const names = bookNames(story, [{ from: "Tom Calder", to: "Al Reed" }]);
const ordinary = new Set(["hope"]);
const mask = (text: string) => maskBook(text, names, ordinary);

describe("a review that must not name its book", () => {
  it("loses title, author and characters in the forms that readers use", () => {
    const text =
      "THE SALT ROAD is Vale’s best! Ines K. Vale knows salt roads. I hope Hope and merrow return in Salt\nRoad two, with Tom Calder.";
    expect(namesLeft(text, names, ordinary)).toEqual(["title", "author", "character"]);
    const masked = mask(text);
    expect(masked).toBe(
      "this book is the author’s best! the author knows salt roads. I hope a character and a character return in this book two, with a character.",
    );
    expect(namesLeft(masked, names, ordinary)).toEqual([]);
  });

  it("keeps words that only look like names", () => {
    const text = "I hope for more on this road; the prevalent salt was hopeful.";
    expect(mask(text)).toBe(text);
    expect(namesLeft(text, names, ordinary)).toEqual([]);
  });

  it("finds what a mask would have to see through: a title broken by punctuation", () => {
    expect(namesLeft("Salt … Road!", names, ordinary)).toEqual(["title"]);
  });
});

import { describe, expect, it } from "vitest";
import { mapManuscript } from "../map/manuscript-map.ts";

const jumpsOf = (titles: readonly string[]) =>
  mapManuscript(
    titles.map((title, at) => ({ index: at + 1, title, text: "The rain had stopped. Anna went down to the mill." })),
    { language: "en" },
  ).consistency!.numbering.map(({ title, expected }) => [title, expected]);

describe("numbers of chapters", () => {
  it("that jump are found, with a title or without", () => {
    expect(jumpsOf(["Chapter 1", "Chapter 2 The Mill", "Chapter 4"])).toEqual([["Chapter 4", 3]]);
    expect(jumpsOf(["I", "II. The Mill", "IV: The River"])).toEqual([["IV: The River", 3]]);
  });

  it("are not read into dates and words", () => {
    expect(jumpsOf(["3 July", "7 July", "12 August"])).toEqual([]);
    expect(jumpsOf(["I Am Born", "I Observe", "100 Days Later"])).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { readProse } from "../prose-text.ts";
import { phraseFinder } from "./phrase-counts.ts";

const find = (phrases: string[], text: string) =>
  phraseFinder(phrases)(readProse(text)).map(({ phrase, first, end }) => [phrases[phrase], end - first]);

describe("phraseFinder", () => {
  it("finds phrases that share a beginning", () => {
    expect(find(["for a moment", "for a long moment"], "For a moment he stood, for a long moment.")).toEqual([
      ["for a moment", 3],
      ["for a long moment", 4],
    ]);
  });

  it("lets a star stand for one word or none", () => {
    const phrase = "heart pounded in * chest";
    expect(find([phrase], "Her heart pounded in her chest. The heart pounded in chest.")).toEqual([
      [phrase, 5],
      [phrase, 4],
    ]);
  });

  it("does not join two paragraphs", () => {
    expect(find(["the end"], "He saw the\n\nend of it.")).toEqual([]);
  });
});

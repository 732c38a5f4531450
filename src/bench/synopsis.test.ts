import { describe, expect, it } from "vitest";
import { wordingLeak } from "./synopsis.ts";

const original = "The ferryman took hold of the near handle as she came down the slip, and she took hold of the other.";

describe("the wording that leaks into a synopsis", () => {
  it("is none in a retelling", () => {
    expect(wordingLeak("A ferryman and a woman carry a box down to a boat together in silence.", original).share).toBe(
      0,
    );
  });

  it("is all of a copy, whatever its punctuation", () => {
    const copy = "the ferryman took hold of the near handle (as she came down the slip) and she took hold";
    expect(wordingLeak(copy, original).share).toBe(1);
  });

  it("is the copied part of a mixture, and the part is shown", () => {
    const mixture = "They met early. He took hold of the near handle as she smiled at him from afar today";
    const leak = wordingLeak(mixture, original);
    expect(leak.share).toBeCloseTo(8 / 18, 10);
    expect(leak.longest).toEqual(["took hold of the near handle as she"]);
  });

  it("counts characters where words are not spaced", () => {
    const source = "话说天下大势分久必合合久必分周末七国分争并入于秦";
    expect(wordingLeak("开篇讲道分久必合合久必分周末七国分争的道理", source).share).toBeGreaterThan(0.5);
    expect(wordingLeak("开篇讲述天下局势的分合循环与朝代更替", source).share).toBe(0);
  });

  it("is none when there is too little to copy", () => {
    expect(wordingLeak("", original).share).toBe(0);
    expect(wordingLeak(original, "").share).toBe(0);
  });
});

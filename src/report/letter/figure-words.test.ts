import { describe, expect, it } from "vitest";
import type { LetterFigure } from "../../judge/letter/parts.ts";
import { decimalsToTell, ownFigureInWords, referenceInWords } from "./figure-words.ts";

const figure = (over: Partial<LetterFigure>): LetterFigure => ({
  id: "short-endings",
  name: "",
  unit: "share",
  value: 0.5,
  place: "above",
  reference: { median: 0.17, low: 0, high: 0.37 },
  ...over,
});

describe("figures in words", () => {
  it("tells a figure from the edge it lies beyond", () => {
    const close = figure({ value: 0.3013, reference: { median: 0.18, low: 0.072, high: 0.2979 } });
    const more = decimalsToTell(close);
    expect(ownFigureInWords(close, "en", more)).toBe("30.1\u00a0%");
    expect(referenceInWords(close, "en", more)!.high).toBe("29.8\u00a0%");
    expect(decimalsToTell(figure({}))).toBe(0);
  });

  it("writes nothing as 0 and keeps a figure on one line with its sign", () => {
    expect(referenceInWords(figure({}), "en")).toEqual({ median: "17\u00a0%", low: "0\u00a0%", high: "37\u00a0%" });
  });

  it("writes a negative figure with a real minus, and none where it rounds to nothing", () => {
    expect(ownFigureInWords(figure({ value: -0.083 }), "en")).toBe("−8.3\u00a0%");
    expect(ownFigureInWords(figure({ value: -0.0001 }), "en")).toBe("0.0\u00a0%");
  });

  it("gives a difference of two shares in points", () => {
    const drop = figure({ id: "dialogue-drop", value: 0.35 });
    expect(ownFigureInWords(drop, "en")).toBe("35 points");
    expect(referenceInWords(drop, "en")).toEqual({ median: "17", low: "0", high: "37 points" });
  });
});

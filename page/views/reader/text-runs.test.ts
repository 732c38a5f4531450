import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heatLevel, textRuns } from "./text-runs.ts";

const text = "One is here. Two is there. Three is gone.";

describe("the runs of a block", () => {
  it("cut at sentences and at marks that lie across them", () => {
    const runs = textRuns(
      text,
      { start: 0, end: text.length },
      [
        { start: 0, end: 12, share: 1 },
        { start: 13, end: 26, share: -1 },
      ],
      [{ start: 7, end: 16, kind: "passage" }],
      Math.sign,
    );
    expect(runs.map(({ text, heat, mark }) => [text, heat, mark])).toEqual([
      ["One is ", 1, null],
      ["here.", 1, "passage"],
      [" ", 0, "passage"],
      ["Two", -1, "passage"],
      [" is there.", -1, null],
      [" Three is gone.", 0, null],
    ]);
  });

  it("hold the text of the block and no more, whatever is marked", () => {
    const part = fc.record({ start: fc.nat(60), length: fc.nat(60), share: fc.double({ noNaN: true }) });
    fc.assert(
      fc.property(fc.array(part), fc.array(part), fc.nat(20), fc.nat(20), (sentences, marks, start, length) => {
        const block = { start, end: Math.min(text.length, start + length + 1) };
        const spans = sentences.map(({ start, length, share }) => ({ start, end: start + length, share }));
        const shown = textRuns(
          text,
          block,
          spans,
          marks.map(({ start, length }) => ({ start, end: start + length, kind: "hit" as const })),
          heatLevel(spans),
        );
        expect(shown.map((run) => run.text).join("")).toBe(text.slice(block.start, block.end));
      }),
    );
  });
});

describe("the colour of a share", () => {
  it("keeps the sign, and leaves what hardly matters uncoloured", () => {
    const level = heatLevel([-1, -0.5, 0.2, 0.01, 0.9, 1].map((share) => ({ start: 0, end: 1, share })));
    expect([-1, -0.5, 0.2, 0.01, 0.9].map(level)).toEqual([-3, -2, 1, 0, 3]);
  });

  it("is none where every share is nought, or there are none", () => {
    expect(heatLevel([])(1)).toBe(0);
    expect(heatLevel([{ start: 0, end: 1, share: 0 }])(0)).toBe(0);
  });
});

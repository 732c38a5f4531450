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
        { start: 0, end: 12, change: 0.45, why: null },
        { start: 13, end: 26, change: 0.6, why: "Cliche" },
      ],
      [{ start: 7, end: 16, kind: "passage" }],
    );
    expect(runs.map(({ text, heat, mark }) => [text, heat, mark])).toEqual([
      ["One is ", 1, null],
      ["here.", 1, "passage"],
      [" ", 0, "passage"],
      ["Two", 2, "passage"],
      [" is there.", 2, null],
      [" Three is gone.", 0, null],
    ]);
  });

  it("say of a finding what it is, and give way to what somebody looks for", () => {
    const runs = textRuns(
      text,
      { start: 0, end: 26 },
      [],
      [
        { start: 0, end: 16, kind: "finding", title: "How many?" },
        { start: 4, end: 6, kind: "hit" },
      ],
    );
    expect(runs.map(({ text, mark, title }) => [text, mark, title])).toEqual([
      ["One ", "finding", "How many?"],
      ["is", "hit", null],
      [" here. Two", "finding", "How many?"],
      [" is there.", null, null],
    ]);
  });

  it("hold the text of the block and no more, whatever is marked", () => {
    const part = fc.record({
      start: fc.nat(60),
      length: fc.nat(60),
      change: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(part), fc.array(part), fc.nat(20), fc.nat(20), (sentences, marks, start, length) => {
        const block = { start, end: Math.min(text.length, start + length + 1) };
        const spans = sentences.map(({ start, length, change }) => ({ start, end: start + length, change, why: null }));
        const shown = textRuns(
          text,
          block,
          spans,
          marks.map(({ start, length }) => ({ start, end: start + length, kind: "hit" as const })),
        );
        expect(shown.map((run) => run.text).join("")).toBe(text.slice(block.start, block.end));
      }),
    );
  });
});

describe("the colour of a sentence", () => {
  it("stands for a probability, whatever the other sentences of the chapter are like", () => {
    expect([0, 0.43, 0.44, 0.54, 0.55, 0.69, 0.7, 1].map(heatLevel)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });
});

import { describe, expect, it } from "vitest";
import type { Change } from "../judge/drafts/change-schema.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { draftSection } from "./draft-section.ts";
import { panelSection } from "./panel-section.ts";

const scored = (score: number, interval?: [number, number]) => ({
  kind: "scored",
  score,
  ...(interval && { interval }),
});
const base = {
  overall: scored(70, [60, 80]),
  aspects: [{ id: "plot", name: "Plot <b>", verdict: scored(65) }],
};
const made = (over: object) => ({ ...base, ...over }) as unknown as BookEvaluation;
const change = (difference: number | null, beyondNoise = false): Change => ({
  before: 60,
  after: difference === null ? null : 60 + difference,
  difference,
  interval: difference === null ? null : [difference - 2, difference + 2],
  beyondNoise,
});

describe("the panel's part of a report", () => {
  const panel = {
    judges: [
      { judge: "a@http://h/v1", overall: scored(60, [55, 65]), aspects: { plot: scored(61) } },
      { judge: "b", overall: { kind: "unscored", reason: "it failed" }, aspects: {} },
    ],
    difference: 3.21,
    concordance: 0.5,
    without: [{ judge: "b", overall: scored(60) }],
  };

  it("shows each judge, all together and each left out, and a judge without a score as a gap", () => {
    const html = panelSection(made({ panel }));
    expect(html.match(/<circle/g)).toHaveLength(3);
    expect(html).toContain(">without b<");
    expect(html).not.toContain("http://h");
    expect(html).toContain("differ by 3.2 points");
    expect(html).toContain('<td class="number">–</td>');
    expect(html).toContain("Plot &lt;b&gt;");
  });

  it("is absent without a panel", () => {
    expect(panelSection(made({}))).toBe("");
  });
});

describe("the draft's part of a report", () => {
  it("draws changes with the band of noise and names rewritten parts that have no score of their own", () => {
    const changes = {
      run: "earlier",
      title: "T",
      unchanged: 2,
      removed: 1,
      overall: change(5, true),
      aspects: { plot: change(-0.5) },
      segments: [{ title: "Chapter <1>", chapters: [1], overall: change(null), aspects: {} }],
    };
    const html = draftSection(made({ changes }));
    expect(html.match(/class="band"/g)).toHaveLength(2);
    expect(html).toContain("+5.0, more than noise");
    expect(html).toContain("−0.5");
    expect(html).toContain("Rewritten: Chapter &lt;1&gt;.");
    expect(html).toContain("1 part changed or new, 2 unchanged, 1 gone");
    expect(draftSection(made({}))).toBe("");
  });
});

import { describe, expect, it } from "vitest";
import type { Change } from "../judge/drafts/change-schema.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { draftSection, draftSummary } from "./draft-section.ts";
import { panelSection } from "./html-report.ts";

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
    expect(html).toContain("1 part changed or new, 2 unchanged, 1 removed");
    expect(draftSection(made({}))).toBe("");
    expect(draftSummary(made({ changes: { ...changes, words: ["Compared with <b>"] } }))).toContain("with &lt;b&gt;");
  });

  it("shows the text of both drafts side by side, as text, and says where a juror cannot tell", () => {
    const place = { chapter: 2, start: 0, end: 9 };
    const changes = {
      run: "first.md",
      title: "T",
      unchanged: 1,
      removed: 0,
      overall: change(1),
      aspects: {},
      segments: [],
      jurors: [{ id: "editor", speaker: "professional editors", scale: { minimum: 1, maximum: 10 }, ...change(0.2) }],
      text: {
        paragraphs: { same: 3, added: 0, removed: 0, moved: 0, rewritten: 1 },
        words: { added: 1, removed: 1 },
        changes: [
          {
            kind: "rewritten",
            before: place,
            after: place,
            runs: [
              { kind: "same", text: "a " },
              { kind: "removed", text: "<old>" },
              { kind: "added", text: "new" },
            ],
          },
        ],
      },
      lineNotes: { before: { sentences: 2, likely: 1 }, after: { sentences: 2, likely: 0 } },
      figures: [{ id: "echoes", name: "Echoes", unit: "ratio", before: 2, after: 1, reference: null }],
    };
    const html = draftSection(made({ changes }));
    expect(html).toContain("editor (professional editors), of 10");
    expect(html).toContain("cannot be told");
    expect(html).toMatch(/<td><small>chapter 2<\/small><br>a <del>&lt;old&gt;<\/del><\/td>/);
    expect(html).toMatch(/<br>a <ins>new<\/ins><\/td>/);
    expect(html).toContain("an editor would probably change: 1 of 2 before, 0 of 2 now");
  });
});

import { describe, expect, it } from "vitest";
import type { ReportPart, SectionedReport } from "../api/evaluations.ts";
import {
  folded,
  listSection,
  reportFiles,
  reportHtml,
  reportMarkdown,
  reportText,
  tableSection,
} from "./report-forms.ts";

const HOSTILE = `<script>alert("x")</script> | https://example.org`;
const plots: ReportPart[] = [
  {
    ...{ kind: "plot", shape: "scatter", caption: HOSTILE, axes: { x: HOSTILE, y: "y" }, areNamed: true },
    points: [1, 2, 3].map((x) => ({ x, y: x * x, label: HOSTILE })),
  },
  {
    ...{ kind: "plot", shape: "orders", caption: HOSTILE, left: HOSTILE, right: "right" },
    things: [1, 2, 3].map((left) => ({ name: HOSTILE, left, right: 4 - left })),
  },
  {
    ...{ kind: "plot", shape: "intervals", caption: HOSTILE, axis: HOSTILE },
    rows: [{ name: HOSTILE, value: 1, low: 0, high: 2 }],
  },
];
const report: SectionedReport = {
  title: HOSTILE,
  sections: [
    tableSection({
      title: HOSTILE,
      headings: ["", "score\u001b[2J"],
      rows: [[`${HOSTILE}\u001b[2J`, "−0.50"]],
      note: `${HOSTILE}\u001b[2J`,
    }),
    ...listSection("Warnings", [HOSTILE]),
    { heading: "Shares", parts: [{ kind: "table", headings: [HOSTILE], rows: [[{ text: "12 %", shade: 0.5 }]] }] },
    { heading: "Pictures", parts: plots },
    { heading: "Details", parts: [folded(HOSTILE, { kind: "text", text: HOSTILE })] },
    ...listSection("Nothing to list", []),
  ],
};

describe("a report of sections", () => {
  it("in HTML has every part, keeps what it quotes as text, and needs no script and no network", async () => {
    const html = await reportHtml(report);
    expect(html.match(/<svg [^>]*role="img"/g)).toHaveLength(plots.length);
    expect(html).toMatch(/<td class="number">−0\.50/);
    expect(html).toContain("--shade:0.50");
    expect(html).toContain("<summary>&lt;script&gt;");
    expect(html).not.toMatch(/<script|(?:src|href)=|url\(|@import|NaN|undefined/);
  });

  it("in Markdown and in a terminal leaves out plots, what is folded, and headings with nothing under them", () => {
    for (const text of [reportMarkdown(report), reportText(report)]) {
      expect(text).toContain("12 %");
      expect(text).not.toMatch(/Pictures|Details|Nothing to list/);
    }
    expect(reportMarkdown(report)).not.toMatch(/[^\\](?:<script|\| https)/);
    expect(reportText(report)).not.toContain("\u001b");
  });

  it("draws lines into a file of their own, where a length without a value is a gap", async () => {
    const points = [1, 2, 3].map((x) => ({ x, value: x === 2 ? null : x / 4, interval: null }));
    const svg = await (await reportFiles()).plotFile({
      ...{ kind: "plot", shape: "lines", caption: "Agreement", axes: { x: "reviews", y: "τ" } },
      lines: [{ name: HOSTILE, points }],
    });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^>]*aria-label="Agreement"/);
    expect(svg).toContain("&lt;script&gt;");
    expect(svg).not.toMatch(/var\(|NaN|<script/);
  });
});

import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { studyAgreement } from "../../stats/meta-evaluation/agreement-study.ts";
import { reportHtml, reportMarkdown, reportText } from "../report-forms.ts";
import { type AgreementReport, agreementJson, sectionedAgreement } from "./agreement-report.ts";

const random = seededRandom(4);
const human = Float64Array.from({ length: 60 }, (_, i) => Math.floor(i / 10) + 2 * random());
const study = studyAgreement(
  {
    human,
    metrics: [
      { name: "judge <b>", scores: human.map((value) => value + random()) },
      { name: "flat", scores: human.map(() => 2) },
    ],
    system: Array.from(human, (_, i) => `writer ${Math.floor(i / 10)} & co`),
    item: Array.from(human, (_, i) => `prompt ${i % 10}`),
    group: Array.from(human, (_, i) => (i % 2 ? "odd" : "even")),
  },
  { seed: 3, resamples: 60, permutations: 20 },
);
const report: AgreementReport = {
  table: "t.csv",
  human: "rating",
  system: "writer",
  item: "prompt",
  group: "half",
  study,
};

describe("the agreement report", async () => {
  const sectioned = sectionedAgreement(report);
  const html = await reportHtml(sectioned);

  it("keeps the contract's shape at the top of its JSON, and adds to it", () => {
    const json = agreementJson(report);
    expect(json).toMatchObject({ level: "system", n: 6, metric: "judge <b>", human: "rating", rows: 60 });
    for (const name of ["pearson", "spearman", "kendall"] as const) {
      expect(json[name]?.value).toBe(study.metrics[0]!.agreement[name].value);
      expect(json[name]?.interval).toHaveLength(2);
    }
    expect(JSON.parse(JSON.stringify(json)).metrics[1].pearson).toEqual({
      value: null,
      reason: "the column of scores is constant",
      interval: null,
    });
  });

  it.each([
    ["HTML", html],
    ["Markdown", reportMarkdown(sectioned)],
    ["the terminal", reportText(sectioned).replaceAll("<b>", "")],
  ])("in %s shows every level, every group, the tests and the warnings, and a gap as a gap", (_form, text) => {
    for (const part of ["System level", "all rows pooled", "within each item", "By half", "Does one agree better"]) {
      expect(text).toContain(part);
    }
    expect(text).toContain("Only 6 systems");
    expect(text).toContain("the column of scores is constant");
    expect(text).toMatch(/flat[^\n]*–/);
    expect(text).not.toMatch(/NaN|undefined<|Infinity|null/);
    expect(text).not.toContain("<b>");
  });

  it("draws a scatter and the two orders for each metric that varies, with names as text", () => {
    expect(html.match(/<svg[^>]*aria-label="[^"]*: each dot is a system\."/g)).toHaveLength(1);
    expect(html.match(/<svg[^>]*aria-label="The systems in order, best on top/g)).toHaveLength(1);
    expect(html).toContain("writer 0 &amp; co");
  });
});

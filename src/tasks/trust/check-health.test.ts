import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sampleEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { sectionedHealth } from "../../report/health/health-report.ts";
import { reportHtml, reportMarkdown, reportText } from "../../report/report-forms.ts";
import { checkHealth } from "./check-health.ts";

const folder = mkdtempSync(join(tmpdir(), "fabula-health-"));
afterAll(() => rmSync(folder, { recursive: true }));

function lines(name: string, rows: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join("\n"));
  return path;
}

const request = { columns: { score: "overall" }, seed: 1, resamples: 50, onProgress: () => {} };
const verdict = (score: number) => ({ kind: "scored", score });

describe("fabula health", () => {
  it("reads what fabula score writes, aspects and gaps included", async () => {
    const scores = lines("scores.jsonl", [
      ...Array.from({ length: 24 }, (_, i) => ({
        id: `t${i % 12}`,
        overall: verdict(i % 12),
        criteria: { pace: verdict(i % 12), style: verdict((i * 5) % 11), voice: verdict((i * 3) % 7) },
        words: 100 * ((i % 12) + 1),
      })),
      { id: "gap", overall: { kind: "unscored", reason: "too short" }, criteria: {} },
    ]);
    const comparisons = lines("pairs.jsonl", [
      ...Array.from({ length: 12 }, (_, i) => ({ first: `a${i}`, second: `b${i}`, winner: i % 2 ? "first" : `b${i}` })),
    ]);
    const report = await checkHealth({ ...request, scores, comparisons, scale: { minimum: 0, maximum: 20 } });
    const judge = report.judges.find((entry) => entry.judge === scores)!;
    expect(judge).toMatchObject({ judgements: 25, unscored: 1 });
    const state = Object.fromEntries(judge.findings.map((finding) => [finding.check, finding.state]));
    expect(state).toMatchObject({ "test-retest": "sound", "length-bias": "problem", halo: "sound" });
    const pairs = report.judges.find((entry) => entry.judge === comparisons)!;
    expect(pairs.findings.find(({ check }) => check === "position-bias")).toMatchObject({ state: "sound", n: 12 });
    const sectioned = sectionedHealth(report);
    for (const page of [await reportHtml(sectioned), reportMarkdown(sectioned), reportText(sectioned)]) {
      expect(page).toContain("1 of 25 judgements are unscored");
      expect(page).toContain("Favours long texts?");
      expect(page).not.toMatch(/NaN|null/);
    }
  });

  it("reads evaluations, with their scale", async () => {
    const path = lines("evaluations.jsonl", [sampleEvaluation(), sampleEvaluation({ judge: "other" })]);
    const { judges } = await checkHealth({ ...request, scores: path });
    expect(judges.map(({ judge }) => judge)).toEqual(["grader", "other"].map((name) => expect.stringContaining(name)));
  });

  it("takes every repeat of an evaluation for a judgement, and a run without a score for a gap", async () => {
    const evaluations = Array.from({ length: 4 }, (_, i) => {
      const sample = sampleEvaluation({
        repeats: { scores: [i * 3, i * 3 + 0.2], standardDeviation: 0.1, unscored: 1 },
      });
      return { ...sample, book: { ...sample.book, title: `Book ${i}` } };
    });
    const { judges } = await checkHealth({ ...request, scores: { name: "run x", evaluations } });
    expect(judges[0]).toMatchObject({ judgements: 12, unscored: 4 });
    expect(judges[0]!.findings[0]).toMatchObject({ check: "test-retest", state: "sound", n: 4 });
  });

  it("says which column is missing", async () => {
    const path = lines("other.jsonl", [{ id: 1, points: 3 }]);
    await expect(checkHealth({ ...request, scores: path })).rejects.toThrow(/no column "overall"/);
  });

  it("takes a stress test of the same judge as another row", async () => {
    const scores = lines("judged.jsonl", [sampleEvaluation({ judge: "crowd" })]);
    const row = (name: string, reaction: string, harmless = false) => ({ name, harmless, aspect: "overall", reaction });
    const stress = lines("stress.json", [
      {
        judge: "crowd",
        books: [
          { rows: [row("shuffled", "right"), row("dialogue stripped", "wrong"), row("quotes", "right", true)] },
          { rows: [row("shuffled", "right"), row("dialogue stripped", "not tried")] },
        ],
      },
    ]);
    const { judges } = await checkHealth({ ...request, scores, stress });
    const finding = judges.find(({ judge }) => judge === "crowd")!.findings.find(({ check }) => check === "damage");
    expect(finding).toMatchObject({ state: "problem", n: 4, figure: { name: "share noticed" } });
    expect(finding!.figure!.value).toBeCloseTo(2 / 3, 9);
    expect(finding!.message).toContain("dialogue stripped");
    await expect(checkHealth({ ...request, scores, stress: scores })).rejects.toThrow("is not a stress test");
  });
});

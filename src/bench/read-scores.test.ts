import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadRubric } from "../criteria/load-rubric.ts";
import { readScores } from "./read-scores.ts";

const folder = mkdtempSync(join(tmpdir(), "fabula-scores-"));
const rubric = await loadRubric("novel-bench-zh");

function fileOf(name: string, rows: readonly object[]): string {
  const file = join(folder, name);
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}

describe("scores as people publish them", () => {
  it("may name the dimensions as the paper prints them, in either language", async () => {
    const file = fileOf("paper.jsonl", [
      { model: "a", novel: "n", chapter: 1, scores: { 修辞手法评分: 4, "D2: Richness of Sensory Detail": 3, D3: 2 } },
      { model: "a", novel: "n", chapter: 2, scores: { "Use of Literary Devices Score": 5, 跨场景衔接度: 1 } },
      { model: "a", novel: "n", chapter: 3, "Scene-to-Scene Coherence Score": 2 },
    ]);
    const chapters = await readScores(file, rubric);
    expect(chapters.map(({ scores }) => scores)).toEqual([
      [4, 3, 2, null, null, null, null, null],
      [5, null, null, null, null, null, null, 1],
      [null, null, null, null, null, null, null, 2],
    ]);
  });

  it("average the repeats of one chapter", async () => {
    const row = { writer: "a", novel: "n", chapter: 1 };
    const file = fileOf("repeats.jsonl", [
      { ...row, repeat: 1, scores: { D1: 2 } },
      { ...row, repeat: 2, scores: { D1: 4 } },
    ]);
    const chapters = await readScores(file, rubric);
    expect(chapters).toHaveLength(1);
    expect(chapters[0]!.scores[0]).toBe(3);
  });
});

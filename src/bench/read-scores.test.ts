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

  it("are refused with the line where one is off the rubric's scale", async () => {
    const good = { writer: "a", novel: "n", scores: { D1: 2 } };
    const high = fileOf("high.jsonl", [good, { ...good, scores: { D1: 500 } }]);
    await expect(readScores(high, rubric)).rejects.toThrow(/^Line 2 of ".*high.jsonl" gives D1 as 500, .* from 1 to 5/);
    const low = fileOf("low.jsonl", [{ ...good, scores: { D1: { kind: "scored", score: -7 } } }]);
    await expect(readScores(low, rubric)).rejects.toThrow(/^Line 1 of ".*low.jsonl" gives D1 as -7/);
  });

  it("are refused with the line where a number is written as text, in a table and under scores alike", async () => {
    for (const row of [{ D1: "2.97", D2: 3 }, { scores: { D1: "2.97", D2: 3 } }]) {
      const file = fileOf("text.jsonl", [{ writer: "a", novel: "n", ...row }]);
      await expect(readScores(file, rubric)).rejects.toThrow(/^Line 1 of ".*" gives D1 as "2.97".*quotation marks/);
    }
    const missing = fileOf("null.jsonl", [{ writer: "a", novel: "n", D1: null, D2: 3, note: "good" }]);
    expect((await readScores(missing, rubric))[0]!.scores.slice(0, 2)).toEqual([null, 3]);
  });

  it("say which dimension is missing and which name is not known, where a population needs all", async () => {
    const row = { writer: "a", novel: "n", scores: { D1: 3, Sparkle: 2 } };
    const needed = rubric.criteria.slice(0, 2).map(({ id }) => id);
    const file = fileOf("misnamed.jsonl", [row]);
    await expect(readScores(file, rubric, { needed })).rejects.toThrow(
      new RegExp(`no score for "${needed[1]}", which the population needs, and has "Sparkle"`),
    );
    expect(await readScores(file, rubric)).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { assetPath } from "../../../core/assets.ts";
import { chooseExcerpts } from "../../../judge/material.ts";
import { loadGrader } from "../../../jury/grader.ts";
import { readBook } from "../../../text/read-book.ts";
import { distinctivePassages } from "./distinctive-passages.ts";

const story = await readBook(assetPath("examples", "the-inspector-of-weights.md"));
const { signal } = new AbortController();

describe("passages measured by the grader", () => {
  it("add up to what their chapter gets beyond the intercept", async () => {
    const { measure } = (await distinctivePassages(story, signal))!;
    const judge = await loadGrader();
    for (const { index, text } of story.chapters) {
      const { sums, intercepts } = judge.examine(text);
      const whole = measure({ chapter: index, start: 0, end: text.length });
      expect(whole).toBeCloseTo(sums.overall! - intercepts.overall!, 6);
    }
  });

  it("decide which excerpts are distinctive", async () => {
    const { measure } = (await distinctivePassages(story, signal))!;
    const places = (excerpts: ReturnType<typeof chooseExcerpts>) =>
      excerpts.map(({ chapter, start }) => [chapter, start]);
    const chosen = chooseExcerpts(story, { measure });
    expect(places(chosen)).not.toEqual(places(chooseExcerpts(story)));
    const distinctive = chosen.filter(({ why }) => why === "distinctive");
    const typical = chosen.filter(({ why }) => why === "typical");
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const ordinary = mean(
      story.chapters.map(({ index, text }) => measure({ chapter: index, start: 0, end: text.length })!),
    );
    const distance = (excerpts: typeof chosen) =>
      mean(excerpts.map((excerpt) => Math.abs(measure(excerpt)! - ordinary)));
    expect(distance(distinctive)).toBeGreaterThan(distance(typical));
  });

  it("are not measured in a language that it does not read, nor in a chapter too short for it", async () => {
    const chinese = await readBook(assetPath("examples", "the-lamp-at-mist-harbour.zh.md"));
    expect(await distinctivePassages(chinese, signal)).toBeNull();
    const short = { index: 99, title: null, text: "It rained. She left.", words: 4 };
    const { measure } = (await distinctivePassages({ chapters: [...story.chapters, short] }, signal))!;
    expect(measure({ chapter: 99, start: 0, end: short.text.length })).toBeNull();
  });

  it("can be interrupted", async () => {
    await expect(distinctivePassages(story, AbortSignal.abort())).rejects.toThrow();
  });
});

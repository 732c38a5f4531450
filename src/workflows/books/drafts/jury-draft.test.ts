import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetPath } from "../../../core/assets.ts";
import { evaluateBook } from "../evaluate-book.ts";

const STORY = assetPath("examples/the-inspector-of-weights.md");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-jury-draft-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a second draft, by the embedded jury", () => {
  it("has not changed when it has not", async () => {
    const { changes, notes } = await evaluateBook(STORY, { against: STORY });
    expect(changes).toMatchObject({ unchanged: 12, removed: 0, segments: [], overall: { difference: 0 } });
    expect(changes!.overall.beyondNoise).toBe(false);
    expect(notes.join(" ")).toContain("0 segments changed");
  });

  it("names the chapters that changed or are gone, and takes no change within the juror's error for more", async () => {
    const story = await readFile(STORY, "utf8");
    const chapters = story.split(/(?=^## )/m);
    const dull = "Suddenly he was very sad. It was very good. She felt happy and she smiled at him. ".repeat(60);
    const changed = chapters.map((text, at) => (at === 3 ? `${text.split("\n")[0]}\n\n${dull}\n\n` : text));
    const file = join(folder, "second.md");
    await writeFile(file, changed.filter((_, at) => at !== 7).join(""));
    const { changes } = await evaluateBook(file, { against: STORY, judge: "editor" });
    expect(changes!.segments.map(({ chapters: touched }) => touched)).toEqual([[3]]);
    expect(changes).toMatchObject({ unchanged: 10, removed: 1 });
    const { difference, interval, beyondNoise } = changes!.segments[0]!.overall;
    expect(difference).not.toBe(0);
    expect(interval![0]).toBeLessThan(difference!);
    expect(beyondNoise).toBe(interval![0] > 0 || interval![1] < 0);
    expect(Object.keys(changes!.aspects)).toEqual(["writing"]);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { compareWithPocket } from "./compare-with-pocket.ts";

const STORY = assetPath("examples/the-inspector-of-weights.md");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-pocket-compare-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Prose that no grader would reward: the same sentences again and again. */
async function dull(): Promise<string> {
  const chapter = (index: number) =>
    `## Chapter ${index}\n\n${"Suddenly he was very sad. It was very good. She felt happy and she smiled at him. ".repeat(60 + index)}`;
  const file = join(folder, "dull.md");
  await writeFile(file, `# Dull\n\n${[1, 2, 3, 4, 5, 6].map(chapter).join("\n\n")}\n`);
  return file;
}

describe("comparing with the pocket judge", () => {
  it("cannot tell a book from itself, and has no position bias to speak of", async () => {
    const { aspects, positionBias } = await compareWithPocket([STORY, STORY]);
    expect(aspects.at(-1)).toMatchObject({ id: "overall", difference: 0, better: "tie" });
    expect(aspects.filter(({ better }) => better !== null).every(({ better }) => better === "tie")).toBe(true);
    expect(positionBias).toBeNull();
  });

  it("tells books apart whose chapters differ by more than they differ among themselves, whatever their order", async () => {
    const other = await dull();
    const [forth, back] = [await compareWithPocket([STORY, other]), await compareWithPocket([other, STORY])];
    const overall = forth.aspects.at(-1)!;
    expect(overall.better).toBe("left");
    expect(overall.interval![0]).toBeGreaterThan(0);
    expect(back.aspects.at(-1)!.better).toBe("right");
    expect(back.aspects.at(-1)!.difference).toBeCloseTo(-overall.difference!, 10);
    const themes = forth.aspects.find(({ id }) => id === "themes")!;
    expect(themes).toMatchObject({ better: null, difference: null, left: { kind: "unscored" } });
  });

  it("ranks more than two, and says which neighbours cannot be told apart", async () => {
    const { ranking, aspects } = await compareWithPocket([await dull(), STORY, STORY]);
    expect(aspects).toEqual([]);
    expect(ranking.map(({ file }) => file)).toEqual([STORY, STORY, join(folder, "dull.md")]);
    expect(ranking.map(({ belowThePrevious }) => belowThePrevious?.better)).toEqual([undefined, "tie", "left"]);
  });
});

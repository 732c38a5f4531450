import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { chooseExcerpts } from "../../judge/material.ts";
import { loadGrader } from "../../jury/grader.ts";
import { readBook } from "../../text/read-book.ts";
import { compareWithJury, distinctivePassages } from "./compare-with-jury.ts";

const STORY = assetPath("examples/the-inspector-of-weights.md");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-jury-compare-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** As another book, the story without its first half. */
async function secondHalf(): Promise<string> {
  const story = await readFile(STORY, "utf8");
  const file = join(folder, "second-half.md");
  await writeFile(file, `# Second half\n\n${story.slice(story.indexOf("## Chapter 7"))}`);
  return file;
}

describe("comparing with the embedded jury", () => {
  it("cannot tell a book from itself, juror by juror, and has no position bias to speak of", async () => {
    const { jurors, aspects, positionBias } = await compareWithJury([STORY, STORY]);
    expect(jurors.map(({ id, better, difference }) => ({ id, better, difference }))).toEqual(
      ["crowd", "editor", "grader"].map((id) => ({ id, better: "tie", difference: 0 })),
    );
    expect(aspects.at(-1)).toMatchObject({ id: "overall", difference: 0, better: "tie" });
    expect(aspects[0]).toMatchObject({ id: "plot", better: null, left: { kind: "unscored" } });
    expect(positionBias).toBeNull();
  });

  it("says who is speaking and calls a difference within the ranges no difference, whatever the order", async () => {
    const other = await secondHalf();
    const [forth, back] = [await compareWithJury([STORY, other]), await compareWithJury([other, STORY])];
    for (const [at, contrast] of forth.jurors.entries()) {
      expect(contrast.speaker).not.toBe("");
      const { left, right, better } = contrast;
      if (left.kind !== "scored" || right.kind !== "scored") throw new Error(`${contrast.id} must score both`);
      const overlap = left.interval![0] <= right.interval![1] && right.interval![0] <= left.interval![1];
      expect(better === "tie").toBe(overlap);
      expect(back.jurors[at]!.difference).toBeCloseTo(-contrast.difference!, 10);
    }
    expect(forth.jurors.some(({ difference }) => difference !== 0)).toBe(true);
  });

  it("names each book where what must be said of the two differs", async () => {
    const french =
      "Il regarda longtemps la rivière sans rien dire, puis il reprit le chemin de la maison où sa mère l'attendait depuis le matin. Les voisins parlaient à voix basse devant la porte, et personne ne savait pourquoi les enfants étaient partis si tôt.";
    const paragraphs = (await readFile(STORY, "utf8")).slice(0, 12_000).split("\n\n");
    const file = join(folder, "partly-french.md");
    await writeFile(file, paragraphs.flatMap((text, at) => (at % 8 === 3 ? [text, french] : [text])).join("\n\n"));
    const [differing] = (await compareWithJury([STORY, file], { judge: "editor" })).jurors;
    expect(differing!.caveat).toMatch(/^the first book: outside .*; the second book: outside .*looks like French$/);
    const [same] = (await compareWithJury([STORY, STORY], { judge: "editor" })).jurors;
    expect(same!.caveat).toMatch(/^both books: outside /);
  });

  it("asks one juror alone where one is named", async () => {
    const { judge, speaker, jurors } = await compareWithJury([STORY, STORY], { judge: "editor" });
    expect({ judge, speaker }).toEqual({ judge: "editor", speaker: "professional editors" });
    expect(jurors.map(({ id }) => id)).toEqual(["editor"]);
  });

  it("ranks more than two, and says which neighbours cannot be told apart", async () => {
    const { ranking, aspects, jurors } = await compareWithJury([await secondHalf(), STORY, STORY]);
    expect([...aspects, ...jurors]).toEqual([]);
    const scores = ranking.map(({ overall }) => (overall.kind === "scored" ? overall.score : Number.NaN));
    expect(scores).toEqual([...scores].sort((left, right) => right - left));
    const twins = ranking.findIndex(({ file }, at) => file === STORY && ranking[at + 1]?.file === STORY);
    expect(ranking[twins + 1]!.belowThePrevious?.better).toBe("tie");
  });
});

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

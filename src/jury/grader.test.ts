import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputs } from "../../test/support/inputs.ts";
import { assetPath } from "../core/assets.ts";
import { randomInteger, seededRandom } from "../core/random.ts";
import { isScored } from "../core/verdict.ts";
import { aspectShares, aspectVerdicts, loadAspectMap } from "./aspects.ts";
import { loadGrader } from "./grader.ts";

const judge = await loadGrader();

const SENTENCES = [
  "Her hand closed on the cold rail, and for a moment she could not think what she had come up here to do.",
  "“You said Tuesday,” Marek told her.",
  "Rain.",
  "It was a very beautiful day and everyone was very happy about it.",
  "The kettle ticked as it cooled; somewhere below, a door that had not shut properly knocked, and knocked again.",
  "She felt sad.",
  "He looked at the letter—twice folded, once torn—and put it back where the boy had left it…",
  "What would her mother have said?",
];
const bundled = (await readFile(assetPath("examples", "the-inspector-of-weights.md"), "utf8"))
  .replace(/^[\s\S]*?\n## /, "## ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
/** The sentences above, followed by this many paragraphs of a story. */
const story = (count: number) => [SENTENCES.join(" "), ...bundled.slice(0, count)].join("\n\n");

describe("the grader", () => {
  it("gives every criterion a score on its scale, inside an interval", () => {
    const { overall, criteria } = judge.score(story(60));
    expect(Object.keys(criteria)).toEqual(judge.criteria.map(({ id }) => id));
    for (const verdict of [overall, ...Object.values(criteria)]) {
      if (!isScored(verdict)) throw new Error(verdict.reason);
      const [low, high] = verdict.interval!;
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(20);
      expect(verdict.score).toBeGreaterThanOrEqual(low);
      expect(verdict.score).toBeLessThanOrEqual(high);
    }
  });

  it("takes every score apart into its sentences exactly", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...bundled.slice(0, 200), ...SENTENCES], { minLength: 30 }),
        fc.array(fc.constantFrom("\n\n", "## Chapter 4\n", "*", "ÅÄÖ æther 12,000", " "), {
          minLength: 1,
          maxLength: 40,
        }),
        (pieces, between) => {
          const text = pieces.map((piece, at) => piece + between[at % between.length]!).join(" ");
          const plain = judge.score(text);
          const examined = judge.examine(text);
          expect([plain.overall.kind, examined.overall.kind]).toEqual(["scored", "scored"]);
          for (const [output, shares] of Object.entries(examined.shares)) {
            const sum = shares.reduce((total, share) => total + share, examined.intercepts[output]!);
            expect(Math.abs(sum - examined.sums[output]!)).toBeLessThan(1e-9);
            const verdict = output === "overall" ? plain.overall : plain.criteria[output]!;
            const clipped = Math.min(20, Math.max(0, sum));
            expect(isScored(verdict) && Math.abs(verdict.score - clipped)).toBeLessThan(1e-6);
          }
        },
      ),
      { numRuns: inputs(40) },
    );
  });

  it("points at sentences as they stand in the text", () => {
    const text = story(40);
    const { sentences } = judge.examine(text);
    expect(text.slice(sentences[0]!.start, sentences[0]!.end)).toBe(SENTENCES[0]);
    expect(sentences.map(({ start, end }) => text.slice(start, end))).toContain("“You said Tuesday,” Marek told her.");
  });

  it("does not see names, Markdown, headings or kinds of quotation mark", () => {
    const plain = judge.score(story(60));
    const dressed = story(60)
      .replaceAll("Marek", "Zebulon")
      .replaceAll("“", '"')
      .replaceAll("”", '"')
      .replaceAll("Rain.", "*Rain.*");
    expect(judge.score(`# Chapter One: Marek's Revenge\n\n${dressed}\n\n**Word count:** 1,204`)).toEqual(plain);
  });

  it("refuses what it cannot judge, and says why", () => {
    const short = judge.score("She left. Nobody saw her go.");
    expect(short.overall).toEqual({
      kind: "unscored",
      reason: "the text has 6 words of prose, and the grader needs at least 150",
    });
    expect(Object.values(short.criteria).every(({ kind }) => kind === "unscored")).toBe(true);
    const french =
      "Il était une fois un roi qui avait trois filles, et la plus jeune ne voulait pas dormir dans sa chambre. ";
    const german = "Es war einmal ein König, der hatte drei Töchter, und die jüngste wollte nicht schlafen gehen. ";
    const dutch = "Er was eens een koning die drie dochters had, en de jongste wilde in haar kamer niet gaan slapen. ";
    const spanish =
      "Había una vez un rey que tenía tres hijas, y la menor no quería dormir en su cuarto por la noche. ";
    const chinese = "从前有一个国王，他有三个女儿，最小的女儿不愿意在自己的房间里睡觉。";
    for (const sentence of [french, german, dutch, spanish, chinese]) {
      expect(judge.score(sentence.repeat(20)).overall).toMatchObject({
        kind: "unscored",
        reason: expect.stringContaining("not English"),
      });
    }
    expect(judge.score("").overall.kind).toBe("unscored");
    expect(judge.examine("").sentences).toEqual([]);
  });

  it("judges a long text as the mean of its parts, not by its length", () => {
    const halves = [bundled.slice(0, 150), bundled.slice(150, 300)].map((part) => judge.score(part.join("\n\n")));
    const whole = judge.score(bundled.slice(0, 300).join("\n\n"));
    const [first, second, all] = [...halves, whole].map(({ overall }) => {
      if (!isScored(overall)) throw new Error(overall.reason);
      return overall.score;
    });
    const words = halves.map((half) => half.words);
    expect(all).toBeCloseTo((first! * words[0]! + second! * words[1]!) / (words[0]! + words[1]!), 1);
  });

  it("refuses a text that repeats itself, as the jury does", () => {
    expect(judge.score("It rained. ".repeat(3000)).overall).toEqual({
      kind: "unscored",
      reason: "the text is one sentence repeated again and again",
    });
  });

  it("reads a text without a single stop in linear time", () => {
    const words = bundled.join(" ").match(/[a-z]+/g)!;
    const random = seededRandom(7);
    const text = Array.from({ length: 180_000 }, () => words[randomInteger(random, words.length)]).join(" ");
    const started = process.cpuUsage();
    expect(judge.examine(text).overall.kind).toBe("scored");
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });
});

describe("the weights file", () => {
  const damage = async (change: (bytes: Uint8Array) => Uint8Array): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-grader-"));
    await writeFile(join(folder, "weights.bin"), change(await readFile(assetPath("models", "grader", "weights.bin"))));
    return folder;
  };

  it("is refused when it was cut short or altered", async () => {
    const cut = await damage((bytes) => bytes.subarray(0, bytes.length - 1000));
    await expect(loadGrader(cut)).rejects.toMatchObject({ code: "E_WEIGHTS_ALTERED" });
    const altered = await damage((bytes) => bytes.map((byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte)));
    await expect(loadGrader(altered)).rejects.toMatchObject({ code: "E_WEIGHTS_ALTERED" });
    await expect(loadGrader(join(cut, "nowhere"))).rejects.toMatchObject({ code: "E_WEIGHTS_MISSING" });
  });

  it("stays under eight megabytes", async () => {
    expect((await readFile(assetPath("models", "grader", "weights.bin"))).length).toBeLessThan(8_000_000);
  });
});

describe("aspects of a long story", async () => {
  const map = await loadAspectMap();

  it("come from the criteria that speak to them, faults turned round, and are otherwise unscored", () => {
    const verdicts = judge.score(story(60));
    const aspects = aspectVerdicts(judge, map, verdicts);
    expect(Object.keys(aspects).sort()).toEqual(
      ["characters", "emotion", "enjoyment", "expectation", "plot", "themes", "world", "writing"].sort(),
    );
    expect(aspects.characters).toEqual(verdicts.criteria["nuanced-characters"]);
    expect(aspects.world?.kind).toBe("unscored");
    const grade = (id: string) => {
      const verdict = verdicts.criteria[id]!;
      return isScored(verdict) ? verdict.score : Number.NaN;
    };
    const plot = (grade("compelling-plot") + grade("coherent") + (20 - grade("unsurprising-or-uncreative"))) / 3;
    expect(isScored(aspects.plot!) && aspects.plot.score).toBeCloseTo(plot, 9);
  });

  it("have shares that add up as the criteria do", () => {
    const examined = judge.examine(story(60));
    const shares = aspectShares(judge, map, examined).emotion!;
    const parts = ["emotionally-engaging", "well-earned-lightness-or-darkness"].map((id) => examined.shares[id]!);
    shares.forEach((share, sentence) => {
      expect(share).toBeCloseTo((parts[0]![sentence]! + parts[1]![sentence]!) / 2, 12);
    });
  });
});

import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assetPath } from "../core/assets.ts";
import { isScored } from "../core/verdict.ts";
import { aspectShares, aspectVerdicts, loadAspectMap } from "./aspects.ts";
import { loadPocketJudge } from "./pocket-judge.ts";

const judge = await loadPocketJudge();

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
const story = (count: number) =>
  Array.from({ length: count }, (_, i) => SENTENCES[(i * 5 + (i >> 3)) % SENTENCES.length]).join(" ");

describe("the pocket judge", () => {
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
        fc.array(fc.constantFrom(...SENTENCES, "\n\n", "## Chapter 4\n", "*", "ÅÄÖ æther 12,000"), {
          minLength: 40,
          maxLength: 400,
        }),
        (pieces) => {
          const text = pieces.join(" ");
          const plain = judge.score(text);
          const examined = judge.examine(text);
          expect(examined.overall.kind).toBe(plain.overall.kind);
          for (const [output, shares] of Object.entries(examined.shares)) {
            const sum = shares.reduce((total, share) => total + share, examined.intercepts[output]!);
            expect(Math.abs(sum - examined.sums[output]!)).toBeLessThan(1e-9);
            const verdict = output === "overall" ? plain.overall : plain.criteria[output]!;
            const clipped = Math.min(20, Math.max(0, sum));
            expect(isScored(verdict) && Math.abs(verdict.score - clipped)).toBeLessThan(1e-6);
          }
        },
      ),
      { numRuns: 40 },
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
      reason: "the text has 6 words of prose, and the pocket judge needs at least 150",
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
    const once = judge.score(story(80)).overall;
    const often = judge.score(Array.from({ length: 12 }, () => story(80)).join("\n\n")).overall;
    if (!isScored(once) || !isScored(often)) throw new Error("both are long enough");
    expect(Math.abs(once.score - often.score)).toBeLessThan(0.5);
  });

  it("reads a text without a single stop in linear time", () => {
    const started = process.cpuUsage();
    expect(judge.examine("the man went to the house and ".repeat(30_000)).overall.kind).toBe("scored");
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });
});

describe("the weights file", () => {
  const damage = async (change: (bytes: Uint8Array) => Uint8Array): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-pocket-"));
    await writeFile(join(folder, "weights.bin"), change(await readFile(assetPath("models", "pocket", "weights.bin"))));
    return folder;
  };

  it("is refused when it was cut short or altered", async () => {
    const cut = await damage((bytes) => bytes.subarray(0, bytes.length - 1000));
    await expect(loadPocketJudge(cut)).rejects.toMatchObject({ code: "E_WEIGHTS_ALTERED" });
    const altered = await damage((bytes) => bytes.map((byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte)));
    await expect(loadPocketJudge(altered)).rejects.toMatchObject({ code: "E_WEIGHTS_ALTERED" });
    await expect(loadPocketJudge(join(cut, "nowhere"))).rejects.toMatchObject({ code: "E_WEIGHTS_MISSING" });
  });

  it("stays under eight megabytes", async () => {
    expect((await readFile(assetPath("models", "pocket", "weights.bin"))).length).toBeLessThan(8_000_000);
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

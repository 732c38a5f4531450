import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import { encodeJuror } from "../../src/jury/juror-file.ts";
import { calibrate, prepareMaterial } from "./calibrate.ts";
import { authorSplits, familySplits, predictSplits } from "./cross-validate.ts";
import type { Lesson } from "./fit-lessons.ts";
import { pairsRight, spearmanOf } from "./measures.ts";
import { changedSentences } from "./notes/edited-sentences.ts";
import { applyEdits, textFamilies } from "./sources/expert-edits.ts";
import { trainJuror } from "./train-juror.ts";

const PLAIN = ["She went home.", "It was very nice.", "He was sad and she was sad.", "They felt happy about it."];
const RICH = [
  "The kettle ticked as it cooled on the iron.",
  "Below the stairs a door knocked, and knocked again.",
  "Her thumb found the split in the rail.",
  "Somebody, years ago, had painted over the hinges.",
];

/** Stories of two sources, richer ones rated higher, and pairs of which the richer is preferred. */
function lessons(): Lesson[] {
  const random = seededRandom(4);
  const story = (richness: number) =>
    Array.from({ length: 40 }, () => {
      const from = random() < richness ? RICH : PLAIN;
      return from[Math.floor(random() * from.length)]!;
    }).join(" ");
  const rated = Array.from({ length: 60 }, (_, place): Lesson => {
    const target = random();
    const source = place % 2 === 0 ? "prompt-stories" : "scary-stories";
    return { text: story(target), source, target, family: `story ${place}` };
  });
  const pairs = Array.from({ length: 20 }, (_, pair): Lesson[] => {
    const shared = { source: "reader-pairs", family: `prompt ${pair >> 1}`, pair } as const;
    return [
      { ...shared, text: story(0.8), target: 1 },
      { ...shared, text: story(0.2), target: 0 },
    ];
  });
  return [...rated, ...pairs.flat()];
}

const SETTINGS = { minimumTexts: 3, styleWeight: 0.2, penalty: 5 };

function train() {
  const material = prepareMaterial(lessons(), SETTINGS.minimumTexts);
  const held = predictSplits(material, familySplits(material.lessons, 4, 1), SETTINGS, () => {});
  const calibration = calibrate(material, {
    sources: ["prompt-stories", "scary-stories"],
    unit: 100,
    coverage: 0.9,
    inside: held,
  });
  return { material, held, juror: trainJuror(material, SETTINGS, calibration) };
}

describe("training a juror", () => {
  const { material, held, juror } = train();

  it("gives the same bytes for the same data", () => {
    const again = train().juror;
    expect(Buffer.from(encodeJuror("crowd", again)).equals(Buffer.from(encodeJuror("crowd", juror)))).toBe(true);
  });

  it("never tests a family it learnt from", () => {
    for (const { training, test } of familySplits(material.lessons, 4, 1)) {
      const name = (place: number) => `${material.lessons[place]!.source} ${material.lessons[place]!.family}`;
      const seen = new Set(training.map(name));
      expect(test.filter((place) => seen.has(name(place)))).toEqual([]);
    }
  });

  it("never tests a story by an author, or to a premise, that it learnt from", () => {
    const signed = Array.from({ length: 12 }, (_, place): Lesson => {
      const [family, author] = [`premise ${place % 4}`, `author ${place % 3}`];
      return { text: `story ${place}`, source: "machine-stories", target: place, family, author };
    });
    const all = [...lessons(), ...signed];
    const splits = authorSplits(all, 2, 1);
    expect(splits.flatMap(({ test }) => test).sort((a, b) => a - b)).toEqual(signed.map((_, at) => at + 100));
    for (const { training, test } of splits) {
      const authors = new Set(training.map((place) => all[place]!.author));
      const families = new Set(training.map((place) => all[place]!.family));
      for (const place of test) {
        expect(authors.has(all[place]!.author)).toBe(false);
        expect(families.has(all[place]!.family)).toBe(false);
      }
    }
  });

  it("gives the mean of several deals, and counts each text once", () => {
    const judged = (predictions: readonly number[], deal: number) =>
      predictions.map((predicted, place) => ({ family: `story ${place}`, predicted, given: place, words: 0, deal }));
    const both = spearmanOf([...judged([0, 1, 2, 3], 0), ...judged([3, 2, 1, 0], 1)]);
    expect(both.value).toBeCloseTo(0);
    expect(both.n).toBe(4);
  });

  it("predicts what was held back: ratings within each source, and the preferred of a pair", () => {
    const judged = material.lessons.flatMap(({ source, family, target }, place) =>
      source === "prompt-stories" ? [{ family, predicted: held.whole[place]!, given: target, words: 0, deal: 0 }] : [],
    );
    expect(spearmanOf(judged).value).toBeGreaterThan(0.8);
    expect(pairsRight(material.lessons, [held.whole], "reader-pairs").value).toBeGreaterThan(0.9);
  });

  it("learns ranges from what it missed, wider outside than inside", () => {
    for (const { inside, outside } of juror.head.misses) {
      expect(inside).toBeGreaterThan(0);
      expect(outside).toBeGreaterThanOrEqual(inside);
    }
  });
});

describe("what an editor changed", () => {
  const before = "The lamp was lit. She felt a profound sense of hope in her heart. He left.";
  const sentences = [
    { start: 0, end: 17 },
    { start: 18, end: 65 },
    { start: 66, end: 74 },
  ];

  it("is a sentence of which less than four fifths of the words are left", () => {
    const after = "The lamp was lit. She felt hope. He left.";
    expect(changedSentences(before, after, sentences)).toEqual([false, true, false]);
    expect(changedSentences(before, before.replace("lamp", "candle"), sentences)).toEqual([true, false, false]);
  });

  it("is made by putting each replacement where its span stands", () => {
    const edits = [
      { before: " a profound sense of", after: "", why: "Cliche" },
      { before: "He left.", after: "He went.", why: "Awkward Word Choice and Phrasing" },
    ];
    expect(applyEdits({ text: before, edits })).toBe("The lamp was lit. She felt hope in her heart. He went.");
  });
});

describe("families of texts", () => {
  it("hold every version of a text, known or found by what they share", () => {
    const draft = "The keeper climbed the stairs with the lamp in his hand and looked out over the bay.";
    const edited = "The keeper climbed the stairs with the lamp in his hand, and slept.";
    const other = "Nobody in the village could say when the old mill had stopped turning.";
    const rewritten = "All was dark.";
    const familyOf = textFamilies([draft, edited, other, rewritten], [[edited, rewritten]]);
    expect(familyOf(draft)).toBe(familyOf(rewritten));
    expect(familyOf(other)).not.toBe(familyOf(draft));
  });
});

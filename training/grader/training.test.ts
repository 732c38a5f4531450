import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import { readProse } from "../../src/jury/counted-text.ts";
import { encodeModel } from "../../src/jury/model-file.ts";
import { windowBorders } from "../../src/jury/window-features.ts";
import { HashIndex } from "../../src/prose/hashing.ts";
import { RARITY_BANDS, rarityFrom } from "../../src/prose/reference/reference-words.ts";
import { STYLE_FEATURES } from "../../src/prose/style-features.ts";
import type { SparseRows } from "../../src/stats/linear/sparse-rows.ts";
import { conformalQuantile } from "./calibration.ts";
import { buildCorpus } from "./corpus.ts";
import { featureSpace } from "./feature-space.ts";
import { doubleLeaveOut } from "./folds.ts";
import { trainGrader } from "./grader-from-files.ts";
import { type JudgedChapter, OUTPUTS } from "./judged-chapters.ts";
import { featureRows } from "./predict-chapters.ts";
import { selectSettings } from "./select-settings.ts";
import { SHIPPED_SETTINGS, wholeRow } from "./settings.ts";

const PLAIN = ["She went home.", "It was very nice.", "He was sad and she was sad.", "They felt happy about it."];
const RICH = [
  "The kettle ticked as it cooled on the iron.",
  "Below the stairs a door knocked, and knocked again.",
  "Her thumb found the split in the rail.",
  "Somebody, years ago, had painted over the hinges.",
];

/** Twelve writers, half plain and half rich, each with a chapter of six stories; richer is graded higher. */
function chapters(): JudgedChapter[] {
  const random = seededRandom(4);
  return Array.from({ length: 12 }, (_, writer) =>
    Array.from({ length: 6 }, (__, story): JudgedChapter => {
      const [source, grade] = writer % 2 === 0 ? [PLAIN, 6] : [RICH, 15];
      const text = Array.from({ length: 60 }, () => source[Math.floor(random() * source.length)]).join(" ");
      return {
        writer: `writer ${writer}`,
        names: [`writer ${writer}`],
        family: `family ${writer}`,
        story: `story ${story}`,
        text: `${text} The sneakers of story${"abcdef"[story]} glowed. `.repeat(2),
        targets: Float64Array.from(OUTPUTS, () => grade + random()),
      };
    }),
  ).flat();
}

describe("training the grader", () => {
  const corpus = buildCorpus(chapters(), 150);
  const settings = { ...SHIPPED_SETTINGS, familyShare: 0.25, storyShare: 0.5, penalty: 0.1 };

  it("tests every chapter once, by a judge that saw neither its writer nor its story", () => {
    const cells = doubleLeaveOut(corpus.chapters, { writers: 4, stories: 3 }, seededRandom(1));
    const tested = cells.flatMap(({ test }) => test).sort((left, right) => left - right);
    expect(tested).toEqual(corpus.chapters.map((_, chapter) => chapter));
    for (const { training, test } of cells) {
      const seen = new Set(training.flatMap((at) => [corpus.chapters[at]!.writer, corpus.chapters[at]!.story]));
      for (const at of test) {
        expect(seen.has(corpus.chapters[at]!.writer) || seen.has(corpus.chapters[at]!.story)).toBe(false);
      }
    }
  });

  it("keeps no n-gram of a single story", () => {
    const every = corpus.chapters.map((_, chapter) => chapter);
    const one = every.filter((chapter) => corpus.chapters[chapter]!.story === "story 0");
    const kept = new Set(featureSpace(corpus, every, settings).ngramHashes);
    const elsewhere = new Set(
      every.filter((chapter) => !one.includes(chapter)).flatMap((chapter) => [...corpus.ngrams.byChapter[chapter]!]),
    );
    const own = [...new Set(one.flatMap((chapter) => [...corpus.ngrams.byChapter[chapter]!]))].filter(
      (position) => !elsewhere.has(position),
    );
    expect(own.length).toBeGreaterThan(0);
    expect(own.some((position) => kept.has(corpus.ngrams.hashes[position]!))).toBe(false);
  });

  it("keeps n-grams in a fold that holds half the stories", () => {
    const half = corpus.chapters.flatMap(({ story }, chapter) => (story < "story 3" ? [chapter] : []));
    expect(featureSpace(corpus, half, { familyShare: 0.5, storyShare: 1 }).ngramHashes.length).toBeGreaterThan(20);
  });

  it("reads a new chapter exactly as the shipped judge would", () => {
    const training = corpus.chapters.flatMap(({ story }, chapter) => (story === "story 0" ? [] : [chapter]));
    const space = featureSpace(corpus, training, settings);
    const rarity = rarityFrom(space.rarityHashes, space.rarityBands);
    const vocabulary = new HashIndex(space.ngramHashes);
    expect(space.read(0)).toEqual(readProse(corpus.prose[0]!, rarity, vocabulary));
  });

  it("reads a chapter it learns from as if its own story had not been counted", () => {
    const every = corpus.chapters.map((_, chapter) => chapter);
    const rarest = STYLE_FEATURES.indexOf(`words of rarity ${RARITY_BANDS - 1}`);
    const rareWords = (training: readonly number[]) => {
      const { style } = featureSpace(corpus, training, settings).read(0);
      return style.filter((_, at) => at % STYLE_FEATURES.length === rarest).reduce((sum, count) => sum + count, 0);
    };
    const otherStories = every.filter((chapter) => corpus.chapters[chapter]!.story !== corpus.chapters[0]!.story);
    expect(rareWords(every)).toBeGreaterThan(0);
    expect(rareWords(every)).toBe(rareWords(otherStories));
  });

  it("makes a row the mean of its windows by words", () => {
    const every = corpus.chapters.map((_, chapter) => chapter);
    const space = featureSpace(corpus, every, settings);
    const row = wholeRow(corpus, 0, 100);
    const single = row.windows.map((window) => ({ ...row, windows: [window] }));
    const dense = ({ indices, values }: SparseRows) =>
      new Map(Array.from(indices, (column, at) => [column, values[at]!]));
    const mean = dense(featureRows(space, [row]));
    const { words, wordCount } = corpus.prose[0]!;
    const parts = single.map((one) => ({
      share:
        words.subarray(one.windows[0]!.from, one.windows[0]!.to).reduce((sum, count) => sum + count, 0) / wordCount,
      features: dense(featureRows(space, [one])),
    }));
    expect(parts.length).toBeGreaterThan(2);
    for (const [column, value] of mean) {
      expect(value).toBeCloseTo(
        parts.reduce((sum, { share, features }) => sum + share * (features.get(column) ?? 0), 0),
        6,
      );
    }
  });

  it("chooses settings, and says what is left when a family has no say in the choice", () => {
    const { rows, chosen, chosenByOthers } = selectSettings(corpus, () => {});
    expect(chosen.mean).toBe(Math.max(...rows.map((row) => row.mean)));
    expect(chosenByOthers.chapters.n).toBe(corpus.chapters.length);
    expect(chosenByOthers.chapters.value).toBeGreaterThan(0.8);
  });

  it("learns what was graded, and gives the same bytes for the same data", () => {
    const first = trainGrader(corpus, settings, () => {});
    const again = trainGrader(buildCorpus(chapters(), 150), settings, () => {});
    expect(Buffer.from(encodeModel(first.model)).equals(Buffer.from(encodeModel(again.model)))).toBe(true);
    for (const { chapter, predictions } of first.heldOut.whole) {
      const rich = corpus.chapters[chapter]!.targets[0]! > 10;
      expect(predictions[0]! > 10).toBe(rich);
    }
  });

  it("gives intervals that hold as often as they say", () => {
    expect(conformalQuantile([1, 2, 3, 4, 5, 6, 7, 8, 9], 0.9)).toBe(9);
    expect(
      conformalQuantile(
        Array.from({ length: 99 }, (_, i) => i + 1),
        0.9,
      ),
    ).toBe(90);
  });
});

describe("windows", () => {
  it("are of nearly equal length, cover everything and never split a sentence", () => {
    const words = Uint32Array.from({ length: 300 }, (_, i) => 1 + ((i * 7) % 23));
    const borders = windowBorders(words, 600);
    expect(borders[0]).toBe(0);
    expect(borders.at(-1)).toBe(300);
    const sums = Array.from({ length: borders.length - 1 }, (_, window) =>
      words.subarray(borders[window], borders[window + 1]).reduce((sum, count) => sum + count, 0),
    );
    expect(Math.max(...sums) - Math.min(...sums)).toBeLessThan(50);
    expect([...windowBorders(new Uint32Array(0), 600)]).toEqual([0, 0]);
  });
});

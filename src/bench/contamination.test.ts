import { describe, expect, it } from "vitest";
import { randomInteger, seededRandom } from "../core/random.ts";
import { cutOffSplit, renamedDifference, textOverlaps } from "./contamination.ts";
import { wordingOf } from "./synopsis.ts";

const longestCommonPassage = (left: string, right: string) => wordingOf(right).longestIn(left);

/** Counts look-ups and insertions into maps, which do not depend on how busy the machine is. */
function lookUps(work: () => void): number {
  const { get, has, set } = Map.prototype;
  let count = 0;
  Map.prototype.get = function (key) {
    count++;
    return get.call(this, key);
  };
  Map.prototype.has = function (key) {
    count++;
    return has.call(this, key);
  };
  Map.prototype.set = function (key, value) {
    count++;
    return set.call(this, key, value);
  };
  try {
    work();
  } finally {
    Object.assign(Map.prototype, { get, has, set });
  }
  return count;
}

const novel = (name: string, composite: number) => ({
  novel: name,
  composite,
  scores: [],
  parts: null,
});

describe("text that a writer may remember", () => {
  it("is the longest passage that stands in both, word for word", () => {
    const original = "It was late. The clerk closed the ledger and went down to the boats without a word.";
    const written = "Rain fell. At last the clerk closed the ledger and went home to sleep.";
    expect(longestCommonPassage(written, original)).toEqual({
      length: 7,
      text: "the clerk closed the ledger and went",
    });
    expect(longestCommonPassage("nothing alike", "quite other words").length).toBe(0);
  });

  it("is the same as by trying every two places, whatever the texts", () => {
    const random = seededRandom(8);
    const text = () => Array.from({ length: 40 }, () => "abcd"[randomInteger(random, 4)]!);
    for (let trial = 0; trial < 200; trial++) {
      const [one, other] = [text(), text()];
      let longest = 0;
      for (let left = 0; left < one.length; left++)
        for (let right = 0; right < other.length; right++) {
          let length = 0;
          while (left + length < one.length && one[left + length] === other[right + length]) length++;
          longest = Math.max(longest, length);
        }
      const found = longestCommonPassage(one.join(" "), other.join(" "));
      expect(found.length).toBe(longest);
      expect(` ${one.join(" ")} `).toContain(` ${found.text} `);
      expect(` ${other.join(" ")} `).toContain(` ${found.text} `);
    }
  });

  it("is found in texts as long as a book that share nearly everything", () => {
    const words = Array.from({ length: 60_000 }, (_, at) => `w${at % 7001}x${at % 13}`);
    const changed = words.map((word, at) => (at === 40_000 ? "other" : word));
    expect(longestCommonPassage(changed.join(" "), words.join(" ")).length).toBe(40_000);
  });

  it.each([
    // Frequent words and rare ones, as in prose; and a refrain, every part of which occurs a thousand times.
    ["prose", (random: () => number) => `w${Math.floor(3000 ** random())}`],
    ["a refrain", (_: () => number, at: number) => `w${at % 7}`],
  ])("takes steps in proportion to the texts' length, in %s", (_, word) => {
    const random = seededRandom(4);
    const text = (words: number) => Array.from({ length: words }, (_, at) => word(random, at)).join(" ");
    const steps = (words: number) => lookUps(() => longestCommonPassage(text(words), text(words)));
    const few = steps(3000);
    // Nothing would be counted if passages were not looked up in maps.
    expect(few).toBeGreaterThan(3000);
    // For four times the words, a search that compares every two places takes sixteen times as long.
    expect(steps(12_000) / few).toBeLessThan(5);
  });

  it("is found in Chinese whether simplified or traditional", () => {
    const { length } = longestCommonPassage("他們在燈塔下等船，直到天亮才回家", "那晚他们在灯塔下等船，没有说话");
    expect(length).toBe(8);
  });

  it("is a share of the chapters of each writer, and unknown without any", async () => {
    const copied = "one two three four five six seven eight nine ten";
    const texts = [
      { writer: "ada", text: copied },
      { writer: "bea", text: "nothing of it" },
    ];
    const found = await textOverlaps([{ original: copied, texts }]);
    expect(found.get("ada")).toMatchObject({ chapters: 1, copied: 1, longest: 10 });
    expect(found.get("bea")).toMatchObject({ chapters: 1, copied: 0, longest: 0 });
    expect(found.get("cleo")).toBeUndefined();
  });
});

describe("what memory may be worth", () => {
  const novels = [novel("old 1", 2), novel("old 2", 3), novel("new 1", 1), novel("new 2", 0)];
  const yearOf = (name: string) => (name.startsWith("old") ? 2010 : 2024);

  it("is the difference between novels from before and after the cut-off", () => {
    expect(cutOffSplit(novels, yearOf, 2020)).toMatchObject({ difference: 2, novels: [2, 2] });
    expect(cutOffSplit(novels, yearOf, 2030)).toBeNull();
    expect(cutOffSplit(novels, () => null, 2020)).toBeNull();
  });

  it("is the difference between a novel under its own names and under new ones", () => {
    const renamed = novels.map(({ novel: name, composite }) => novel(name, composite - 0.5));
    expect(renamedDifference(novels, renamed)).toMatchObject({ difference: 0.5, interval: null });
    expect(renamedDifference(novels, [])).toBeNull();
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Random, randomInteger, seededRandom } from "../core/random.ts";
import {
  commonSubsequenceLength,
  comparable,
  estimateJaccard,
  findNearDuplicates,
  matchingRatio,
  SIGNATURE_BINS,
  signatureOf,
} from "./near-duplicates.ts";

function plainSubsequenceLength(left: string, right: string): number {
  let previous = new Array<number>(right.length + 1).fill(0);
  for (const sign of left) {
    const current = [0];
    for (let at = 1; at <= right.length; at++) {
      current.push(sign === right[at - 1] ? previous[at - 1]! + 1 : Math.max(previous[at]!, current[at - 1]!));
    }
    previous = current;
  }
  return previous[right.length]!;
}

const WORDS = Array.from({ length: 800 }, (_, index) => {
  const random = seededRandom(index);
  return Array.from({ length: 2 + randomInteger(random, 7) }, () =>
    String.fromCharCode(97 + randomInteger(random, 26)),
  ).join("");
});

function story(random: Random, length: number): string {
  let text = "";
  while (text.length < length)
    text += `${WORDS[Math.floor(WORDS.length * random() ** 2)]}${random() < 0.1 ? ".\n" : " "}`;
  return text.slice(0, length);
}

function edited(text: string, share: number, random: Random): string {
  return [...text]
    .map((letter) => (random() < share ? String.fromCharCode(97 + randomInteger(random, 26)) : letter))
    .join("");
}

describe("the matching ratio", () => {
  it("counts the longest common subsequence as the plain recurrence does", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 90 });
    fc.assert(
      fc.property(word, word, (left, right) => {
        expect(commonSubsequenceLength(left, right)).toBe(plainSubsequenceLength(left, right));
      }),
    );
  });

  it("is 1 for equal texts and 2·matches over all characters otherwise", () => {
    expect(matchingRatio("abcd", "abcd")).toBe(1);
    expect(matchingRatio("abcd", "bcde")).toBeCloseTo(0.75);
    expect(matchingRatio("", "")).toBe(1);
  });

  it("that cannot reach the threshold is not computed to the end, and never comes out too low", () => {
    const random = seededRandom(6);
    const body = story(random, 40_000);
    const other = body.slice(0, 20_000) + story(random, 20_000);
    const whole = matchingRatio(body, other);
    expect(matchingRatio(body, other, 0.95)).toBeGreaterThanOrEqual(whole);
    expect(matchingRatio(body, other, 0.95)).toBeLessThan(0.95);
    expect(matchingRatio(body, other, whole)).toBeCloseTo(whole, 12);
    expect(matchingRatio("abc", "abcdef", 0.9)).toBeCloseTo(2 / 3);
  });

  it("of long texts is found by aligning their equal paragraphs", () => {
    const random = seededRandom(5);
    const long = story(random, 60_000);
    const lines = long.split("\n");
    const changed = lines.map((line, index) => (index % 20 === 0 ? edited(line, 0.5, random) : line)).join("\n");
    const ratio = matchingRatio(long, changed);
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1);
  });
});

describe("a signature", () => {
  it("estimates the Jaccard similarity of the shingles", () => {
    const random = seededRandom(9);
    const table = new Uint32Array(2 * SIGNATURE_BINS);
    const text = story(random, 8000);
    signatureOf(text, table, 0);
    signatureOf(text.slice(0, 4000) + story(random, 4000), table, SIGNATURE_BINS);
    // Half of each is common: a third of the union.
    expect(estimateJaccard(table, 0, 1)).toBeGreaterThan(0.25);
    expect(estimateJaccard(table, 0, 1)).toBeLessThan(0.42);
  });

  it("ignores case and space", () => {
    expect(signatureOf("The  Rain had\nstopped at last")).toEqual(signatureOf("the rain hadstopped at LAST"));
  });
});

describe("near-duplicates", () => {
  it("are found although letters all over them differ, and different texts are not", () => {
    const random = seededRandom(3);
    const texts = Array.from({ length: 120 }, () => story(random, 3000));
    for (let index = 0; index < 30; index++) texts.push(edited(texts[index]!, 0.06, random));
    const pairs = findNearDuplicates(texts.length, (index) => texts[index]!);
    expect(pairs.map(({ left, right }) => [left, right])).toEqual(
      Array.from({ length: 30 }, (_, index) => [index, 120 + index]),
    );
    for (const { similarity } of pairs) expect(similarity).toBeGreaterThan(0.9);
  });

  it("in traditional and simplified characters, with other lines and quotation marks, are one book", () => {
    const random = seededRandom(8);
    const simplified = "话说天下大势分久必合来东风无时国书见门车长马问听说头发万与为个们这样里后";
    const traditional = "話說天下大勢分久必合來東風無時國書見門車長馬問聽說頭髮萬與為個們這樣裡後";
    const places = Array.from({ length: 40_000 }, () => randomInteger(random, simplified.length));
    const write = (signs: string, every: number, [open, close]: readonly [string, string]) =>
      places
        .map(
          (at, index) =>
            `${index % 30 === 0 ? `${close}。${index % every === 0 ? "\n\n　　" : ""}${open}` : ""}${signs[at]}`,
        )
        .join("");
    const texts = [write(simplified, 60, ["“", "”"]), write(traditional, 90, ["「", "」"])];
    expect(findNearDuplicates(2, (index) => texts[index]!)).toEqual([
      { left: 0, right: 1, similarity: expect.closeTo(1, 2) },
    ]);
  });

  it("are not books that only begin alike, but are books that only begin differently", () => {
    const random = seededRandom(12);
    const beginning = story(random, 4000);
    const body = story(random, 60_000);
    const texts = [
      beginning + body,
      beginning + story(random, 60_000),
      story(random, 4000) + edited(body, 0.02, random),
    ];
    expect(findNearDuplicates(3, (index) => texts[index]!).map(({ left, right }) => [left, right])).toEqual([[0, 2]]);
  });

  it("among retellings that all resemble each other are found, and cost a few comparisons of each text", () => {
    const random = seededRandom(21);
    const sentences = story(random, 2500).split("\n");
    const texts = Array.from({ length: 50 }, () =>
      sentences.map((sentence) => (random() < 0.35 ? story(random, sentence.length) : sentence)).join("\n"),
    );
    texts.push(edited(texts[30]!, 0.02, random));
    let reads = 0;
    const pairs = findNearDuplicates(texts.length, (index) => {
      reads++;
      return texts[index]!;
    });
    expect(pairs.map(({ left, right }) => [left, right])).toEqual([[30, 50]]);
    // Once for the signature, once to be compared, and once for each of the eight it is compared with; all pairs are 1,275.
    expect(reads).toBeLessThanOrEqual(texts.length * 10);
    expect(reads).toBeGreaterThan(texts.length * 2);
  });

  it("of a hundred copies are all connected", () => {
    const text = story(seededRandom(1), 2000);
    const pairs = findNearDuplicates(100, () => text);
    const touched = new Set(pairs.flatMap(({ left, right }) => [left, right]));
    expect(touched.size).toBe(100);
  });
});

describe("a text made comparable", () => {
  it("loses every kind of space and nothing else", () => {
    const units = String.fromCharCode(...Array.from({ length: 0x3040 }, (_, unit) => unit), 0xfeff, 0xfffd);
    expect(comparable(units)).toBe(units.replace(/\s+/gu, ""));
    expect(comparable("half a pair \ud83d, and a whole one 🐈")).toBe("halfapair\ud83d,andawholeone🐈");
  });
});

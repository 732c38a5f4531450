import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import { encodePersonalModel } from "../../src/reader/predictor/personal-weights.ts";
import { type StarModel, starChances } from "../../src/reader/predictor/spread.ts";
import { pearson } from "../../src/stats/correlation.ts";
import { crossValidate } from "./cross-validate.ts";
import { fitStars } from "./fit-head.ts";
import { trainPersonalModel } from "./train-personal-model.ts";
import { readTrainingData, saysGivenUp } from "./training-data.ts";

/** Books whose endings decide, readers whose tempers show in their words: both can be learnt, neither is given. */
async function smallWorld() {
  const random = seededRandom(4);
  const folder = mkdtempSync(join(tmpdir(), "fabula-train-"));
  const books = Array.from({ length: 36 }, (_, index) => {
    const happy = index % 2 === 0;
    return {
      id: `b${index}`,
      title: `Book ${index}`,
      genres: [index % 3 === 0 ? "Mystery" : "Romance"],
      premise: "A stranger comes to town.",
      plot_summary: `Someone arrives and looks for the ${["ring", "map", "letter"][index % 3]}. In the end ${happy ? "they are reunited with joy" : "everything burns without hope"}.`,
      characters: "A stranger, a keeper of secrets.",
      average_rating: happy ? 4.3 : 3.2,
    };
  });
  const reviews = Array.from({ length: 160 }, (_, reader) => {
    const generous = reader % 2 === 0;
    return books
      .filter(() => random() < 0.4)
      .map((book) => ({
        book: book.id,
        reviewer: `r${reader}`,
        rating: Math.min(
          5,
          Math.max(1, Math.round(book.average_rating + (generous ? 0.8 : -0.9) + (random() - 0.5) * 2)),
        ),
        aspects: { Plot: generous ? "lovely from start to finish" : "tedious and far too long" },
        conclusion: generous ? "a delight" : "a chore",
      }));
  }).flat();
  const write = (name: string, rows: unknown[]) => {
    const path = join(folder, name);
    writeFileSync(path, rows.map((row) => JSON.stringify(row)).join("\n"));
    return path;
  };
  return readTrainingData(write("books.jsonl", books), write("reviews.jsonl", reviews));
}

it.each([
  ["I DNF’d this at 30%.", true],
  ["Slow from the start. I couldn't finish it.", true],
  ["I gave up on this halfway through.", true],
  ["I almost DNF'd this, but the ending won me over.", false],
  ["Did not finish. Life is too short.", true],
  ["dnf at 30%", true],
  ["I stopped reading at 40%.", true],
  ["I never gave up hope for Mara.", false],
  ["Almost DNF'd this, but loved the end.", false],
  ["I couldn't finish it fast enough!", false],
  ["I stopped reading at midnight and picked it up at dawn.", false],
])("tells a review of a book given up: %s", (words, gaveUp) => {
  expect(saysGivenUp(words)).toBe(gaveUp);
});

const everything = { books: () => true, readers: () => true };

describe("training the personal predictor", () => {
  it("gives the same bytes for the same data and seed", async () => {
    const bytes = async (seed: number) =>
      encodePersonalModel(trainPersonalModel(await smallWorld(), everything, seed).model);
    expect(Buffer.compare(await bytes(1), await bytes(1))).toBe(0);
    expect(Buffer.compare(await bytes(1), await bytes(2))).not.toBe(0);
  });

  it("learns from other readers and other books what helps with new ones", async () => {
    const held = crossValidate(
      await smallWorld(),
      { books: 2, readers: 2, seed: 1 },
      { two: { pairsPerReader: 3, lengths: [2], shown: ["whole"] } },
    ).get("two")!;
    const ratings = held.map(({ rating }) => rating);
    const agreement = (of: (pair: (typeof held)[number]) => number) => pearson(ratings, held.map(of)).value!;
    expect(held.length).toBeGreaterThan(200);
    const inside = held.filter(({ rating, interval }) => rating >= interval[0] && rating <= interval[1]).length;
    expect(inside / held.length).toBeGreaterThan(0.7);
    expect(inside / held.length).toBeLessThan(0.92);
    expect(agreement((pair) => pair.predicted)).toBeGreaterThan(agreement((pair) => pair.meanOfHistory) + 0.05);
  });
});

describe("the chances of stars", () => {
  it("are learnt as they are: what moves a rating, and what spreads it", () => {
    const random = seededRandom(2);
    const truth: StarModel = { thresholds: [-2, -1, 0.5, 1.5], location: [1.5], width: [0.6] };
    const examples = Array.from({ length: 6000 }, () => {
      const given = { location: [4 * random() - 2], width: [random() < 0.5 ? 0 : 1] };
      let drawn = random();
      const star = starChances(truth, given).findIndex((chance) => {
        drawn -= chance;
        return drawn < 0;
      });
      return { rating: star < 0 ? 5 : star + 1, ...given };
    });
    const { thresholds, location, width } = fitStars(examples);
    thresholds.forEach((threshold, at) => {
      expect(Math.abs(threshold - truth.thresholds[at]!)).toBeLessThan(0.2);
    });
    expect(location[0]).toBeGreaterThan(1.3);
    expect(location[0]).toBeLessThan(1.7);
    expect(width[0]).toBeGreaterThan(0.5);
    expect(width[0]).toBeLessThan(0.7);
  });
});

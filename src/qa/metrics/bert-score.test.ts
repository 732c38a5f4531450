import { describe, expect, it } from "vitest";
import type { TokenEmbedder } from "../../models/embeddings/token-embedder.ts";
import { loadBertScore } from "./bert-score.ts";

/** Words on a circle, so that every cosine can be computed by hand: a token's id is its angle in degrees. */
const ANGLES: Readonly<Record<string, number>> = { king: 0, queen: 60, ruler: 30, ship: 120, boat: 130 };
const MARK = 999;
const vector = (angle: number) =>
  Float32Array.of(Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180), 0);
const circle: TokenEmbedder = {
  id: "circle",
  marks: new Set([MARK]),
  tokenise: (texts) => texts.map((text) => ({ ids: idsOf(text) })),
  embed: async (texts) =>
    texts.map((text) => ({
      ids: idsOf(text),
      // The special token is far from every word, so that no word matches it by accident.
      vectors: idsOf(text).map((id) => (id === MARK ? Float32Array.of(0, 0, 1) : vector(id))),
    })),
};
const idsOf = (text: string) => [MARK, ...text.split(" ").flatMap((word) => ANGLES[word] ?? []), MARK];
const signal = new AbortController().signal;
const cosine = (angle: number) => Math.cos((angle * Math.PI) / 180);
const score = async (prediction: string, references: string[], options = {}) =>
  (await loadBertScore(circle, [{ prediction, references }], signal, options)).score(prediction, references);

describe("BERTScore", () => {
  it("matches each token with its nearest and takes the F-measure, the marks weighing nothing", async () => {
    // king–ruler and queen–ruler are 30° apart: precision cos 30°. The nearest to ruler is either of them: recall cos
    // 30°.
    expect(await score("king queen", ["ruler"])).toBeCloseTo(cosine(30), 6);
    // Precision: king 0°→king; ship→boat 10°. Recall: king; boat. Both (1 + cos 10°) ÷ 2.
    expect(await score("king ship", ["king boat"])).toBeCloseTo((1 + cosine(10)) / 2, 6);
    // The nearest to king is a special token at a right angle: precision cos 10° ÷ 2, recall cos 10°.
    expect(await score("king ship", ["boat"])).toBeCloseTo((2 / 3) * cosine(10), 6);
  });

  it("weighs rare tokens more with idf", async () => {
    const pairs = [
      { prediction: "king ship", references: ["king boat"] },
      { prediction: "king", references: ["king queen"] },
    ];
    const metric = await loadBertScore(circle, pairs, signal, { idf: true });
    // Two references: king is in both (log 3/3 = 0), boat in one (log 3/2), ship in none (log 3).
    expect(metric.score("king ship", ["king boat"])).toBeCloseTo(cosine(10), 6);
    const plain = await loadBertScore(circle, pairs, signal);
    expect(plain.score("king ship", ["king boat"])).toBeCloseTo((1 + cosine(10)) / 2, 6);
  });

  it("counts a reference that comes twice as two, as the authors' code does", async () => {
    const queens = { prediction: "queen", references: ["queen"] };
    const pairs = [{ prediction: "king ship", references: ["king boat"] }, queens, queens];
    const metric = await loadBertScore(circle, pairs, signal, { idf: true });
    // Of three references, king and boat are each in one (log 4/2), ship in none (log 4).
    const [known, unknown] = [Math.log(2), Math.log(4)];
    const precision = (known + unknown * cosine(10)) / (known + unknown);
    const recall = (1 + cosine(10)) / 2;
    expect(metric.score("king ship", ["king boat"])).toBeCloseTo((2 * precision * recall) / (precision + recall), 6);
  });

  it("moves every score so that the baseline is 0", async () => {
    const raw = await score("king queen", ["ruler"]);
    expect(await score("king queen", ["ruler"], { baseline: [0.5, 0.5, 0.6] })).toBeCloseTo((raw - 0.6) / 0.4, 6);
  });

  it("gives an answer without words 0, and the best of several references by default", async () => {
    expect(await score("", ["king"])).toBe(0);
    expect(await score("king", ["ship", "king"])).toBeCloseTo(1, 6);
  });
});

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { transformersEmbedder } from "../../src/models/adapters/transformers-embedder.ts";
import type { TokenEmbedder } from "../../src/models/embeddings/token-embedder.ts";
import { loadBertScore } from "../../src/qa/metrics/bert-score.ts";

const folder = process.env.FABULA_TRANSFORMERS!;
const model = process.env.FABULA_BERT_MODEL!;
const signal = new AbortController().signal;
const PAIRS = [
  { prediction: "The old man drowned in the river.", references: ["An elderly man drowned in a river.", "He died."] },
  { prediction: "Because she never received the letter", references: ["The letter never reached her.", "Paris"] },
  { prediction: "Paris", references: ["He was killed by his brother in the war.", "London"] },
];

let embedder: TokenEmbedder;
beforeAll(async () => {
  embedder = await transformersEmbedder({ model: `${model}:q4`, folder, maximumThreads: 2 });
});

/**
 * The published algorithm written down once more, straight from the formulas of Zhang et al. (2020), on vectors asked of the
 * library one text at a time: no batches, no padding, no caches.
 */
async function independently(pairs: typeof PAIRS, idf: boolean): Promise<number[][]> {
  const path = createRequire(join(folder, "index.js")).resolve("@huggingface/transformers");
  const { AutoModel, AutoTokenizer, env } = await import(pathToFileURL(path).href);
  env.localModelPath = join(model, "..", "/");
  const name = model.split(/[\\/]/).at(-1);
  const tokenizer = await AutoTokenizer.from_pretrained(name, { local_files_only: true });
  const network = await AutoModel.from_pretrained(name, { local_files_only: true, dtype: "q4" });
  const read = async (text: string) => {
    const inputs = tokenizer([text]);
    const { last_hidden_state: hidden } = await network(inputs);
    const vectors: number[][] = hidden.tolist()[0];
    return { ids: inputs.input_ids.tolist()[0].map(Number) as number[], vectors };
  };
  const references = pairs.flatMap((pair) => pair.references);
  const documents = await Promise.all(references.map(async (text) => new Set((await read(text)).ids)));
  const weight = (id: number) => {
    if (id === 101 || id === 102) return 0;
    if (!idf) return 1;
    return -Math.log((documents.filter((ids) => ids.has(id)).length + 1) / (references.length + 1));
  };
  const cosine = (x: readonly number[], y: readonly number[]) => {
    const dot = x.reduce((sum, value, at) => sum + value * y[at]!, 0);
    return dot / Math.sqrt(x.reduce((sum, v) => sum + v * v, 0)) / Math.sqrt(y.reduce((sum, v) => sum + v * v, 0));
  };
  const side = (from: Awaited<ReturnType<typeof read>>, to: typeof from) => {
    const weights = from.ids.map(weight);
    const best = from.vectors.map((x) => Math.max(...to.vectors.map((y) => cosine(x, y))));
    return best.reduce((sum, value, at) => sum + weights[at]! * value, 0) / weights.reduce((sum, w) => sum + w, 0);
  };
  return Promise.all(
    pairs.map(({ prediction, references: own }) =>
      Promise.all(
        own.map(async (reference) => {
          const [x, y] = [await read(prediction), await read(reference)];
          const [precision, recall] = [side(x, y), side(y, x)];
          return (2 * precision * recall) / (precision + recall);
        }),
      ),
    ),
  );
}

describe("BERTScore with a real model", () => {
  it.each([false, true])("is what the published algorithm gives, computed independently (idf %s)", async (idf) => {
    const metric = await loadBertScore(embedder, PAIRS, signal, { idf });
    const expected = await independently(PAIRS, idf);
    for (const [at, { prediction, references }] of PAIRS.entries()) {
      for (const [place, reference] of references.entries()) {
        // Padding in a batch moves the last digits of a quantised model.
        expect(metric.score(prediction, [reference])).toBeCloseTo(expected[at]![place]!, 5);
      }
    }
  });

  it("gives the same text 1, and a paraphrase more than something else", async () => {
    const pairs = [
      { prediction: "He drowned at sea.", references: ["He drowned at sea.", "The sea took him.", "A red hat."] },
    ];
    const metric = await loadBertScore(embedder, pairs, signal);
    const score = (reference: string) => metric.score("He drowned at sea.", [reference]);
    expect(score("He drowned at sea.")).toBeCloseTo(1, 5);
    expect(score("The sea took him.")).toBeGreaterThan(score("A red hat."));
  });

  it("says what to do when the model is not there", async () => {
    await expect(
      transformersEmbedder({ model: join(folder, "nowhere", "model"), folder, maximumThreads: 2 }),
    ).rejects.toThrow("give a folder with config.json");
  });
});

import { z } from "zod";
import { seededRandom } from "../core/random.ts";
import { estimateTokens } from "../models/estimate-tokens.ts";
import { sumBy } from "../stats/distribution/sum-by.ts";
import { seedFrom } from "./faults.ts";

const requestSchema = z.object({
  model: z.string(),
  input: z.union([z.string().transform((text) => [text]), z.array(z.string())]),
});
const DIMENSIONS = 64;

/** OpenAI's embeddings, simulated: texts that share runs of letters get vectors that point the same way. */
export function simulatedEmbeddings(body: string): unknown {
  const { model, input } = requestSchema.parse(JSON.parse(body));
  const tokens = sumBy(input, (text) => estimateTokens(text));
  return {
    object: "list",
    model,
    data: input.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function vectorOf(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  const padded = ` ${text.toLowerCase()} `;
  for (let start = 0; start + 3 <= padded.length; start++) {
    const random = seededRandom(seedFrom(padded.slice(start, start + 3)));
    for (let place = 0; place < DIMENSIONS; place++) vector[place] = vector[place]! + random() - 0.5;
  }
  return vector;
}

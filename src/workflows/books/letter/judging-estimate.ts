import type { EditLetter } from "../../../judge/letter/letter-part.ts";
import { estimateTokens } from "../../../models/estimate-tokens.ts";
import { costOf, loadPrices, priceOf } from "../../../models/prices.ts";
import { sumBy } from "../../../stats/distribution/sum-by.ts";
import type { Book } from "../../../text/book.ts";
import { segmentBook } from "../../../text/segments.ts";

const JUDGE = "openai:gpt-4.1";
const METHOD = "summary";

/**
 * Tokens of the plans that `--dry-run` makes: beside the text itself, every segment takes a prompt with the summary so far, and
 * the judge's own calls take the same for every book. Planning in full would take longer than the rest of the letter; a test
 * holds this to the planner.
 */
const PER_SEGMENT = { input: 1_650, output: 1_200 };
const JUDGING = { input: 31_000, output: 6_750 };

/** What it would cost to have a language model judge what the jury cannot; null where the price is not known. */
export async function estimateJudging(book: Book): Promise<NonNullable<EditLetter["judging"]> | null> {
  const price = priceOf(await loadPrices(), JUDGE);
  if (price === null) return null;
  const segments = segmentBook(book).length;
  const usage = {
    inputTokens:
      sumBy(book.chapters, ({ text }) => estimateTokens(text)) + segments * PER_SEGMENT.input + JUDGING.input,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    outputTokens: segments * PER_SEGMENT.output + JUDGING.output,
  };
  return { judge: JUDGE, method: METHOD, dollars: costOf(price, usage) };
}

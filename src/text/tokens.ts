import { PieceCounts } from "./piece-counts.ts";
import { forEachTokenPiece } from "./token-pieces.ts";

export type TokenCounter = (text: string) => number;

let counter: Promise<TokenCounter> | null = null;

/**
 * Counts tokens as o200k_base does (GPT-4o and later); other models' counts differ by some per cent. The tables are large,
 * so they load when the first text is counted, not when the program starts.
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  counter ??= createCounter();
  return counter;
}

async function createCounter(): Promise<TokenCounter> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const counts = new PieceCounts();
  // `<|endoftext|>` in a manuscript is text like any other.
  const options = { disallowedSpecial: new Set<string>() };
  const compute = (piece: string) => countTokens(piece, options);
  return (text) => {
    let total = 0;
    forEachTokenPiece(text, (start, end) => {
      total += counts.get(text, start, end, compute);
    });
    return total;
  };
}

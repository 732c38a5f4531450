import { LONGEST_PIECE, MergeRanks } from "./merge-ranks.ts";
import { PieceCounts } from "./piece-counts.ts";
import { forEachTokenPiece } from "./token-pieces.ts";

export type TokenCounter = (text: string) => number;

let counter: Promise<TokenCounter> | null = null;

/**
 * Counts tokens as o200k_base does (GPT-4o and later); other models' counts differ by some per cent. The tables are large,
 * so they load when the first text is counted, not when the program starts.
 *
 * @example
 * ```ts
 * const countTokens = await loadTokenCounter();
 * countTokens("It was a dark and stormy night."); // 9
 * ```
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  counter ??= createCounter();
  return counter;
}

/** Of a piece with more windows than this, which is noise, so many are counted and stand for the rest. */
const MOST_WINDOWS = 16;

async function createCounter(): Promise<TokenCounter> {
  // The library's ranks without its merging, which takes ten times as long. `<|endoftext|>` is text like any other.
  const { default: tokens } = await import("gpt-tokenizer/bpeRanks/o200k_base");
  const ranks = new MergeRanks(tokens);
  const counts = new PieceCounts();
  const compute = (piece: string) => ranks.count(piece);
  const count = (text: string, start: number, end: number) =>
    end - start <= LONGEST_PIECE ? counts.get(text, start, end, compute) : countLongPiece(text, start, end, compute);
  return (text) => {
    let total = 0;
    forEachTokenPiece(text, (start, end) => {
      total += count(text, start, end);
    });
    return total;
  };
}

/** Unbroken letters, thousands of accents on one letter: cut into windows, so that the time grows with the length alone. */
function countLongPiece(text: string, start: number, end: number, compute: (piece: string) => number): number {
  const windows = Math.ceil((end - start) / LONGEST_PIECE);
  const step = Math.max(1, Math.floor(windows / MOST_WINDOWS));
  let counted = 0;
  let tokens = 0;
  for (let window = 0; window < windows; window += step) {
    const from = wholeCharacter(text, start + window * LONGEST_PIECE);
    const to = wholeCharacter(text, Math.min(end, start + (window + 1) * LONGEST_PIECE));
    tokens += compute(text.slice(from, to));
    counted += to - from;
  }
  return Math.round((tokens * (end - start)) / counted);
}

/** The place itself, or the one before it where it would cut a pair of surrogates. */
function wholeCharacter(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}

import { sum } from "../../stats/distribution/sum.ts";
import { countWords } from "../../text/words.ts";
import type { WrittenRow } from "../bench-folder.ts";
import { wordsIn } from "../words/words-in.ts";

/** How a writer kept to its task: what readers of a leaderboard must know before they read its levels. */
export interface WritingRates {
  readonly asked: number;
  readonly unwritten: number;
  readonly refused: number;
  /** Ended by the token limit. */
  readonly cutOff: number;
  /** Outside half to twice the length that was asked for. */
  readonly offLength: number;
  readonly meanWords: number | null;
}

export function writingRates(rows: readonly WrittenRow[], words: number): WritingRates {
  const lengths = rows.flatMap(({ text }) => (text === null ? [] : [countWords(text)]));
  return {
    asked: rows.length,
    unwritten: rows.length - lengths.length,
    refused: rows.filter(({ refused }) => refused).length,
    cutOff: rows.filter(({ cutOff }) => cutOff).length,
    offLength: lengths.filter((length) => length < words / 2 || length > words * 2).length,
    meanWords: lengths.length === 0 ? null : sum(lengths) / lengths.length,
  };
}

/** One sentence for people; null when there is nothing to say. */
export function ratesInWords(writer: string, rates: WritingRates, language?: string): string | null {
  return wordsIn(language).rates(writer, rates);
}

/** From this share of its chapters on, what a writer did not do as asked is said above the table, not only in it. */
const NOTABLE = 0.1;

/** What must be read before the levels: writers of whom many chapters were cut off, refused, not written, or of another length. */
export function conductWarnings(
  writers: readonly { readonly writer: string; readonly rates: WritingRates }[],
  language?: string,
): string[] {
  return writers.flatMap(({ writer, rates }) => {
    const { asked, cutOff, unwritten, offLength } = rates;
    return Math.max(cutOff, unwritten, offLength) < NOTABLE * asked
      ? []
      : (ratesInWords(writer, rates, language) ?? []);
  });
}

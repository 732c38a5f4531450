import { sum } from "../../stats/distribution/sum.ts";
import { countWords } from "../../text/words.ts";
import type { WrittenRow } from "../bench-folder.ts";

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
export function ratesInWords(
  writer: string,
  { asked, refused, unwritten, cutOff, offLength }: WritingRates,
): string | null {
  const parts = [
    cutOff > 0 ? `${cutOff} of ${asked} chapters were cut off by the token limit` : null,
    refused > 0 ? `${refused} were refused` : null,
    unwritten > refused ? `${unwritten - refused} were not written` : null,
    offLength > 0 ? `${offLength} are shorter than half or longer than twice the length asked for` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `${writer}: ${parts.join("; ")}.`;
}

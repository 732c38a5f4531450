import { count as number } from "../language.ts";

/** Words and numbers, as every view writes them. */
export const figures = {
  words: (count: number) => `${number(count)} ${count === 1 ? "word" : "words"}`,
  chapters: (count: number) => `${number(count)} ${count === 1 ? "chapter" : "chapters"}`,
  chapterNumber: (index: number) => `Chapter ${index}`,
  chapterRange: (first: number, last: number) => `Chapters ${first} to ${last}`,
  by: (author: string) => `by ${author}`,
  ofScale: (maximum: number) => `of ${maximum}`,
  likely: (low: string, high: string) => `likely ${low} to ${high}`,
  noInterval: "no interval",
  percentile: "Percentile",
  percentileOf: (percentile: number, size: number) => `${ordinal(percentile)} percentile of ${size} books`,
  percentileShort: (percentile: number) => ordinal(percentile),
  unscored: "unscored",
  unscoredBecause: (reason: string) => `unscored: ${reason}`,
  points: (share: string) => `${share} points`,
  score: "Score",
  overall: "Overall",
  interval: "Interval",
  aspect: "Aspect",
  judge: "Judge",
  method: "Method",
  cost: "Cost",
  calls: "Calls",
  coverage: "Read",
  coverageOf: (percent: string) => `${percent} of the words`,
  wordsSeen: (inFull: string, throughSummaries: string, quoted: string) =>
    `${inFull} words in full, ${throughSummaries} through summaries, ${quoted} quoted as excerpts`,
  repeats: "Repeats",
  date: "Date",
};

function ordinal(value: number): string {
  const tens = value % 100;
  if (tens >= 11 && tens <= 13) return `${value}th`;
  return `${value}${["th", "st", "nd", "rd"][value % 10] ?? "th"}`;
}

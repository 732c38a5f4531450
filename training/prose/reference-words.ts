/**
 * Counts words and phrases of published novels for the habits section of the manuscript map. Keeps counts, never text.
 *
 *   npx tsx training/prose/reference-words.ts FOLDER_OF_EPUBS assets/reference/prose-words.txt
 *
 * A word or phrase is listed when it occurs in at least ten novels (a phrase in twenty) and often enough; the rest share
 * one low count, so that a phrase that only one novel has is never part of the file.
 */
import { writeFileSync } from "node:fs";
import { frequentPhrases } from "../../src/prose/habits/phrase-counts.ts";
import { readProse } from "../../src/prose/prose-text.ts";
import { quantile } from "../../src/stats/distribution.ts";
import { epubNovels } from "./reference-novels.ts";

const LOWEST_COUNT = 60;
const FEWEST_NOVELS = { word: 10, phrase: 20 };
const LOWEST_PHRASE_COUNT = 150;

const [folder, output] = process.argv.slice(2);
if (!folder || !output) throw new Error("Usage: npx tsx training/prose/reference-words.ts FOLDER_OF_EPUBS OUTPUT");

const counts = new Map<string, { count: number; rates: number[] }>();
const add = (phrase: string, count: number, words: number) => {
  const entry = counts.get(phrase) ?? { count: 0, rates: [] };
  entry.count += count;
  entry.rates.push((1_000_000 * count) / words);
  counts.set(phrase, entry);
};
let total = 0;
let novels = 0;
for await (const { chapters, title } of epubNovels(folder)) {
  const prose = readProse(chapters.map(({ text }) => text).join("\n\n"));
  total += prose.wordCount;
  novels++;
  const words = new Map<string, number>();
  for (const word of prose.words) words.set(word, (words.get(word) ?? 0) + 1);
  for (const [word, count] of words) add(word, count, prose.wordCount);
  for (const { phrase, at } of frequentPhrases(prose, 2)) add(phrase, at.length, prose.wordCount);
  console.error(title, prose.wordCount);
}
const listed = [...counts].filter(([phrase, { count, rates }]) =>
  phrase.includes(" ")
    ? rates.length >= FEWEST_NOVELS.phrase && count >= LOWEST_PHRASE_COUNT
    : rates.length >= FEWEST_NOVELS.word && count >= LOWEST_COUNT,
);
listed.sort((left, right) => right[1].count - left[1].count || (left[0] < right[0] ? -1 : 1));
/** A novel that never uses a phrase counts with a rate of zero. */
const highRate = (rates: readonly number[]) =>
  Math.round(quantile([...new Array<number>(novels - rates.length).fill(0), ...rates], 0.95));
writeFileSync(
  output,
  `${total} ${LOWEST_COUNT} ${LOWEST_PHRASE_COUNT}\n${listed.map(([phrase, { count, rates }]) => `${count} ${highRate(rates)} ${phrase}`).join("\n")}\n`,
);
console.log(`${total} words, ${listed.length} words and phrases listed: ${output}`);

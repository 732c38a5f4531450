import { sum } from "../../stats/distribution/sum.ts";
import { splitSentences } from "../sentences.ts";

/** How far the names of a summary stand in a text. `share` is null when the summary names too few to tell. */
export interface SummaryMatch {
  readonly share: number | null;
  readonly found: readonly string[];
  readonly absent: readonly string[];
}

/** Fewer names than this may all be spelt otherwise in a translation, or be words of the title. */
const FEWEST_NAMES = 4;

/** A text with fewer of the summary's names than this is another book (`evals/parts/answers.ts` measures how surely). */
export const SAME_BOOK_SHARE = 0.5;

const WORD = /[\p{L}][\p{L}\p{M}'’-]*/gu;

/**
 * Names are the surest sign that a summary and a text belong together: a summary cannot avoid them, and another book does
 * not have them. Words count as names when the summary writes them with a capital inside a sentence and never without,
 * and they weigh as often as the summary says them: people of the story stand in it again and again, while "England" or
 * "Christmas" may stand in any book.
 */
export function matchSummary(summary: string, words: ReadonlySet<string>): SummaryMatch {
  const names = namesIn(summary);
  const all = [...names.keys()];
  const found = all.filter((name) => words.has(name) || words.has(name.toUpperCase()));
  const absent = all.filter((name) => !found.includes(name));
  const weigh = (list: readonly string[]) => sum(list.map((name) => names.get(name)!));
  return { share: all.length < FEWEST_NAMES ? null : weigh(found) / weigh(all), found, absent };
}

/** The different words of a text, as names are looked up in it. */
export function distinctWords(text: string): Set<string> {
  return new Set(text.match(WORD)?.map(bareName));
}

function namesIn(summary: string): Map<string, number> {
  const counts = new Map<string, number>();
  const inside = new Set<string>();
  const lowerCase = new Set<string>();
  for (const { start, end } of splitSentences(summary)) {
    const words = summary.slice(start, end).match(WORD) ?? [];
    words.forEach((word, index) => {
      const name = bareName(word);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (!/^\p{Lu}\p{Ll}{2}/u.test(name)) lowerCase.add(name);
      else if (index > 0) inside.add(name);
    });
  }
  return new Map([...counts].filter(([name]) => inside.has(name) && !lowerCase.has(name.toLowerCase())));
}

function bareName(word: string): string {
  return word.replace(/['’]s?$/, "").replaceAll("’", "'");
}

import type { Chapter } from "../../text/book.ts";

export interface FoundName {
  readonly name: string;
  readonly count: number;
}

const CAPITALISED =
  /(?<![\p{L}\p{N}’'])\p{Lu}[\p{L}’'-]*\p{L}(?:[ \t]+(?:(?:de|von|van|of|la|le|du|der|den|di|da|bin|al|el)[ \t]+)?\p{Lu}[\p{L}’'-]*\p{L}\.?)*/gu;
const SENTENCE_START = /(?:^|[.!?…:;“"‘'「『—–(\n][”"’')\]]*\s*)$/;
/** Capitalised inside sentences without being the name of anybody: kept short, since a word that also occurs in lower case is dropped anyway. */
const NO_NAMES = new Set(
  `I I'm I'll I'd I've Mr Mrs Ms Miss Dr Sir Madam Lady Lord Monsieur Madame God Heaven Chapter Monday Tuesday Wednesday
  Thursday Friday Saturday Sunday January February March April May June July August September October November December
  English French German American Christmas Easter`.split(/\s+/),
);
const TITLES =
  /^(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord|Captain|Colonel|Professor|Uncle|Aunt|Count|Countess|Prince|Princess|King|Queen|Monsieur|Madame|Mademoiselle|Señor|Señora|Herr|Frau|Father|Mother|Brother|Sister|Saint|St)\.?\s+/;

/**
 * Names of people and places, found without a model: words capitalised inside sentences that the book hardly ever writes in
 * lower case, with the longer forms they are part of. The model that makes new names is shown this list and leaves out what is
 * no name.
 */
export function collectNames(chapters: readonly Pick<Chapter, "text">[], most = 120): FoundName[] {
  const counts = new Map<string, number>();
  const lower = new Map<string, number>();
  for (const { text } of chapters) {
    for (const [word] of text.matchAll(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}’'-]*/gu))
      lower.set(word, (lower.get(word) ?? 0) + 1);
    for (const match of text.matchAll(CAPITALISED)) {
      // At a sentence's start every word is capitalised: only what follows the first word tells.
      const opens = SENTENCE_START.test(text.slice(Math.max(0, match.index - 4), match.index));
      const name = (opens ? match[0].replace(/^\S+\s*/, "") : match[0])
        .replace(/[’']s$/, "")
        .replace(TITLES, "")
        .replace(/\.$/, "");
      if (name.length > 1) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .filter(({ name, count }) => {
      if (NO_NAMES.has(name)) return false;
      const asWord = Math.max(...name.split(/\s+/).map((part) => lower.get(part.toLowerCase()) ?? 0));
      return count >= 2 && (name.includes(" ") || asWord < count / 4);
    })
    .sort((left, right) => right.count - left.count || (left.name < right.name ? -1 : 1))
    .slice(0, most);
}

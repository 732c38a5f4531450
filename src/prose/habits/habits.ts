import { rate, rounded } from "../map/numbers.ts";
import { type Passage, someOf } from "../map/passage.ts";
import { type Reading, type SentenceSpan, spanOfWords } from "../map/reading.ts";
import type { ReferenceWords } from "../reference/reference-words.ts";
import { CLICHES } from "./cliches.ts";
import { type Echo, findEchoes } from "./echoes.ts";
import { phraseFinder } from "./find-phrases.ts";
import { type RepeatedOpening, repeatedOpenings } from "./openings.ts";
import { type Overuse, overusedPhrases } from "./overused.ts";

/** How often something occurs, and where. */
export interface Habit {
  readonly count: number;
  /** Per 1,000 words. */
  readonly rate: number | null;
  readonly passages: readonly Passage[];
  /** How often in each chapter, in the order of the book. */
  readonly chapters: readonly number[];
}

export interface Habits {
  readonly overused: { readonly words: readonly Overuse[]; readonly phrases: readonly Overuse[] };
  readonly echoes: Habit & { readonly strongest: readonly Echo[] };
  readonly openings: Habit & { readonly runs: readonly RepeatedOpening[] };
  /** Words that put a watcher between reader and event: "she saw", "he felt". */
  readonly filterWords: Habit;
  readonly weakOpenings: Habit;
  readonly stackedSimiles: Habit;
  readonly cliches: Habit & { readonly phrases: readonly { readonly phrase: string; readonly count: number }[] };
}

const FILTERS = new Set(
  "saw heard felt noticed watched realised realized wondered seemed observed sensed spotted perceived decided".split(
    " ",
  ),
);

const findCliches = phraseFinder(CLICHES);

export function habitsOf(reading: Reading, reference: ReferenceWords): Habits {
  const { prose, sentences, dialogue, chapters, locate } = reading;
  const words = prose.wordCount;
  const order = new Map(chapters.map(({ index }, place) => [index, place]));
  const habit = (passages: readonly Passage[]): Habit => {
    const byChapter = new Array<number>(chapters.length).fill(0);
    for (const { chapter } of passages) byChapter[order.get(chapter)!]!++;
    return {
      count: passages.length,
      rate: rounded(rate(passages.length, words), 3),
      passages: someOf(passages),
      chapters: byChapter,
    };
  };
  const place = (first: number, end: number) => locate(spanOfWords(prose, first, end));
  const filters: Passage[] = [];
  for (let word = 0; word < words; word++) {
    if (FILTERS.has(prose.words[word]!) && !dialogue.quoted[word]) filters.push(place(word, word + 1));
  }
  const weak = sentences.filter(({ firstWord, isQuoted }) => {
    const [first, second] = [prose.words[firstWord], prose.words[firstWord + 1]];
    return (
      !isQuoted &&
      (first === "there" || first === "it") &&
      (second === "was" || second === "were" || second === "is" || second === "are")
    );
  });
  const similes = sentences.filter((sentence) => similesIn(prose.words, sentence) >= 2);
  const cliches = findCliches(prose);
  const counts = new Map<number, number>();
  for (const { phrase } of cliches) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  const echoes = findEchoes(reading, reference);
  const runs = repeatedOpenings(reading);
  return {
    overused: overusedPhrases(reading, reference),
    echoes: { ...habit(echoes.map(({ passage }) => passage)), strongest: someOf(echoes, 30) },
    openings: { ...habit(runs.map(({ passage }) => passage)), runs: runs.slice(0, 20) },
    filterWords: habit(filters),
    weakOpenings: habit(weak.map(locate)),
    stackedSimiles: habit(similes.map(locate)),
    cliches: {
      ...habit(cliches.map(({ first, end }) => place(first, end))),
      phrases: [...counts]
        .map(([phrase, count]) => ({ phrase: CLICHES[phrase]!, count }))
        .sort((left, right) => right.count - left.count),
    },
  };
}

/** "Like a …", "as if", "as though", "as … as a". */
function similesIn(words: readonly string[], { firstWord, endWord }: SentenceSpan): number {
  const isArticle = (word: string | undefined) => word === "a" || word === "an";
  let count = 0;
  for (let word = firstWord; word < endWord - 1; word++) {
    const next = words[word + 1]!;
    if (words[word] === "like") count += isArticle(next) ? 1 : 0;
    else if (words[word] === "as") {
      if (next === "if" || next === "though") count++;
      else if (word + 3 < endWord && words[word + 2] === "as" && isArticle(words[word + 3])) count++;
    }
  }
  return count;
}

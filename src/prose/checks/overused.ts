import { countOf } from "../../core/wording.ts";
import { FUNCTION_WORDS } from "../function-words.ts";
import { frequentPhrases, type PhraseUse } from "../habits/phrase-counts.ts";
import { type BookProse, spanOfWords } from "../map/book-prose.ts";
import { loadReferenceWords } from "../reference/reference-words.ts";
import { type Check, chapterOfWord, type Suspicion, sentenceAround } from "./check.ts";

const FEWEST_WORDS_OF_PHRASE = 3;
/** "As if she" is grammar: a phrase says something by two words at least that do more. */
const FEWEST_CONTENT_WORDS = 2;
const SMALL_WORDS = new Set(FUNCTION_WORDS);
const FEWEST = 8;
/** Uses for 1,000 words; what the reference novels hardly know has to come back this often. */
const LEAST_RATE = 0.3;
/** How many times the rate that nineteen of twenty reference novels stay below. */
const TIMES = 4;
const MOST_SPOKEN = 0.4;
const MOST = 3;
const MOST_PLACES = 6;

const DONE = new Set(
  "let ran felt bit took held shook drew came went fell rose caught made gave kept broke stood sat know knew thought".split(
    " ",
  ),
);

/** A gesture has a verb; "the cargo bay" is what the book is about. */
const isDone = (word: string) => DONE.has(word) || /^\p{L}{3,}ed$/u.test(word);

/** Phrases of the narration that stand out against the reference novels. */
export const overused: Check = (reading) => {
  const { prose } = reading;
  const reference = loadReferenceWords();
  const fewest = Math.max(FEWEST, Math.ceil((LEAST_RATE * prose.wordCount) / 1000));
  const tics = frequentPhrases(prose, fewest)
    .filter(({ phrase, at }) => {
      const words = phrase.split(" ");
      if (words.length < FEWEST_WORDS_OF_PHRASE || !words.some(isDone)) return false;
      if (words.filter((word) => word.length > 2 && !SMALL_WORDS.has(word)).length < FEWEST_CONTENT_WORDS) return false;
      const rate = (1000 * at.length) / prose.wordCount;
      return rate >= TIMES * (reference.high.get(phrase) ?? 0) && isHabit(reading, at);
    })
    .toSorted((left, right) => right.at.length * right.length - left.at.length * left.length);
  return withoutOverlaps(tics)
    .slice(0, MOST)
    .map(
      ({ phrase, at, length }): Suspicion => ({
        kind: "overused",
        title: `“${phrase}” comes back too often`,
        claim: `“${phrase}” stands ${countOf(at.length, "time")}, far more often than in published novels.`,
        severity: "consider",
        places: at
          .slice(0, MOST_PLACES)
          .map((word) => sentenceAround(reading, spanOfWords(prose, word, word + length), 300)),
        advice: "Keep the few places where it does something, and let the others say it differently or not at all.",
      }),
    );
};

/** The narration's own, and spread over the book: what stands in a chapter or two belongs to a scene. */
function isHabit(reading: BookProse, at: readonly number[]): boolean {
  const { dialogue, chapters, prose } = reading;
  const isNamed = at.every((word) => dialogue.cast.characterAt(word) >= 0);
  const spoken = at.filter((word) => dialogue.quoted[word]).length;
  if (isNamed || spoken > MOST_SPOKEN * at.length) return false;
  if (chapters.length < 6) return at.at(-1)! - at[0]! > prose.wordCount / 3;
  return new Set(at.map((word) => chapterOfWord(reading, word))).size >= chapters.length / 3;
}

/** "A muscle jumped in" and "jumped in the jaw" are parts of one phrase: the first stands for all. */
function withoutOverlaps(tics: readonly PhraseUse[]): PhraseUse[] {
  const pairs = (phrase: string) =>
    phrase.split(" ").flatMap((word, at, all) => (at === 0 ? [] : [`${all[at - 1]} ${word}`]));
  const kept: PhraseUse[] = [];
  for (const tic of tics) {
    const isPart = kept.some(({ phrase, at }) => {
      const known = new Set(pairs(phrase));
      return (
        Math.abs(at.length - tic.at.length) <= 0.3 * at.length && pairs(tic.phrase).some((pair) => known.has(pair))
      );
    });
    if (!isPart) kept.push(tic);
  }
  return kept;
}

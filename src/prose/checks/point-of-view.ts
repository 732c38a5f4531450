import type { BookProse } from "../map/book-prose.ts";
import { POSSESSIVE } from "../prose-text.ts";
import { type Check, chapterOfWord, type Suspicion } from "./check.ts";
import { isRole } from "./owner.ts";

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Verbs for what only the person themselves can know. */
const MIND = set(
  "wondered hoped feared longed wished remembered recalled knew realised realized regretted dreaded wonders hopes fears",
);
const UNABLE = set("decide believe understand forget remember help");
const THOUGHT = set("thought felt");
/** Words after "thought" and "felt" that make it something nobody else could see. */
const OF = set("of about that a an the how");
/** Words that show how a narrator knows others' thoughts: by their looks, their words, or guessing. */
const HEDGES = set(
  `i me my we us our seemed seem seems appeared perhaps maybe must if though doubtless evidently apparently probably suppose supposed
  told said says confessed admitted afterwards later explained looked might may probably clearly plainly saw guessed you
  wrote writes letter heard learned learnt`,
);
const FIRST = set("i me my myself mine");
const LEAST_RATE = 0.012;
/** A narrator who does this often is omniscient; that is how the book is told. */
const MOST_PER_100_000 = 3;

/** In a first-person book, finds statements of what somebody else thinks. */
export const otherMinds: Check = (bookProse) => {
  const { prose, dialogue } = bookProse;
  if (dialogue.person !== "first") return [];
  let told = 0;
  let own = 0;
  for (let word = 0; word < prose.wordCount; word++) {
    if (dialogue.quoted[word]) continue;
    told++;
    if (FIRST.has(prose.words[word]!)) own++;
  }
  if (own < LEAST_RATE * told) return [];
  const found = bookProse.sentences.flatMap(
    (sentence) => mindIn(bookProse, sentence.firstWord, sentence.endWord) ?? [],
  );
  // Two adjacent sentences are one slip.
  const slips = found.filter(
    ({ word }, index) => index === 0 || prose.paragraphOf[word] !== prose.paragraphOf[found[index - 1]!.word],
  );
  if (slips.length > Math.max(2, (MOST_PER_100_000 * prose.wordCount) / 100_000)) return [];
  return slips.map(({ character, word }): Suspicion => {
    const { name } = dialogue.cast.characters[character]!;
    const { index } = bookProse.chapters[chapterOfWord(bookProse, word)]!;
    const sentence = bookProse.sentences.find(({ firstWord, endWord }) => firstWord <= word && word < endWord)!;
    return {
      kind: "point-of-view",
      title: `Inside ${name}’s head`,
      claim: `The book is told by “I”, and chapter ${index} says what ${name} thinks or feels.`,
      severity: "should",
      places: [{ start: sentence.start, end: sentence.end }],
      advice: "Show what the narrator can see or hear of it, or say how the narrator knows.",
    };
  });
};

function mindIn(bookProse: BookProse, first: number, end: number): { character: number; word: number } | null {
  const { prose, dialogue } = bookProse;
  const { words, traits } = prose;
  for (let word = first; word < end; word++) if (dialogue.quoted[word] || HEDGES.has(words[word]!)) return null;
  // "Could feel" and "would wonder" are guesses; "could not decide" is knowledge.
  const isGuess = (word: number) => (words[word] === "could" || words[word] === "would") && words[word + 1] !== "not";
  for (let word = first; word < Math.min(end, first + 6); word++) {
    const character = dialogue.cast.characterAt(word);
    if (character < 0 || dialogue.cast.mentionEnd(word) !== word || character === dialogue.narrator) continue;
    if (traits[word]! & POSSESSIVE || isRole(bookProse, character)) continue;
    if (words[word - 1] === "to" && words[word - 2] === "occurred") return { character, word };
    if (isGuess(word + 1)) return null;
    if (words[word + 1] === "could" && words[word + 2] === "not" && UNABLE.has(words[word + 3] ?? ""))
      return { character, word };
    const isAside = words[word + 1] === "secretly" || words[word + 1] === "inwardly" || words[word + 1] === "privately";
    const verb = words[isAside ? word + 2 : word + 1] ?? "";
    if (isAside && MIND.has(verb)) return { character, word };
    if (word + 2 < end && (MIND.has(verb) || (THOUGHT.has(verb) && OF.has(words[word + 2]!))))
      return { character, word };
    if (verb === "was" && words[word + 2] === "thinking") return { character, word };
  }
  return null;
}

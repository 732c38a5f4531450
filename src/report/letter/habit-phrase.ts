import { FUNCTION_WORDS } from "../../prose/function-words.ts";
import { genderOfRole } from "../../prose/speakers/roles.ts";

const GRAMMAR = new Set(FUNCTION_WORDS);
const DETERMINERS = new Set("the a an my your his her our their its this that these those".split(" "));
const KIN = new Set(
  "child children family friend friends people mamma papa cousin mother's father's ladyship".split(" "),
);
/** Nouns of time and gesture: in them a phrase is a habit. In others it is what the book is about. */
const GESTURES = new Set(
  `moment moments while instant second seconds time times eyes eye hand hands head face voice breath heart lips shoulder
  shoulders smile gaze glance silence word words way sort kind`.split(/\s+/),
);

/** Whether a phrase is a manner of writing rather than a part of the story: "for a moment", not "her sister" or "the boat". */
export function isHabitPhrase(phrase: string): boolean {
  const words = phrase.split(" ");
  const matter = words.filter((word) => word.length >= 4 && !GRAMMAR.has(word));
  if (matter.length === 0 || matter.some((word) => KIN.has(word) || genderOfRole(word) !== null)) return false;
  const last = words.at(-1)!;
  const isNoun = DETERMINERS.has(words.at(-2) ?? "") && matter.length === 1 && matter[0] === last;
  return !isNoun || GESTURES.has(last);
}

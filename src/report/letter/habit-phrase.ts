import { FUNCTION_WORDS } from "../../prose/function-words.ts";
import { genderOfRole } from "../../prose/speakers/roles.ts";

const GRAMMAR = new Set(FUNCTION_WORDS);
const DETERMINERS = new Set("the a an my your his her our their its this that these those".split(" "));
const KIN = new Set(
  `child children family friend friends people mamma papa cousin mother's father's ladyship man men woman women boy boys
  girl girls fellow gentleman gentlemen lady ladies person persons creature`.split(/\s+/),
);
/** A plain tag is what the letter praises elsewhere. */
const PLAIN_TAGS = new Set(["said", "asked", "says", "replied", "answered"]);
/** Nouns of time and gesture: in them a phrase is a habit. In others it is what the book is about. */
const GESTURES = new Set(
  `moment moments while instant second seconds time times eyes eye hand hands head face voice breath heart lips shoulder
  shoulders smile gaze glance silence word words way sort sorts kind kinds`.split(/\s+/),
);

const NUMBERS = new Set(
  `two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand
  hundreds thousands half`.split(/\s+/),
);
const MEASURES = new Set(
  `year years month months week weeks day days night nights hour hours minute minutes mile miles foot feet yard yards
  inch inches pound pounds dollar dollars o'clock`.split(/\s+/),
);

/** Whether a phrase is a manner of writing rather than a part of the story: "for a moment", not "her sister" or "the boat". */
export function isHabitPhrase(phrase: string): boolean {
  const words = phrase.split(" ");
  const matter = words.filter((word) => word.length >= 4 && !GRAMMAR.has(word));
  if (matter.length === 0 || matter.some((word) => KIN.has(word) || genderOfRole(word) !== null)) return false;
  if (matter.every((word) => PLAIN_TAGS.has(word))) return false;
  // "Five years" is how long ago it was, not how it is told.
  if (words.some((word) => NUMBERS.has(word)) && words.some((word) => MEASURES.has(word))) return false;
  const last = words.at(-1)!;
  // "The noise of" and "at the foot of" are half a phrase; "a sort of" is a habit.
  if (last === "of" && matter.length === 1) return GESTURES.has(matter[0]!);
  const isNoun = DETERMINERS.has(words.at(-2) ?? "") && matter.length === 1 && matter[0] === last;
  return !isNoun || GESTURES.has(last);
}

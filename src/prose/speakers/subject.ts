import type { Cast } from "../characters/cast.ts";
import { ADJECTIVES, type Gender } from "../characters/titles.ts";
import { ADJOINS, CAPITAL, OPENS, POSSESSIVE, type ProseText } from "../reading.ts";
import { SPEECH_VERBS } from "./speech-verbs.ts";

/** Who does something in a clause, as the clause puts it. */
export type Subject =
  | { readonly kind: "name"; readonly character: number }
  | { readonly kind: "pronoun"; readonly gender: Gender }
  | { readonly kind: "narrator" }
  | { readonly kind: "role"; readonly role: string }
  | { readonly kind: "several" };

const DETERMINERS = new Set("the a an his her my our their this that another".split(" "));
const SEVERAL = new Set("they we both everybody everyone".split(" "));
const LONGEST_ROLE = 4;

/** The subject that begins at this word, with the last word it takes. */
export function subjectAt(prose: ProseText, cast: Cast, word: number): { subject: Subject; last: number } | null {
  let start = word;
  const text = prose.words[start];
  if (text === undefined) return null;
  if (text === "he") return { subject: { kind: "pronoun", gender: "male" }, last: start };
  if (text === "she") return { subject: { kind: "pronoun", gender: "female" }, last: start };
  if (text === "i") return { subject: { kind: "narrator" }, last: start };
  if (SEVERAL.has(text)) return { subject: { kind: "several" }, last: start };
  const determined = DETERMINERS.has(text);
  if (determined) start++;
  while (ADJECTIVES.has(prose.words[start]!) && !cast.beginsAt(start)) start++;
  if (cast.beginsAt(start)) {
    const last = cast.mentionEnd(start);
    if (prose.traits[last]! & POSSESSIVE) return null;
    const joined =
      Boolean(prose.traits[last + 1]! & ADJOINS) &&
      prose.words[last + 1] === "and" &&
      (cast.beginsAt(last + 2) || prose.words[last + 2] === "i");
    if (joined)
      return { subject: { kind: "several" }, last: cast.beginsAt(last + 2) ? cast.mentionEnd(last + 2) : last + 2 };
    return { subject: { kind: "name", character: cast.characterAt(start) }, last };
  }
  if (determined) return roleAt(prose, word);
  // Somebody with a name who is not in the cast.
  const trait = prose.traits[start]!;
  const isStranger = Boolean(trait & CAPITAL) && !(trait & OPENS) && !(trait & POSSESSIVE);
  return isStranger ? { subject: { kind: "role", role: prose.words[start]! }, last: start } : null;
}

/** "the old lady": up to the first word that is a verb of speech or does not adjoin. */
function roleAt(prose: ProseText, determiner: number): { subject: Subject; last: number } | null {
  let last = determiner;
  while (last - determiner < LONGEST_ROLE && last + 1 < prose.wordCount) {
    const next = last + 1;
    if (!(prose.traits[next]! & ADJOINS) || SPEECH_VERBS.has(prose.words[next]!) || ENDS_ROLE.has(prose.words[next]!))
      break;
    last = next;
  }
  if (last === determiner) return null;
  return { subject: { kind: "role", role: prose.words.slice(determiner + 1, last + 1).join(" ") }, last };
}

const ENDS_ROLE = new Set(
  "with in at of to from by for who which that and as after before while when on upon looking turning was had then again quite very rather".split(
    " ",
  ),
);

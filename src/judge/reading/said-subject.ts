import type { Criterion } from "../../criteria/rubric.ts";
import type { LabelReader } from "./aspect-labels.ts";

/** What a sentence that gives a score gives it to: an aspect it names, whatever the reply is speaking of, or something else. */
export type SaidSubject =
  | { readonly kind: "aspect"; readonly criterion: Criterion }
  | { readonly kind: "section" }
  | { readonly kind: "else" };

/** Whose opinion it is, when not the judge's own: `My sister gives it 9 out of 10.` */
export const OTHERS =
  /\b(?:sister|brother|friends?|readers?|critics?|fans?|others|users|reviewers?|club|kids?|children|year-olds|wife|husband|mother|father|daughter|son|jury)\b/i;
const INTRODUCTION =
  /^(?:.*[,;]\s*(?:and\s+|but\s+)?|(?:so|thus|therefore)\s+)?(?:for|to|as for|regarding|concerning|in terms of|when it comes to)\s+(?:the\s+|its\s+)?/i;
const SPEAKER = /,?\s*\b(?:I|we)(?:[’']d|[’']ll| would| will| can| must)?(?: \p{L}+ly)?$/u;
const VERB = /^,?\s*(?:I(?:[’']d|[’']ll| would| will)? )?\p{L}+/u;
const NO_SUBJECT =
  /\b(?:an?|at|of|on|with|as|score|rating|mark|grade|solid|strong|final|overall|full|perfect|only|just|about|around|roughly|it|this|that|one)\b|[^\p{L}\s'’-]/giu;
const WHOLE = /\b(?:novel|book|story|work|series|volume|tale|aspect|category|section|criterion|element|area)\b/i;
/** `the river passages`, `her`: somebody or something of the book. */
const THING = /^(?:the|its|his|her|their|these|those|him)\b/i;
/** A subject of its own stands before these, not after them. */
const EARNED = /^,?\s*(?:earns?|deserves?|merits?|receives?|gets?)\b/i;

/**
 * Critics hand out marks to scenes and persons too, and report those of others: `I would give the river passages 10 out of
 * 10`. Only what is given to an aspect, to the book or to nothing in particular is a verdict.
 *
 * `before` is the sentence up to its verb, `phrase` goes from the verb to the number.
 */
export function saidSubject(before: string, phrase: string, label: LabelReader): SaidSubject {
  if (OTHERS.test(before)) return { kind: "else" };
  const introduced = before.trim().replace(SPEAKER, "").replace(INTRODUCTION, "").trim();
  const object = phrase.replace(VERB, "").replace(NO_SUBJECT, " ").trim();
  // `this plot`, said of a plot that was handed in as a whole, is what the reply speaks of anyway.
  if (/\bthis \p{L}{3,}/u.test(phrase)) return { kind: "section" };
  for (const name of [introduced, object]) {
    const meaning = label(name);
    if (meaning.kind === "aspect" && meaning.exact) return { kind: "aspect", criterion: meaning.criterion };
  }
  const pronoun = /\b(?:it|this|that)\b/i.test(phrase);
  const subject = EARNED.test(phrase) && !pronoun ? introduced : object;
  return THING.test(subject) && !WHOLE.test(subject) ? { kind: "else" } : { kind: "section" };
}

import { mean } from "../../stats/distribution.ts";
import type { ReferenceRule } from "./reference-rule.ts";

/** A letter of another script than Latin. */
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;
const OTHER_WORDS = /(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu;
/** Scripts that put no spaces between words: a character, with the marks that belong to it, stands for a word. */
const CHARACTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const OTHER_PUNCTUATION = /[^\P{P}!-~]/gu;

export function hasOtherScript(text: string): boolean {
  return !isAscii(text) && OTHER_LETTER.test(text);
}

/**
 * The text with every word of another script spelt out in code points ("北京" is "u21271 u20140"), and without that script's
 * punctuation. The published rules see Latin letters only, so two equal Chinese answers would share nothing; of the spelling
 * they see words like any other.
 */
export function spellOut(text: string): string {
  if (!hasOtherScript(text)) return text;
  const inCodes = (letters: string) => Array.from(letters, (letter) => `u${letter.codePointAt(0)}`).join("");
  return text
    .toLowerCase()
    .replace(OTHER_PUNCTUATION, " ")
    .replace(CHARACTERS, (character) => ` ${inCodes(character)} `)
    .replace(OTHER_WORDS, inCodes);
}

export function isAscii(text: string): boolean {
  return !/[^ -~\s]/.test(text);
}

/** Enough for the references of a large data set; a full cache is emptied. */
const MOST_KEPT = 50_000;

/** A function with a cache: words repeat, and systems are compared with the same references. */
export function memoised<Result extends NonNullable<unknown>>(
  answer: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      if (known.size >= MOST_KEPT) known.clear();
      result = answer(text);
      known.set(text, result);
    }
    return result;
  };
}

/** A way to compare an answer with reference answers. Values run from 0 to 1. */
export interface AnswerMetric {
  readonly id: string;
  readonly name: string;
  /** Combines several references by the rule; the best counts by default. */
  score(prediction: string, references: readonly string[], rule?: ReferenceRule): number;
}

interface Comparison<Reading> {
  readonly id: string;
  readonly name: string;
  /** The published rules know Latin letters only; where a reference is in another script, its words are spelt out for the metric. */
  readonly seesLatinOnly?: boolean;
  /** What the metric uses of a text, computed once per text. */
  read(text: string): Reading;
  compare(prediction: Reading, reference: Reading): number;
}

const otherScript = new WeakMap<readonly string[], boolean>();

/** Cached, since every metric asks this of the same references. */
function areOfOtherScript(references: readonly string[]): boolean {
  const known = otherScript.get(references) ?? references.some(hasOtherScript);
  otherScript.set(references, known);
  return known;
}

export function metricFrom<Reading>(comparison: Comparison<Reading>): AnswerMetric {
  const { id, name, compare, seesLatinOnly = false } = comparison;
  // Systems are compared with the same references, while no two give all the same answers.
  const readReference = memoised((text) => ({ reading: comparison.read(text) }));
  return {
    id,
    name,
    score(prediction, references, rule = "best") {
      if (references.length === 0) throw new RangeError("an answer is compared with at least one reference");
      const isSpelt = seesLatinOnly && areOfOtherScript(references);
      const predicted = comparison.read(isSpelt ? spellOut(prediction) : prediction);
      const compareWith = (reference: string) =>
        compare(predicted, readReference(isSpelt ? spellOut(reference) : reference).reading);
      if (rule === "first") return compareWith(references[0]!);
      const scores = references.map(compareWith);
      return rule === "best" ? Math.max(...scores) : mean(scores);
    },
  };
}

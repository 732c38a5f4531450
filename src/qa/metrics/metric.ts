import { mean } from "../../stats/distribution.ts";
import type { ReferenceRule } from "./reference-rule.ts";

/** A letter of a script other than Latin. */
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;
const OTHER_WORDS = /(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu;
/** Scripts without spaces between words: each character, with its combining marks, counts as a word. */
const CHARACTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const OTHER_PUNCTUATION = /[^\P{P}!-~]/gu;

export function hasOtherScript(text: string): boolean {
  return !isAscii(text) && OTHER_LETTER.test(text);
}

/**
 * Spells out every word of another script in code points ("北京" is "u21271 u20140"), and drops that script's
 * punctuation. The published rules see only Latin letters, so two equal Chinese answers would share nothing; spelt
 * out, they are words like any other.
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

/** Caches a function's results, since words repeat and systems are compared with the same references. */
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

/** A way to compare an answer with reference answers. Values are between 0 and 1. */
export interface AnswerMetric {
  readonly id: string;
  readonly name: string;
  /** Combines the scores against several references by the rule; the best counts by default. */
  score(prediction: string, references: readonly string[], rule?: ReferenceRule): number;
}

interface Comparison<Reading> {
  readonly id: string;
  readonly name: string;
  /**
   * Whether the metric knows only Latin letters, as the published rules do; words of a reference in another script
   * are then spelt out.
   */
  readonly seesLatinOnly?: boolean;
  /** What the metric needs of a text, computed once per text. */
  read(text: string): Reading;
  compare(prediction: Reading, reference: Reading): number;
}

const otherScript = new WeakMap<readonly string[], boolean>();

/** Cached, since every metric checks the same references. */
function areOfOtherScript(references: readonly string[]): boolean {
  const known = otherScript.get(references) ?? references.some(hasOtherScript);
  otherScript.set(references, known);
  return known;
}

export function metricFrom<Reading>(comparison: Comparison<Reading>): AnswerMetric {
  const { id, name, compare, seesLatinOnly = false } = comparison;
  // Cached, since systems are compared with the same references; answers rarely repeat.
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

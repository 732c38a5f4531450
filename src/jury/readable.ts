import { sumBy } from "../stats/distribution.ts";
import { detectLanguage } from "../text/language.ts";
import { FOREIGN_LIMITS, foreignPart, languageName, MINIMUM_FUNCTION_WORDS } from "./connected/foreign-passages.ts";
import { measureLayout } from "./connected/layout.ts";
import { personalPronouns, reasonOutOfOrder } from "./connected/order.ts";
import { reasonRepetitive } from "./connected/repetition.ts";
import type { PreparedText } from "./prepare-text.ts";

/** The part of the letters that are capitals: in a text typed in capitals neither names nor small words can be recognised. */
const ALL_CAPITALS = 0.8;
/** With fewer words than this a text is only called short. */
const ENOUGH_TO_TELL_LANGUAGE = 30;

/** From which part of open or broken lines on a text is a list or verse. */
export const LAYOUT_LIMITS = {
  openLines: 0.8,
  /** Lists have fewer personal pronouns per word than this; a story told in broken lines has more. */
  pronouns: 0.03,
  brokenLines: 0.4,
} as const;

/** Why no juror can score this text, or null: too short, not English, not connected prose. */
export function reasonNotToRead(chapters: readonly PreparedText[], minimumWords: number): string | null {
  const count = (of: (text: PreparedText) => number) => sumBy(chapters, of);
  const words = count(({ prose }) => prose.wordCount);
  const foreign = count(({ prose }) => prose.foreignLetters);
  const functionWords = count(({ prose }) => prose.functionWordCount);
  const isEnglish = foreign <= words && functionWords >= MINIMUM_FUNCTION_WORDS * words;
  if (words + foreign >= ENOUGH_TO_TELL_LANGUAGE && !isEnglish) {
    const text = chapters.map((chapter) => chapter.text).join("\n");
    if (isCapitals(text))
      return "the text is set in capitals throughout, which the jury cannot read: use normal upper and lower case";
    const language = detectLanguage(text);
    return language === null || language === "en"
      ? "the text is not connected English prose: it has too few of the small words that hold sentences together"
      : `the text is not English (it looks like ${languageName(language)}), and the jury reads English only`;
  }
  if (words < minimumWords) return `the text has ${words} words of prose, and at least ${minimumWords} are needed`;
  const other = foreignPart(chapters);
  if (other.part >= FOREIGN_LIMITS.refused)
    return `the text is only partly English (${other.inWords}), and the jury reads English only`;
  return reasonNotConnected(chapters);
}

function isCapitals(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const capitals = count(/\p{Lu}/gu);
  return capitals > 0 && capitals >= ALL_CAPITALS * (capitals + count(/\p{Ll}/gu));
}

/** Every juror asks about the same chapters. */
const remembered = new WeakMap<readonly PreparedText[], string | null>();

/** Why a text is not connected prose, or null. */
export function reasonNotConnected(chapters: readonly PreparedText[]): string | null {
  const known = remembered.get(chapters);
  if (known !== undefined) return known;
  const reason = reasonFromLayout(chapters) ?? reasonRepetitive(chapters) ?? reasonOutOfOrder(chapters);
  remembered.set(chapters, reason);
  return reason;
}

function reasonFromLayout(chapters: readonly PreparedText[]): string | null {
  const { openLines, brokenLines } = measureLayout(chapters);
  if ((openLines ?? 0) >= LAYOUT_LIMITS.openLines && personalPronouns(chapters) < LAYOUT_LIMITS.pronouns)
    return "the text is a list or a table of contents, not connected prose";
  if ((brokenLines ?? 0) >= LAYOUT_LIMITS.brokenLines)
    return "the text is set in lines like verse, and the jury reads prose";
  return null;
}

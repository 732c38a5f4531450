import { sumBy } from "../stats/distribution/sum-by.ts";
import { detectLanguage } from "../text/language.ts";
import { FOREIGN_LIMITS, foreignPart, languageName, MINIMUM_FUNCTION_WORDS } from "./connected/foreign-passages.ts";
import { reasonNotConnected } from "./connected-prose.ts";
import type { PreparedText } from "./prepare-text.ts";

/** The part of the letters that are capitals: a text that was typed so has no names and no small words that can be told. */
const ALL_CAPITALS = 0.8;
/** Fewer words than this are too short for a text to be called anything but short. */
const ENOUGH_TO_TELL_LANGUAGE = 30;

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

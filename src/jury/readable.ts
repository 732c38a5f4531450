import { sumBy } from "../stats/distribution/sum-by.ts";
import { detectLanguage } from "../text/language.ts";
import { reasonNotConnected } from "./connected-prose.ts";
import type { PreparedText } from "./prepare-text.ts";

/** Small grammatical words are 40–60% of English prose and under 20% of anything else. */
const MINIMUM_FUNCTION_WORDS = 0.25;
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
    const language = detectLanguage(chapters.map(({ text }) => text).join("\n"));
    return language === null || language === "en"
      ? "the text is not connected English prose: it has too few of the small words that hold sentences together"
      : `the text is not English (it looks like ${languageName(language)}), and the jury reads English only`;
  }
  if (words < minimumWords) return `the text has ${words} words of prose, and at least ${minimumWords} are needed`;
  return reasonNotConnected(chapters);
}

function languageName(code: string): string {
  return new Intl.DisplayNames("en", { type: "language", fallback: "code" }).of(code) ?? code;
}

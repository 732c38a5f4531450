import type { BenchWords } from "./bench-words.ts";
import { CHINESE_WORDS } from "./chinese-words.ts";
import { ENGLISH_WORDS } from "./english-words.ts";

/** Chinese for a Chinese corpus, English for every other. */
export function wordsIn(language: string | null | undefined): BenchWords {
  return language === "zh" ? CHINESE_WORDS : ENGLISH_WORDS;
}

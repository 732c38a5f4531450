import { CHINESE_REPORT } from "./chinese-report.ts";
import { ENGLISH_REPORT } from "./english-report.ts";
import type { ReportWords } from "./report-words.ts";

/** Chinese for a Chinese corpus, English for every other. */
export function reportWordsIn(language: string | null | undefined): ReportWords {
  return language === "zh" ? CHINESE_REPORT : ENGLISH_REPORT;
}

import type { LetterFigure } from "../../judge/letter/quoted-passage.ts";
import type { LetterLanguage } from "./letter-texts.ts";

type Unit = LetterFigure["unit"];

const UNITS: Readonly<Record<LetterLanguage, Readonly<Record<Unit, (number: string) => string>>>> = {
  en: {
    words: (number) => `${number} words`,
    share: (number) => `${number} %`,
    "per 1,000 words": (number) => `${number} per 1,000 words`,
    score: (number) => number,
    ratio: (number) => number,
  },
  zh: {
    words: (number) => `${number} 词`,
    share: (number) => `${number} %`,
    "per 1,000 words": (number) => `每千词 ${number} 次`,
    score: (number) => number,
    ratio: (number) => number,
  },
};

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** A figure with its unit, as a person writes it. */
export function figureInWords(value: number, unit: Unit, language: LetterLanguage = "en"): string {
  return UNITS[language][unit](numberOf(value, unit));
}

/** The figure of a book; one without a reference is of a language that counts characters. */
export function ownFigureInWords({ value, unit, reference }: LetterFigure, language: LetterLanguage): string {
  const words = figureInWords(value, unit, language);
  return reference === null ? words.replace("词", "字") : words;
}

/** Median and edges of a reference; the unit stands once, at the end, except for shares. */
export function referenceInWords(
  { unit, reference }: LetterFigure,
  language: LetterLanguage,
): { median: string; low: string; high: string } | null {
  if (reference === null) return null;
  const bare = (value: number) => (unit === "share" ? figureInWords(value, unit, language) : numberOf(value, unit));
  return {
    median: bare(reference.median),
    low: bare(reference.low),
    high: figureInWords(reference.high, unit, language),
  };
}

function numberOf(value: number, unit: Unit): string {
  if (unit === "share") return (100 * value).toFixed(Math.abs(value) < 0.1 ? 1 : 0);
  if (unit === "words") return Math.abs(value) < 100 ? value.toFixed(0) : Math.round(value).toLocaleString("en-GB");
  return value.toFixed(Math.abs(value) < 10 ? 2 : 0);
}

export function timesInWords(count: number, language: LetterLanguage): string {
  if (language === "zh") return `${count} 次`;
  if (count === 1) return "once";
  return count === 2 ? "twice" : `${count.toLocaleString("en-GB")} times`;
}

/** "four times as often": a ratio without false precision. */
export function ratioInWords(ratio: number, language: LetterLanguage): string {
  const number = ratio < 3 ? ratio.toFixed(1) : ratio.toFixed(0);
  return language === "zh" ? `${number} 倍` : `${number} times`;
}

/** "six" of ten. */
export function tenthsInWords(rate: number, language: LetterLanguage): string {
  const tenths = Math.round(10 * rate);
  return language === "zh" ? `${tenths} 句` : (SMALL[tenths] ?? String(tenths));
}

/** A small number as a sentence has it. */
export function countInWords(count: number, language: LetterLanguage): string {
  return language === "zh" ? String(count) : (SMALL[count] ?? String(count));
}

/** "a, b and c" */
export function listInWords(items: readonly string[], and: string, language: LetterLanguage): string {
  if (language === "zh") return items.join("、");
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${and} ${items.at(-1)}`;
}

import type { LetterFigure } from "../../judge/letter/parts.ts";

export type LetterLanguage = "en" | "zh";

/** A difference of two shares is in points: "30 % less" would mean something else. */
type Unit = LetterFigure["unit"] | "points";

/** Keeps a figure and its sign on one line. */
const NO_BREAK = "\u00a0";
const MOST_DECIMALS = 4;

const UNITS: Readonly<Record<LetterLanguage, Readonly<Record<Unit, (number: string) => string>>>> = {
  en: {
    words: (number) => `${number} words`,
    share: (number) => `${number}${NO_BREAK}%`,
    points: (number) => `${number} points`,
    "per 1,000 words": (number) => `${number} per 1,000 words`,
    score: (number) => number,
    ratio: (number) => number,
  },
  zh: {
    words: (number) => `${number} 词`,
    share: (number) => `${number}${NO_BREAK}%`,
    points: (number) => `${number} 个百分点`,
    "per 1,000 words": (number) => `每千词 ${number} 次`,
    score: (number) => number,
    ratio: (number) => number,
  },
};

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** A figure with its unit, as a person would write it. */
export function figureInWords(value: number, unit: Unit, language: LetterLanguage = "en", more = 0): string {
  return UNITS[language][unit](numberOf(value, unit, more));
}

/** The unit in which a figure is stated. */
function unitOf({ id, unit }: LetterFigure): Unit {
  return id === "dialogue-drop" ? "points" : unit;
}

/** Extra decimals, so that a figure outside the reference does not look like its limit. */
export function decimalsToTell(figure: LetterFigure): number {
  const { value, reference, place } = figure;
  if (reference === null || (place !== "above" && place !== "below")) return 0;
  const edge = place === "above" ? reference.high : reference.low;
  const unit = unitOf(figure);
  let more = 0;
  while (more < MOST_DECIMALS && numberOf(value, unit, more) === numberOf(edge, unit, more)) more++;
  return more;
}

/** The figure of a book; without a reference, it belongs to a language in which characters are counted. */
export function ownFigureInWords(figure: LetterFigure, language: LetterLanguage, more = 0): string {
  const words = figureInWords(figure.value, unitOf(figure), language, more);
  return figure.reference === null ? words.replace("词", "字") : words;
}

/** Median and limits of a reference; the unit appears once, at the end, except for shares. */
export function referenceInWords(
  figure: LetterFigure,
  language: LetterLanguage,
  more = 0,
): { median: string; low: string; high: string } | null {
  const { reference } = figure;
  if (reference === null) return null;
  const unit = unitOf(figure);
  const bare = (value: number) =>
    unit === "share" ? figureInWords(value, unit, language, more) : numberOf(value, unit, more);
  return {
    median: bare(reference.median),
    low: bare(reference.low),
    high: figureInWords(reference.high, unit, language, more),
  };
}

function numberOf(value: number, unit: Unit, more = 0): string {
  if (value === 0) return "0";
  if (value < 0) return signedWith(numberOf(-value, unit, more));
  if (unit === "share") return (100 * value).toFixed((Math.abs(value) < 0.1 ? 1 : 0) + more);
  if (unit === "points") return (100 * value).toFixed(more);
  if (unit === "words") return Math.abs(value) < 100 ? value.toFixed(more) : grouped(value, more);
  return value.toFixed((Math.abs(value) < 10 ? 2 : 0) + more);
}

/** Uses a real minus sign, but not for a number that rounds to zero. */
function signedWith(size: string): string {
  return /[1-9]/.test(size) ? `−${size}` : size;
}

function grouped(value: number, decimals: number): string {
  return value.toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

export function timesInWords(count: number, language: LetterLanguage): string {
  if (language === "zh") return `${count} 次`;
  if (count === 1) return "once";
  return count === 2 ? "twice" : `${count.toLocaleString("en-GB")} times`;
}

/** "six", as in "six of ten". */
export function tenthsInWords(rate: number, language: LetterLanguage): string {
  const tenths = Math.round(10 * rate);
  return language === "zh" ? `${tenths} 句` : (SMALL[tenths] ?? String(tenths));
}

/** A small number as written in a sentence. */
export function countInWords(count: number, language: LetterLanguage): string {
  return language === "zh" ? String(count) : (SMALL[count] ?? String(count));
}

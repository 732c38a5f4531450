import type { Change, Cost, Verdict } from "../../src/api/evaluations.ts";
import type { Texts } from "../texts/english.ts";
import { count, type Language, ownVariety } from "../texts/language.ts";

export interface Scale {
  readonly minimum: number;
  readonly maximum: number;
}

/** The scale on which scores of different scales stand beside each other. */
export const HUNDRED: Scale = { minimum: 0, maximum: 100 };

export function isSameScale(left: Scale, right: Scale): boolean {
  return left.minimum === right.minimum && left.maximum === right.maximum;
}

/** In proportion to the highest score, as everywhere: 3.8 of 5 is 76 of 100. */
export function onHundred(verdict: Verdict, scale: Scale): Verdict {
  if (verdict.kind === "unscored" || isSameScale(scale, HUNDRED)) return verdict;
  const share = (value: number) => Number(((100 * value) / scale.maximum).toFixed(6));
  const { score, interval } = verdict;
  return { ...verdict, score: share(score), ...(interval && { interval: [share(interval[0]), share(interval[1])] }) };
}

/** A change of a score with its difference. */
export function changeOnHundred(change: Change, scale: Scale): Change {
  const share = (points: number) => (100 * points) / scale.maximum;
  const { before, after, difference, interval } = change;
  return {
    ...change,
    before: before === null ? null : share(before),
    after: after === null ? null : share(after),
    difference: difference === null ? null : share(difference),
    interval: interval && [share(interval[0]), share(interval[1])],
  };
}

export function scoreInFigures(score: number): string {
  return score.toFixed(1);
}

export function money(cost: number): string {
  if (cost === 0) return "$0";
  return cost < 0.01 ? "< $0.01" : `$${cost.toFixed(2)}`;
}

/** What calls came to: a price that is not known is not a price of nothing. */
export function spending(
  { cost, unpricedCalls = 0, coveredCalls = 0 }: Cost,
  texts: Pick<Texts, "unknown" | "atLeast" | "covered">,
): string {
  if (cost === null) return unpricedCalls === 0 && coveredCalls > 0 ? texts.covered : texts.unknown;
  return unpricedCalls > 0 ? texts.atLeast(money(cost)) : money(cost);
}

export function percent(share: number): string {
  if (share >= 1) return "100 %";
  if (share === 0) return "0 %";
  return `${Math.min(99.9, Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

/** How much of a book a judge saw: the share it read, or how many words in which form where it did not read all itself. */
export function wordsSeen(
  { words, share, inFull, throughSummaries = 0, quoted = 0 }: Coverage,
  texts: Pick<Texts, "coverageOf" | "wordsSeen" | "cellNotStored">,
): string {
  if (words === 0) return texts.cellNotStored;
  if (inFull === undefined || throughSummaries + quoted === 0) return texts.coverageOf(percent(share));
  return texts.wordsSeen(count(inFull), count(throughSummaries), count(quoted));
}

interface Coverage {
  readonly words: number;
  readonly share: number;
  readonly inFull?: number | undefined;
  readonly throughSummaries?: number | undefined;
  readonly quoted?: number | undefined;
}

/** A number that says which way it points, with a true minus. */
export function signed(value: number, digits = 1): string {
  const figure = Math.abs(value).toFixed(digits);
  if (Number(figure) === 0) return figure;
  return value > 0 ? `+${figure}` : `−${figure}`;
}

/** A number with a true minus. */
export function figure(value: number, digits = 2): string {
  return value
    .toFixed(digits)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace(/^-/, "");
}

/** The name of a language in the reader's; its code where there is none. */
export function languageInWords(code: string, language: Language): string {
  try {
    return new Intl.DisplayNames([ownVariety(language)], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

export function moment(iso: string, language: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(ownVariety(language), { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** A day without a time: "23 Sept 2026". */
export function day(iso: string, language: Language): string {
  const date = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(ownVariety(language), { dateStyle: "medium", timeZone: "UTC" }).format(date);
}

/** As exactly as an estimate deserves: "4 minutes", "25 minutes", "2 hours". */
export function durationInWords(seconds: number, language: Language): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const hours = Math.round(minutes / 60);
  const [value, unit] =
    minutes >= 90 ? [hours, "hour"] : [minutes > 10 ? 5 * Math.round(minutes / 5) : minutes, "minute"];
  return value.toLocaleString(ownVariety(language), { style: "unit", unit, unitDisplay: "long" });
}

/** Thousands and millions as the reader's language shortens them: "12K", "1.2万". */
export function shortNumber(value: number, language: Language): string {
  const options: Intl.NumberFormatOptions = value >= 1e4 ? { notation: "compact", maximumFractionDigits: 1 } : {};
  return value.toLocaleString(ownVariety(language), options);
}

/** Where a score stands between the ends of its scale, in percent. */
export function position(score: number, scale: Scale): number {
  const share = (score - scale.minimum) / (scale.maximum - scale.minimum);
  return Math.min(100, Math.max(0, share * 100));
}

export function intervalOf(verdict: Verdict): readonly [number, number] | null {
  return verdict.kind === "scored" ? (verdict.interval ?? null) : null;
}

const ROMAN_NUMERAL = /^[IVXLCDM]+(?=$|[.:\s])/;
const BARE_NUMBER = /^(?:[IVXLCDM]+|\d+)\.?$/;

/** A title that numbers itself ("Chapter 4: The Scale", "IV. The Scale", "第四回") is not numbered a second time. */
export function chapterInWords(index: number, title: string | null | undefined, numbered: (index: number) => string) {
  if (!title) return numbered(index);
  // A lone "I" under a quotation says nothing; beside our count it does.
  if (BARE_NUMBER.test(title)) return numberOf(title) === index ? numbered(index) : `${numbered(index)} (${title})`;
  const numbersItself = /^(chapter|book|part|letter|canto|stave|第|\d+\b)/i.test(title) || ROMAN_NUMERAL.test(title);
  return numbersItself ? title : `${numbered(index)}: ${title}`;
}

const ROMAN_DIGITS: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

/** Of a bare number in Arabic or Roman digits. */
function numberOf(title: string): number {
  const digits = title.replace(".", "");
  if (/^\d+$/.test(digits)) return Number(digits);
  const values = [...digits].map((digit) => ROMAN_DIGITS[digit] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}

/** A figure of the manuscript map in its unit; what has no value is a dash, never zero. */
export function figureInWords(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined) return "–";
  if (unit === "share") return percent(value);
  if (unit === "words") return count(Math.round(value));
  return value.toFixed(Math.abs(value) < 1 ? 2 : 1).replace("-", "−");
}

/** How far notes can be trusted, in sentences out of ten. */
export function ratesInWords(rates: { readonly shown: number; readonly any: number }, texts: Pick<Texts, "notesRate">) {
  return texts.notesRate(Math.round(10 * rates.shown), Math.round(10 * rates.any));
}

/** Both ends of a range; a dash between them would read as a minus. */
export function rangeInWords(low: number, high: number, unit: string): string {
  return `${figureInWords(low, unit)} … ${figureInWords(high, unit)}`;
}

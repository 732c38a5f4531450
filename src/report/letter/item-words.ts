import type { LetterItem, LetterWords } from "../../judge/letter/letter-part.ts";
import {
  decimalsToTell,
  figureInWords,
  ownFigureInWords,
  ratioInWords,
  referenceInWords,
  tenthsInWords,
  timesInWords,
} from "./figure-words.ts";
import { fill, type LetterLanguage, type LetterTexts } from "./letter-texts.ts";

const SHARES = new Set(["share", "elsewhere", "mentions", "markedShare"]);
const TIMES = new Set(["usualCount", "rareCount"]);

/** One thing to look at, in words: title, what was found, and what writers usually do. */
export function itemInWords(
  item: LetterItem,
  texts: LetterTexts,
  language: LetterLanguage,
): LetterWords["items"][number] {
  const text = texts.items[item.kind];
  // What a language model says of the book comes in its own words.
  if (!text) {
    const { title = "", finding = "", advice = "" } = item.facts;
    return { title: String(title), finding: String(finding), advice: String(advice) };
  }
  const { figure, facts, touched } = item;
  const values: Record<string, string | number> = { touched: touched.toLocaleString("en-GB") };
  for (const [name, value] of Object.entries(facts)) values[name] = factInWords(name, value, language);
  if (item.kind === "recurring") values.times = timesInWords(Number(facts.times), language);
  if (figure !== null) {
    const more = decimalsToTell(figure);
    values.value = ownFigureInWords(figure, language, more);
    const reference = referenceInWords(figure, language, more);
    if (reference) Object.assign(values, reference, { beside: fill(texts.beside, reference) });
  }
  if (item.kind.startsWith("notes")) {
    values.markedShare = figureInWords(Number(facts.marked) / Number(facts.sentences), "share", language);
    const rates = {
      shown: tenthsInWords(Number(facts.shown), language),
      any: tenthsInWords(Number(facts.any), language),
    };
    values.rate = fill(texts.rate, rates);
  }
  return {
    title: fill(text.title, values),
    finding: fill(text.finding, values),
    advice: fill(text.advice, values),
    ...contrastInWords(item, texts),
  };
}

/** "Chapter 11 has none of them": why that passage stands there. */
function contrastInWords({ better, facts }: LetterItem, { headings }: LetterTexts): { contrast?: string } {
  if (better === null || facts.betterCases === undefined) return {};
  const text = facts.betterCases === 0 ? headings.betterNone! : headings.betterFewest!;
  return { contrast: fill(text, { chapter: better.chapter, cases: facts.betterCases }) };
}

function factInWords(name: string, value: string | number, language: LetterLanguage): string | number {
  if (typeof value === "string") return value;
  if (SHARES.has(name)) return figureInWords(value, "share", language);
  if (name === "words") return figureInWords(value, "words", language);
  if (name === "times") return ratioInWords(value, language);
  if (TIMES.has(name)) return timesInWords(value, language);
  if (name === "marked" || name === "sentences") {
    const number = value.toLocaleString("en-GB");
    return language === "zh" ? `${number} 句` : `${number} ${value === 1 ? "sentence" : "sentences"}`;
  }
  return value.toLocaleString("en-GB");
}

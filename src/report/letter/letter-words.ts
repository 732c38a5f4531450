import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { assetPath } from "../../core/assets.ts";
import { isStrength } from "../../core/finding.ts";
import { isScored } from "../../core/verdict.ts";
import { countOf, judgeInWords } from "../../core/wording.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { EditLetter, LetterWords } from "../../judge/letter/parts.ts";
import { isQuestion } from "../../prose/checks/check-book.ts";
import { shareInWords } from "../wording.ts";
import { countInWords, figureInWords, type LetterLanguage, ownFigureInWords } from "./figure-words.ts";

const template = z.string();

/** The letter's sentences in one language, in a data file, so that translators need not edit code. */
const letterTextsSchema = z.object({
  version: z.number().int(),
  items: z.record(z.string(), z.object({ title: template, finding: template, advice: template })),
  headings: z.record(z.string(), template),
  /** The editor's reasons for a change. */
  reasons: z.record(z.string(), template),
  rate: template,
  /** Figures for the first sentence if there is no reference, by id. */
  counted: z.record(z.string(), template),
  /** Names of the map's figures, if they are not English. */
  figures: z.record(z.string(), z.string()).default({}),
  opening: z.record(z.string(), template),
  notJudged: z.record(z.string(), template),
  and: z.string(),
  /** Names of the aspects, if the rubric's own are in another language. */
  aspects: z.record(z.string(), z.string()),
});

export type LetterTexts = z.infer<typeof letterTextsSchema>;

const loaded = new Map<LetterLanguage, LetterTexts>();

export function loadLetterTexts(language: LetterLanguage): LetterTexts {
  const known = loaded.get(language);
  if (known) return known;
  const texts = letterTextsSchema.parse(parse(readFileSync(assetPath("letter", `${language}.yaml`), "utf8")));
  loaded.set(language, texts);
  return texts;
}

/** "{count:is|are}"; what it chooses between may hold variables. */
const BY_NUMBER = /\{(\w+):((?:[^{}|]|\{\w+\})*)\|((?:[^{}|]|\{\w+\})*)\}/g;

/** A sentence with its variables filled in, singular where a variable is 1. A variable without a value is a bug, so it throws. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  const filled = (name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the letter's text "${text}" needs a value for ${name}`);
    return String(value);
  };
  return text
    .replace(BY_NUMBER, (_, name: string, one: string, other: string) => (filled(name) === "1" ? one : other))
    .replace(/\{(\w+)\}/g, (_, name: string) => filled(name));
}

/** "a, b and c" */
export function listInWords(items: readonly string[], and: string, language: LetterLanguage): string {
  if (language === "zh") return items.join("、");
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${and} ${items.at(-1)}`;
}

export type LetterFacts = Omit<EditLetter, "words">;

/**
 * Writes the letter's own sentences in one language. The findings stay the same, so a letter can be worded again for
 * another reader.
 */
export function wordLetter(
  letter: LetterFacts,
  evaluation: Omit<BookEvaluation, "letter">,
  language: LetterLanguage,
): LetterWords {
  const texts = loadLetterTexts(language);
  const { written, notConnected, reference } = letter;
  const opening = [
    written?.well ||
      (notConnected && fill(texts.opening.notConnected!, { reason: notConnected })) ||
      (reference === null && countedInWords(evaluation, texts, language)) ||
      "",
    written?.standsOut || foundInWords(letter, texts, language),
    howSure(evaluation, texts, language, reference !== null, letter.findings.every(isStrength)),
  ];
  return {
    language,
    opening: opening.filter((sentence) => sentence !== ""),
    figures: figuresInWords(letter, evaluation, texts, language),
    notJudged: notJudged(letter, evaluation, texts, language),
  };
}

/** "Findings: 2 that any reader will stop at, 1 worth a thought." */
function foundInWords({ findings }: LetterFacts, { opening, and }: LetterTexts, language: LetterLanguage): string {
  const faults = findings.filter((finding) => !isStrength(finding));
  const claims = faults.filter((finding) => !isQuestion(finding));
  const counts = {
    must: claims.filter(({ severity }) => severity === "must").length,
    should: claims.filter(({ severity }) => severity === "should").length,
    consider: claims.filter(({ severity }) => severity === "consider").length,
    look: faults.length - claims.length,
  };
  const parts = Object.entries(counts).flatMap(([name, count]) =>
    count === 0 ? [] : [fill(opening[name]!, { count: countInWords(count, language) })],
  );
  return parts.length === 0 ? opening.nothing! : fill(opening.found!, { parts: listInWords(parts, and, language) });
}

/** Figures describe the writing; they do not say that anything is wrong with it. */
function figuresInWords(
  { outside, reference }: LetterFacts,
  { map }: Omit<BookEvaluation, "letter">,
  { opening, figures: names }: LetterTexts,
  language: LetterLanguage,
): string {
  const named = outside.flatMap((id) => {
    const figure = map?.figures.find((each) => each.id === id);
    if (!figure) return [];
    const name = names[id] ?? figure.name.charAt(0).toLowerCase() + figure.name.slice(1);
    return [
      fill(opening[figure.place === "below" ? "low" : "high"]!, { name, value: ownFigureInWords(figure, language) }),
    ];
  });
  if (reference === null || named.length === 0) return "";
  return fill(opening.figures!, { figures: named.join(language === "zh" ? "；" : "; ") });
}

/** Without a reference, the figures themselves come first. */
function countedInWords(
  { map, book }: Omit<BookEvaluation, "letter">,
  { counted, opening }: LetterTexts,
  language: LetterLanguage,
): string | null {
  const parts = (map?.figures ?? []).flatMap(({ id, value, unit }) => {
    const text = counted[id];
    if (text === undefined) return [];
    const number = unit === "share" ? figureInWords(value, unit, language) : Math.round(value).toLocaleString("en-GB");
    return [fill(text, { value: number })];
  });
  if (parts.length === 0) return null;
  return fill(opening.counted!, {
    words: book.words.toLocaleString("en-GB"),
    chapters: language === "zh" ? book.chapters.length : countOf(book.chapters.length, "chapter"),
    parts: language === "zh" ? parts.join("，") : parts.join(", "),
  });
}

function howSure(
  evaluation: Omit<BookEvaluation, "letter">,
  texts: LetterTexts,
  language: LetterLanguage,
  isCompared: boolean,
  isNothingFound: boolean,
): string {
  // If nothing is found, there is no need to say how often findings are right.
  const sure = isNothingFound ? texts.opening.sureNothing! : texts.opening.sure!;
  if (evaluation.jury) return isCompared ? sure : texts.opening.sureOwn!;
  const unscored = unscoredAspects(evaluation, texts);
  const listed = listInWords(unscored, texts.and, language);
  const { grounding, coverage, judge } = evaluation;
  const checked = grounding ?? { quotations: 0, found: 0 };
  return fill(texts.opening.sureModel!, {
    judge: judgeInWords(judge),
    coverage: howMuchWasRead(coverage, texts),
    grounding: fill(texts.opening.grounding!, checked),
    notJudged: unscored.length === 0 ? texts.notJudged.nothing! : fill(texts.notJudged.model!, { aspects: listed }),
  }).trim();
}

/** A summary of a chapter is not the chapter: what a judge knew only through summaries is never called read. */
function howMuchWasRead(coverage: BookEvaluation["coverage"], { opening }: LetterTexts): string {
  const { words, share, throughSummaries = 0, quoted = 0, inFull = words * share - throughSummaries } = coverage;
  if (throughSummaries === 0) return fill(opening.readText!, { share: shareInWords(share) });
  const shares = {
    share: shareInWords(share),
    inFull: shareInWords(inFull / words),
    throughSummaries: shareInWords(throughSummaries / words),
  };
  const excerpts = quoted === 0 ? "" : fill(opening.readExcerpts!, { quoted: quoted.toLocaleString("en-GB") });
  return fill(inFull === 0 ? opening.readSummaries! : opening.readPartly!, shares) + excerpts;
}

function notJudged(
  { judgingCost }: LetterFacts,
  evaluation: Omit<BookEvaluation, "letter">,
  texts: LetterTexts,
  language: LetterLanguage,
): string {
  const unscored = unscoredAspects(evaluation, texts);
  if (unscored.length === 0) return texts.notJudged.nothing!;
  const aspects = listInWords(unscored, texts.and, language);
  if (!evaluation.jury) return fill(texts.notJudged.model!, { aspects });
  if (!judgingCost) return fill(texts.notJudged.some!, { aspects });
  return fill(texts.notJudged.priced!, { aspects, ...judgingCost, dollars: judgingCost.dollars.toFixed(2) });
}

/** Words the letter for the web app, where a model is offered beside it and nobody types command-line options. */
export function besideOffer(evaluation: BookEvaluation): BookEvaluation {
  const { letter, jury } = evaluation;
  if (!letter || !jury) return evaluation;
  const { language } = letter.words;
  const texts = loadLetterTexts(language);
  const unscored = unscoredAspects(evaluation, texts);
  if (unscored.length === 0) return evaluation;
  const notJudged = fill(texts.notJudged.offered!, { aspects: listInWords(unscored, texts.and, language) });
  return { ...evaluation, letter: { ...letter, words: { ...letter.words, notJudged } } };
}

/** The writing is what the jury does judge, each juror on its own scale. */
function unscoredAspects({ aspects, jury }: Omit<BookEvaluation, "letter">, texts: LetterTexts): string[] {
  return aspects
    .filter(({ parent, verdict, id }) => parent === undefined && !isScored(verdict) && !(jury && id === "writing"))
    .map(({ id, name }) => texts.aspects[id] ?? name.toLowerCase());
}

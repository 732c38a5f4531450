import { isScored } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { EditLetter, LetterWords } from "../../judge/letter/letter-part.ts";
import { countOf } from "../wording.ts";
import { countInWords, figureInWords, listInWords } from "./figure-words.ts";
import { itemInWords } from "./item-words.ts";
import { fill, type LetterLanguage, type LetterTexts, loadLetterTexts } from "./letter-texts.ts";
import { verdictsInWords } from "./verdicts/verdict-words.ts";

export type LetterFacts = Omit<EditLetter, "words">;

/** As many strengths, chapters and titles as one sentence carries. */
const NAMED = 2;
const CHAPTERS = 3;
const ALL = 0.995;

/** The letter in one language. The facts stay what they are, so a letter can be worded again for another reader. */
export function wordLetter(
  letter: LetterFacts,
  evaluation: Omit<BookEvaluation, "letter">,
  language: LetterLanguage,
): LetterWords {
  const texts = loadLetterTexts(language);
  const items = letter.items.map((item) => itemInWords(item, texts, language));
  const { works, counts } = letter;
  const calm = chaptersInWords(works.calmChapters, texts, language);
  return {
    language,
    opening: [
      letter.written?.well ||
        (letter.notConnected && fill(texts.opening.notConnected!, { reason: letter.notConnected })) ||
        (letter.reference === null && countedInWords(evaluation, texts, language)) ||
        doesWell(letter, texts, language),
      letter.written?.standsOut || standsOut(letter, items, texts, language),
      howSure(evaluation, texts, language, letter.reference !== null),
    ],
    items,
    works: [
      ...strengthsInWords(letter, texts, language)
        .slice(NAMED)
        .map(capitalised)
        .map((sentence) => closed(sentence, language)),
      ...(calm === "" ? [] : [fill(texts.works.chapters!, { chapters: calm })]),
      ...(counts.compared === 0 || letter.notConnected ? [] : [fill(texts.works.figures!, counts)]),
    ],
    verdicts: verdictsInWords(evaluation, texts, language),
    notJudged: notJudged(letter, evaluation, texts, language),
  };
}

function strengthsInWords({ works }: LetterFacts, texts: LetterTexts, language: LetterLanguage): string[] {
  return works.figures.flatMap(({ id, beats }) => {
    const text = texts.strengths[id];
    if (!text) return [];
    const share = figureInWords(beats, "share", language);
    // Chinese sets a space around figures and none around words.
    return [fill(text, { beats: beats > ALL ? texts.all : language === "zh" ? ` ${share} ` : share })];
  });
}

function doesWell(letter: LetterFacts, texts: LetterTexts, language: LetterLanguage): string {
  const { opening, and } = texts;
  const named = strengthsInWords(letter, texts, language).slice(0, NAMED);
  const calm = chaptersInWords(letter.works.calmChapters, texts, language);
  if (named.length > 0) return fill(opening.well!, { strengths: listInWords(named, and, language) });
  if (letter.counts.compared > 0) return fill(opening.wellPlain!, letter.counts);
  return calm === "" ? opening.wellNothing! : fill(opening.wellPassages!, { chapters: calm });
}

function standsOut(
  { items, counts }: LetterFacts,
  words: LetterWords["items"],
  { opening, and }: LetterTexts,
  language: LetterLanguage,
): string {
  const titles = words.flatMap(({ title }, at) => {
    const { kind } = items[at]!;
    return kind.startsWith("notes")
      ? []
      : [opensWithName(kind) ? title : title.charAt(0).toLowerCase() + title.slice(1)];
  });
  if (titles.length === 0) return counts.compared > 0 ? opening.nothing! : opening.nothingCounted!;
  return fill(opening.outside!, { titles: listInWords(titles.slice(0, CHAPTERS), and, language) });
}

/** Where there is nothing to compare with: what was counted, first. */
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
): string {
  const unscored = unscoredAspects(evaluation, texts);
  const listed = listInWords(unscored, texts.and, language);
  if (evaluation.jury) {
    // The end of the letter names them all.
    const others = unscored.length - NAMED;
    const short =
      others < 2
        ? listed
        : fill(texts.opening.amongOthers!, {
            named: unscored.slice(0, NAMED).join(texts.comma),
            others: countInWords(others, language),
          });
    const verb = texts.were === "" ? "" : ` ${unscored.length === 1 ? texts.was : texts.were}`;
    return fill(isCompared ? texts.opening.sure! : texts.opening.sureOwn!, {
      notJudged: capitalised(`${short}${verb}`),
    });
  }
  const { grounding, coverage, judge } = evaluation;
  const checked = grounding ?? { quotations: 0, found: 0 };
  return fill(texts.opening.sureModel!, {
    judge,
    coverage: figureInWords(coverage.share, "share", language),
    grounding: fill(texts.opening.grounding!, checked),
    notJudged: unscored.length === 0 ? texts.notJudged.nothing! : fill(texts.notJudged.model!, { aspects: listed }),
  }).trim();
}

function notJudged(
  { judging }: LetterFacts,
  evaluation: Omit<BookEvaluation, "letter">,
  texts: LetterTexts,
  language: LetterLanguage,
): string {
  const unscored = unscoredAspects(evaluation, texts);
  if (unscored.length === 0) return texts.notJudged.nothing!;
  const aspects = listInWords(unscored, texts.and, language);
  if (!evaluation.jury) return fill(texts.notJudged.model!, { aspects });
  if (!judging) return fill(texts.notJudged.some!, { aspects });
  return fill(texts.notJudged.priced!, { aspects, ...judging, dollars: judging.dollars.toFixed(2) });
}

/** The writing is what the jury does judge, each juror on its own scale. */
function unscoredAspects({ aspects, jury }: Omit<BookEvaluation, "letter">, texts: LetterTexts): string[] {
  return aspects
    .filter(({ parent, verdict, id }) => parent === undefined && !isScored(verdict) && !(jury && id === "writing"))
    .map(({ id, name }) => texts.aspects[id] ?? name.toLowerCase());
}

function chaptersInWords(chapters: readonly number[], { and }: LetterTexts, language: LetterLanguage): string {
  if (chapters.length === 0) return "";
  if (language === "zh") return `第 ${chapters.join("、")} 章`;
  const numbers = listInWords(chapters.map(String), and, language);
  return chapters.length === 1 ? `chapter ${numbers}` : `chapters ${numbers}`;
}

/** A title inside a sentence begins small, unless it begins with a name. */
function opensWithName(kind: string): boolean {
  return kind.startsWith("longest-absence") || kind === "spelling";
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function closed(sentence: string, language: LetterLanguage): string {
  return sentence + (language === "zh" ? "。" : ".");
}

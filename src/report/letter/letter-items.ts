import type { LetterItem } from "../../judge/letter/letter-part.ts";
import type { LetterFigure, QuotedPassage } from "../../judge/letter/quoted-passage.ts";
import { type Passage, someOf } from "../../prose/map/passage.ts";
import { longestAbsence } from "../../prose/reference/figures.ts";
import type { ComparedFigure } from "../../prose/reference/reference-novels.ts";
import { sumBy } from "../../stats/distribution/sum-by.ts";
import { type BetterPassage, betterPassage, leastOf } from "./better-passage.ts";
import { isBeyondChance, isPhraseBeyondChance } from "./beyond-chance.ts";
import { isHabitPhrase } from "./habit-phrase.ts";
import type { LetterSource } from "./letter-source.ts";
import { commonestManners, type PlacesBehind, placesBehind } from "./passages-behind.ts";
import { smallSlips } from "./small-slips.ts";

const MOST = 5;
const QUOTED = 3;
/** Figures that say nearly the same: the letter names the one that stands out most. */
const FAMILIES: readonly (readonly string[])[] = [
  ["dialogue-share", "dialogue-drop", "longest-silence"],
  ["sentence-words", "reading-ease", "paragraph-words"],
  ["chapter-words", "longest-chapter"],
  ["short-endings", "ending-likeness"],
  ["tag-adverbs", "said-share"],
  ["cliches", "manners"],
];
const MOST_LISTED = 4;

/** What stands out, the furthest outside the reference and the widest spread first; at most five, none without a passage. */
export function letterItems(source: LetterSource, isAdvised: (kind: string) => boolean): LetterItem[] {
  const outside = [...figureItems(source), ...phraseItems(source)].filter(({ kind }) => isAdvised(kind));
  const ranked = outside.sort((left, right) => weight(right) - weight(left)).filter(isFirstOfItsFamily);
  const rest = [...smallSlips(source), ...noteItem(source)].filter(({ kind }) => isAdvised(kind));
  return [...ranked, ...rest].slice(0, MOST);
}

/** How far outside, times how often on a scale that does not let a common word drown everything else. */
function weight({ distance, touched }: LetterItem): number {
  return Math.min(distance, 5) * Math.log2(1 + touched);
}

function isFirstOfItsFamily({ kind }: LetterItem, place: number, items: readonly LetterItem[]): boolean {
  const family = FAMILIES.find((members) => members.includes(figureOf(kind))) ?? [figureOf(kind)];
  return items.findIndex((other) => family.includes(figureOf(other.kind))) === place;
}

/** "filter-words" of "filter-words.above". */
function figureOf(kind: string): string {
  return kind.split(".")[0]!;
}

function figureItems(source: LetterSource): LetterItem[] {
  return source.figures.flatMap((compared): LetterItem[] => {
    const { id, place } = compared;
    const figure = letterFigure(compared);
    if (figure === null || (place !== "above" && place !== "below")) return [];
    const behind = id === "longest-absence" ? absence(source) : placesBehind(id, source.map);
    if (behind === null || !isBeyondChance(compared, behind, source.map.shape.words)) return [];
    if (id === "dialogue-drop" && isStillTalkative(source)) return [];
    const passages = quoted(source, behind.passages, behind.isTalk);
    if (passages.length === 0) return [];
    const better = betterPassage(id, source);
    return [
      {
        kind: `${id}.${place}`,
        figure,
        facts: { ...factsOf(id, source), ...casesBeside(better) },
        touched: behind.touched,
        distance: distanceOutside(compared),
        passages,
        better: better?.passage ?? null,
      },
    ];
  });
}

/** Chapters with as much speech as half of the novels have are not short of it, however much the others have. */
function isStillTalkative({ map, figures }: LetterSource): boolean {
  const usual = figures.find(({ id }) => id === "dialogue-share")?.reference;
  return usual !== null && usual !== undefined && (map.dialogue.quiet?.share ?? 0) >= usual.median;
}

/** How many of what is counted the chapter of the better passage has. */
function casesBeside(better: BetterPassage | null): LetterItem["facts"] {
  return better?.cases === undefined ? {} : { betterCases: better.cases };
}

export function letterFigure({ id, name, unit, value, reference, place }: ComparedFigure): LetterFigure | null {
  return value === null ? null : { id, name, unit, value, reference: reference ? { ...reference } : null, place };
}

export function quoted({ quoter }: LetterSource, passages: readonly Passage[], asTalk = false): QuotedPassage[] {
  const quote = asTalk ? quoter.quoteLines : quoter.quote;
  const quotes = someOf(passages, 2 * QUOTED).flatMap((passage) => quote(passage) ?? []);
  const seen = new Set<string>();
  return quotes.filter(({ quote: words }) => !seen.has(words) && seen.add(words)).slice(0, QUOTED);
}

function distanceOutside({ value, reference, place }: ComparedFigure): number {
  if (value === null || reference === null) return 0;
  const { low, median, high } = reference;
  const [gap, way] = place === "above" ? [value - high, high - median] : [low - value, median - low];
  return Number((gap / Math.max(way, 1e-9)).toFixed(3));
}

function absence(source: LetterSource): PlacesBehind | null {
  const longest = longestAbsence(source.map);
  if (longest === null) return null;
  return { passages: [longest.before, longest.after].flatMap((each) => each ?? []), touched: longest.chapters };
}

function factsOf(id: string, { map }: LetterSource): LetterItem["facts"] {
  if (id === "dialogue-drop" && map.dialogue.quiet) return { ...map.dialogue.quiet };
  if (id === "manners") {
    const commonest = commonestManners(map.manners).slice(0, MOST_LISTED);
    return { listed: commonest.map(({ phrase, count }) => `“${asWritten(phrase)}” (${count})`).join(", ") };
  }
  if (id === "longest-chapter") {
    const [longest] = [...map.shape.chapters].sort((left, right) => right.words - left.words);
    return longest ? { chapter: longest.chapter, words: longest.words } : {};
  }
  if (id === "untagged-turns") return { longestRun: map.dialogue.runs[0]?.turns ?? 0 };
  if (id === "longest-silence" && map.dialogue.longestWithoutSpeech)
    return { chapter: map.dialogue.longestWithoutSpeech.passage.chapter };
  if (id === "longest-absence") {
    const longest = longestAbsence(map);
    const total = sumBy(map.characters?.characters ?? [], ({ mentions }) => mentions);
    if (longest === null || total === 0) return {};
    const { character, from, to, words } = longest;
    return { name: character.name, from, to, words, mentions: character.mentions / total };
  }
  return {};
}

/** The phrase that is furthest above what nineteen of twenty reference novels have, and the next two. */
function phraseItems(source: LetterSource): LetterItem[] {
  const { map } = source;
  const above = (map.habits?.overused.phrases ?? []).flatMap((phrase) =>
    phrase.referenceHigh !== null && isPhraseBeyondChance(phrase, map.shape.words) && isHabitPhrase(phrase.phrase)
      ? [{ ...phrase, high: phrase.referenceHigh }]
      : [],
  );
  const ranked = above.sort((left, right) => right.rate / right.high - left.rate / left.high);
  // "For a moment" has said all that "a moment" could say.
  const [first, ...others] = ranked.filter(
    ({ phrase }, place) => !ranked.slice(0, place).some((other) => shareWords(phrase, other.phrase)),
  );
  if (!first) return [];
  const { phrase, count, rate, referenceRate, high, chapters } = first;
  const there = Math.max(...chapters);
  const densest = map.shape.chapters[chapters.indexOf(there)]!.chapter;
  const calm = leastOf((_, place) => chapters[place] ?? null)(source);
  const better = calm?.passage.quote.toLowerCase().includes(phrase) ? null : calm;
  const facts = {
    phrase: asWritten(phrase),
    count,
    times: rate / referenceRate,
    densest,
    there,
    ...casesBeside(better),
    ...(others[0] && { second: asWritten(others[0].phrase), secondCount: others[0].count }),
    ...(others[1] && { third: asWritten(others[1].phrase), thirdCount: others[1].count }),
  };
  return [
    {
      kind: others.length > 1 ? "phrase.several" : "phrase.one",
      figure: {
        id: "phrase",
        name: phrase,
        unit: "per 1,000 words",
        value: rate,
        place: "above",
        reference: { median: referenceRate, low: 0, high },
      },
      facts,
      touched: count,
      distance: Number(((rate - high) / Math.max(high - referenceRate, 1e-9)).toFixed(3)),
      passages: quoted(source, first.passages),
      better: better?.passage ?? null,
    },
  ];
}

function shareWords(left: string, right: string): boolean {
  return ` ${left} `.includes(` ${right} `) || ` ${right} `.includes(` ${left} `);
}

/** Phrases are counted in lower case; "I" is not written so. */
function asWritten(phrase: string): string {
  return phrase.replace(/\bi\b/g, "I");
}

/** Last, where there is room: the sentences an editor would most likely change. */
function noteItem({ notes, isOutside }: LetterSource): LetterItem[] {
  if (notes === null || notes.shown.length < QUOTED) return [];
  return [
    {
      kind: isOutside ? "notes.outside" : "notes",
      figure: null,
      facts: { marked: notes.marked, sentences: notes.sentences, shown: notes.rates.shown, any: notes.rates.any },
      touched: notes.marked,
      distance: 0,
      passages: notes.shown.slice(0, QUOTED).map(asPassage),
      better: null,
    },
  ];
}

export function asPassage({
  chapter,
  start,
  end,
  quote,
}: {
  chapter: number;
  start: number;
  end: number;
  quote: string;
}) {
  return { chapter, start, end, quote, mark: null };
}

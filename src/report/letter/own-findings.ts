import { type Finding, findingId } from "../../core/finding.ts";
import type { LetterFigure, MapPart, QuotedPassage } from "../../judge/letter/parts.ts";
import { LONG } from "../../prose/chinese/chinese-map.ts";
import { type Passage, someOf } from "../../prose/map/book-prose.ts";
import type { ComparedFigure } from "../../prose/reference/reference-novels.ts";
import { mean } from "../../stats/distribution.ts";
import type { LetterSource } from "./build-letter.ts";
import { figureInWords, type LetterLanguage, timesInWords } from "./figure-words.ts";
import { fill, loadLetterTexts } from "./letter-words.ts";
import { placesBehind } from "./passages-behind.ts";

const MOST_CHARACTERS = 12;
const MOST_TOGETHER = 8;
const MOST_PHRASES = 10;
const MOST_TAGS = 12;
const MOST_SLIPS = 10;
const QUOTED_ON_MAP = 3;

/**
 * The map in the form a report shows: the main characters and phrases, and up to three quoted passages behind each
 * figure.
 */
export function mapPart(source: LetterSource): MapPart {
  const { map, figures, quoter } = source;
  const { shape, dialogue, characters, pace, viewpoint, habits, tone, chinese } = map;
  const quote = (passage: Passage | null) => (passage === null ? null : quoter.quote(passage));
  return {
    person: viewpoint?.person ?? null,
    tense: viewpoint?.tense ?? null,
    chapters: shape.chapters.map(({ chapter, words, scenes, opening, closing }, place) => ({
      chapter,
      words,
      scenes: scenes.length,
      dialogue: dialogue.chapters[place]?.share ?? null,
      sentenceWords: pace?.chapters[place]?.sentenceWords ?? chinese?.chapters[place]?.sentenceLength ?? null,
      tone: toneOfChapter(source, place),
      person: viewpoint?.chapters[place]?.person ?? null,
      tense: viewpoint?.chapters[place]?.tense ?? null,
      notes: notesPerThousand(source, chapter, words),
      opening: quote(opening)?.quote ?? "",
      closing: quote(closing)?.quote ?? "",
    })),
    figures: figures.flatMap((compared) => {
      const figure = letterFigure(compared);
      if (figure === null) return [];
      return [{ ...figure, passages: quoted(source, placesBehind(compared.id, map)?.passages ?? []) }];
    }),
    characters: (characters?.characters ?? []).slice(0, MOST_CHARACTERS).map((character) => ({
      name: character.name,
      aliases: [...character.aliases],
      mentions: character.mentions,
      spokenWords: character.speech.words,
      presence: character.presence.map(({ mentions }) => mentions),
      first: quote(character.first),
      last: quote(character.last),
      absences: character.absences.map(({ from, to, chapters, words }) => ({ from, to, chapters, words })),
    })),
    together: {
      names: (characters?.together.names ?? []).slice(0, MOST_TOGETHER),
      paragraphs: (characters?.together.paragraphs ?? [])
        .slice(0, MOST_TOGETHER)
        .map((row) => row.slice(0, MOST_TOGETHER)),
    },
    lookAlikes: (characters?.lookAlikes ?? []).map(({ names, mentions }) => ({
      names: [names[0], names[1]],
      mentions: [mentions[0], mentions[1]],
    })),
    phrases: (habits?.overused.phrases ?? [])
      .slice(0, MOST_PHRASES)
      .map(({ phrase, count, rate, referenceRate, referenceHigh, passages }) => ({
        phrase,
        count,
        rate,
        referenceRate,
        referenceHigh,
        passages: quoted(source, passages),
      })),
    tags: dialogue.tags.slice(0, MOST_TAGS).map(({ verb, count }) => ({ verb, count })),
    tone: tone && {
      lexicon: tone.lexicon,
      isRandom: tone.isRandom,
      points: tone.points.map(({ at, tone: value, low, high }) => ({ at, tone: value, low, high })),
      peaks: tone.peaks.flatMap(({ kind, at, passage }) => {
        const quotation: QuotedPassage | null = quoter.quote(passage);
        return quotation ? [{ kind, at, passage: quotation }] : [];
      }),
    },
    slips: {
      count: viewpoint?.slipCount ?? 0,
      passages: someOf(viewpoint?.slips ?? [], MOST_SLIPS).flatMap(({ passage }) => quoter.quote(passage) ?? []),
    },
  };
}

function letterFigure({ id, name, unit, value, reference, place }: ComparedFigure): LetterFigure | null {
  return value === null ? null : { id, name, unit, value, reference: reference ? { ...reference } : null, place };
}

function quoted({ quoter }: LetterSource, passages: readonly Passage[]): QuotedPassage[] {
  const quotes = someOf(passages, 2 * QUOTED_ON_MAP).flatMap((passage) => quoter.quote(passage) ?? []);
  const seen = new Set<string>();
  return quotes.filter(({ quote: words }) => !seen.has(words) && seen.add(words)).slice(0, QUOTED_ON_MAP);
}

/** The average of the tone curve's points within a chapter. */
function toneOfChapter({ map }: LetterSource, place: number): number | null {
  const { shape, tone } = map;
  if (tone === null || tone.points.length === 0) return null;
  const chapter = shape.chapters[place]!.chapter;
  const own = tone.points.filter(({ passage }) => passage.chapter === chapter);
  if (own.length === 0) return null;
  return Number(mean(own.map((point) => point.tone)).toFixed(3));
}

function notesPerThousand({ notes }: LetterSource, chapter: number, words: number): number | null {
  const own = notes?.chapters.find((each) => each.chapter === chapter);
  return own && words > 0 ? Number(((1000 * own.marked) / words).toFixed(2)) : null;
}

type Source = Pick<LetterSource, "map" | "quoter" | "reference">;

/** The letter's text for it, the values of its variables, and the passages. */
interface Counted {
  readonly text: string;
  readonly kind: string;
  readonly facts: Readonly<Record<string, string | number>>;
  readonly passages: readonly Passage[];
}

const QUOTED = 3;
const FEWEST_CHAPTERS = 6;
const LONG_CHAPTER = 2.5;
const DROP = 0.1;
const LONG_STRETCH = 3000;
const FEWEST_CASES = 3;

/**
 * Findings from the map that need no comparison: mixed quotation marks and dashes; and, in a language without
 * reference novels, what differs from the rest of the same book. None of these is called too much or too little, so
 * each is only worth a thought.
 */
export function ownFindings(source: Source, language: LetterLanguage): Finding[] {
  const { items } = loadLetterTexts(language);
  const counted = [
    ...mixtures(source, language),
    ...(source.reference === null
      ? [longestChapter, quietChapters, repeats, longSentences, openings, marks].flatMap((find) =>
          find(source, language),
        )
      : []),
  ];
  return counted.flatMap(({ text, kind, facts, passages }): Finding[] => {
    const words = items[text]!;
    const quotes = someOf(passages, QUOTED).flatMap((passage) => {
      const quoted = source.quoter.quote(passage);
      return quoted === null
        ? []
        : [{ chapter: quoted.chapter, start: quoted.start, end: quoted.end, quote: quoted.quote }];
    });
    if (quotes.length === 0) return [];
    return [
      {
        id: findingId(kind, quotes),
        kind,
        title: fill(words.title, facts),
        claim: fill(words.finding, facts),
        severity: "consider",
        // A count is certain.
        certainty: 1,
        origin: "counted",
        passages: quotes,
        advice: fill(words.advice, facts),
      },
    ];
  });
}

const number = (value: number) => value.toLocaleString("en-GB");

function mixtures({ map: { consistency } }: Source, language: LetterLanguage): Counted[] {
  const both = { marks: consistency?.quotationMarks ?? [], dashes: consistency?.dashes ?? [] };
  return Object.entries(both).flatMap(([kind, [usual, rare]]): Counted[] => {
    if (!usual || !rare) return [];
    const facts = {
      usual: usual.mark.trim(),
      usualCount: timesInWords(usual.count, language),
      rare: rare.mark.trim(),
      rareCount: timesInWords(rare.count, language),
    };
    return [{ text: kind, kind, facts, passages: rare.passages }];
  });
}

function longestChapter({ map: { shape } }: Source): Counted[] {
  const { chapters, medianChapterWords: median } = shape;
  if (chapters.length < FEWEST_CHAPTERS || !median) return [];
  const longest = chapters.reduce((best, each) => (each.words > best.words ? each : best));
  const ratio = longest.words / median;
  if (ratio < LONG_CHAPTER) return [];
  const facts = {
    chapter: longest.chapter,
    length: number(longest.words),
    ratio: ratio.toFixed(1),
    median: number(median),
  };
  return [{ text: "own-longest-chapter", kind: "long-chapter", facts, passages: [longest.opening] }];
}

function quietChapters({ map: { dialogue, shape } }: Source, language: LetterLanguage): Counted[] {
  const { quiet, longestWithoutSpeech } = dialogue;
  const share = (value: number) => figureInWords(value, "share", language);
  if (quiet && quiet.elsewhere - quiet.share >= DROP) {
    const { from, to } = quiet;
    const facts = { from, to, share: share(quiet.share), elsewhere: share(quiet.elsewhere) };
    const inside = shape.chapters.filter(({ chapter }) => chapter >= from && chapter <= to);
    return [{ text: "own-quiet", kind: "quiet-stretch", facts, passages: inside.map(({ opening }) => opening) }];
  }
  if (longestWithoutSpeech === null || longestWithoutSpeech.words < LONG_STRETCH) return [];
  const { words, passage } = longestWithoutSpeech;
  const facts = { length: number(words), chapter: passage.chapter };
  return [{ text: "own-silence", kind: "quiet-stretch", facts, passages: [passage] }];
}

function repeats({ map: { chinese, shape } }: Source): Counted[] {
  const [first, second, third] = chinese?.repeats ?? [];
  if (!first || !second || !third) return [];
  const there = Math.max(...first.chapters);
  const facts = {
    phrase: first.phrase,
    count: number(first.count),
    second: second.phrase,
    secondCount: number(second.count),
    third: third.phrase,
    thirdCount: number(third.count),
    there,
    densest: shape.chapters[first.chapters.indexOf(there)]!.chapter,
  };
  return [{ text: "own-repeats", kind: "overused", facts, passages: first.passages }];
}

function longSentences({ map: { chinese } }: Source): Counted[] {
  if (!chinese || chinese.sentenceLength === null || chinese.longSentences.count < FEWEST_CASES) return [];
  const { count, passages } = chinese.longSentences;
  const facts = { count: number(count), limit: LONG, mean: chinese.sentenceLength.toFixed(0) };
  return [{ text: "own-long-sentences", kind: "long-sentences", facts, passages }];
}

function openings({ map: { chinese } }: Source): Counted[] {
  const runs = chinese?.openings;
  if (!runs || runs.count < FEWEST_CASES) return [];
  return [{ text: "own-openings", kind: "overused", facts: { count: number(runs.count) }, passages: runs.passages }];
}

function marks({ map: { chinese } }: Source): Counted[] {
  const western = chinese?.westernMarks;
  if (!western || western.count < FEWEST_CASES) return [];
  return [{ text: "own-marks", kind: "marks", facts: { count: number(western.count) }, passages: western.passages }];
}

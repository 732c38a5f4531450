import type { MapPart } from "../../../judge/letter/map-part.ts";
import type { LetterFigure, QuotedPassage } from "../../../judge/letter/quoted-passage.ts";
import { type Passage, someOf } from "../../../prose/map/passage.ts";
import type { ComparedFigure } from "../../../prose/reference/reference-novels.ts";
import { mean } from "../../../stats/distribution.ts";
import type { LetterSource } from "../build-letter.ts";
import { placesBehind } from "../passages-behind.ts";

const MOST_CHARACTERS = 12;
const MOST_TOGETHER = 8;
const MOST_PHRASES = 10;
const MOST_TAGS = 12;
const MOST_SLIPS = 10;
const QUOTED = 3;

/** The map as a report shows it: the first characters and phrases, and up to three passages behind each figure, quoted. */
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
  const quotes = someOf(passages, 2 * QUOTED).flatMap((passage) => quoter.quote(passage) ?? []);
  const seen = new Set<string>();
  return quotes.filter(({ quote: words }) => !seen.has(words) && seen.add(words)).slice(0, QUOTED);
}

/** The tone curve's points that fall into a chapter, averaged. */
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

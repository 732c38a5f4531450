import type { QuotedPassage } from "../../judge/letter/parts.ts";
import type { Passage } from "../../prose/map/book-prose.ts";
import type { ManuscriptMap } from "../../prose/map/manuscript-map.ts";
import { genderOfRole } from "../../prose/speakers/turns.ts";
import { FUNCTION_WORDS } from "../../prose/word-shape.ts";
import { sumBy } from "../../stats/distribution.ts";
import { type Sentence, splitSentences } from "../../text/sentences.ts";

interface ChapterText {
  readonly index: number;
  readonly text: string;
}

/** Turns positions in a book into verbatim quotations. */
export interface Quoter {
  /** The sentences around a position, shortened to a readable length; null if there is no text. */
  quote(passage: Passage): QuotedPassage | null;
}

/** About as much as a reader can take in beside a remark. */
const LONGEST = 260;

export function quoterOf(chapters: readonly ChapterText[]): Quoter {
  const texts = new Map(chapters.map(({ index, text }) => [index, text]));
  const known = new Map<string, Sentence[]>();
  const textOf = (chapter: number) => texts.get(chapter) ?? "";
  // No sentence crosses a blank line, so only the paragraphs around a position are split.
  const sentencesAround = ({ chapter, start, end }: Passage) => {
    const text = textOf(chapter);
    const from = Math.max(0, text.lastIndexOf("\n\n", start));
    const after = text.indexOf("\n\n", Math.max(start, end));
    const key = `${chapter} ${from} ${after}`;
    let split = known.get(key);
    if (split === undefined) {
      split = splitSentences(text.slice(from, after === -1 ? text.length : after)).map((sentence) => ({
        start: sentence.start + from,
        end: sentence.end + from,
      }));
      known.set(key, split);
    }
    return split;
  };
  return {
    quote({ chapter, start, end }) {
      const text = textOf(chapter);
      const around = sentencesAround({ chapter, start, end }).filter(
        (sentence) => sentence.start < end && sentence.end > start,
      );
      const whole = {
        start: Math.min(start, around[0]?.start ?? start),
        end: Math.max(end, around.at(-1)?.end ?? end),
      };
      const paragraph = onOneLine(text, whole, start);
      const cut = shortened(text, paragraph, { start, end: Math.min(end, paragraph.end) });
      const quote = text.slice(cut.start, cut.end);
      if (quote.trim() === "") return null;
      const isPart = start > cut.start || end < cut.end;
      const mark: QuotedPassage["mark"] = isPart ? [start - cut.start, Math.min(end, cut.end) - cut.start] : null;
      return { chapter, start: cut.start, end: cut.end, quote, mark };
    },
  };
}

/** The part of a span within the paragraph where the relevant words begin. */
function onOneLine(text: string, span: Sentence, at: number): Sentence {
  const before = text.lastIndexOf("\n", Math.max(span.start, at) - 1);
  const after = text.indexOf("\n", at);
  return {
    start: before >= span.start ? before + 1 : span.start,
    end: after !== -1 && after < span.end ? after : span.end,
  };
}

/** At most `LONGEST` characters around the relevant words, cut between words and never within them. */
function shortened(text: string, { start, end }: Sentence, meant: Sentence): Sentence {
  if (end - start <= LONGEST) return { start, end };
  const room = Math.max(0, LONGEST - (meant.end - meant.start));
  const from =
    meant.start - start <= room / 2 ? start : nextWord(text, Math.floor(meant.start - room / 2), meant.start);
  const to = Math.min(end, from + LONGEST);
  return { start: from, end: to === end ? end : lastWord(text, to, from) };
}

function nextWord(text: string, from: number, limit: number): number {
  const space = text.indexOf(" ", from);
  return space === -1 || space >= limit ? limit : space + 1;
}

function lastWord(text: string, to: number, limit: number): number {
  const space = text.lastIndexOf(" ", to);
  if (space > limit) return space;
  // Text without spaces may be cut anywhere except inside a character.
  return /[\udc00-\udfff]/.test(text[to] ?? "") ? to - 1 : to;
}

const GRAMMAR = new Set(FUNCTION_WORDS);
const DETERMINERS = new Set("the a an my your his her our their its this that these those".split(" "));
const KIN = new Set(
  `child children family friend friends people mamma papa cousin mother's father's ladyship man men woman women boy boys
  girl girls fellow gentleman gentlemen lady ladies person persons creature`.split(/\s+/),
);
/** The letter praises plain tags elsewhere. */
const PLAIN_TAGS = new Set(["said", "asked", "says", "replied", "answered"]);
/** Nouns of time and gesture, with which a phrase is a habit; with other nouns it is part of the book's subject. */
const GESTURES = new Set(
  `moment moments while instant second seconds time times eyes eye hand hands head face voice breath heart lips shoulder
  shoulders smile gaze glance silence word words way sort sorts kind kinds`.split(/\s+/),
);

const NUMBERS = new Set(
  `two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand
  hundreds thousands half`.split(/\s+/),
);
const MEASURES = new Set(
  `year years month months week weeks day days night nights hour hours minute minutes mile miles foot feet yard yards
  inch inches pound pounds dollar dollars o'clock`.split(/\s+/),
);

/**
 * Whether a phrase is a habit of style rather than part of the story: "for a moment", not "her sister" or "the boat".
 */
export function isHabitPhrase(phrase: string): boolean {
  const words = phrase.split(" ");
  const matter = words.filter((word) => word.length >= 4 && !GRAMMAR.has(word));
  if (matter.length === 0 || matter.some((word) => KIN.has(word) || genderOfRole(word) !== null)) return false;
  if (matter.every((word) => PLAIN_TAGS.has(word))) return false;
  // "Five years" is part of the story.
  if (words.some((word) => NUMBERS.has(word)) && words.some((word) => MEASURES.has(word))) return false;
  const last = words.at(-1)!;
  // "The noise of" and "at the foot of" are incomplete phrases; "a sort of" is a habit.
  if (last === "of" && matter.length === 1) return GESTURES.has(matter[0]!);
  const isNoun = DETERMINERS.has(words.at(-2) ?? "") && matter.length === 1 && matter[0] === last;
  return !isNoun || GESTURES.has(last);
}

/** The places in the book that a figure is based on, and their number; none if it has no single places. */
export interface PlacesBehind {
  readonly passages: readonly Passage[];
  readonly touched: number;
  /** For a share of things counted one by one: their number. */
  readonly of?: number;
}

type Finder = (map: ManuscriptMap) => PlacesBehind | null;

const all = (passages: readonly Passage[], touched = passages.length): PlacesBehind => ({ passages, touched });
/** For a list that starts with the strongest case: as many as can be shown, so that no weaker one takes its place. */
const first = (passages: readonly Passage[], touched = passages.length): PlacesBehind =>
  all(passages.slice(0, MOST_TRIED), touched);
const MOST_TRIED = 6;
const PLAIN = /^(?:said|says|say|asked|asks)$/;

const FINDERS: Readonly<Record<string, Finder>> = {
  "longest-chapter": ({ shape }) => {
    const [longest] = [...shape.chapters].sort((left, right) => right.words - left.words);
    return longest ? all([longest.opening, longest.closing], 1) : null;
  },
  "chapter-words": ({ shape }) => {
    const longest = [...shape.chapters].sort((left, right) => right.words - left.words).slice(0, 3);
    return all(
      longest.map(({ opening }) => opening),
      shape.chapters.length,
    );
  },
  "dialogue-share": ({ dialogue, shape }) =>
    all(dialogue.longestWithoutSpeech ? [dialogue.longestWithoutSpeech.passage] : [], shape.chapters.length),
  "dialogue-drop": ({ dialogue, shape }) => {
    if (dialogue.quiet === null) return null;
    const { from, to } = dialogue.quiet;
    const inside = shape.chapters.filter(({ chapter }) => chapter >= from && chapter <= to);
    const quietest = [...inside].sort(
      (left, right) => shareOf(dialogue, left.chapter) - shareOf(dialogue, right.chapter),
    );
    return all(
      quietest.slice(0, 2).map(({ opening }) => opening),
      inside.length,
    );
  },
  "longest-silence": ({ dialogue }) =>
    dialogue.longestWithoutSpeech ? all([dialogue.longestWithoutSpeech.passage]) : null,
  "untagged-turns": ({ dialogue }) => ({
    ...first(
      dialogue.runs.map(({ passage }) => passage),
      Math.round((dialogue.untagged ?? 0) * dialogue.turns),
    ),
    of: dialogue.turns,
  }),
  "tag-adverbs": ({ dialogue }) => ({
    ...all(dialogue.adverbs.passages, dialogue.adverbs.count),
    of: sumBy(dialogue.tags, ({ count }) => count),
  }),
  "said-share": ({ dialogue }) => {
    const others = dialogue.tags.filter(({ verb }) => !PLAIN.test(verb));
    return {
      ...first(
        others.flatMap(({ passages }) => passages.slice(0, 1)),
        sumBy(others, ({ count }) => count),
      ),
      of: sumBy(dialogue.tags, ({ count }) => count),
    };
  },
  "sentence-words": ({ pace }) => first(pace?.longestSentences.map(({ passage }) => passage) ?? []),
  "reading-ease": ({ pace }) => first(pace?.longestSentences.map(({ passage }) => passage) ?? []),
  "paragraph-words": ({ pace }) => first(pace?.longestParagraphs.map(({ passage }) => passage) ?? []),
  "viewpoint-slips": ({ viewpoint }) =>
    all(viewpoint?.slips.map(({ passage }) => passage) ?? [], viewpoint?.slipCount ?? 0),
  echoes: ({ habits }) => all(habits?.echoes.strongest.map(({ passage }) => passage) ?? [], habits?.echoes.count),
  "repeated-openings": ({ habits }) =>
    first(habits?.openings.runs.map(({ passage }) => passage) ?? [], habits?.openings.count),
  "filter-words": ({ habits }) => all(habits?.filterWords.passages ?? [], habits?.filterWords.count),
  "weak-openings": ({ habits }) => all(habits?.weakOpenings.passages ?? [], habits?.weakOpenings.count),
  "stacked-similes": ({ habits }) => all(habits?.stackedSimiles.passages ?? [], habits?.stackedSimiles.count),
  cliches: ({ habits }) => all(habits?.cliches.passages ?? [], habits?.cliches.count),
  "model-phrases": ({ modelPhrases }) =>
    first(
      commonestModelPhrases(modelPhrases).flatMap(({ passages }, at) => passages[at % passages.length] ?? []),
      modelPhrases?.count,
    ),
  "short-endings": ({ modelPhrases }) => {
    const endings = modelPhrases?.endings.passages ?? [];
    const short = Math.round((modelPhrases?.endings.shortShare ?? 0) * endings.length);
    return { ...first(shortestFirst(endings).slice(0, short), short), of: endings.length };
  },
  "ending-likeness": ({ modelPhrases }) => all(modelPhrases?.endings.passages ?? []),
  "tone-mean": ({ tone }) => all(tone?.peaks.map(({ passage }) => passage) ?? []),
  "tone-outside": ({ tone }) => all(tone?.peaks.map(({ passage }) => passage) ?? []),
};

export function placesBehind(figure: string, map: ManuscriptMap): PlacesBehind | null {
  return FINDERS[figure]?.(map) ?? null;
}

/** Only phrases that a writer can search for: "around the" is just grammar. */
export function commonestModelPhrases(modelPhrases: ManuscriptMap["modelPhrases"]) {
  return (modelPhrases?.phrases ?? [])
    .filter(({ phrase }) => isHabitPhrase(phrase))
    .sort((left, right) => right.count - left.count);
}

function shareOf({ chapters }: ManuscriptMap["dialogue"], chapter: number): number {
  return chapters.find((each) => each.chapter === chapter)?.share ?? 0;
}

function shortestFirst(passages: readonly Passage[]): Passage[] {
  return [...passages].sort((left, right) => left.end - left.start - (right.end - right.start));
}

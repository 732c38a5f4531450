import { FUNCTION_WORDS } from "../../prose/function-words.ts";
import type { ManuscriptMap } from "../../prose/map/manuscript-map.ts";
import type { Passage } from "../../prose/map/passage.ts";
import { genderOfRole } from "../../prose/speakers/roles.ts";
import { sumBy } from "../../stats/distribution.ts";

const GRAMMAR = new Set(FUNCTION_WORDS);
const DETERMINERS = new Set("the a an my your his her our their its this that these those".split(" "));
const KIN = new Set(
  `child children family friend friends people mamma papa cousin mother's father's ladyship man men woman women boy boys
  girl girls fellow gentleman gentlemen lady ladies person persons creature`.split(/\s+/),
);
/** A plain tag is what the letter praises elsewhere. */
const PLAIN_TAGS = new Set(["said", "asked", "says", "replied", "answered"]);
/** Nouns of time and gesture: in them a phrase is a habit. In others it is what the book is about. */
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

/** Whether a phrase is a manner of writing rather than a part of the story: "for a moment", not "her sister" or "the boat". */
export function isHabitPhrase(phrase: string): boolean {
  const words = phrase.split(" ");
  const matter = words.filter((word) => word.length >= 4 && !GRAMMAR.has(word));
  if (matter.length === 0 || matter.some((word) => KIN.has(word) || genderOfRole(word) !== null)) return false;
  if (matter.every((word) => PLAIN_TAGS.has(word))) return false;
  // "Five years" is how long ago it was, not how it is told.
  if (words.some((word) => NUMBERS.has(word)) && words.some((word) => MEASURES.has(word))) return false;
  const last = words.at(-1)!;
  // "The noise of" and "at the foot of" are half a phrase; "a sort of" is a habit.
  if (last === "of" && matter.length === 1) return GESTURES.has(matter[0]!);
  const isNoun = DETERMINERS.has(words.at(-2) ?? "") && matter.length === 1 && matter[0] === last;
  return !isNoun || GESTURES.has(last);
}

/** The places in the book that a figure rests on, and how many there are; none where a figure has no single places. */
export interface PlacesBehind {
  readonly passages: readonly Passage[];
  readonly touched: number;
  /** For a share of things that are counted one by one: of how many. */
  readonly of?: number;
}

type Finder = (map: ManuscriptMap) => PlacesBehind | null;

const all = (passages: readonly Passage[], touched = passages.length): PlacesBehind => ({ passages, touched });
/** Of a list with the strongest case first: as many as can be shown, so that no weaker one takes its place. */
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
  manners: ({ manners }) =>
    first(
      commonestManners(manners).flatMap(({ passages }, at) => passages[at % passages.length] ?? []),
      manners?.count,
    ),
  "short-endings": ({ manners }) => {
    const endings = manners?.endings.passages ?? [];
    const short = Math.round((manners?.endings.shortShare ?? 0) * endings.length);
    return { ...first(shortestFirst(endings).slice(0, short), short), of: endings.length };
  },
  "ending-likeness": ({ manners }) => all(manners?.endings.passages ?? []),
  "tone-mean": ({ tone }) => all(tone?.peaks.map(({ passage }) => passage) ?? []),
  "tone-outside": ({ tone }) => all(tone?.peaks.map(({ passage }) => passage) ?? []),
};

export function placesBehind(figure: string, map: ManuscriptMap): PlacesBehind | null {
  return FINDERS[figure]?.(map) ?? null;
}

/** Those that a writer can search for: "around the" is grammar. */
export function commonestManners(manners: ManuscriptMap["manners"]) {
  return (manners?.phrases ?? [])
    .filter(({ phrase }) => isHabitPhrase(phrase))
    .sort((left, right) => right.count - left.count);
}

function shareOf({ chapters }: ManuscriptMap["dialogue"], chapter: number): number {
  return chapters.find((each) => each.chapter === chapter)?.share ?? 0;
}

function shortestFirst(passages: readonly Passage[]): Passage[] {
  return [...passages].sort((left, right) => left.end - left.start - (right.end - right.start));
}

import type { ManuscriptMap } from "../../prose/map/manuscript-map.ts";
import type { Passage } from "../../prose/map/passage.ts";
import { sumBy } from "../../stats/distribution/sum-by.ts";
import { isHabitPhrase } from "./habit-phrase.ts";

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

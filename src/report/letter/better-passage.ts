import type { QuotedPassage } from "../../judge/letter/quoted-passage.ts";
import type { LetterSource } from "./letter-source.ts";

type Choice = (source: LetterSource) => QuotedPassage | null;

/** A chapter shorter than this says little about a rate. */
const SHORTEST_CHAPTER = 300;

/** From the chapter with the least of something: the passage there that an editor is least likely to change. */
export const leastOf =
  (countOf: (source: LetterSource, place: number) => number | null): Choice =>
  (source) => {
    const rated = source.map.shape.chapters.flatMap(({ chapter, words }, place) => {
      const count = countOf(source, place);
      return count === null || words < SHORTEST_CHAPTER || !source.calm.has(chapter)
        ? []
        : [{ chapter, rate: count / words }];
    });
    const [best] = rated.sort(
      (left, right) =>
        left.rate - right.rate || source.calm.get(left.chapter)!.change - source.calm.get(right.chapter)!.change,
    );
    return best ? calmIn(source, best.chapter) : null;
  };

const habit = (id: "echoes" | "openings" | "filterWords" | "weakOpenings" | "stackedSimiles" | "cliches"): Choice =>
  leastOf(({ map }, place) => map.habits?.[id].chapters[place] ?? null);

/** A line with a plain tag. */
const plainTag: Choice = ({ map, quoter }) => {
  const passage = map.dialogue.tags.find(({ verb }) => verb === "said" || verb === "says")?.passages.at(-1);
  return passage ? quoter.quote(passage) : null;
};

/** Where two people talk, in the chapter that has most of it. */
const talk: Choice = ({ map, quoter }) => {
  const [best] = [...map.dialogue.chapters].sort((left, right) => (right.share ?? 0) - (left.share ?? 0));
  if (!best?.share) return null;
  const spoken = quoter
    .sentences(best.chapter)
    .find(({ start, end }) => /["“「][^"”」]{20,}["”」]/u.test(quoter.textOf(best.chapter).slice(start, end)));
  return spoken ? quoter.quote({ chapter: best.chapter, ...spoken }) : null;
};

const CHOICES: Readonly<Record<string, Choice>> = {
  "dialogue-drop": talk,
  "dialogue-share": talk,
  "longest-silence": talk,
  "untagged-turns": plainTag,
  "tag-adverbs": plainTag,
  "said-share": plainTag,
  "sentence-words": leastOf(({ map }, place) => sentenceRank(map.pace?.chapters[place]?.sentenceWords, map, place)),
  "reading-ease": leastOf(({ map }, place) => sentenceRank(map.pace?.chapters[place]?.sentenceWords, map, place)),
  echoes: habit("echoes"),
  "repeated-openings": habit("openings"),
  "filter-words": habit("filterWords"),
  "weak-openings": habit("weakOpenings"),
  "stacked-similes": habit("stackedSimiles"),
  cliches: habit("cliches"),
  "short-endings": ({ map, quoter }) => {
    const [longest] = [...(map.manners?.endings.passages ?? [])].sort(
      (left, right) => right.end - right.start - (left.end - left.start),
    );
    const closing = map.shape.chapters.find(({ chapter }) => chapter === longest?.chapter)?.closing;
    return closing ? quoter.quote(closing) : null;
  },
};

/** A passage of the same book that does well what an item is about; null where none can be shown to. */
export function betterPassage(figure: string, source: LetterSource): QuotedPassage | null {
  return CHOICES[figure]?.(source) ?? null;
}

/** Sentence length itself, whatever the chapter's length: `leastOf` divides by it. */
function sentenceRank(words: number | null | undefined, map: LetterSource["map"], place: number): number | null {
  return words === null || words === undefined ? null : words * map.shape.chapters[place]!.words;
}

function calmIn({ calm, quoter }: LetterSource, chapter: number): QuotedPassage | null {
  const passage = calm.get(chapter);
  return passage ? quoter.quote({ chapter, start: passage.start, end: passage.end }) : null;
}

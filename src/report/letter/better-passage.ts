import type { QuotedPassage } from "../../judge/letter/quoted-passage.ts";
import type { LetterSource } from "./letter-source.ts";

/** A passage that does it better, and why it may be called so: its chapter has this many of what the item counts. */
export interface BetterPassage {
  readonly passage: QuotedPassage;
  readonly cases?: number;
}

type Choice = (source: LetterSource) => BetterPassage | null;

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
        : [{ chapter, count, rate: count / words }];
    });
    const [best] = rated.sort(
      (left, right) =>
        left.rate - right.rate || source.calm.get(left.chapter)!.change - source.calm.get(right.chapter)!.change,
    );
    const passage = best ? calmIn(source, best.chapter) : null;
    return best && passage ? { passage, cases: best.count } : null;
  };

const habit = (id: "echoes" | "openings" | "filterWords" | "weakOpenings" | "stackedSimiles" | "cliches"): Choice =>
  leastOf(({ map }, place) => map.habits?.[id].chapters[place] ?? null);

/** A line with a plain tag. */
const plainTag: Choice = ({ map, quoter }) => {
  const passage = map.dialogue.tags.find(({ verb }) => verb === "said" || verb === "says")?.passages.at(-1);
  return shown(passage ? quoter.quote(passage) : null);
};

const SPEECH = /^["“「‘'].{10,}/u;

/** Where two people talk, in the chapter that has most of it: two paragraphs in a row that open with speech. */
const talk: Choice = ({ map, quoter }) => {
  const [best] = [...map.dialogue.chapters].sort((left, right) => (right.share ?? 0) - (left.share ?? 0));
  if (!best?.share) return null;
  const { chapter } = best;
  let before = -1;
  let start = 0;
  for (const line of quoter.textOf(chapter).split("\n")) {
    if (SPEECH.test(line) && before !== -1) {
      return shown(quoter.quoteLines({ chapter, start: before, end: start + line.length }));
    }
    if (line.trim() !== "") before = SPEECH.test(line) ? start : -1;
    start += line.length + 1;
  }
  return null;
};

function shown(passage: QuotedPassage | null): BetterPassage | null {
  return passage && { passage };
}

const CHOICES: Readonly<Record<string, Choice>> = {
  "dialogue-drop": talk,
  "dialogue-share": talk,
  "longest-silence": talk,
  "untagged-turns": plainTag,
  "tag-adverbs": plainTag,
  "said-share": plainTag,
  "sentence-words": (source) => shortestSentences(source),
  "reading-ease": (source) => shortestSentences(source),
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
    return shown(closing ? quoter.quote(closing) : null);
  },
};

/** A passage of the same book that does well what an item is about; null where none can be shown to. */
export function betterPassage(figure: string, source: LetterSource): BetterPassage | null {
  return CHOICES[figure]?.(source) ?? null;
}

/** By the length of sentences itself, whatever the chapter's length: `leastOf` divides by it. */
function shortestSentences(source: LetterSource): BetterPassage | null {
  const best = leastOf(({ map }, place) => {
    const words = map.pace?.chapters[place]?.sentenceWords ?? null;
    return words === null ? null : words * map.shape.chapters[place]!.words;
  })(source);
  return shown(best?.passage ?? null);
}

function calmIn({ calm, quoter }: LetterSource, chapter: number): QuotedPassage | null {
  const passage = calm.get(chapter);
  return passage ? quoter.quote({ chapter, start: passage.start, end: passage.end }) : null;
}

import { groupBy } from "../../core/group-by.ts";
import { sumBy } from "../../stats/distribution.ts";
import { type BookProse, type Passage, someOf, spanOfWords, startingBetween } from "../map/book-prose.ts";
import { rounded } from "../map/numbers.ts";
import type { Span } from "../prose-text.ts";

/** Consecutive chapters with less dialogue than the rest of the book. */
interface QuietChapters {
  /** Indices in the list of chapters. */
  readonly from: number;
  readonly to: number;
  readonly words: number;
  /** Share of spoken words in them, and in all other chapters. */
  readonly share: number;
  readonly elsewhere: number;
}

/** The smallest and largest share of the book's words in such a run: less is a single chapter, more is the book. */
const LEAST = 0.08;
const MOST = 0.5;
const FEWEST_CHAPTERS = 6;

/**
 * The run of chapters in which the share of dialogue falls furthest below the rest, weighted by length: the split of
 * the book that explains most of the difference between chapters (as in binary segmentation). Null for a book of few
 * chapters.
 */
function quietestChapters(
  chapters: readonly { readonly words: number; readonly spoken: number }[],
): QuietChapters | null {
  if (chapters.length < FEWEST_CHAPTERS) return null;
  const words = runningSums(chapters.map((chapter) => chapter.words));
  const spoken = runningSums(chapters.map((chapter) => chapter.spoken));
  const [allWords, allSpoken] = [words.at(-1)!, spoken.at(-1)!];
  let best: QuietChapters | null = null;
  let strongest = 0;
  for (let from = 0; from < chapters.length; from++) {
    for (let to = from + 1; to < chapters.length; to++) {
      const own = words[to + 1]! - words[from]!;
      const part = own / allWords;
      if (part < LEAST) continue;
      if (part > MOST) break;
      const share = (spoken[to + 1]! - spoken[from]!) / own;
      const elsewhere = (allSpoken - (spoken[to + 1]! - spoken[from]!)) / (allWords - own);
      const strength = (elsewhere - share) * Math.sqrt(part * (1 - part));
      if (strength <= strongest) continue;
      strongest = strength;
      best = { from, to, words: own, share, elsewhere };
    }
  }
  return best;
}

function runningSums(values: readonly number[]): number[] {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1)! + value);
  return sums;
}

/** The longest passage between two spoken ones, or before the first or after the last. */
function longestWithoutSpeech(spoken: readonly Span[], length: number): Span {
  const borders = [...spoken.map(({ start }) => start), length];
  let longest: Span = { start: 0, end: borders[0]! };
  for (const [index, { end }] of spoken.entries()) {
    const next = borders[index + 1]!;
    if (next - end > longest.end - longest.start) longest = { start: end, end: next };
  }
  return longest;
}

export interface DialogueMap {
  /** The share of words that are spoken or thought in quotation marks. */
  readonly share: number | null;
  readonly chapters: readonly { readonly chapter: number; readonly share: number | null }[];
  readonly turns: number;
  /** The share of turns whose speaker nothing beside the speech identifies: no tag and no beat. */
  readonly untagged: number | null;
  /** Runs of such turns, longest first. */
  readonly runs: readonly { readonly turns: number; readonly passage: Passage }[];
  readonly tags: readonly { readonly verb: string; readonly count: number; readonly passages: readonly Passage[] }[];
  readonly adverbs: { readonly count: number; readonly ofTags: number | null; readonly passages: readonly Passage[] };
  readonly speakersKnown: number | null;
  /** Consecutive chapters with far less dialogue than the rest; `from` and `to` are chapter numbers. */
  readonly quiet: {
    readonly from: number;
    readonly to: number;
    readonly words: number;
    readonly share: number;
    readonly elsewhere: number;
  } | null;
  /** The longest passage without a spoken line. */
  readonly longestWithoutSpeech: { readonly words: number; readonly passage: Passage } | null;
}

const LONG_RUN = 5;
const MOST_TAGS = 40;

export function dialogueMap(bookProse: BookProse): DialogueMap {
  const { prose, chapters, dialogue, locate, wordsBetween } = bookProse;
  const isDialogue = (index: number) => dialogue.kinds[index] === "speech" || dialogue.kinds[index] === "thought";
  const spoken = dialogue.quotations.filter((_, index) => isDialogue(index));
  const spokenIn = (start: number, end: number) =>
    sumBy(startingBetween(spoken, start, end), (span) => wordsBetween(span.start, span.end));
  const share = (start: number, end: number) => {
    const words = wordsBetween(start, end);
    return words === 0 ? null : rounded(spokenIn(start, end) / words);
  };
  const turns = dialogue.turns.filter(({ quotations }) => quotations.some(isDialogue));
  const tags = turns.flatMap((turn) => turn.tags.flatMap((tag) => (tag === null ? [] : [tag])));
  const withAdverb = tags.filter(({ adverb }) => adverb !== null);
  const byVerb = groupBy(tags, ({ verb }) => verb);
  const place = ({ first, last }: { first: number; last: number }) => locate(spanOfWords(prose, first, last + 1));
  const known =
    spoken.length === 0
      ? null
      : dialogue.speakers.filter((each, index) => each !== null && isDialogue(index)).length / spoken.length;
  return {
    share: share(0, prose.text.length),
    chapters: chapters.map(({ index, start, end }) => ({ chapter: index, share: share(start, end) })),
    turns: turns.length,
    untagged: turns.length === 0 ? null : rounded(turns.filter(isUntagged).length / turns.length),
    runs: untaggedRuns(bookProse, turns),
    tags: [...byVerb]
      .map(([verb, uses]) => ({ verb, count: uses.length, passages: someOf(uses, 3).map(place) }))
      .sort((left, right) => right.count - left.count || left.verb.localeCompare(right.verb))
      .slice(0, MOST_TAGS),
    adverbs: {
      count: withAdverb.length,
      ofTags: tags.length === 0 ? null : rounded(withAdverb.length / tags.length),
      passages: someOf(withAdverb).map(place),
    },
    speakersKnown: rounded(known),
    quiet: quietIn(bookProse, spokenIn),
    longestWithoutSpeech: spoken.length === 0 ? null : longestStretchIn(bookProse, spoken),
  };
}

function quietIn(
  { chapters, wordsBetween }: BookProse,
  spokenIn: (start: number, end: number) => number,
): DialogueMap["quiet"] {
  const quiet = quietestChapters(
    chapters.map(({ start, end }) => ({
      words: wordsBetween(start, end),
      spoken: spokenIn(start, end),
    })),
  );
  if (quiet === null) return null;
  const { from, to, words, share, elsewhere } = quiet;
  const places = { from: chapters[from]!.index, to: chapters[to]!.index, words };
  return { ...places, share: rounded(share), elsewhere: rounded(elsewhere) };
}

function longestStretchIn(
  { prose, locate, sentences, wordsBetween }: BookProse,
  spoken: readonly { start: number; end: number }[],
) {
  const stretch = longestWithoutSpeech(spoken, prose.text.length);
  const first = sentences.find(({ start, isQuoted }) => start >= stretch.start && !isQuoted);
  return { words: wordsBetween(stretch.start, stretch.end), passage: locate(first ?? stretch) };
}

type Turn = BookProse["dialogue"]["turns"][number];

function isUntagged({ tags, beat, goesOn }: Turn): boolean {
  return !goesOn && beat === null && tags.every((tag) => tag === null);
}

function untaggedRuns({ prose, locate }: BookProse, turns: readonly Turn[]) {
  const runs: { turns: number; passage: Passage }[] = [];
  let first = 0;
  const close = (end: number) => {
    const count = end - first;
    if (count >= LONG_RUN) {
      const { start } = prose.paragraphs[turns[first]!.paragraph]!;
      runs.push({ turns: count, passage: locate({ start, end: prose.paragraphs[turns[end - 1]!.paragraph]!.end }) });
    }
  };
  for (const [index, turn] of turns.entries()) {
    const follows = index > 0 && turns[index - 1]!.paragraph === turn.paragraph - 1;
    if (!isUntagged(turn) || !follows) {
      close(index);
      first = isUntagged(turn) ? index : index + 1;
    }
  }
  close(turns.length);
  return runs.sort((left, right) => right.turns - left.turns).slice(0, 20);
}

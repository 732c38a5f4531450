import { countOf } from "../../core/wording.ts";
import { frequentPhrases, type PhraseUse } from "../habits/phrase-counts.ts";
import { type BookProse, spanOfWords } from "../map/book-prose.ts";
import { loadReferenceWords } from "../reference/reference-words.ts";
import { FUNCTION_WORDS } from "../word-shape.ts";
import { type Check, chapterOfWord, type Suspicion, sentenceAround } from "./check.ts";

/**
 * The number of words compared at a time: with fewer, too many match by chance; with more, small changes would break
 * every match.
 */
const GRAM = 4;
/** A sequence of words this frequent is a phrase, and is compared only with its previous occurrence. */
const PHRASE = 6;
const FEWEST_BETWEEN = 100;
/** The most words that may lie between two shared sequences, and by how many the two places may differ. */
const GAP = 30;
const DRIFT = 8;
/** From the first shared word to the last. */
const FEWEST_WORDS = 35;
/**
 * The share of words, from the first to the last, that must be in shared sequences: for a long passage, a short one,
 * and one that recurs so soon that it may be a figure of speech.
 */
const LEAST_SHARED = { long: 0.35, short: 0.45, near: 0.7 };
const LONG = 60;
const NEAR = 600;
/** A text with this many repetitions is built that way, or loops; then only long passages are reported. */
const LOOPING = 12;
const FEWEST_WORDS_LOOPING = 60;

interface Chain {
  readonly first: number;
  readonly firstEarlier: number;
  last: number;
  lastEarlier: number;
  shared: number;
}

/** Finds passages that occur twice, verbatim or nearly so. */
export const repeatedPassages: Check = (bookProse) => {
  const { prose } = bookProse;
  const found = chainsIn(prose.ids).filter((chain) => {
    const words = chain.last + GRAM - chain.first;
    const distance = chain.first - chain.firstEarlier;
    const least = distance < NEAR ? LEAST_SHARED.near : words < LONG ? LEAST_SHARED.short : LEAST_SHARED.long;
    return words >= FEWEST_WORDS && chain.shared >= least * words && !isVerse(bookProse, chain);
  });
  const groups = grouped(found);
  const shown = groups.length < LOOPING ? groups : groups.filter((places) => longest(places) >= FEWEST_WORDS_LOOPING);
  return shown.map((places) => suspicion(bookProse, places));
};

interface WordSpan {
  readonly first: number;
  readonly end: number;
}

const LIST = new Intl.ListFormat("en-GB", { type: "conjunction" });

const longest = (places: readonly WordSpan[]) => Math.max(...places.map(({ first, end }) => end - first));

function suspicion(bookProse: BookProse, places: readonly WordSpan[]): Suspicion {
  const { chapters } = bookProse;
  const words = longest(places);
  const indexes = places.map(({ first }) => chapters[chapterOfWord(bookProse, first)]!.index);
  const isSame = new Set(indexes).size === 1;
  const where = isSame ? `in chapter ${indexes[0]}` : `in chapters ${LIST.format([...new Set(indexes)].map(String))}`;
  return {
    kind: "repeated-passage",
    title: `A passage appears ${places.length === 2 ? "twice" : `${places.length} times`}`,
    claim: `${countOf(words, "word")} appear ${places.length === 2 ? "twice" : `${places.length} times`} ${where}, word for word or nearly.`,
    severity: words >= 60 ? "must" : "should",
    places: places.map(({ first, end }) => spanOfWords(bookProse.prose, first, end)),
    advice: "Keep the passage where it does the most, and cut or rewrite the other.",
  };
}

/** Lines of verse and song recur on purpose; they are recognised by paragraphs with short lines. */
function isVerse({ prose }: BookProse, { first, last }: Chain): boolean {
  const { start, end } = spanOfWords(prose, first, last + GRAM);
  const lines = prose.text.slice(start, end).split(/\n+/);
  const words = last + GRAM - first;
  return lines.length >= 3 && words / lines.length < 11;
}

/** The id of the word sequence that begins at each word; equal sequences have equal ids. */
function gramNumbers(ids: Int32Array): { numbers: Int32Array; counts: Uint32Array } {
  const size = Math.max(0, ids.length - GRAM + 1);
  const numbers = new Int32Array(size);
  let capacity = 1024;
  while (capacity < 2 * size) capacity *= 2;
  const slots = new Int32Array(capacity).fill(-1);
  const firstPlaces: number[] = [];
  const counts = new Uint32Array(size);
  const isSame = (left: number, right: number) => {
    for (let offset = 0; offset < GRAM; offset++) if (ids[left + offset] !== ids[right + offset]) return false;
    return true;
  };
  for (let place = 0; place < size; place++) {
    let hash = 0;
    for (let offset = 0; offset < GRAM; offset++)
      hash = Math.imul(hash ^ ids[place + offset]!, 0x9e3779b1) ^ (hash >>> 15);
    let slot = (hash ^ (hash >>> 13)) & (capacity - 1);
    while (slots[slot] !== -1 && !isSame(firstPlaces[slots[slot]!]!, place)) slot = (slot + 1) & (capacity - 1);
    let number = slots[slot]!;
    if (number === -1) {
      number = firstPlaces.length;
      slots[slot] = number;
      firstPlaces.push(place);
    }
    numbers[place] = number;
    counts[number]!++;
  }
  return { numbers, counts };
}

function chainsIn(ids: Int32Array): Chain[] {
  const { numbers, counts } = gramNumbers(ids);
  const before = new Int32Array(numbers.length).fill(-1);
  const latest = new Int32Array(numbers.length).fill(-1);
  const chains: Chain[] = [];
  let open: Chain[] = [];
  for (let place = 0; place < numbers.length; place++) {
    const number = numbers[place]!;
    if (counts[number]! < 2) continue;
    before[place] = latest[number]!;
    latest[number] = place;
    if (open.length > 0) open = open.filter(({ last }) => place - last <= GAP);
    let tries = counts[number]! > PHRASE ? 1 : PHRASE;
    for (let earlier = before[place]!; earlier !== -1 && tries > 0; earlier = before[earlier]!) {
      if (place - earlier < FEWEST_BETWEEN) continue;
      tries--;
      const chain = continued(open, place, earlier);
      if (chain) {
        chain.shared += Math.min(GRAM, place - chain.last);
        chain.last = place;
        chain.lastEarlier = earlier;
      } else {
        const started = { first: place, firstEarlier: earlier, last: place, lastEarlier: earlier, shared: GRAM };
        open.push(started);
        chains.push(started);
      }
    }
  }
  return chains;
}

/** The open chain that this pair of places continues: both move forward, and neither has run ahead of the other. */
function continued(open: readonly Chain[], place: number, earlier: number): Chain | null {
  let best: Chain | null = null;
  for (const chain of open) {
    const step = earlier - chain.lastEarlier;
    if (chain.last === place || step <= 0 || step > GAP + DRIFT) continue;
    if (Math.abs(place - chain.last - step) > DRIFT) continue;
    if (best === null || chain.shared > best.shared) best = chain;
  }
  return best;
}

/** Chains that share a place belong to one passage that occurs several times. */
function grouped(chains: readonly Chain[]): WordSpan[][] {
  const groups: WordSpan[][] = [];
  const byBlock = new Map<number, { readonly group: number; readonly span: WordSpan }[]>();
  for (const { first, firstEarlier, last, lastEarlier } of chains) {
    // A looping text repeats itself in one long run; each turn of it is a separate place.
    const turn = first - firstEarlier;
    const here = { first, end: Math.min(last + GRAM, first + turn) };
    const there = { first: firstEarlier, end: Math.min(lastEarlier + GRAM, first) };
    const known = [here, there]
      .flatMap((span) => blocksOf(span).flatMap((block) => byBlock.get(block) ?? []))
      .find((entry) => isSamePlace(entry.span, here) || isSamePlace(entry.span, there));
    const group = known?.group ?? groups.push([]) - 1;
    for (const span of [there, here]) {
      if (groups[group]!.some((place) => isSamePlace(place, span))) continue;
      groups[group]!.push(span);
      for (const block of blocksOf(span))
        byBlock.set(block, [...(byBlock.get(block) ?? []).slice(-3), { group, span }]);
    }
  }
  return groups
    .filter((places) => places.length > 1)
    .map((places) => places.toSorted((left, right) => left.first - right.first).slice(0, MOST_PLACES));
}

const BLOCK = 25;
const MOST_PLACES = 12;

function blocksOf({ first, end }: WordSpan): number[] {
  const from = Math.floor(first / BLOCK);
  return Array.from({ length: Math.floor((end - 1) / BLOCK) - from + 1 }, (_, index) => from + index);
}

/** Whether they share more than half of the shorter one. */
function isSamePlace(left: WordSpan, right: WordSpan): boolean {
  const shared = Math.min(left.end, right.end) - Math.max(left.first, right.first);
  return shared > 0.5 * Math.min(left.end - left.first, right.end - right.first);
}

const FEWEST_WORDS_OF_PHRASE = 3;
/** "As if she" is grammar; a phrase needs at least two content words. */
const FEWEST_CONTENT_WORDS = 2;
const SMALL_WORDS = new Set(FUNCTION_WORDS);
const FEWEST = 8;
/** Uses per 1,000 words; a phrase that the reference novels hardly use must be this frequent. */
const LEAST_RATE = 0.3;
/** How many times the rate below which 95 % of the reference novels stay. */
const TIMES = 4;
const MOST_SPOKEN = 0.4;
const MOST = 3;
const MOST_PLACES_SHOWN = 6;

const DONE = new Set(
  "let ran felt bit took held shook drew came went fell rose caught made gave kept broke stood sat know knew thought".split(
    " ",
  ),
);

/** A gesture has a verb; "the cargo bay" is a subject of the book. */
const isDone = (word: string) => DONE.has(word) || /^\p{L}{3,}ed$/u.test(word);

/** Phrases of the narration that are far more frequent than in the reference novels. */
export const overused: Check = (bookProse) => {
  const { prose } = bookProse;
  const reference = loadReferenceWords();
  const fewest = Math.max(FEWEST, Math.ceil((LEAST_RATE * prose.wordCount) / 1000));
  const tics = frequentPhrases(prose, fewest)
    .filter(({ phrase, at }) => {
      const words = phrase.split(" ");
      if (words.length < FEWEST_WORDS_OF_PHRASE || !words.some(isDone)) return false;
      if (words.filter((word) => word.length > 2 && !SMALL_WORDS.has(word)).length < FEWEST_CONTENT_WORDS) return false;
      const rate = (1000 * at.length) / prose.wordCount;
      return rate >= TIMES * (reference.high.get(phrase) ?? 0) && isHabit(bookProse, at);
    })
    .toSorted((left, right) => right.at.length * right.length - left.at.length * left.length);
  return withoutOverlaps(tics)
    .slice(0, MOST)
    .map(
      ({ phrase, at, length }): Suspicion => ({
        kind: "overused",
        title: `“${phrase}” comes back too often`,
        claim: `“${phrase}” appears ${countOf(at.length, "time")}, far more often than in published novels.`,
        severity: "consider",
        places: at
          .slice(0, MOST_PLACES_SHOWN)
          .map((word) => sentenceAround(bookProse, spanOfWords(prose, word, word + length), 300)),
        advice: "Keep the few places where it does something, and let the others say it differently or not at all.",
      }),
    );
};

/** Belongs to the narration and is spread over the book; a phrase in only a chapter or two belongs to a scene. */
function isHabit(bookProse: BookProse, at: readonly number[]): boolean {
  const { dialogue, chapters, prose } = bookProse;
  const isNamed = at.every((word) => dialogue.cast.characterAt(word) >= 0);
  const spoken = at.filter((word) => dialogue.quoted[word]).length;
  if (isNamed || spoken > MOST_SPOKEN * at.length) return false;
  if (chapters.length < 6) return at.at(-1)! - at[0]! > prose.wordCount / 3;
  return new Set(at.map((word) => chapterOfWord(bookProse, word))).size >= chapters.length / 3;
}

/** "A muscle jumped in" and "jumped in the jaw" are parts of one phrase, which the first represents. */
function withoutOverlaps(tics: readonly PhraseUse[]): PhraseUse[] {
  const pairs = (phrase: string) =>
    phrase.split(" ").flatMap((word, at, all) => (at === 0 ? [] : [`${all[at - 1]} ${word}`]));
  const kept: PhraseUse[] = [];
  for (const tic of tics) {
    const isPart = kept.some(({ phrase, at }) => {
      const known = new Set(pairs(phrase));
      return (
        Math.abs(at.length - tic.at.length) <= 0.3 * at.length && pairs(tic.phrase).some((pair) => known.has(pair))
      );
    });
    if (!isPart) kept.push(tic);
  }
  return kept;
}

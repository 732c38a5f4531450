import { type BookProse, type Passage, type SentenceSpan, someOf, spanOfWords } from "../map/book-prose.ts";
import { rate, rounded } from "../map/numbers.ts";
import { CAPITAL, markedWords } from "../prose-text.ts";
import type { ReferenceWords } from "../reference/reference-words.ts";
import { type Overuse, overusedPhrases, phraseFinder } from "./phrase-counts.ts";

/** A rare word that soon recurs. */
interface Echo {
  readonly word: string;
  /** Words between the two. */
  readonly distance: number;
  /** From the first occurrence to the second. */
  readonly passage: Passage;
}

const REACH = 200;
const SHORTEST = 5;
/** A word is rare if it occurs less than once in a hundred thousand words of the reference novels. */
const RARE = 1 / 100_000;
/** A word this frequent in the book itself belongs to its subject. */
const SUBJECT = 1 / 4_000;

function findEchoes({ prose, locate }: BookProse, reference: ReferenceWords): Echo[] {
  const own = new Uint32Array(prose.vocabulary.length);
  for (const id of prose.ids) own[id]!++;
  const most = Math.max(4, SUBJECT * prose.wordCount);
  const isRare = prose.vocabulary.map(
    (word, id) =>
      own[id]! >= 2 &&
      own[id]! <= most &&
      word.length >= SHORTEST &&
      (reference.counts.get(word) ?? 0) < RARE * reference.total,
  );
  const lastAt = new Int32Array(prose.vocabulary.length).fill(-1);
  const echoes: Echo[] = [];
  for (let word = 0; word < prose.wordCount; word++) {
    const id = prose.ids[word]!;
    if (!isRare[id] || prose.traits[word]! & CAPITAL) continue;
    const before = lastAt[id]!;
    lastAt[id] = word;
    if (before === -1 || word - before > REACH) continue;
    const passage = locate(spanOfWords(prose, before, word + 1));
    echoes.push({ word: prose.vocabulary[id]!, distance: word - before, passage });
  }
  return echoes.sort((left, right) => left.distance - right.distance);
}

/** Consecutive narrative sentences that begin with the same word. */
interface RepeatedOpening {
  readonly word: string;
  readonly sentences: number;
  readonly passage: Passage;
}

const FEWEST = 4;

function repeatedOpenings({ prose, sentences, locate }: BookProse): RepeatedOpening[] {
  const runs: RepeatedOpening[] = [];
  let first = 0;
  const close = (end: number) => {
    if (end - first < FEWEST) return;
    const word = prose.words[sentences[first]!.firstWord]!;
    runs.push({
      word,
      sentences: end - first,
      passage: locate({ start: sentences[first]!.start, end: sentences[end - 1]!.end }),
    });
  };
  for (const [index, { firstWord, isQuoted }] of sentences.entries()) {
    const before = sentences[index - 1];
    const isSame = before && !before.isQuoted && !isQuoted && prose.words[before.firstWord] === prose.words[firstWord];
    if (isSame) continue;
    close(index);
    first = index;
  }
  close(sentences.length);
  return runs.sort((left, right) => right.sentences - left.sentences);
}

/** Clichés as they appear in prose; "*" stands for one word or none. */
const CLICHES: readonly string[] = `
at the end of the day|in the nick of time|against all odds|all hell broke loose|avoid * like the plague|back to square one
beat around the bush|better late than never|between a rock and a hard place|bite the bullet|blood ran cold|bolt from the blue
breath she didn't know she was holding|breath he didn't know he was holding|breath i didn't know i was holding|bright and early
bundle of nerves|butterflies in her stomach|butterflies in his stomach|butterflies in my stomach|by the skin of his teeth
by the skin of her teeth|calm before the storm|cold as ice|cool as a cucumber|cried like a baby|crystal clear|cut to the chase
dead as a doornail|deafening silence|silence was deafening|deer in the headlights|diamond in the rough|drop in the bucket
dead of night|down to earth|each and every|easy as pie|eyes like saucers|eyes wide as saucers|face like thunder|fate worse than death
few and far between|fit as a fiddle|flat as a pancake|fought back tears|fought back the tears|from head to toe|from the bottom of my heart
gut feeling|hair stood on end|hard as nails|heart hammered in * chest|heart pounded in * chest|heart skipped a beat
heart sank|heart in * mouth|heart of gold|heart of stone|hit the nail on the head|in one fell swoop|in the blink of an eye
in the heat of the moment|in the middle of nowhere|it was a dark and stormy night|jaw dropped|just the tip of the iceberg
knees went weak|last but not least|leave no stone unturned|let out a breath|light as a feather|like a bat out of hell
like a bolt of lightning|like a caged animal|like a deer in headlights|like a fish out of water|like a knife through butter
like a ton of bricks|like clockwork|like there was no tomorrow|little did * know|lost track of time|love at first sight
made * blood boil|made * skin crawl|mind over matter|more than meets the eye|needle in a haystack|needless to say|nerves of steel
nipped in the bud|no rest for the wicked|old as the hills|once in a blue moon|once upon a time|only time will tell
out of the blue|out of the frying pan|pale as a ghost|piece of cake|pitch black|plain as day|play with fire|pure as the driven snow
quiet as a mouse|quick as a flash|quick as lightning|read * like a book|rooted to the spot|ruby red lips|sadder but wiser
scared to death|sealed * fate|sharp as a tack|shiver down * spine|sick and tired|sigh of relief|sink or swim|slept like a log
slow as molasses|smooth as silk|so quiet you could hear a pin drop|hear a pin drop|sold like hot cakes|stick out like a sore thumb
still as a statue|stone cold|stood the test of time|stopped dead in * tracks|strong as an ox|swept off * feet|take the bull by the horns
the apple of * eye|the best of both worlds|the blind leading the blind|the dark side|the last straw|the rest is history
the writing on the wall|thick as thieves|time stood still|time heals all wounds|tip of the iceberg|to make a long story short
tooth and nail|tossed and turned|turn over a new leaf|twinkle in * eye|under the weather|up in arms|vanished into thin air
walking on eggshells|water under the bridge|weak in the knees|wet behind the ears|when all is said and done|white as a sheet
white as snow|wide-eyed and|wind in * sails|world came crashing down|worth its weight in gold|sent shivers down * spine|chill ran down * spine
blood drained from * face|time seemed to slow|world fell away|weight of the world|weight lifted from * shoulders|hung heavy in the air
`
  .trim()
  .split(/\n|\|/);

/** How often something occurs, and where. */
export interface Habit {
  readonly count: number;
  /** Per 1,000 words. */
  readonly rate: number | null;
  readonly passages: readonly Passage[];
  /** The number in each chapter, in order. */
  readonly chapters: readonly number[];
}

export interface Habits {
  readonly overused: { readonly words: readonly Overuse[]; readonly phrases: readonly Overuse[] };
  readonly echoes: Habit & { readonly strongest: readonly Echo[] };
  readonly openings: Habit & { readonly runs: readonly RepeatedOpening[] };
  /** Words that put an observer between reader and event: "she saw", "he felt". */
  readonly filterWords: Habit;
  readonly weakOpenings: Habit;
  readonly stackedSimiles: Habit;
  readonly cliches: Habit & { readonly phrases: readonly { readonly phrase: string; readonly count: number }[] };
}

const FILTERS = new Set(
  "saw heard felt noticed watched realised realized wondered seemed observed sensed spotted perceived decided".split(
    " ",
  ),
);

const findCliches = phraseFinder(CLICHES);

export function habitsOf(bookProse: BookProse, reference: ReferenceWords): Habits {
  const { prose, sentences, dialogue, chapters, locate } = bookProse;
  const words = prose.wordCount;
  const order = new Map(chapters.map(({ index }, place) => [index, place]));
  const habit = (passages: readonly Passage[]): Habit => {
    const byChapter = new Array<number>(chapters.length).fill(0);
    for (const { chapter } of passages) byChapter[order.get(chapter)!]!++;
    return {
      count: passages.length,
      rate: rounded(rate(passages.length, words), 3),
      passages: someOf(passages),
      chapters: byChapter,
    };
  };
  const place = (first: number, end: number) => locate(spanOfWords(prose, first, end));
  const filters: Passage[] = [];
  const isFilter = markedWords(prose, (word) => (FILTERS.has(word) ? 1 : 0));
  for (let word = 0; word < words; word++) {
    if (isFilter[prose.ids[word]!] && !dialogue.quoted[word]) filters.push(place(word, word + 1));
  }
  const weak = sentences.filter(({ firstWord, isQuoted }) => {
    const [first, second] = [prose.words[firstWord], prose.words[firstWord + 1]];
    return (
      !isQuoted &&
      (first === "there" || first === "it") &&
      (second === "was" || second === "were" || second === "is" || second === "are")
    );
  });
  const similes = sentences.filter((sentence) => similesIn(prose.words, sentence) >= 2);
  const cliches = findCliches(prose);
  const counts = new Map<number, number>();
  for (const { phrase } of cliches) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  const echoes = findEchoes(bookProse, reference);
  const runs = repeatedOpenings(bookProse);
  return {
    overused: overusedPhrases(bookProse, reference),
    echoes: { ...habit(echoes.map(({ passage }) => passage)), strongest: someOf(echoes, 30) },
    openings: { ...habit(runs.map(({ passage }) => passage)), runs: runs.slice(0, 20) },
    filterWords: habit(filters),
    weakOpenings: habit(weak.map(locate)),
    stackedSimiles: habit(similes.map(locate)),
    cliches: {
      ...habit(cliches.map(({ first, end }) => place(first, end))),
      phrases: [...counts]
        .map(([phrase, count]) => ({ phrase: CLICHES[phrase]!, count }))
        .sort((left, right) => right.count - left.count),
    },
  };
}

/** "Like a …", "as if", "as though", "as … as a". */
function similesIn(words: readonly string[], { firstWord, endWord }: SentenceSpan): number {
  const isArticle = (word: string | undefined) => word === "a" || word === "an";
  let count = 0;
  for (let word = firstWord; word < endWord - 1; word++) {
    const next = words[word + 1]!;
    if (words[word] === "like") count += isArticle(next) ? 1 : 0;
    else if (words[word] === "as") {
      if (next === "if" || next === "though") count++;
      else if (word + 3 < endWord && words[word + 2] === "as" && isArticle(words[word + 3])) count++;
    }
  }
  return count;
}

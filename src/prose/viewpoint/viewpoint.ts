import { remembered } from "../../core/remembered.ts";
import { sumBy } from "../../stats/distribution.ts";
import { tenseShifts } from "../checks/tense-and-person.ts";
import { type BookProse, type ChapterSpan, type Passage, someOf, startingBetween } from "../map/book-prose.ts";
import { rounded } from "../map/numbers.ts";
import { markedWords, type ProseText, type Span, wordAt } from "../prose-text.ts";

export type Person = "first" | "second" | "third";
export type Tense = "past" | "present";

export interface ChapterViewpoint {
  readonly chapter: number;
  /** Null if the chapter has too little narration. */
  readonly person: Person | null;
  readonly tense: Tense | null;
  /** The share of the narration's finite verbs that are in the present. */
  readonly presentShare: number | null;
}

export interface Slip {
  readonly kind: "person" | "tense";
  readonly passage: Passage;
}

export interface Viewpoint {
  readonly person: Person | null;
  readonly tense: Tense | null;
  readonly chapters: readonly ChapterViewpoint[];
  /** Paragraphs of narration in another tense or person than their chapter. */
  readonly slips: readonly Slip[];
  readonly slipCount: number;
}

interface Counts {
  words: number;
  first: number;
  second: number;
  third: number;
  past: number;
  present: number;
}

const SINGULAR_FIRST = new Set("i me my myself mine".split(" "));
const SECOND = new Set("you your yours yourself".split(" "));
const THIRD = new Set("he she him his her hers himself herself they them their".split(" "));
/** Verbs whose form alone shows the tense. "Had" and "did" do; "have" and "do" follow "to" and other verbs. */
const PAST = new Set(
  "was were had did went came said took saw knew thought felt made got gave stood sat looked turned seemed began asked told left heard found kept".split(
    " ",
  ),
);
const PRESENT = new Set(
  "is are am has does says goes comes takes sees knows thinks feels makes gets gives stands sits looks turns seems begins asks tells leaves hears finds keeps".split(
    " ",
  ),
);
/** After these a verb is a participle: "has left" is not a simple past. */
const BEFORE_PARTICIPLE = new Set("has have having is are am be been being".split(" "));
/**
 * After these a present form does not show the tense of the narration: "that is" and "which is" state general facts.
 */
const GENERAL = new Set(["that", "which", "there", "it", "as", "what"]);

const FEWEST_WORDS = 60;
/**
 * "I" per thousand words of narration. A chapter has the same person as its book unless it clearly differs: a letter
 * in a third-person novel contains many an "I", and a chapter of a memoir about other people is still first-person.
 */
const FIRST_RATE = { unknown: 9, third: 15, first: 4, second: 10 };
const SECOND_RATE = 25;
const SLIP_VERBS = 3;
const SLIP_PERSONS = 4;

export function viewpointOf(bookProse: BookProse): Viewpoint {
  const isTold = narrated(bookProse);
  const perChapter = bookProse.chapters.map((chapter) => countIn(bookProse, chapter, isTold));
  const whole = judged(perChapter.reduce(added, empty()), null);
  const chapters = perChapter.map((counts, index) => ({
    chapter: bookProse.chapters[index]!.index,
    ...judged(counts, whole.person),
  }));
  const inChapters = bookProse.chapters.flatMap((chapter, index) => slipsIn(bookProse, chapter, chapters[index]!));
  const slips = withShifts(bookProse, inChapters);
  return { person: whole.person, tense: whole.tense, chapters, slips: someOf(slips, 40), slipCount: slips.length };
}

/** The same, with the paragraphs of the runs that `fabula check` finds, some of which contain dialogue. */
function withShifts(bookProse: BookProse, slips: readonly Slip[]): Slip[] {
  const at = ({ chapter, start }: Passage) => `${chapter} ${start}`;
  const known = new Set(slips.map(({ passage }) => at(passage)));
  const shifts = tenseShifts(bookProse).flatMap(({ places }) => places.map((place) => bookProse.locate(place)));
  const added = shifts.filter((passage) => !known.has(at(passage)));
  return [...slips, ...added.map((passage): Slip => ({ kind: "tense", passage }))].toSorted(
    (left, right) => left.passage.chapter - right.passage.chapter || left.passage.start - right.passage.start,
  );
}

/**
 * Which words are narration: those outside quotation marks and, in chapters that a character tells at length, also
 * those of the tale, whose paragraphs open with a mark and do not close it.
 */
function narrated({ prose, dialogue, chapters }: BookProse): Uint8Array {
  const told = dialogue.quoted.map((quoted) => 1 - quoted);
  for (const { start, end, firstWord, endWord } of chapters) {
    const tale = dialogue.quotations.filter((span) => span.start >= start && span.end <= end && span.continues);
    const words = sumBy(tale, (span) => wordAt(prose, span.end) - wordAt(prose, span.start));
    if (2 * words < endWord - firstWord) continue;
    for (const span of tale) told.fill(1, wordAt(prose, span.start), wordAt(prose, span.end));
  }
  return told;
}

const empty = (): Counts => ({ words: 0, first: 0, second: 0, third: 0, past: 0, present: 0 });

function added(left: Counts, right: Counts): Counts {
  return {
    words: left.words + right.words,
    first: left.first + right.first,
    second: left.second + right.second,
    third: left.third + right.third,
    past: left.past + right.past,
    present: left.present + right.present,
  };
}

const IS_FIRST = 1;
const IS_SECOND = 2;
const IS_THIRD = 3;
const IS_PAST = 4;
const IS_PRESENT = 5;

const kindsOf = remembered((prose: ProseText) =>
  markedWords(prose, (word) => {
    if (SINGULAR_FIRST.has(word)) return IS_FIRST;
    if (SECOND.has(word)) return IS_SECOND;
    if (THIRD.has(word)) return IS_THIRD;
    return PAST.has(word) ? IS_PAST : PRESENT.has(word) ? IS_PRESENT : 0;
  }),
);

function countWord(counts: Counts, { words, ids }: ProseText, kinds: Uint8Array, word: number): void {
  counts.words++;
  const kind = kinds[ids[word]!]!;
  if (kind === 0) return;
  if (kind === IS_FIRST) counts.first++;
  else if (kind === IS_SECOND) counts.second++;
  else if (kind === IS_THIRD) counts.third++;
  else if (kind === IS_PAST && !BEFORE_PARTICIPLE.has(words[word - 1] ?? "")) counts.past++;
  else if (kind === IS_PRESENT && !GENERAL.has(words[word - 1] ?? "")) counts.present++;
}

function countIn({ prose }: BookProse, { firstWord, endWord }: ChapterSpan, isTold: Uint8Array): Counts {
  const counts = empty();
  const kinds = kindsOf(prose);
  for (let word = firstWord; word < endWord; word++) if (isTold[word]) countWord(counts, prose, kinds, word);
  return counts;
}

function judged(counts: Counts, book: Person | null): Pick<ChapterViewpoint, "person" | "tense" | "presentShare"> {
  const { words, first, second, third, past, present } = counts;
  if (words < FEWEST_WORDS) return { person: null, tense: null, presentShare: null };
  const perThousand = (count: number) => (1000 * count) / words;
  const isFirst = perThousand(first) >= FIRST_RATE[book ?? "unknown"];
  const isSecond = !isFirst && perThousand(second) >= SECOND_RATE && second > third;
  const telling = past + present;
  return {
    person: isFirst ? "first" : isSecond ? "second" : "third",
    tense: telling < 5 ? null : present > past ? "present" : "past",
    presentShare: telling === 0 ? null : rounded(present / telling, 3),
  };
}

/**
 * Paragraphs that differ from their chapter: several finite verbs all in the other tense, or "I" in a third-person
 * story.
 */
function slipsIn(bookProse: BookProse, chapter: ChapterSpan, { person, tense }: ChapterViewpoint): Slip[] {
  if (person === null) return [];
  const { prose, dialogue, locate } = bookProse;
  const slips: Slip[] = [];
  let word = chapter.firstWord;
  const kinds = kindsOf(prose);
  for (const paragraph of startingBetween(prose.paragraphs, chapter.start, chapter.end)) {
    const counts = empty();
    let isMixed = false;
    while (word < chapter.endWord && prose.starts[word]! < paragraph.end) {
      if (dialogue.quoted[word]) isMixed = true;
      else countWord(counts, prose, kinds, word);
      word++;
    }
    // A paragraph with dialogue changes tense with every tag, so only plain narration is checked.
    if (isMixed) continue;
    const kind = slipKind(counts, person, tense);
    if (kind) slips.push({ kind, passage: locate(paragraph satisfies Span) });
  }
  return slips;
}

function slipKind({ past, present, first }: Counts, person: Person, tense: Tense | null): Slip["kind"] | null {
  if (tense === "past" && past === 0 && present >= SLIP_VERBS) return "tense";
  if (tense === "present" && present === 0 && past >= SLIP_VERBS) return "tense";
  return person === "third" && first >= SLIP_PERSONS ? "person" : null;
}

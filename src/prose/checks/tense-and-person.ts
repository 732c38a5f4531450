import { groupBy } from "../../core/group-by.ts";
import { remembered } from "../../core/remembered.ts";
import { countOf } from "../../core/wording.ts";
import type { BookProse } from "../map/book-prose.ts";
import { ADJOINS, markedWords, POSSESSIVE, type Span } from "../prose-text.ts";
import { narrativePerson, SPEAKS_UP } from "../speakers/read-dialogue.ts";
import { SPEECH_VERBS } from "../word-shape.ts";
import { type Check, chapterOfWord, type Suspicion } from "./check.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

const SINGULAR = words("he she it who nobody everybody everyone someone somebody");
const PLURAL = words("they i we you");
const THEY = words("they");
/** Words between a subject and its verb; words in -ly are skipped as well. */
const ADVERBS = words(
  "never always still now then also just only even ever not often soon again at once almost too both all no longer",
);
const PAST = words(
  `was were had did went came said took saw knew thought felt made got gave stood sat began told left heard found kept ran held
  brought fell rose spoke drew lay caught threw broke wrote met led understood could would might became grew shook struck meant
  sent lost slept woke bent crept leapt swung sprang flung wore sang drank ate rode drove flew hung swore paid sold built bought
  taught sought fought laid strode clung stole tore froze chose bore dug stuck swept wept dealt dreamt leant learnt lit shone slid
  spat spun stung sank swam`,
);
const PRESENT = words("is has does says goes can will am are have do may");
const BEING_NOW = words("is are has");
const BEING_THEN = words("was were had");
/** Verbs without an ending, as after "they", "I" and "we" in the present. */
const BASE = words(
  `know think see feel go come want look turn say stand walk take make get give keep begin run hold bring fall rise speak find
  hear leave sit ask tell need try seem remember understand believe wait watch stare reach pull push move open close start stop
  step follow smile nod laugh hope wonder guess love hate like lean wake eat drink sleep`,
);
/** Words in -s after a subject that are not verbs. */
const NO_VERB = words(
  "his this its as us yes perhaps besides always sometimes towards thus less unless was is has does across whereas afterwards upstairs downstairs indoors outdoors nevertheless nonetheless themselves ourselves",
);

/** A paragraph whose narrator addresses the reader or mentions himself may change tense freely. */
const ADDRESS = words("i me my myself mine you your yours we us our ours reader readers thou thee thy ye");
const ADDRESS_IN_FIRST_PERSON = words("you your yours reader readers thou thee thy ye");

/** A verb that shows the tense of the narration: the word, and whether it is in the present. */
interface Telling {
  readonly word: number;
  readonly isPresent: boolean;
  /** Whether its subject is a person, since a town may be described in the present in any book. */
  readonly isPerson: boolean;
  /** Whether its subject is a named person, since what people in general do is told in the present, too. */
  readonly isNamed?: boolean;
}

/** What a verb in the other tense adds to a run, and what one in the book's tense subtracts; a run needs two thirds. */
const GAIN = 1;
const LOSS = 2;
const LEAST_SCORE = { third: 9, first: 11 };
const FEWEST_OF_PEOPLE = 4;
const MANY_OF_PEOPLE = 8;
/**
 * A slip begins and ends in the middle of the narration: among this many verbs on each side, this share is in the
 * book's tense.
 */
const BESIDE = 15;
const LEAST_BESIDE = 0.65;
/** The number at the very beginning and end of a book, where there are fewer. */
const FEWEST_BESIDE = 6;
/** This many words without such a verb end a run. */
const LONGEST_SILENCE = 250;
/** A book that changes tense this often, or for so much of its length, does so on purpose. */
const MOST_RUNS = { third: 4, first: 3 };
/** Two runs this close are one interrupted run. */
const NEAR = 400;
const MOST_SHARE = 0.3;
const FEWEST_TELLING = 40;

/** Finds sequences of paragraphs in another tense than the surrounding narration. */
export const tenseShifts: Check = remembered((bookProse) => {
  const telling = tellingVerbs(bookProse);
  const present = telling.filter(({ isPresent }) => isPresent).length;
  if (telling.length < FEWEST_TELLING) return [];
  const isBookPresent = 2 * present > telling.length;
  const others = isBookPresent ? telling.length - present : present;
  if (others > MOST_SHARE * telling.length) return [];
  const isWithin = (run: Run) => isInside(telling, isBookPresent, run) && !isLetter(bookProse, run);
  const long = runsAgainst(telling, isBookPresent, LEAST_SCORE[voice(bookProse)]).filter(isWithin);
  const short = voice(bookProse) === "third" ? wholeParagraphs(bookProse, telling, isBookPresent).filter(isWithin) : [];
  const isNew = ({ first, last }: Run) => !long.some((run) => first <= run.last + NEAR && run.first <= last + NEAR);
  const runs = [...long, ...short.filter(isNew)].toSorted((left, right) => left.first - right.first);
  if (runs.length > MOST_RUNS[voice(bookProse)]) return [];
  return runs.map(({ first, last }): Suspicion => {
    const chapter = bookProse.chapters[chapterOfWord(bookProse, first)]!;
    const [usual, other] = isBookPresent ? ["present", "past"] : ["past", "present"];
    const span = paragraphsAround(bookProse, first, last);
    return {
      kind: "tense-shift",
      detail: voice(bookProse) === "first" ? "first person" : "third person",
      title: `The narration falls into the ${other} tense`,
      claim: `The book is told in the ${usual} tense; about ${countOf(roundedWords(last - first), "word")} of chapter ${chapter.index} are told in the ${other}.`,
      severity: "should",
      places: span,
      advice: `If the change is not meant, tell this in the ${usual} tense too.`,
    };
  });
});

/** A narrator who occasionally says "I" also comments in the present, even if the story is told in the third person. */
const voice = remembered(({ prose, dialogue }: BookProse) => narrativePerson(prose, dialogue.quoted, SPEAKS_UP));

const roundedWords = (count: number) => Math.max(10, Math.round(count / 10) * 10);

/** The roles of a word in a narrative clause, as bits. */
const IS_NOW = 1;
const IS_THEN = 2;
const IS_PLURAL = 4;
const IS_SINGULAR = 8;

function tellingVerbs(bookProse: BookProse): Telling[] {
  const { prose, dialogue } = bookProse;
  const { words: text, ids, traits, wordCount, paragraphOf } = prose;
  const { cast, quoted } = dialogue;
  const isAddress = addressed(bookProse);
  // A first-person narrator looks back and comments in the present, so only other people's verbs count.
  const plural = voice(bookProse) === "third" ? PLURAL : THEY;
  const marks = markedWords(
    prose,
    (word) =>
      (BEING_NOW.has(word) ? IS_NOW : 0) |
      (BEING_THEN.has(word) ? IS_THEN : 0) |
      (plural.has(word) ? IS_PLURAL : 0) |
      (SINGULAR.has(word) ? IS_SINGULAR : 0),
  );
  const found: Telling[] = [];
  let counted = -1;
  for (let word = 0; word + 1 < wordCount; word++) {
    const mark = marks[ids[word]!]!;
    if (mark === 0 && cast.characterAt(word) < 0) continue;
    if (quoted[word] || isAddress[paragraphOf[word]!]) continue;
    // "The room is", "the lights were": these count wherever they occur.
    if (word > counted && mark & (IS_NOW | IS_THEN)) {
      found.push({ word, isPresent: (mark & IS_NOW) !== 0, isPerson: false });
      continue;
    }
    const isName = cast.characterAt(word) >= 0 && cast.mentionEnd(word) === word;
    const isPlural = (mark & IS_PLURAL) !== 0;
    if (traits[word]! & POSSESSIVE || !(isName || mark & (IS_PLURAL | IS_SINGULAR))) continue;
    const subject = text[word]!;
    const before = text[word - 1] ?? "";
    const isInverted = SPEECH_VERBS.has(before) && Boolean(traits[word]! & ADJOINS) && !dialogue.quoted[word - 1];
    if (isInverted && (before.endsWith("ed") || PAST.has(before)))
      found.push({ word, isPresent: false, isPerson: true, isNamed: isName });
    else if (isInverted && before.endsWith("s")) found.push({ word, isPresent: true, isPerson: true, isNamed: isName });
    else {
      const isPresent = tenseAfter(bookProse, word, isPlural);
      if (isPresent === null) continue;
      found.push({ word, isPresent, isPerson: subject !== "it", isNamed: isName });
      counted = word + 4;
    }
  }
  return found;
}

/** Whether the verb after this subject is in the present; null if its form does not show it. */
function tenseAfter({ prose, dialogue }: BookProse, subject: number, isPlural: boolean): boolean | null {
  const { words: text, traits, wordCount } = prose;
  let verb = subject + 1;
  while (
    verb < Math.min(wordCount, subject + 4) &&
    traits[verb]! & ADJOINS &&
    (ADVERBS.has(text[verb]!) || text[verb]!.endsWith("ly"))
  )
    verb++;
  if (verb >= wordCount || !(traits[verb]! & ADJOINS) || dialogue.quoted[verb]) return null;
  const word = text[verb]!;
  if (PAST.has(word) || (word.length > 3 && word.endsWith("ed"))) return false;
  if (PRESENT.has(word)) return true;
  if (isPlural) return BASE.has(word) ? true : null;
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !NO_VERB.has(word) && !(traits[verb]! & 1))
    return true;
  return null;
}

/** The largest share of words in a paragraph's narration that address the reader or refer to the narrator. */
const MOST_ADDRESS = 0.007;

/** By paragraph: whether its narration addresses the reader or refers to the narrator. */
const addressed = remembered((bookProse: BookProse): Uint8Array => {
  const { prose, dialogue } = bookProse;
  const speaks = voice(bookProse) === "first" ? ADDRESS_IN_FIRST_PERSON : ADDRESS;
  const isAddress = markedWords(prose, (word) => (speaks.has(word) ? 1 : 0));
  const told = new Uint32Array(prose.paragraphs.length);
  const marked = new Uint32Array(prose.paragraphs.length);
  for (let word = 0; word < prose.wordCount; word++) {
    if (dialogue.quoted[word]) continue;
    told[prose.paragraphOf[word]!]!++;
    if (isAddress[prose.ids[word]!]) marked[prose.paragraphOf[word]!]!++;
  }
  return Uint8Array.from(told, (count, paragraph) => (marked[paragraph]! > MOST_ADDRESS * count ? 1 : 0));
});

interface Run {
  readonly first: number;
  readonly last: number;
}

/** Sequences in which verbs in the other tense outweigh the rest, each at its strongest extent. */
function runsAgainst(telling: readonly Telling[], isBookPresent: boolean, least: number): Run[] {
  const runs: Run[] = [];
  let score = 0;
  let best = 0;
  let first = 0;
  let last = 0;
  let people = 0;
  let named = 0;
  // In a first-person book, other people are named elsewhere.
  const isAboutSomebody = () => named > 1 || (people >= MANY_OF_PEOPLE && (named > 0 || least > LEAST_SCORE.third));
  const close = () => {
    if (best >= least && people >= FEWEST_OF_PEOPLE && isAboutSomebody()) {
      const before = runs.at(-1);
      if (before && first - before.last <= NEAR) runs[runs.length - 1] = { first: before.first, last };
      else runs.push({ first, last });
    }
    score = 0;
    best = 0;
    people = 0;
    named = 0;
  };
  for (const [index, { word, isPresent, isPerson, isNamed }] of telling.entries()) {
    if (score > 0 && word - telling[index - 1]!.word > LONGEST_SILENCE) close();
    const isAgainst = isPresent !== isBookPresent;
    if (score === 0 && !isAgainst) continue;
    if (score === 0) first = word;
    score += isAgainst ? GAIN : -LOSS;
    if (isAgainst && isPerson) people++;
    if (isAgainst && isNamed) named++;
    if (score > best) {
      best = score;
      last = word;
    }
    // When the score has fallen far below its maximum, the run has ended there.
    if (score <= 0 || score < best - least) close();
  }
  close();
  return runs;
}

/**
 * Whether the narration before and after a run is in the book's tense, so that it is not an epilogue, a letter or a
 * continuing description.
 */
function isInside(telling: readonly Telling[], isBookPresent: boolean, { first, last }: Run): boolean {
  const from = telling.findIndex(({ word }) => word >= first);
  const to = telling.findLastIndex(({ word }) => word <= last);
  return [telling.slice(Math.max(0, from - BESIDE), from), telling.slice(to + 1, to + 1 + BESIDE)].every(
    (side) =>
      side.filter(({ isPresent }) => isPresent === isBookPresent).length >=
      LEAST_BESIDE * Math.max(FEWEST_BESIDE, side.length),
  );
}

/** The share of a run's paragraphs that address somebody, as in a letter or an author's aside. */
const MOST_SPOKEN_TO = 0.25;

function isLetter(bookProse: BookProse, { first, last }: Run): boolean {
  const { paragraphOf } = bookProse.prose;
  const own = addressed(bookProse).slice(paragraphOf[first], paragraphOf[last]! + 1);
  return own.reduce((sum, each) => sum + each, 0) > MOST_SPOKEN_TO * own.length;
}

const FEWEST_PARAGRAPHS = 3;
const FEWEST_IN_PARAGRAPHS = 7;
const FEWEST_NAMED = 1;

/** Finds short shifts: adjacent paragraphs without dialogue in which every verb is in the other tense. */
function wholeParagraphs({ prose, dialogue }: BookProse, telling: readonly Telling[], isBookPresent: boolean): Run[] {
  const mixed = new Uint8Array(prose.paragraphs.length);
  for (let word = 0; word < prose.wordCount; word++) if (dialogue.quoted[word]) mixed[prose.paragraphOf[word]!] = 1;
  const runs: Run[] = [];
  let paragraphs: Telling[][] = [];
  const close = () => {
    const all = paragraphs.flat();
    const named = all.filter(({ isNamed }) => isNamed).length;
    const people = all.filter(({ isPerson }) => isPerson).length;
    if (
      paragraphs.length >= FEWEST_PARAGRAPHS &&
      all.length >= FEWEST_IN_PARAGRAPHS &&
      people >= FEWEST_OF_PEOPLE &&
      named >= FEWEST_NAMED
    )
      runs.push({ first: all[0]!.word, last: all.at(-1)!.word });
    paragraphs = [];
  };
  for (const [paragraph, own] of groupBy(telling, ({ word }) => prose.paragraphOf[word]!)) {
    if (mixed[paragraph]) continue;
    const before = paragraphs.at(-1)?.[0];
    if (before && paragraph - prose.paragraphOf[before.word]! > 2) close();
    if (own.length >= 2 && own.every(({ isPresent }) => isPresent !== isBookPresent)) paragraphs.push(own);
    else close();
  }
  close();
  return runs;
}

const MOST_PARAGRAPHS = 6;

/** The first few paragraphs of a run, one place each, so that a quotation stays readable. */
function paragraphsAround({ prose }: BookProse, first: number, last: number): Span[] {
  const from = prose.paragraphOf[first]!;
  const to = Math.min(prose.paragraphOf[last]!, from + MOST_PARAGRAPHS - 1);
  return prose.paragraphs.slice(from, to + 1);
}

const FIRST_PERSON = words("i me my myself mine");
const OTHER_PERSON = words("he she him her his hers himself herself");
/** "I" per hundred words of narration: first-person chapters have more, third-person ones less. */
const TOLD_BY_ONE = 2.5;
const TOLD_OF_OTHERS = 0.4;
const STRETCH = 400;
const SHORTEST_TOLD = 400;
/** If there are more shifts, they are stories, letters or thoughts that the book includes on purpose. */
const MOST_SHIFTS = 1;
const FEWEST_STRETCHES = 6;
const MOST_OTHER_SHARE = 0.3;
const SECOND_PERSON = words("you your yours yourself thee thou thy");
/** Letters address somebody: "you" per hundred words. */
const SPOKEN_TO = 0.3;

const FIRST = 1;
const OTHER = 2;
const SECOND = 3;

/** The number of words of narration, and how many of them are "I", "he" or "you". */
interface Stretch {
  readonly first: number;
  last: number;
  told: number;
  own: number;
  other: number;
  you: number;
}

const joined = (left: Stretch, right: Stretch): Stretch => ({
  first: left.first,
  last: right.last,
  told: left.told + right.told,
  own: left.own + right.own,
  other: left.other + right.other,
  you: left.you + right.you,
});

/** Finds first-person passages in a third-person book, and the other way round. */
export const personShifts: Check = (bookProse) => {
  const { prose, dialogue } = bookProse;
  const halves: Stretch[] = [];
  let current: Stretch | null = null;
  const isDocument = documentsIn(bookProse);
  const persons = markedWords(prose, (word) =>
    FIRST_PERSON.has(word) ? FIRST : OTHER_PERSON.has(word) ? OTHER : SECOND_PERSON.has(word) ? SECOND : 0,
  );
  for (let word = 0; word < prose.wordCount; word++) {
    if (dialogue.quoted[word] || isDocument[prose.paragraphOf[word]!]) continue;
    current ??= { first: word, last: word, told: 0, own: 0, other: 0, you: 0 };
    current.told++;
    current.last = word;
    const person = persons[prose.ids[word]!];
    if (person === FIRST) current.own++;
    else if (person === OTHER) current.other++;
    else if (person === SECOND) current.you++;
    if (current.told === STRETCH / 2) {
      halves.push(current);
      current = null;
    }
  }
  // Each half is part of two stretches, so that a shift is covered whole wherever it begins.
  const stretches = halves.slice(1).map((half, index) => joined(halves[index]!, half));
  if (stretches.length < 2 * FEWEST_STRETCHES || dialogue.person === "first") return [];
  const isOwn = ({ own, other, told, you }: Stretch) =>
    (100 * own) / told >= TOLD_BY_ONE && own > other / 3 && (100 * you) / told <= SPOKEN_TO;
  const share = stretches.filter(isOwn).length / stretches.length;
  const rates = stretches.map(({ own, told }) => (100 * own) / told).toSorted((left, right) => left - right);
  if (share > MOST_OTHER_SHARE || rates[Math.floor(rates.length / 2)]! > TOLD_OF_OTHERS) return [];
  const found: Run[] = [];
  for (const [index, stretch] of stretches.entries()) {
    if (!isOwn(stretch)) continue;
    const before = stretches[index - 1];
    if (before && isOwn(before)) found[found.length - 1] = { first: found.at(-1)!.first, last: stretch.last };
    else found.push({ first: stretch.first, last: stretch.last });
  }
  const starting = found.map(({ first, last }) => ({ from: ownStart(bookProse, first), last }));
  // An author's aside is shorter.
  const told = starting.filter(({ from, last }) => last - from >= SHORTEST_TOLD);
  if (told.length > MOST_SHIFTS) return [];
  return told.map(({ from, last }): Suspicion => {
    const chapter = bookProse.chapters[chapterOfWord(bookProse, from)]!;
    return {
      kind: "person-shift",
      title: "The narration changes to “I”",
      claim: `The book is told in the third person; about ${countOf(roundedWords(last - from), "word")} of chapter ${chapter.index} are told by “I”.`,
      severity: "should",
      places: paragraphsAround(bookProse, from, last),
      advice:
        "If nobody is meant to tell this part, put it into the third person; if somebody is, let the reader know who.",
    };
  });
};

/** By paragraph: a letter or note that follows a colon, for as long as somebody says "I" in it. */
function documentsIn({ prose, dialogue }: BookProse): Uint8Array {
  const speaks = new Uint8Array(prose.paragraphs.length);
  const isFirst = markedWords(prose, (word) => (FIRST_PERSON.has(word) ? 1 : 0));
  for (let word = 0; word < prose.wordCount; word++)
    if (isFirst[prose.ids[word]!] && !dialogue.quoted[word]) speaks[prose.paragraphOf[word]!] = 1;
  const isDocument = new Uint8Array(prose.paragraphs.length);
  for (let paragraph = 1; paragraph < isDocument.length; paragraph++) {
    const { end } = prose.paragraphs[paragraph - 1]!;
    if (speaks[paragraph] && (isDocument[paragraph - 1] || /[:—]$/.test(prose.text.slice(end - 1, end))))
      isDocument[paragraph] = 1;
  }
  return isDocument;
}

/** The first "I" of a stretch. */
function ownStart({ prose, dialogue }: BookProse, first: number): number {
  for (let word = first; word < Math.min(prose.wordCount, first + STRETCH); word++)
    if (!dialogue.quoted[word] && FIRST_PERSON.has(prose.words[word]!)) return word;
  return first;
}

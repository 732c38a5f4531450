import { sumBy } from "../../stats/distribution.ts";
import { chapterOfWord } from "../checks/check.ts";
import type { Passage } from "../map/book-prose.ts";
import { type BookProse, lastStartingBy, spanOfWords } from "../map/book-prose.ts";
import { wordAt } from "../prose-text.ts";
import { type LookAlike, lookAlikes } from "./find-characters.ts";
import type { Gender } from "./name-words.ts";

interface WordCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

interface WordOdds {
  readonly word: string;
  /** Standard deviations from equal use; positive if the first group uses it more. */
  readonly z: number;
  readonly first: number;
  readonly second: number;
}

/** The weight of the prior, in words per group. */
const PRIOR_WORDS = 1000;

/**
 * Words that one group uses more than another: log-odds ratio with an informative Dirichlet prior, as z-scores,
 * sorted with the first group's words first (Monroe, Colaresi and Quinn, 2008, "Fightin' Words", equations 16, 19 and
 * 22).
 */
export function logOdds(first: WordCounts, second: WordCounts, prior: WordCounts): WordOdds[] {
  const scale = PRIOR_WORDS / prior.total;
  const odds: WordOdds[] = [];
  for (const word of new Set([...first.counts.keys(), ...second.counts.keys()])) {
    const expected = (prior.counts.get(word) ?? 0.5) * scale;
    const one = (first.counts.get(word) ?? 0) + expected;
    const other = (second.counts.get(word) ?? 0) + expected;
    const delta =
      Math.log(one / (first.total + PRIOR_WORDS - one)) - Math.log(other / (second.total + PRIOR_WORDS - other));
    const z = delta / Math.sqrt(1 / one + 1 / other);
    odds.push({ word, z, first: first.counts.get(word) ?? 0, second: second.counts.get(word) ?? 0 });
  }
  return odds.sort((left, right) => right.z - left.z);
}

/** How two characters talk: figures of both, and the words that each prefers. */
interface SpeechDifference {
  readonly names: readonly [string, string];
  readonly sentenceWords: readonly [number, number];
  /** Per 1,000 words. */
  readonly contractions: readonly [number, number];
  readonly questions: readonly [number, number];
  readonly words: readonly [readonly string[], readonly string[]];
  /** 0 if both use the same words in the same shares, 1 if they share none (Jensen–Shannon, base 2, common words). */
  readonly distance: number;
}

const FEWEST_WORDS = 800;
const MOST_SPEAKERS = 5;
const COMMON_WORDS = 100;
const SURE = 1.96;

interface Voice {
  readonly name: string;
  readonly counts: Map<string, number>;
  words: number;
  sentences: number;
  questions: number;
  contractions: number;
}

function speechDifferences(bookProse: BookProse): SpeechDifference[] {
  const voices = voicesOf(bookProse)
    .filter(({ words }) => words >= FEWEST_WORDS)
    .sort((left, right) => right.words - left.words)
    .slice(0, MOST_SPEAKERS);
  const names = new Set(
    bookProse.dialogue.cast.characters.flatMap(({ aliases }) =>
      aliases.flatMap((alias) => alias.toLowerCase().split(/[\s.]+/)),
    ),
  );
  return voices.flatMap((left, index) => voices.slice(index + 1).map((right) => difference(left, right, names)));
}

function voicesOf({ prose, dialogue }: BookProse): Voice[] {
  const voices: Voice[] = dialogue.cast.characters.map(({ name }) => ({
    name,
    counts: new Map(),
    words: 0,
    sentences: 0,
    questions: 0,
    contractions: 0,
  }));
  for (const [index, { start, end }] of dialogue.quotations.entries()) {
    const speaker = dialogue.speakers[index] ?? null;
    if (speaker === null || dialogue.kinds[index] !== "speech") continue;
    const voice = voices[speaker]!;
    for (let word = wordAt(prose, start); word < prose.wordCount && prose.starts[word]! < end; word++) {
      const text = prose.words[word]!;
      voice.counts.set(text, (voice.counts.get(text) ?? 0) + 1);
      voice.words++;
      if (text.includes("'")) voice.contractions++;
    }
    const said = prose.text.slice(start, end);
    voice.questions += said.split("?").length - 1;
    voice.sentences += Math.max(1, said.split(/[.!?]+(?:\s|$)/).length - 1);
  }
  return voices;
}

function difference(left: Voice, right: Voice, names: ReadonlySet<string>): SpeechDifference {
  const prior: WordCounts = { counts: new Map(left.counts), total: left.words + right.words };
  for (const [word, count] of right.counts)
    (prior.counts as Map<string, number>).set(word, (prior.counts.get(word) ?? 0) + count);
  const odds = logOdds({ counts: left.counts, total: left.words }, { counts: right.counts, total: right.words }, prior);
  const clear = odds.filter(({ word, z }) => Math.abs(z) > SURE && !names.has(word) && word.length > 1);
  const perThousand = (count: number, words: number) => Math.round((10_000 * count) / words) / 10;
  return {
    names: [left.name, right.name],
    sentenceWords: [round(left.words / left.sentences), round(right.words / right.sentences)],
    contractions: [perThousand(left.contractions, left.words), perThousand(right.contractions, right.words)],
    questions: [perThousand(left.questions, left.words), perThousand(right.questions, right.words)],
    words: [
      clear
        .filter(({ z }) => z > 0)
        .slice(0, 8)
        .map(({ word }) => word),
      clear
        .filter(({ z }) => z < 0)
        .slice(-8)
        .reverse()
        .map(({ word }) => word),
    ],
    distance: round(jensenShannon(left, right, prior), 3),
  };
}

function jensenShannon(left: Voice, right: Voice, both: WordCounts): number {
  const common = [...both.counts].sort((one, other) => other[1] - one[1]).slice(0, COMMON_WORDS);
  const total = (voice: Voice) => sumBy(common, ([word]) => voice.counts.get(word) ?? 0);
  const [leftTotal, rightTotal] = [total(left), total(right)];
  let distance = 0;
  for (const [word] of common) {
    const one = (left.counts.get(word) ?? 0) / leftTotal;
    const other = (right.counts.get(word) ?? 0) / rightTotal;
    const middle = (one + other) / 2;
    if (one > 0) distance += (one * Math.log2(one / middle)) / 2;
    if (other > 0) distance += (other * Math.log2(other / middle)) / 2;
  }
  return Math.sqrt(Math.max(0, distance));
}

const round = (value: number, digits = 1) => Number(value.toFixed(digits));

export interface CharacterPresence {
  readonly chapter: number;
  readonly mentions: number;
  readonly spokenWords: number;
}

export interface CharacterEntry {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly gender: Gender | null;
  readonly isNarrator: boolean;
  readonly mentions: number;
  /** One entry per chapter of the book, zero where the character is not named and does not speak. */
  readonly presence: readonly CharacterPresence[];
  readonly first: Passage | null;
  readonly last: Passage | null;
  /** Consecutive chapters without the character, between two in which the character appears. */
  readonly absences: readonly {
    readonly from: number;
    readonly to: number;
    readonly chapters: number;
    readonly words: number;
    /** The last mention before it and the first one after it. */
    readonly before: Passage | null;
    readonly after: Passage | null;
  }[];
  readonly speech: {
    readonly quotations: number;
    readonly words: number;
    /** The next speakers in the same conversations, with the words said to them. */
    readonly to: readonly { readonly name: string; readonly words: number }[];
  };
}

export interface CharacterMap {
  readonly characters: readonly CharacterEntry[];
  /** For the main characters: in how many paragraphs each pair is named or speaks. */
  readonly together: { readonly names: readonly string[]; readonly paragraphs: readonly (readonly number[])[] };
  readonly lookAlikes: readonly LookAlike[];
  readonly speechDifferences: readonly SpeechDifference[];
}

const MOST_IN_MATRIX = 20;
const LONG_ABSENCE = 3;
/** From this share of all mentions and spoken words on, a character's absence is reported. */
const MAIN_SHARE = 0.02;

export function characterMap(bookProse: BookProse): CharacterMap {
  const { dialogue, chapters, prose } = bookProse;
  const { characters } = dialogue.cast;
  const presence = characters.map(() => chapters.map(({ index }) => ({ chapter: index, mentions: 0, spokenWords: 0 })));
  for (const [index, { mentions }] of characters.entries()) {
    for (const { first } of mentions) presence[index]![chapterOfWord(bookProse, first)]!.mentions++;
  }
  const speech = characters.map(() => ({ quotations: 0, words: 0, to: new Map<number, number>() }));
  for (const [index, quotation] of dialogue.quotations.entries()) {
    const speaker = dialogue.speakers[index] ?? null;
    if (speaker === null || (dialogue.kinds[index] !== "speech" && dialogue.kinds[index] !== "thought")) continue;
    const words = bookProse.wordsBetween(quotation.start, quotation.end);
    speech[speaker]!.quotations++;
    speech[speaker]!.words += words;
    const chapter = lastStartingBy(chapters, quotation.start);
    presence[speaker]![chapter]!.spokenWords += words;
    const listener = listenerOf(bookProse, index, speaker);
    if (listener !== null) speech[speaker]!.to.set(listener, (speech[speaker]!.to.get(listener) ?? 0) + words);
  }
  const total = sumBy(characters, ({ mentions }) => mentions.length);
  const entries = characters.map((character, index): CharacterEntry => {
    const { mentions } = character;
    const place = (at: number) => {
      const mention = mentions.at(at);
      return mention === undefined ? null : bookProse.locate(spanOfWords(prose, mention.first, mention.last + 1));
    };
    const isMain = mentions.length >= MAIN_SHARE * total;
    return {
      name: character.name,
      aliases: character.aliases,
      gender: character.gender,
      isNarrator: index === dialogue.narrator,
      mentions: mentions.length,
      presence: presence[index]!,
      first: place(0),
      last: place(-1),
      absences:
        isMain && index !== dialogue.narrator ? absencesOf(presence[index]!, character.mentions, bookProse) : [],
      speech: {
        quotations: speech[index]!.quotations,
        words: speech[index]!.words,
        to: [...speech[index]!.to]
          .map(([listener, words]) => ({ name: characters[listener]!.name, words }))
          .sort((left, right) => right.words - left.words),
      },
    };
  });
  return {
    characters: entries,
    together: togetherness(bookProse),
    lookAlikes: lookAlikes(characters),
    speechDifferences: speechDifferences(bookProse),
  };
}

/** The nearest other person among the neighbouring turns: the next speaker, or the previous one. */
function listenerOf({ dialogue }: BookProse, quotation: number, speaker: number): number | null {
  const near = dialogue.quotations[quotation]!.paragraph;
  for (const step of [1, -1]) {
    for (let other = quotation + step; other >= 0 && other < dialogue.quotations.length; other += step) {
      if (Math.abs(dialogue.quotations[other]!.paragraph - near) > 2) break;
      const who = dialogue.speakers[other] ?? null;
      if (who !== null && who !== speaker) return who;
    }
  }
  return null;
}

function absencesOf(
  presence: readonly CharacterPresence[],
  mentions: readonly { readonly first: number; readonly last: number }[],
  { chapters, prose, locate, wordsBetween }: BookProse,
): CharacterEntry["absences"] {
  const passageOf = (mention: { readonly first: number; readonly last: number } | undefined) =>
    mention === undefined ? null : locate(spanOfWords(prose, mention.first, mention.last + 1));
  const seen = presence.flatMap(({ mentions, spokenWords }, index) => (mentions + spokenWords > 0 ? [index] : []));
  return seen.flatMap((here, place) => {
    const next = seen[place + 1];
    if (next === undefined || next - here - 1 < LONG_ABSENCE) return [];
    const words = wordsBetween(chapters[here]!.end, chapters[next]!.start);
    return [
      {
        from: chapters[here + 1]!.index,
        to: chapters[next - 1]!.index,
        chapters: next - here - 1,
        words,
        before: passageOf(mentions.findLast(({ first }) => first < chapters[here]!.endWord)),
        after: passageOf(mentions.find(({ first }) => first >= chapters[next]!.firstWord)),
      },
    ];
  });
}

function togetherness({ dialogue, prose }: BookProse): CharacterMap["together"] {
  const size = Math.min(MOST_IN_MATRIX, dialogue.cast.characters.length);
  const inParagraph: Set<number>[] = prose.paragraphs.map(() => new Set<number>());
  for (let index = 0; index < size; index++) {
    for (const { first } of dialogue.cast.characters[index]!.mentions)
      inParagraph[prose.paragraphOf[first]!]!.add(index);
  }
  for (const [index, { paragraph }] of dialogue.quotations.entries()) {
    const speaker = dialogue.speakers[index] ?? null;
    if (speaker !== null && speaker < size) inParagraph[paragraph]!.add(speaker);
  }
  const paragraphs = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const [index, here] of inParagraph.entries()) {
    // Two people who answer each other are in neighbouring paragraphs.
    const near = new Set([...here, ...(inParagraph[index + 1] ?? [])]);
    for (const left of here) for (const right of near) if (left !== right) paragraphs[left]![right]!++;
  }
  for (let left = 0; left < size; left++) {
    for (let right = 0; right < left; right++) {
      const both = Math.max(paragraphs[left]![right]!, paragraphs[right]![left]!);
      paragraphs[left]![right] = both;
      paragraphs[right]![left] = both;
    }
  }
  return { names: dialogue.cast.characters.slice(0, size).map(({ name }) => name), paragraphs };
}

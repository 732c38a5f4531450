import { remembered } from "../../core/remembered.ts";
import type { Gender } from "../characters/name-words.ts";
import type { BookProse } from "../map/book-prose.ts";
import { ADJOINS, CAPITAL, OPENS, POSSESSIVE } from "../prose-text.ts";
import { loadReferenceWords } from "../reference/reference-words.ts";
import { SPEECH_VERBS } from "../word-shape.ts";

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

function numberWords(): Map<string, number> {
  const numbers = new Map<string, number>();
  for (let number = 1; number < 100; number++) {
    const unit = number % 10;
    if (number < 20) numbers.set(UNITS[number]!, number);
    else numbers.set(unit === 0 ? TENS[number / 10]! : `${TENS[Math.floor(number / 10)]}-${UNITS[unit]}`, number);
    if (number > 20 && unit > 0) numbers.set(`${UNITS[unit]}-and-${TENS[Math.floor(number / 10)]}`, number);
  }
  return numbers;
}

/** The numbers from one to ninety-nine, in words. */
export const NUMBERS: ReadonlyMap<string, number> = numberWords();

const IRREGULAR_ORDINALS: ReadonlyMap<string, string> = new Map([
  ["one", "first"],
  ["two", "second"],
  ["three", "third"],
  ["five", "fifth"],
  ["eight", "eighth"],
  ["nine", "ninth"],
  ["twelve", "twelfth"],
]);

export const ORDINALS: ReadonlyMap<string, number> = new Map(
  [...NUMBERS].map(([word, number]) => [
    word.replace(/[a-z]+$/, (last) => IRREGULAR_ORDINALS.get(last) ?? `${last.replace(/y$/, "ie")}th`),
    number,
  ]),
);

/** A sentence in a form for patterns, with a mapping back to its words. */
export interface Rendered {
  /**
   * Words in lower case, separated by one space. `<3>` is a person of the cast, `<3>'s` is their possessive, `^oswin`
   * another name, `#24` a number in words or digits, `#24th` the ordinal, `#24yo` "24-year-old"; full stops, dashes
   * and quotation marks are separate.
   */
  readonly text: string;
  readonly firstWord: number;
  /** The word at this position of `text`; for a number in digits, the word before it. */
  wordAt(offset: number): number;
  isQuoted(word: number): boolean;
}

export const sentenceRenderer = remembered((bookProse: BookProse): ((index: number) => Rendered) => {
  const { prose, dialogue, sentences } = bookProse;
  const { cast } = dialogue;
  const roles = cast.characters.map((_, character) => isRole(bookProse, character));
  const bySurname = surnames(bookProse);
  /** By word id: the rendered form if it depends only on the letters. */
  const plain: (string | undefined)[] = new Array(prose.vocabulary.length).fill(undefined);
  return (index) => {
    const { start, end, firstWord, endWord } = sentences[index]!;
    const tokens: string[] = [];
    const wordOf: number[] = [];
    const put = (token: string, word: number) => {
      tokens.push(token);
      wordOf.push(word);
    };
    const between = (from: number, to: number, word: number) => {
      if (to - from === 1) return;
      const gap = prose.text.slice(from, to);
      for (const [sign] of gap.matchAll(/\d[\d,]*\d|\d|[,;:()"“”]|[—–]|--/g)) {
        if (/\d/.test(sign)) put(`#${sign.replaceAll(",", "")}`, word);
        else put(/[“”]/.test(sign) ? '"' : /[—–-]/.test(sign) ? "—" : sign, word);
      }
    };
    let before = start;
    for (let word = firstWord; word < endWord; word++) {
      between(before, prose.starts[word]!, Math.max(firstWord, word - 1));
      const isCapital = Boolean(prose.traits[word]! & CAPITAL);
      const named = cast.characterAt(word);
      const character = named >= 0 ? named : isCapital ? (bySurname.get(prose.words[word]!) ?? -1) : -1;
      const last = named >= 0 ? cast.mentionEnd(word) : word;
      if (character >= 0 && last < endWord && !roles[character]) {
        put(`<${character}>${prose.traits[last]! & POSSESSIVE ? "'s" : ""}`, word);
        word = last;
      } else {
        const id = prose.ids[word]!;
        const isPlain = (prose.traits[word]! & (CAPITAL | POSSESSIVE)) === 0;
        let token = isPlain ? plain[id] : undefined;
        if (token === undefined) {
          token = tokenOf(bookProse, word);
          if (isPlain) plain[id] = token;
        }
        if (token.includes(" ")) for (const part of token.split(" ")) put(part, word);
        else put(token, word);
      }
      before = prose.ends[word]!;
    }
    between(before, end, endWord - 1);
    joinNumbers(tokens, wordOf);
    const offsets: number[] = [];
    let length = 0;
    for (const token of tokens) {
      offsets.push(length);
      length += token.length + 1;
    }
    return {
      text: tokens.join(" "),
      firstWord,
      wordAt: (offset) =>
        wordOf[
          Math.max(
            0,
            offsets.findLastIndex((from) => from <= offset),
          )
        ]!,
      isQuoted: (word) => dialogue.quoted[word] === 1,
    };
  };
});

/** The last word of a person's name, if nobody else has it: "Sparsit" is Mrs. Sparsit. */
function surnames({ dialogue }: BookProse): Map<string, number> {
  const found = new Map<string, number>();
  const shared = new Set<string>();
  for (const [character, { name }] of dialogue.cast.characters.entries()) {
    const last = name.toLowerCase().split(/\s+/).at(-1)!;
    if (found.has(last)) shared.add(last);
    else found.set(last, character);
  }
  for (const last of shared) found.delete(last);
  return found;
}

function tokenOf({ prose }: BookProse, word: number): string {
  const text = prose.words[word]!;
  // "She'd spent", "he's nineteen", "wasn't".
  if (/^s?he'd$|n't$/.test(text)) return text.replace(/'d$/, " had").replace(/n't$/, " not");
  if (/^s?he$/.test(text) && prose.traits[word]! & POSSESSIVE) return `${text} is`;
  const own = prose.traits[word]! & POSSESSIVE ? "'s" : "";
  const years = text.match(/^(.+)-years?-olds?$/)?.[1];
  const number = NUMBERS.get(years ?? text);
  if (number !== undefined) return `#${number}${years === undefined ? "" : "yo"}`;
  const ordinal = ORDINALS.get(text);
  if (ordinal !== undefined && ordinal > 4) return `#${ordinal}th`;
  const isName =
    prose.traits[word]! & CAPITAL && (!(prose.traits[word]! & OPENS) || !loadReferenceWords().counts.has(text));
  return `${isName ? "^" : ""}${text}${own}`;
}

/** "Twenty four" is one number, and so is the "24" of "24-year-old" or of "24th". */
function joinNumbers(tokens: string[], wordOf: number[]): void {
  for (let at = 0; at + 1 < tokens.length; at++) {
    const [one, next] = [tokens[at]!, tokens[at + 1]!];
    if (!one.startsWith("#")) continue;
    let joined: string | null = null;
    if (/^#[2-9]0$/.test(one) && /^#[1-9](?:yo|th)?$/.test(next))
      joined = `#${Number(one.slice(1)) + Number.parseInt(next.slice(1), 10)}${next.replace(/^#\d/, "")}`;
    else if (/^#[1-9]$/.test(one) && next === "and" && /^#[2-9]0$/.test(tokens[at + 2] ?? "")) {
      joined = `#${Number(tokens[at + 2]!.slice(1)) + Number(one.slice(1))}`;
      tokens.splice(at + 1, 1);
      wordOf.splice(at + 1, 1);
    } else if (/^#\d+$/.test(one) && /^years?-olds?$/.test(next)) joined = `${one}yo`;
    else if (/^#\d+$/.test(one) && /^(?:th|st|nd|rd)$/.test(next)) joined = `${one}th`;
    if (joined === null) continue;
    tokens.splice(at, 2, joined);
    wordOf.splice(at + 1, 1);
  }
}

/** The person referred to at a position, by cast number, and whether by name or pronoun. */
export interface Owner {
  readonly character: number;
  readonly isNamed: boolean;
  /** Another person who may be meant, by number. */
  readonly or?: number;
}

const PRONOUNS: ReadonlyMap<string, Gender> = new Map([
  ["he", "male"],
  ["his", "male"],
  ["him", "male"],
  ["himself", "male"],
  ["he'd", "male"],
  ["he'll", "male"],
  ["she", "female"],
  ["her", "female"],
  ["hers", "female"],
  ["herself", "female"],
  ["she'd", "female"],
  ["she'll", "female"],
]);

const RELATIVES = new Set("mother sister daughter aunt wife niece father brother son uncle husband nephew".split(" "));
const ANYBODY = "child pupil stranger servant person figure creature companion baby visitor guest passenger".split(" ");
const WOMEN = new Set([
  ..."girl woman lady maid nurse widow mother sister daughter aunt wife niece".split(" "),
  ...ANYBODY,
]);
const MEN = new Set([
  ..."man boy lad gentleman fellow officer soldier sailor youth father brother son uncle husband nephew".split(" "),
  ...ANYBODY,
]);

/** The largest number of words between a pronoun and the name it stands for. */
const LONGEST_WAY = 400;
/** By how much a mention's weight falls per sentence. */
const FADING = 0.85;
const OWNING = 0.7;
const PASSIVE = 0.5;
/** How many times as prominent as the next person somebody must be. */
const CLEARLY = 3;
const STRANGER = -1;
/** "A fat child": the next sentence is probably about the person just introduced. */
const INTRODUCED = 1.2;
const ACTING =
  /^(?:had|has|was|is|could|would|did|does|must|should|might|can|will|never|always|also|still|then|who|\p{L}{2,}ed|\p{L}{2,}ly|looked|went|came|took|stood|sat|felt|knew|saw|got|gave|made|rose|left|put|ran|held|heard|found|kept|began|said|says|thought|told|\p{L}{2,}[^s]s)$/u;
/** Words before "a tall girl" that make her the person already named. */
const DESCRIBES = new Set(
  "was is were be been being became become as like than such not remained seemed quite only but".split(" "),
);

/** Resolves names and pronouns of the narration to the people of the book. */
export class Owners {
  readonly #bookProse: BookProse;

  constructor(bookProse: BookProse) {
    this.#bookProse = bookProse;
  }

  /** The person this word names, or stands for as a pronoun; null if that is not clear. */
  at(word: number): Owner | null {
    const { prose, dialogue } = this.#bookProse;
    if (word < 0 || dialogue.quoted[word]) return null;
    const character = dialogue.cast.characterAt(word);
    if (character >= 0) return this.#isRole(character) ? null : { character, isNamed: true };
    const gender = PRONOUNS.get(prose.words[word]!);
    return gender === undefined ? null : this.#resolved(word, gender);
  }

  /** Whether the pronoun can refer to a person of this gender. */
  mayMean(word: number, character: number): boolean {
    const { prose, dialogue } = this.#bookProse;
    const { gender } = dialogue.cast.characters[character]!;
    return gender === null || gender === PRONOUNS.get(prose.words[word]!);
  }

  /**
   * The most prominent of the people whom the paragraph has named before the pronoun: acting counts more than being
   * mentioned, and a near sentence more than a far one. If there is none, or it may be somebody without a name, or
   * two people are equally prominent, it stays unresolved: a wrong owner would make a contradiction out of two
   * people's eye colours.
   */
  #resolved(pronoun: number, gender: Gender): Owner | null {
    const { prose, dialogue } = this.#bookProse;
    const paragraph = prose.paragraphOf[pronoun]!;
    const strangers = gender === "male" ? MEN : WOMEN;
    const farthest = Math.max(0, pronoun - LONGEST_WAY);
    const inView = new Map<number, number>();
    const ofTheSentence = new Set<number>();
    let weight = 1;
    for (let word = pronoun - 1; word >= farthest && prose.paragraphOf[word] === paragraph; word--) {
      if (this.#endsSentence(word)) weight *= FADING;
      if (dialogue.quoted[word]) continue;
      let who = STRANGER;
      if (dialogue.cast.beginsAt(word)) {
        who = dialogue.cast.characterAt(word);
        const own = dialogue.cast.characters[who]!.gender;
        if ((own !== null && own !== gender) || this.#isRole(who) || who === dialogue.narrator) continue;
      } else if (!strangers.has(prose.words[word]!) || !this.#isSomebodyElse(word)) continue;
      const last = who === STRANGER ? word : dialogue.cast.mentionEnd(word);
      const isNew = who === STRANGER && !RELATIVES.has(prose.words[word]!);
      inView.set(who, (inView.get(who) ?? 0) + weight * (isNew ? INTRODUCED : this.#prominence(word, last)));
      if (weight === 1) ofTheSentence.add(who);
    }
    const [first, second] = [...inView].toSorted((left, right) => right[1] - left[1]);
    if (first === undefined || first[0] === STRANGER) return null;
    const isOpen =
      second !== undefined && second[0] !== STRANGER && first[1] < CLEARLY * second[1] && !ofTheSentence.has(first[0]);
    return {
      character: first[0],
      isNamed: false,
      ...(isOpen ? { or: second[0] } : {}),
    };
  }

  /**
   * A person who acts or speaks is more prominent than one who owns something, and both more than the object of an
   * action.
   */
  #prominence(first: number, last: number): number {
    const { words, traits } = this.#bookProse.prose;
    if (traits[last]! & POSSESSIVE) return OWNING;
    const isVerbNext = Boolean(traits[last + 1]! & ADJOINS) && ACTING.test(words[last + 1] ?? "");
    return isVerbNext || traits[first]! & OPENS || this.#isSpeaker(first) ? 1 : PASSIVE;
  }

  /** “Emily,” said Aunt Laura: directly after the speech, and not "he told Laura". */
  #isSpeaker(first: number): boolean {
    const { prose, dialogue } = this.#bookProse;
    return (
      Boolean(prose.traits[first]! & ADJOINS) &&
      SPEECH_VERBS.has(prose.words[first - 1] ?? "") &&
      dialogue.quoted[first - 2] === 1
    );
  }

  /**
   * "A fat child", "her mother": a person without a name to whom the pronoun may refer. "She was a tall girl"
   * introduces nobody.
   */
  #isSomebodyElse(noun: number): boolean {
    const { words, traits } = this.#bookProse.prose;
    if (traits[noun]! & POSSESSIVE) return false;
    if (RELATIVES.has(words[noun]!)) return words[noun - 1] !== "of";
    for (let word = noun - 1; word >= Math.max(1, noun - 4); word--)
      if (words[word] === "a" || words[word] === "an" || words[word] === "another")
        return !DESCRIBES.has(words[word - 1]!);
    return false;
  }

  /** Whether a full stop follows this word. */
  #endsSentence(word: number): boolean {
    const { text, ends, starts } = this.#bookProse.prose;
    return /[.!?]["”’)]*\s/.test(text.slice(ends[word], starts[word + 1]));
  }

  #isRole(character: number): boolean {
    return isRole(this.#bookProse, character);
  }
}

/** "The policeman" may be a different one each time; "the Badger" is a name. */
export function isRole({ prose, dialogue }: BookProse, character: number): boolean {
  const { name, mentions } = dialogue.cast.characters[character]!;
  return name.startsWith("The ") && !mentions.some(({ last }) => prose.traits[last]! & CAPITAL);
}

import { remembered } from "../../core/remembered.ts";
import type { Reading } from "../map/reading.ts";
import { CAPITAL, OPENS, POSSESSIVE } from "../reading.ts";
import { loadReferenceWords } from "../reference/reference-words.ts";
import { isRole } from "./owner.ts";

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

const ORDINALS: ReadonlyMap<string, number> = new Map(
  [...NUMBERS].map(([word, number]) => [
    word.replace(/[a-z]+$/, (last) => IRREGULAR_ORDINALS.get(last) ?? `${last.replace(/y$/, "ie")}th`),
    number,
  ]),
);

/** A sentence in a form that patterns can read, and the way back to its words. */
export interface Rendered {
  /**
   * Words in lower case with one space between them. `<3>` is somebody of the cast, `<3>'s` what is theirs, `^oswin` another name,
   * `#24` a number in words or digits, `#24th` the ordinal, `#24yo` "24-year-old"; stops, dashes and quotation marks stand alone.
   */
  readonly text: string;
  readonly firstWord: number;
  /** The word at this place of `text`; for a number in digits, the word before it. */
  wordAt(offset: number): number;
  isQuoted(word: number): boolean;
}

export const sentenceRenderer = remembered((reading: Reading): ((index: number) => Rendered) => {
  const { prose, dialogue, sentences } = reading;
  const { cast } = dialogue;
  const roles = cast.characters.map((_, character) => isRole(reading, character));
  const bySurname = surnames(reading);
  /** By number of the word: how it is written where nothing but its letters matters. */
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
          token = tokenOf(reading, word);
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

/** The last word of somebody's name, where nobody else has it: "Sparsit" is Mrs. Sparsit. */
function surnames({ dialogue }: Reading): Map<string, number> {
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

function tokenOf({ prose }: Reading, word: number): string {
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

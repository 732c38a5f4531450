import type { Gender } from "../characters/titles.ts";
import type { Reading } from "../map/reading.ts";
import { CAPITAL, POSSESSIVE } from "../reading.ts";

/** Who is meant at a place, by the character's number in the cast, and whether a name or a pronoun says so. */
export interface Owner {
  readonly character: number;
  readonly isNamed: boolean;
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

/** Words from a pronoun back to the name it stands for, at most. */
const LONGEST_WAY = 400;

/** Resolves names and pronouns of the narration to the people of the book. */
export class Owners {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Whoever this word names, or stands for as a pronoun; null where that is not clear. */
  at(word: number): Owner | null {
    const { prose, dialogue } = this.#reading;
    if (word < 0 || dialogue.quoted[word]) return null;
    const character = dialogue.cast.characterAt(word);
    if (character >= 0) return this.#isRole(character) ? null : { character, isNamed: true };
    const gender = PRONOUNS.get(prose.words[word]!);
    return gender === undefined ? null : this.#resolved(word, gender);
  }

  /** The subject of the words from `first` up to `end`: the first who is named, or the first pronoun. */
  subject(first: number, end: number): Owner | null {
    const { prose, dialogue } = this.#reading;
    for (let word = first; word < end; word++) {
      if (dialogue.quoted[word]) continue;
      // "Mary's brother was twenty": whoever follows the possessive is somebody else.
      const isNamed = dialogue.cast.characterAt(word) >= 0;
      if (isNamed && prose.traits[dialogue.cast.mentionEnd(word)]! & POSSESSIVE) return null;
      if (isNamed || /^s?he(?:'d)?$/.test(prose.words[word]!)) return this.at(word);
      if (prose.words[word] === "i" || prose.words[word] === "we" || prose.words[word] === "they") return null;
    }
    return null;
  }

  /**
   * A pronoun means the person of its gender whom its sentence has named first, or else the first whom the nearest sentence of the
   * paragraph before it names: its subject, as a rule. Where the paragraph names nobody it stays open: a wrong owner makes two eye
   * colours out of two people.
   */
  #resolved(pronoun: number, gender: Gender): Owner | null {
    const { prose, dialogue } = this.#reading;
    const paragraph = prose.paragraphOf[pronoun]!;
    let found = -1;
    const strangers = gender === "male" ? MEN : WOMEN;
    const farthest = Math.max(0, pronoun - LONGEST_WAY);
    for (let word = pronoun - 1; word >= farthest && prose.paragraphOf[word] === paragraph; word--) {
      if (found >= 0 && this.#endsSentence(word)) break;
      if (found < 0 && strangers.has(prose.words[word]!) && this.#isSomebodyElse(word)) return null;
      if (dialogue.quoted[word] || !dialogue.cast.beginsAt(word)) continue;
      const character = dialogue.cast.characterAt(word);
      const own = dialogue.cast.characters[character]!.gender;
      if ((own !== null && own !== gender) || this.#isRole(character) || character === dialogue.narrator) continue;
      found = character;
    }
    return found < 0 ? null : { character: found, isNamed: false };
  }

  /** "A fat child", "her mother": somebody without a name whom the pronoun may mean. */
  #isSomebodyElse(noun: number): boolean {
    const { words } = this.#reading.prose;
    if (RELATIVES.has(words[noun]!)) return words[noun - 1] !== "of";
    for (let word = noun - 1; word >= Math.max(0, noun - 3); word--)
      if (words[word] === "a" || words[word] === "an" || words[word] === "another") return true;
    return false;
  }

  /** A full stop stands after this word. */
  #endsSentence(word: number): boolean {
    const { text, ends, starts } = this.#reading.prose;
    return /[.!?]["”’)]*\s/.test(text.slice(ends[word], starts[word + 1]));
  }

  #isRole(character: number): boolean {
    return isRole(this.#reading, character);
  }
}

/** "The policeman" may be another one each time; "the Badger" is a name. */
export function isRole({ prose, dialogue }: Reading, character: number): boolean {
  const { name, mentions } = dialogue.cast.characters[character]!;
  return name.startsWith("The ") && !mentions.some(({ last }) => prose.traits[last]! & CAPITAL);
}

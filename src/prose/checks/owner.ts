import type { Gender } from "../characters/titles.ts";
import type { Reading } from "../map/reading.ts";
import { ADJOINS, CAPITAL, OPENS, POSSESSIVE } from "../reading.ts";

/** Who is meant at a place, by the character's number in the cast, and whether a name or a pronoun says so. */
export interface Owner {
  readonly character: number;
  readonly isNamed: boolean;
  /** Another who may be meant as well, by number. */
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

/** Words from a pronoun back to the name it stands for, at most. */
const LONGEST_WAY = 400;
/** What is left of a mention's weight one sentence later. */
const FADING = 0.85;
const OWNING = 0.7;
const PASSIVE = 0.5;
/** How many times as much in view as the next person. */
const CLEARLY = 3;
const STRANGER = -1;
/** "A fat child": the next sentence is likely to be about whoever has just come in. */
const INTRODUCED = 1.2;
const ACTING =
  /^(?:had|has|was|is|could|would|did|does|must|should|might|can|will|never|always|also|still|then|who|\p{L}{2,}ed|\p{L}{2,}ly|looked|went|came|took|stood|sat|felt|knew|saw|got|gave|made|rose|left|put|ran|held|heard|found|kept|began|said|says|thought|told|\p{L}{2,}[^s]s)$/u;
/** Before "a tall girl", what makes her the one who was named. */
const DESCRIBES = new Set(
  "was is were be been being became become as like than such not remained seemed quite only but".split(" "),
);

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

  /** Whether the pronoun can stand for somebody of this gender. */
  mayMean(word: number, character: number): boolean {
    const { prose, dialogue } = this.#reading;
    const { gender } = dialogue.cast.characters[character]!;
    return gender === null || gender === PRONOUNS.get(prose.words[word]!);
  }

  /**
   * Of the people whom the paragraph has named before the pronoun, the one who is most in view: who acts counts more than who is only
   * spoken of, and a near sentence more than a far one. Where that is nobody, somebody without a name, or two people alike, it stays
   * open: a wrong owner makes two eye colours out of two people.
   */
  #resolved(pronoun: number, gender: Gender): Owner | null {
    const { prose, dialogue } = this.#reading;
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
    return { character: first[0], isNamed: false, ...(isOpen ? { or: second[0] } : {}) };
  }

  /** Who acts is more in view than who has something, and both more than whom something is done to. */
  #prominence(first: number, last: number): number {
    const { words, traits } = this.#reading.prose;
    if (traits[last]! & POSSESSIVE) return OWNING;
    const isVerbNext = Boolean(traits[last + 1]! & ADJOINS) && ACTING.test(words[last + 1] ?? "");
    return isVerbNext || traits[first]! & OPENS ? 1 : PASSIVE;
  }

  /** "A fat child", "her mother": somebody without a name whom the pronoun may mean. "She was a tall girl" is no other. */
  #isSomebodyElse(noun: number): boolean {
    const { words, traits } = this.#reading.prose;
    if (traits[noun]! & POSSESSIVE) return false;
    if (RELATIVES.has(words[noun]!)) return words[noun - 1] !== "of";
    for (let word = noun - 1; word >= Math.max(1, noun - 4); word--)
      if (words[word] === "a" || words[word] === "an" || words[word] === "another")
        return !DESCRIBES.has(words[word - 1]!);
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

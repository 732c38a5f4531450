import { countOf } from "../../core/wording.ts";
import { isOneLetterApart, soundOf } from "../characters/find-characters.ts";
import { isGivenName, NOT_NAMES, TITLES } from "../characters/name-words.ts";
import { type BookProse, spanOfWords } from "../map/book-prose.ts";
import { ADJOINS, CAPITAL, OPENS, POSSESSIVE, type ProseText, SHOUTED } from "../prose-text.ts";
import { loadReferenceWords } from "../reference/reference-words.ts";
import { type Check, chapterOfWord, type Suspicion, sentenceAround } from "./check.ts";

/** A capitalised word and its positions. */
interface Name {
  readonly word: string;
  readonly at: readonly number[];
}

const SHORTEST = 3;
/** A shorter name is similar to too many others; at least one spelling must be this long. */
const LONG_ENOUGH = 4;
/** If more than this share of all uses is in lower case, it is a word and not a name. */
const LOWER_CASE = 0.1;
/** From how many mentions on a name is established, so that another spelling may be a slip. */
const ESTABLISHED = { takeover: 5, alike: 8, stray: 15, single: 60 };
/** A single slip is reported only for a name long enough to be mistyped and not to be another. */
const LONG_NAME = 6;
/**
 * A slip occurs near the name itself: within this many words, or within the usual distance between two of its
 * mentions.
 */
const SAME_SCENE = 400;
/** A spelling that no other novel has may be in a scene of its own, this many times as far away. */
const OTHER_SCENE = 4;
/**
 * The newer spelling must take over within this many of the older one's usual distances. A name that no other novel
 * has, one letter apart, may have been absent for any time.
 */
const HANDOVER = 12;
/** A slip occurs a few times; a spelling that is more frequent from some point on has taken over. */
const MOST_STRAY = 4;
const FEWEST_TAKING_OVER = 4;
/** The share of the older spelling's mentions that must precede the newer one's first. */
const BEFORE = 0.97;

/** Finds one name in two spellings: the newer one replaces the older one, or occasionally takes its place. */
export const nameVariants: Check = (bookProse) => {
  const names = namesIn(bookProse.prose);
  const found = pairsOf(names).flatMap((pair) => {
    const [usual, rare] = pair.toSorted((left, right) => right.at.length - left.at.length) as [Name, Name];
    return compared(bookProse, usual, rare) ?? [];
  });
  return [...strongest(found), ...secondWords(bookProse, names)];
};

function namesIn({ words, ids, traits, vocabulary, wordCount }: ProseText): Map<string, Name> {
  const lower = new Uint32Array(vocabulary.length);
  const inside = new Uint32Array(vocabulary.length);
  const places = new Map<number, number[]>();
  for (let word = 0; word < wordCount; word++) {
    const id = ids[word]!;
    const trait = traits[word]!;
    if (!(trait & CAPITAL)) lower[id]!++;
    else if (!(trait & SHOUTED)) {
      if (!(trait & OPENS)) inside[id]!++;
      if (vocabulary[id]!.length < SHORTEST) continue;
      const list = places.get(id);
      if (list) list.push(word);
      else places.set(id, [word]);
    }
  }
  const names = new Map<string, Name>();
  for (const [id, at] of places) {
    const word = words[at[0]!]!;
    if (lower[id]! > LOWER_CASE * at.length || /['-]/.test(word)) continue;
    // A word that occurs only at the start of sentences is a name if it is not a word of the language.
    if (inside[id] === 0 && (lower[id]! > 0 || isKnown(word))) continue;
    if (!NOT_NAMES.has(word) && !TITLES.has(word)) names.set(word, { word, at });
  }
  return names;
}

/**
 * Pairs of names that differ by one letter, by two swapped letters, or that sound alike; found by their forms with
 * one letter removed.
 */
function pairsOf(names: ReadonlyMap<string, Name>): [Name, Name][] {
  const buckets = new Map<string, Name[]>();
  const put = (key: string, name: Name) => {
    const bucket = buckets.get(key);
    if (!bucket) buckets.set(key, [name]);
    else if (bucket.at(-1) !== name && bucket.length < MOST_ALIKE) bucket.push(name);
  };
  for (const name of names.values()) {
    const { word } = name;
    put(word, name);
    for (let at = 0; at < Math.min(word.length, LONGEST); at++) put(word.slice(0, at) + word.slice(at + 1), name);
    if (word.length > LONG_ENOUGH) put(`sound ${soundOf(word)}`, name);
  }
  const pairs = new Map<string, [Name, Name]>();
  for (const bucket of buckets.values()) {
    for (const [index, left] of bucket.entries()) {
      for (const right of bucket.slice(index + 1)) {
        if (isVariant(left.word, right.word)) pairs.set([left.word, right.word].toSorted().join(" "), [left, right]);
      }
    }
  }
  return [...pairs.values()];
}

const MOST_ALIKE = 14;
const LONGEST = 20;

function isVariant(left: string, right: string): boolean {
  if (Math.max(left.length, right.length) < LONG_ENOUGH || isPlural(left, right) || isPlural(right, left)) return false;
  if (initial(left) !== initial(right)) return false;
  return isNear(left, right) || (soundOf(left) === soundOf(right) && Math.abs(left.length - right.length) <= 2);
}

/** Griers and Gryrs sound alike, begin and end alike, and differ in one or two letters. */
const MOST_RESPELLED = 2;

function isRespelled(left: string, right: string, most: number): boolean {
  if (left.at(-1) !== right.at(-1) || left[0] !== right[0] || soundOf(left) !== soundOf(right)) return false;
  let same = 0;
  while (same < Math.min(left.length, right.length) && left[same] === right[same]) same++;
  let end = 0;
  while (end < Math.min(left.length, right.length) - same && left.at(-1 - end) === right.at(-1 - end)) end++;
  return Math.max(left.length, right.length) - same - end <= most;
}

const isNear = (left: string, right: string) => isOneLetterApart(left, right) || isTransposed(left, right);

/** Katherine and Catherine begin with the same sound, and so do Jorg and Yorg, Filip and Philip. */
const INITIALS: ReadonlyMap<string, string> = new Map(
  [..."kc yj gj pf wv zs".split(" ")].map(([one, other]) => [one!, other!]),
);
const initial = (word: string) => INITIALS.get(word[0]!) ?? word[0];

function isTransposed(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return (
    at + 1 < left.length &&
    left[at] === right[at + 1] &&
    left[at + 1] === right[at] &&
    left.slice(at + 2) === right.slice(at + 2)
  );
}

const isManOrMen = (one: string, other: string) => one.replace(/man$/, "men") === other.replace(/man$/, "men");
const isPlural = (one: string, many: string) => many === `${one}s` || many === `${one}es` || many === `${one}n`;

/**
 * Plurals, peoples, parties and pet names are derived from a name on purpose: Roman, Romans; Bill, Billy; Georgia,
 * Georgie.
 */
const ENDING = /^(?:s|es|n|an|y|ie|ey|i|a|o|e|ia|ka|us|um|t|m|er)?$/;

const SAME_SOUND = /^(?:y|ey|ie|i)$/;

function isInflected(left: string, right: string): boolean {
  let same = 0;
  while (same < left.length && same < right.length && left[same] === right[same]) same++;
  // A doubled letter is a slip and not an ending: Bobbie, Bobbiie.
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length === short.length + 1 && long[same] === long[same - 1]) return false;
  // Wimsey and Wimsy sound the same, so they are two spellings.
  if (SAME_SOUND.test(left.slice(same)) && SAME_SOUND.test(right.slice(same))) return false;
  return ENDING.test(left.slice(same)) && ENDING.test(right.slice(same));
}

interface Compared {
  readonly suspicion: Suspicion;
  readonly strength: number;
}

/**
 * "Blarney Stone" and "Polly Wolly Doodle" are names of their own: they have a capitalised neighbour that the other
 * name never has.
 */
function isPartOfAnother({ words, traits }: ProseText, one: Name, other: Name): boolean {
  const beside = ({ at }: Name, step: 1 | -1) =>
    at.map((word) => {
      const near = word + step;
      const isJoined = Boolean(traits[step === 1 ? near : word]! & ADJOINS);
      const isName = Boolean(traits[near]! & CAPITAL) && !(step === -1 && traits[near]! & OPENS);
      return isJoined && isName && !TITLES.has(words[near]!) ? words[near]! : null;
    });
  return ([1, -1] as const).some((step) => {
    const own = beside(other, step);
    const counts = new Map<string, number>();
    for (const word of own) if (word !== null) counts.set(word, (counts.get(word) ?? 0) + 1);
    const usual = [...counts].find(([, count]) => count >= 0.8 * own.length)?.[0];
    return usual !== undefined && !beside(one, step).includes(usual);
  });
}

function compared(bookProse: BookProse, one: Name, other: Name): Compared | null {
  const [earlier, later] = one.at[0]! <= other.at[0]! ? [one, other] : [other, one];
  const isSpelling = isNear(one.word, other.word);
  const fewest = isSpelling ? ESTABLISHED.takeover : ESTABLISHED.alike;
  if (
    earlier.at.length >= fewest &&
    later.at.length >= Math.min(fewest, FEWEST_TAKING_OVER) &&
    hasTakenOver(earlier, later, isSpelling && !isKnown(earlier.word) && !isKnown(later.word))
  ) {
    // Both may occur in one paragraph where one replaces the other.
    if (meet(bookProse, earlier, later, NEAR_WORDS) > 2 || (isKnown(earlier.word) && isKnown(later.word))) return null;
    if (isPartOfAnother(bookProse.prose, earlier, later)) return null;
    return { strength: later.at.length, suspicion: takenOver(bookProse, earlier, later) };
  }
  const soundsAlike =
    other.at.length > 1 && other.word.length > LONG_ENOUGH && isRespelled(one.word, other.word, MOST_RESPELLED);
  if (
    !(isSpelling || soundsAlike) ||
    (other.at.length > MOST_STRAY && !isMixed(bookProse, one, other)) ||
    isKnown(other.word) ||
    isInflected(one.word, other.word)
  )
    return null;
  if (meet(bookProse, one, other, SIDE_BY_SIDE) > 0) return null;
  if (other.at.length === 1 && (one.at.length < ESTABLISHED.single || one.word.length < LONG_NAME)) return null;
  if (one.at.length < ESTABLISHED.stray || !standsBeside(one, other)) return null;
  if (isPartOfAnother(bookProse.prose, one, other)) return null;
  return { strength: one.at.length, suspicion: stray(bookProse, one, other) };
}

/**
 * Both spellings occur throughout the book: two names that no other novel has, one letter apart, whose people never
 * meet.
 */
function isMixed(bookProse: BookProse, one: Name, other: Name): boolean {
  const isSpelling = isNear(one.word, other.word) && other.word.length > LONG_ENOUGH;
  return isSpelling && !isKnown(one.word) && meet(bookProse, one, other, NEAR_WORDS) <= MOST_MEETINGS * other.at.length;
}

const MOST_MEETINGS = 0.05;

/** The older spelling ends where the newer one begins, or not much later than its usual distance. */
function hasTakenOver({ at }: Name, later: Name, isOneSpelling: boolean): boolean {
  const first = later.at[0]!;
  const before = at.filter((place) => place < first);
  if (before.length < BEFORE * at.length || before.length < 2) return false;
  const usual = (before.at(-1)! - before[0]!) / (before.length - 1);
  return isOneSpelling || first - before.at(-1)! <= HANDOVER * usual;
}

/** Each occurrence of the rare spelling (or all but one) is close to one of the usual spelling. */
function standsBeside(usual: Name, rare: Name): boolean {
  let at = 0;
  const isOneSpelling = rare.word.length >= LONG_NAME && isNear(usual.word, rare.word) && !isKnown(usual.word);
  const scene = Math.max(SAME_SCENE, (usual.at.at(-1)! - usual.at[0]!) / usual.at.length);
  const reach = isOneSpelling && rare.at.length > 1 ? OTHER_SCENE * scene : scene;
  const far = rare.at.filter((place) => {
    while (at + 1 < usual.at.length && usual.at[at + 1]! <= place) at++;
    return Math.min(Math.abs(place - usual.at[at]!), Math.abs((usual.at[at + 1] ?? Infinity) - place)) > reach;
  });
  return far.length <= (rare.at.length > 2 ? 1 : 0);
}

/** Whether the reference novels use this spelling, so that it is a word or another name. */
function isKnown(word: string): boolean {
  return isGivenName(word) || loadReferenceWords().counts.has(word);
}

/** How often the right name occurs this close to the left one. Two people meet; one person does not meet himself. */
function meet({ prose }: BookProse, left: Name, right: Name, near: number): number {
  let count = 0;
  let at = 0;
  for (const place of right.at) {
    while (at < left.at.length && left.at[at]! < place - near) at++;
    for (let next = at; next < left.at.length && left.at[next]! <= place + near; next++) {
      if (prose.paragraphOf[left.at[next]!] !== prose.paragraphOf[place]) continue;
      count++;
      break;
    }
  }
  return count;
}

const NEAR_WORDS = 12;
const SIDE_BY_SIDE = 3;

function spelling({ text, starts, ends }: ProseText, { at }: Name): string {
  return text.slice(starts[at[0]!], ends[at[0]!]).replace(/['’]s$/i, "");
}

const sentenceOf = (bookProse: BookProse, word: number) =>
  sentenceAround(bookProse, spanOfWords(bookProse.prose, word, word + 1), 300);

function takenOver(bookProse: BookProse, earlier: Name, later: Name): Suspicion {
  const [old, now] = [spelling(bookProse.prose, earlier), spelling(bookProse.prose, later)];
  const { index } = bookProse.chapters[chapterOfWord(bookProse, later.at[0]!)]!;
  return {
    kind: "name-variant",
    title: `${old}, then ${now}`,
    claim: `“${old}” appears ${countOf(earlier.at.length, "time")}, and “${now}” from chapter ${index} on (${countOf(later.at.length, "time")}): one name or two?`,
    severity: "must",
    places: [earlier.at.at(-1)!, ...later.at.slice(0, 3)].map((word) => sentenceOf(bookProse, word)),
    advice:
      "If they are one, choose a spelling and keep it; if they are two, give one of them a name that looks different.",
  };
}

function stray(bookProse: BookProse, usual: Name, rare: Name): Suspicion {
  const [name, slip] = [spelling(bookProse.prose, usual), spelling(bookProse.prose, rare)];
  const nearest = usual.at.findLast((word) => word < rare.at[0]!) ?? usual.at[0]!;
  return {
    kind: "name-variant",
    title: `${name} and ${slip}`,
    claim: `“${name}” appears ${countOf(usual.at.length, "time")} and “${slip}” ${countOf(rare.at.length, "time")}: one name or two?`,
    severity: "should",
    places: [...rare.at, nearest].map((word) => sentenceOf(bookProse, word)),
    advice:
      "If they are one, choose a spelling and keep it; if they are two, give one of them a name that looks different.",
  };
}

/** For a name with two similar ones, reports each slip once, the strongest pair first. */
function strongest(found: readonly Compared[]): Suspicion[] {
  return found.toSorted((left, right) => right.strength - left.strength).map(({ suspicion }) => suspicion);
}

const FEWEST_WHOLE = 5;
const MOST_WHOLE_SLIPS = 3;

/** Names of two words whose second is a word of the language: the Dusty Trail, once the Dusty Rail. */
function secondWords(bookProse: BookProse, names: ReadonlyMap<string, Name>): Suspicion[] {
  const { prose } = bookProse;
  const { words, traits, wordCount } = prose;
  const follow = new Map<string, Map<string, number[]>>();
  for (let word = 0; word + 1 < wordCount; word++) {
    const next = traits[word + 1]!;
    if (
      !(traits[word]! & CAPITAL) ||
      traits[word]! & (SHOUTED | POSSESSIVE) ||
      !(next & CAPITAL) ||
      next & SHOUTED ||
      !(next & ADJOINS)
    )
      continue;
    const first = words[word]!;
    if (first.length < 3 || TITLES.has(first) || NOT_NAMES.has(first) || words[word + 1]!.length < LONG_ENOUGH)
      continue;
    const seconds = follow.get(first) ?? new Map<string, number[]>();
    const at = seconds.get(words[word + 1]!) ?? [];
    at.push(word + 1);
    follow.set(first, seconds.set(words[word + 1]!, at));
  }
  return [...follow].flatMap(([, seconds]) => {
    const [usual, ...others] = [...seconds]
      .map(([word, at]) => ({ word, at }))
      .sort((left, right) => right.at.length - left.at.length);
    if (!usual || usual.at.length < FEWEST_WHOLE) return [];
    return others.slice(0, MOST_ALIKE).flatMap((rare) => {
      if (rare.at.length > MOST_WHOLE_SLIPS || !isOneLetterApart(usual.word, rare.word)) return [];
      if (isInflected(usual.word, rare.word) || isManOrMen(usual.word, rare.word)) return [];
      // Pairs of words that are both names on their own were compared before.
      if (names.has(rare.word) && (names.get(usual.word)?.at.length ?? 0) >= ESTABLISHED.stray) return [];
      const whole = (name: Name): string => {
        const { start, end } = spanOfWords(prose, name.at[0]! - 1, name.at[0]! + 1);
        return prose.text
          .slice(start, end)
          .replace(/['’]s$/i, "")
          .replace(/\s+/g, " ");
      };
      const found = stray(bookProse, usual, rare);
      const [name, slip] = [whole(usual), whole(rare)];
      return [
        {
          ...found,
          title: `${name} and ${slip}`,
          claim: `“${name}” appears ${countOf(usual.at.length, "time")} and “${slip}” ${countOf(rare.at.length, "time")}: one name or two?`,
        },
      ];
    });
  });
}

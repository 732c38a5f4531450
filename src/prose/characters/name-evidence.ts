import { ADJOINS, OPENS, POSSESSIVE, type ProseText } from "../prose-text.ts";
import { SPEECH_VERBS, THOUGHT_VERBS, WEAK_SPEECH_VERBS } from "../word-shape.ts";
import type { NameMention } from "./name-mentions.ts";
import { ADJECTIVES, type Gender, KIN, PARTICLES, SURNAMES, TITLES, usualGender } from "./name-words.ts";

/** A parsed name. A single word without a title is `only`: it may be a given or a family name. */
export interface ParsedName {
  readonly titles: readonly string[];
  readonly given: string | null;
  readonly family: string | null;
  readonly only: string | null;
  /** The gender implied by the titles. */
  readonly gender: Gender | null;
}

export function parseName(key: string): ParsedName {
  const words = key.replace(/\bsaint\b/g, "st").split(" ");
  let start = 0;
  while (start < words.length && (TITLES.has(words[start]!) || ADJECTIVES.has(words[start]!))) start++;
  // In "Miss Bishop" and "Colonel Young" the last word is the name.
  if (
    start === words.length &&
    start > 1 &&
    SURNAMES.has(words.at(-1)!) &&
    TITLES.get(words.at(-2)!)?.before !== "given"
  )
    start--;
  const titles = words.slice(0, start);
  const gender = titles.map((title) => TITLES.get(title)?.gender ?? null).find((each) => each !== null) ?? null;
  const rest = words.slice(start);
  if (rest.length === 0) return { titles, given: null, family: null, only: null, gender };
  if (rest.length === 1) return { ...singleName(titles, rest[0]!), titles, gender };
  if (PARTICLES.has(rest[0]!)) {
    const family = rest.join(" ");
    return titles.length > 0
      ? { titles, given: null, family, only: null, gender }
      : { titles, given: null, family: null, only: family, gender };
  }
  // "van der Luyden" and "de Worms" are each one family name.
  const particle = rest.findIndex((word) => PARTICLES.has(word));
  const family = particle > 0 ? rest.slice(particle).join(" ") : rest.at(-1)!;
  return { titles, given: rest[0]!, family, only: null, gender };
}

function singleName(titles: readonly string[], name: string): Pick<ParsedName, "given" | "family" | "only"> {
  const title = titles.findLast((each) => TITLES.has(each) && !ADJECTIVES.has(each));
  if (title === undefined) return { given: null, family: null, only: name };
  const { before } = TITLES.get(title)!;
  if (before === "family") return { given: null, family: name, only: null };
  if (before === "given") return { given: name, family: null, only: null };
  if (KIN.has(title)) return { given: null, family: null, only: name };
  // "Miss Daisy" is a given name; "Miss Bertram" is a family name, since no woman has the given name Bertram.
  const gender = usualGender(name);
  const isGiven = gender !== null && (gender === TITLES.get(title)!.gender || TITLES.get(title)!.gender === null);
  return isGiven ? { given: name, family: null, only: null } : { given: null, family: name, only: null };
}

/** One pronoun of the other gender may follow by chance; this ratio does not. */
const CLEAR = 2;
/** The weight of a usual given name, since a novel seen through one man's eyes says "he" after every woman's name. */
const CONTRADICTS = 5;

/** The gender of the person with these names: by title, then by the given name, then by the pronouns that follow. */
export function genderOf(names: readonly NameEvidence[]): Gender | null {
  let he = 0;
  let she = 0;
  let usual: Gender | null = null;
  for (const { key, he: male, she: female } of names) {
    const { gender, given, only } = parseName(key);
    if (gender !== null) return gender;
    he += male;
    she += female;
    usual ??= usualGender(given ?? only ?? "");
  }
  if (usual === "male" && she < CONTRADICTS * (he + 1)) return "male";
  if (usual === "female" && he < CONTRADICTS * (she + 1)) return "female";
  if (he > CLEAR * she) return "male";
  return she > CLEAR * he ? "female" : null;
}

/** The evidence about one name, collected from all its mentions. */
export interface NameEvidence {
  readonly key: string;
  mentions: number;
  /** Inside quotation marks. */
  quoted: number;
  /** Inside quotation marks and set off by commas, so that somebody is addressed by this name. */
  addressed: number;
  /** Beside a verb of speech or thought. */
  spoken: number;
  /** Before another verb whose subject is a person more often than a place. */
  acts: number;
  /** After "in", "at" or "near". */
  located: number;
  /** After "to", "from", "of" or "on": more often a place, but also people. */
  reached: number;
  definite: number;
  /** How often the following pronoun, outside quotation marks, is "he". */
  he: number;
  she: number;
  /** Other names in the same narrative sentence, with counts. */
  readonly beside: Map<string, number>;
  /** Names of people whom this one, as the only speaker of a paragraph, addresses. */
  readonly addresses: Set<string>;
  /** The first word of every mention, in order. */
  readonly places: number[];
  /** The most frequent spelling, with titles and full stops. */
  readonly spellings: Map<string, number>;
}

const LOCATIVE = new Set(
  "in at near into through across towards toward round around outside inside via aboard board leaving reached".split(
    " ",
  ),
);
const REACHING = new Set(["to", "from", "of", "on", "off"]);
const ACTS =
  /^(?:had|has|was|is|looked|went|came|took|stood|sat|felt|knew|saw|turned|could|would|did|got|gave|made|rose|left|put|ran|held|heard|found|kept|began|seemed|\p{L}{2,}ed)$/u;
const MALE = new Set(["he", "him", "his", "himself"]);
const FEMALE = new Set(["she", "her", "hers", "herself"]);
const PRONOUN_REACH = 14;
/** A sentence with more names than this is a list. */
const MOST_BESIDE = 12;

/** `isQuoted` says whether a word is in quotation marks. */
export function gatherEvidence(
  prose: ProseText,
  mentions: readonly NameMention[],
  isQuoted: (word: number) => boolean,
): Map<string, NameEvidence> {
  const names = new Map<string, NameEvidence>();
  for (const [index, mention] of mentions.entries()) {
    let evidence = names.get(mention.key);
    if (evidence === undefined) {
      evidence = emptyEvidence(mention.key);
      names.set(mention.key, evidence);
    }
    const quoted = isQuoted(mention.first);
    evidence.mentions++;
    evidence.places.push(mention.first);
    addPlace(evidence, prose, mention);
    if (quoted) {
      evidence.quoted++;
      if (isSetOff(prose, mention)) evidence.addressed++;
    } else {
      addContext(evidence, prose, mention);
      addPronoun(evidence, prose, mention, mentions[index + 1]?.first ?? prose.wordCount, isQuoted);
    }
    if (mention.definite) evidence.definite++;
    const spelling = spellingOf(prose, mention);
    evidence.spellings.set(spelling, (evidence.spellings.get(spelling) ?? 0) + 1);
  }
  addNeighbours(names, prose, mentions, isQuoted);
  addAddresses(names, prose, mentions, isQuoted);
  return names;
}

/** In “Weedon, send for him,” said Judge Scott, the two names are different people, since nobody addresses himself. */
function addAddresses(
  names: ReadonlyMap<string, NameEvidence>,
  prose: ProseText,
  mentions: readonly NameMention[],
  isQuoted: (word: number) => boolean,
): void {
  let paragraph = -1;
  let addressed: string[] = [];
  let speakers = new Set<string>();
  const close = () => {
    const [speaker] = speakers;
    if (speakers.size !== 1) return;
    const own = speaker!.split(" ");
    // “I, Hercule Poirot, shall see to it,” said Poirot.
    for (const key of addressed)
      if (!key.split(" ").some((word) => own.includes(word))) names.get(speaker!)!.addresses.add(key);
  };
  for (const mention of mentions) {
    if (prose.paragraphOf[mention.first] !== paragraph) {
      close();
      paragraph = prose.paragraphOf[mention.first]!;
      addressed = [];
      speakers = new Set();
    }
    if (!isQuoted(mention.first)) {
      if (isBesideSpeech(prose, mention)) speakers.add(mention.key);
    } else if (isSetOff(prose, mention)) addressed.push(mention.key);
  }
  close();
}

function isBesideSpeech(prose: ProseText, mention: NameMention): boolean {
  const { last } = mention;
  const previous = wordBefore(prose, mention);
  if (SPEECH_VERBS.has(previous) && !WEAK_SPEECH_VERBS.has(previous)) return true;
  const next = prose.words[last + 1];
  if (next === undefined || !(prose.traits[last + 1]! & ADJOINS) || prose.traits[last]! & POSSESSIVE) return false;
  return SPEECH_VERBS.has(next) && !WEAK_SPEECH_VERBS.has(next);
}

/**
 * A person named twice in one sentence usually has the same form, so two names in one sentence are mostly two people.
 */
function addNeighbours(
  names: ReadonlyMap<string, NameEvidence>,
  prose: ProseText,
  mentions: readonly NameMention[],
  isQuoted: (word: number) => boolean,
): void {
  let sentence = new Set<string>();
  let before = 0;
  for (const { first, key } of mentions) {
    let word = before + 1;
    while (word <= first && !(prose.traits[word]! & OPENS)) word++;
    if (word <= first) sentence = new Set();
    before = first;
    if (isQuoted(first) || sentence.has(key) || sentence.size === MOST_BESIDE) continue;
    for (const other of sentence) {
      count(names.get(key)!.beside, other);
      count(names.get(other)!.beside, key);
    }
    sentence.add(key);
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function emptyEvidence(key: string): NameEvidence {
  const none = {
    mentions: 0,
    quoted: 0,
    addressed: 0,
    spoken: 0,
    acts: 0,
    located: 0,
    reached: 0,
    definite: 0,
    he: 0,
    she: 0,
  };
  return { key, ...none, beside: new Map(), addresses: new Set(), places: [], spellings: new Map() };
}

function wordBefore(prose: ProseText, { first, definite }: NameMention): string {
  return prose.traits[first]! & ADJOINS ? (prose.words[definite ? first - 2 : first - 1] ?? "") : "";
}

/** Speakers also say where they are going, so dialogue counts like narration here. */
function addPlace(evidence: NameEvidence, prose: ProseText, mention: NameMention): void {
  const previous = wordBefore(prose, mention);
  if (LOCATIVE.has(previous)) evidence.located++;
  else if (REACHING.has(previous)) evidence.reached++;
}

function addContext(evidence: NameEvidence, prose: ProseText, mention: NameMention): void {
  const { last } = mention;
  const previous = wordBefore(prose, mention);
  if (SPEECH_VERBS.has(previous) && !WEAK_SPEECH_VERBS.has(previous)) evidence.spoken++;
  const next = prose.words[last + 1];
  if (next === undefined || !(prose.traits[last + 1]! & ADJOINS) || prose.traits[last]! & POSSESSIVE) return;
  if (SPEECH_VERBS.has(next) || THOUGHT_VERBS.has(next)) evidence.spoken++;
  else if (ACTS.test(next)) evidence.acts++;
}

function addPronoun(
  evidence: NameEvidence,
  prose: ProseText,
  mention: NameMention,
  nextMention: number,
  isQuoted: (word: number) => boolean,
): void {
  const paragraph = prose.paragraphOf[mention.first];
  const reach = Math.min(mention.last + PRONOUN_REACH, nextMention - 1);
  for (let word = mention.last + 1; word <= reach; word++) {
    if (prose.paragraphOf[word] !== paragraph) return;
    if (isQuoted(word)) continue;
    const pronoun = prose.words[word]!;
    if (MALE.has(pronoun)) evidence.he++;
    else if (FEMALE.has(pronoun)) evidence.she++;
    else continue;
    return;
  }
}

/** Between commas or other marks on both sides, like a person who is addressed: "No, Emma, I cannot." */
function isSetOff(prose: ProseText, { first, last }: NameMention): boolean {
  const before = first === 0 ? "" : prose.text.slice(prose.ends[first - 1], prose.starts[first]);
  const after = prose.text.slice(prose.ends[last], prose.starts[last + 1] ?? prose.text.length);
  return (
    /[,!?.;"“‘—-]\s*['"“‘]?$/.test(before) && /^\s*[,!?.;"”’—-]/.test(after) && !(prose.traits[last]! & POSSESSIVE)
  );
}

function spellingOf(prose: ProseText, { first, last }: NameMention): string {
  return prose.text
    .slice(prose.starts[first], prose.ends[last])
    .replace(/\s+/g, " ")
    .replace(/['’]s$/i, "");
}

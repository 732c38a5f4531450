import { sumBy } from "../../stats/distribution.ts";
import { genderOf, type NameEvidence, type ParsedName, parseName } from "./name-evidence.ts";
import {
  ENDINGS_OF_PLACES,
  fullForms,
  type Gender,
  isGivenName,
  KIN,
  NAMES_OF_OTHER_THINGS,
  sameTitle,
  usualGender,
} from "./name-words.ts";

/** Names that are assumed to mean one person. */
export interface Identity {
  readonly names: NameEvidence[];
}

interface Person extends Identity {
  readonly given: Set<string>;
  readonly family: Set<string>;
  readonly titles: Set<string>;
  gender: Gender | null;
}

/** A rarer candidate does not make a name ambiguous if the other is named this many times as often. */
const DOMINANT = 8;
/** The same for a woman's given name, since she may marry and have two family names. */
const LIKELY = 3;
/** A form used this often is used on purpose. */
const OFTEN = 5;
const SELDOM_WHOLE = 40;
/** A form of address: at least this share of its mentions is in dialogue. */
const MOSTLY_SPOKEN = 0.7;
/** If the narrator uses somebody's given name in at least this share, there is another form for the same person. */
const SECOND_FORM = 0.15;
const OFTEN_TOLD = 8;
/** The ratio of pronouns of the other gender, after a given name, to those of its own gender. */
const OTHERWISE = 3;
/**
 * Two names that occur together in a narrative sentence this often, and in this share of the rarer one's mentions,
 * are two people.
 */
const MET = 3;
const MEETING = 0.04;

/**
 * Decides which names mean the same person, from the most certain to the least certain: full names, titles with a
 * family name, single names, short forms. A name that could mean two people stays separate: a list that is too long
 * is easily corrected, but not two people merged into one.
 */
export function resolveAliases(evidence: Iterable<NameEvidence>): Identity[] {
  const parsed = withTitlesAsSurnames([...evidence].map((name) => ({ name, parts: parseName(name.key) })));
  const people: Person[] = [];
  const maiden = new Set(
    parsed.flatMap(({ parts }) =>
      parts.titles.some((title) => MISSES.has(title)) && parts.family ? [parts.family] : [],
    ),
  );
  const used = namesInUse(parsed);
  const take = (
    test: (parts: ParsedName, name: NameEvidence) => boolean,
    place: (name: NameEvidence, parts: ParsedName) => unknown,
  ) => {
    const chosen = parsed
      .filter(({ name, parts }) => test(parts, name))
      .sort((left, right) => right.name.mentions - left.name.mentions);
    for (const { name, parts } of chosen) place(name, parts);
  };
  // People by each word of their given or family names, so that not every pair of names has to be compared.
  const bearers = new Map<string, Set<Person>>();
  const free = (name: NameEvidence, parts: ParsedName) => {
    const words = [parts.given, parts.family, parts.only].flatMap((word) => word ?? []);
    const known = new Set(words.flatMap((word) => [...(bearers.get(word) ?? [])]));
    return [...known].filter((person) => !meets(person, name, parts, used));
  };
  const join = (name: NameEvidence, parts: ParsedName, known: Person | null): Person => {
    const person = known ?? newPerson(name, parts);
    if (known === null) people.push(person);
    else add(person, name, parts);
    for (const word of [parts.given, parts.family]) {
      if (word === null) continue;
      const others = bearers.get(word);
      if (others) others.add(person);
      else bearers.set(word, new Set([person]));
    }
    return person;
  };

  take(
    (parts, name) =>
      parts.given !== null &&
      parts.family !== null &&
      (isCredible(name, parts) || isMadeOfNames(parts, used)) &&
      !isTwoPeople(name, parts, used),
    (name, parts) => {
      const person = join(name, parts, only(free(name, parts).filter((person) => isSameFullName(person, parts))));
      const alone = used.alone.get(parts.given!);
      if (alone) person.gender ??= genderOf([alone]);
    },
  );
  take(
    ({ given, family, titles }) => titles.length > 0 && given !== null && family === null,
    (name, parts) => join(name, parts, only(free(name, parts).filter((person) => answersToTitledGiven(person, parts)))),
  );
  take(
    ({ given, family, titles }) => titles.length > 0 && family !== null && given === null,
    (name, parts) =>
      join(
        name,
        parts,
        only(
          free(name, parts).filter((person) => answersToTitledFamily(person, { name, parts, people, maiden, used })),
        ),
      ),
  );
  take(
    ({ only: single }) => single !== null,
    (name, parts) => {
      const unmet = () => people.filter((person) => !meets(person, name, parts, used));
      return join(name, parts, bearerOfSingleName(free(name, parts), name, parts, unmet));
    },
  );
  take(
    ({ titles, given, family, only: single }) =>
      titles.length > 0 && given === null && family === null && single === null,
    (name, parts) =>
      join(name, parts, only(people.filter(({ titles }) => titles.has(sameTitle(parts.titles.at(-1)!))))),
  );
  return joinShortForms(people);
}

/** Two capitalised words that are adjacent once are not yet a name: "Archer Madeira" was a wine. */
function isCredible({ mentions, key }: NameEvidence, { titles, given }: ParsedName): boolean {
  if (ENDINGS_OF_PLACES.has(key.split(" ").at(-1)!) && titles.length === 0) return false;
  if (NAMES_OF_OTHER_THINGS.has(given!) && !isGivenName(given!)) return false;
  return titles.length > 0 || mentions >= 2 || isGivenName(given!);
}

/**
 * Whether one addresses the other, or both occur in one narrative sentence too often for one person: "Cheyne looked
 * at Harvey".
 */
function isBeside(name: NameEvidence, other: NameEvidence): boolean {
  if (name.addresses.has(other.key) || other.addresses.has(name.key)) return true;
  const together = name.beside.get(other.key) ?? 0;
  const told = Math.min(name.mentions - name.quoted, other.mentions - other.quoted);
  return together >= MET && together >= MEETING * told;
}

/** Whether a name, or the bare surname in it, occurs together with the person in sentences of the book. */
function meets(person: Person, name: NameEvidence, { family }: ParsedName, { alone }: NamesInUse): boolean {
  const own = [...person.names, ...[...person.given].flatMap((given) => alone.get(given) ?? [])];
  const surname = family === null ? undefined : alone.get(family);
  const theirs = surname === undefined ? [name] : [name, surname];
  return own.some((mine) => theirs.some((other) => mine !== other && isBeside(mine, other)));
}

interface ParsedEvidence {
  readonly name: NameEvidence;
  readonly parts: ParsedName;
}

/** In a book with a Colonel Bishop and an Arabella Bishop, "Bishop" is a surname and not a title. */
function withTitlesAsSurnames(parsed: readonly ParsedEvidence[]): ParsedEvidence[] {
  const surnames = new Set(parsed.flatMap(({ parts }) => parts.family ?? []));
  return parsed.map(({ name, parts }) =>
    parts.titles.length === 1 && name.key === parts.titles[0] && surnames.has(name.key)
      ? { name, parts: { titles: [], given: null, family: null, only: name.key, gender: null } }
      : { name, parts },
  );
}

/**
 * "Martha, Potapitch" with the comma lost: a full name that occurs once, made of two names that both often occur
 * alone.
 */
function isTwoPeople({ mentions }: NameEvidence, { given, family, titles }: ParsedName, { alone, titled }: NamesInUse) {
  const standsAlone = (name: string) => (alone.get(name)?.mentions ?? 0) >= OFTEN;
  return mentions === 1 && titles.length === 0 && !titled.has(family!) && standsAlone(given!) && standsAlone(family!);
}

interface NamesInUse {
  /** Names that occur alone. */
  readonly alone: ReadonlyMap<string, NameEvidence>;
  /** Family names that occur after a title. */
  readonly titled: ReadonlySet<string>;
}

function namesInUse(parsed: readonly ParsedEvidence[]): NamesInUse {
  return {
    alone: new Map(parsed.flatMap(({ name, parts }) => (parts.only === null ? [] : [[parts.only, name]]))),
    titled: new Set(parsed.flatMap(({ parts }) => (parts.titles.length > 0 && parts.family ? [parts.family] : []))),
  };
}

/** A full name that occurs once is real if the text uses both halves: "Hester" often, and "Miss Vane". */
function isMadeOfNames({ given, family }: ParsedName, { alone, titled }: NamesInUse): boolean {
  return (alone.get(given!)?.mentions ?? 0) >= OFTEN && titled.has(family!);
}

function newPerson(name: NameEvidence, parts: ParsedName): Person {
  const person: Person = { names: [], given: new Set(), family: new Set(), titles: new Set(), gender: null };
  add(person, name, parts);
  return person;
}

function add(person: Person, name: NameEvidence, { given, family, titles }: ParsedName): void {
  person.names.push(name);
  if (given !== null) person.given.add(given);
  if (family !== null) person.family.add(family);
  for (const title of titles) if (!KIN.has(title)) person.titles.add(sameTitle(title));
  person.gender = genderOf(person.names);
}

const mentionsOf = (person: Person) => sumBy(person.names, ({ mentions }) => mentions);

/** The only candidate, or one that is named far more often than the rest. */
function only(candidates: readonly Person[], margin = DOMINANT): Person | null {
  if (candidates.length <= 1) return candidates[0] ?? null;
  const [first, second] = [...candidates].sort((left, right) => mentionsOf(right) - mentionsOf(left));
  return mentionsOf(first!) >= margin * mentionsOf(second!) ? first! : null;
}

const agrees = (left: Gender | null, right: Gender | null) => left === null || right === null || left === right;

/**
 * "Mrs John Knightley" and "Mrs Lemuel Struthers" have their husbands' names, since no woman's given name follows the
 * title.
 */
function isHusbandsName({ titles, given }: ParsedName): boolean {
  return titles.includes("mrs") && given !== null && usualGender(given) !== "female";
}

function isSameFullName(person: Person, parts: ParsedName): boolean {
  if (!person.given.has(parts.given!) || !person.family.has(parts.family!)) return false;
  const borrowed = person.names.some(({ key }) => isHusbandsName(parseName(key)));
  return borrowed === isHusbandsName(parts) && agrees(person.gender, parts.gender);
}

/** "Sir Thomas" is Sir Thomas Bertram, and "Miss Daisy" is Daisy Miller. */
function answersToTitledGiven(person: Person, parts: ParsedName): boolean {
  if (!person.given.has(parts.given!) || !agrees(person.gender, parts.gender)) return false;
  const title = parts.titles.at(-1)!;
  if (title === "sir" || title === "lord" || title === "lady") return person.titles.has(title);
  return !person.titles.has("mrs");
}

interface TitledFamily {
  readonly name: NameEvidence;
  readonly parts: ParsedName;
  readonly people: readonly Person[];
  readonly maiden: ReadonlySet<string>;
  readonly used: NamesInUse;
}

/**
 * "Mr Darcy" is Fitzwilliam Darcy unless the text has another man of that name. "Mrs Bennet" is not Elizabeth Bennet:
 * if the text also has a Miss Bennet, the woman with a given name is the Miss.
 */
function answersToTitledFamily(person: Person, { name, parts, people, maiden, used }: TitledFamily): boolean {
  if (!person.family.has(parts.family!) || !agrees(person.gender, parts.gender ?? genderOf([name]))) return false;
  if (person.names.some(({ key }) => isHusbandsName(parseName(key)))) return false;
  const title = parts.titles.at(-1)!;
  if (excludes(person.titles, title)) return false;
  const family = people.filter((other) => other !== person && other.family.has(parts.family!));
  const namesakes = family.filter(
    (other) =>
      other.given.size > 0 &&
      agrees(other.gender, parts.gender) &&
      !(isSameGiven(person, other) && mentionsByGiven(other, used) < mentionsByGiven(person, used)) &&
      (mentionsOf(other) * DOMINANT > mentionsOf(person) ||
        mentionsByGiven(other, used) * DOMINANT > mentionsByGiven(person, used)),
  );
  if (namesakes.length > 0 || narratorUsesOtherForm(person, name, used)) return false;
  if (hasOtherPronouns(person, parts.gender, used)) return false;
  switch (MISSES.has(title) ? "miss" : WIVES.has(title) ? "mrs" : title) {
    case "mrs":
      return person.gender === "female" && !maiden.has(parts.family!) && !isMother(person, name, used);
    case "miss":
      return person.gender === "female";
    case "lady":
    case "lord":
      return person.titles.has(title);
    default:
      // A woman of the family does not imply that "Mr Gradgrind" is the person of unknown gender.
      if (person.gender === null && parts.gender !== null && family.length > 0) return false;
      return !isDistinguished(person, title, used);
  }
}

/** An occasional "William Sikes" is the same person as Bill Sikes. */
function isSameGiven(person: Person, other: Person): boolean {
  const forms = (one: Person) => [...one.given].flatMap((given) => [given, ...fullForms(given)]);
  const own = new Set(forms(person));
  return forms(other).some((form) => own.has(form));
}

/** How often a person is named, including by the given name alone: "Anne" is not joined to "Anne Elliot" yet. */
function mentionsByGiven(person: Person, { alone }: NamesInUse): number {
  return mentionsOf(person) + sumBy([...person.given], (given) => alone.get(given)?.mentions ?? 0);
}

/**
 * A narrator who says "William" a hundred times means somebody else by an occasional "Mr. Price": his father. A form
 * used mostly in dialogue is a form of address ("Miss Woodhouse" for Emma) and proves nothing here.
 */
function narratorUsesOtherForm({ given }: Person, { mentions, quoted }: NameEvidence, { alone }: NamesInUse): boolean {
  const told = mentions - quoted;
  const byGiven = sumBy([...given], (each) => (alone.get(each)?.mentions ?? 0) - (alone.get(each)?.quoted ?? 0));
  return quoted < MOSTLY_SPOKEN * mentions && told >= OFTEN_TOLD && told < SECOND_FORM * byGiven;
}

/** A Tony whom the narrator mostly calls "she" is not Mr. Shimerda, whatever that name usually implies. */
function hasOtherPronouns({ given }: Person, gender: Gender | null, { alone }: NamesInUse): boolean {
  const own = [...given].flatMap((each) => alone.get(each) ?? []);
  const he = sumBy(own, (name) => name.he);
  const she = sumBy(own, (name) => name.she);
  const [called, otherwise] = gender === "male" ? [he, she] : [she, he];
  return gender !== null && otherwise >= OFTEN && otherwise > OTHERWISE * called;
}

/** An occasional "Mrs. Gillis" is the mother of a girl whom everybody calls Ruby. */
function isMother({ given }: Person, { mentions }: NameEvidence, { alone }: NamesInUse): boolean {
  return mentions < SECOND_FORM * sumBy([...given], (each) => alone.get(each)?.mentions ?? 0);
}

const OFTEN_ALONE = 20;
const GENTLEMEN = new Set(["mr", "m", "monsieur", "mister"]);
const MISSES = new Set(["miss", "mademoiselle", "mlle", "signorina", "fräulein"]);
const WIVES = new Set(["mrs", "madame", "mme", "signora", "señora", "frau"]);
const EXCLUSIVE = ["mr", "mrs", "miss", "lady", "lord", "sir", "madame"];

/** Titles of one person must be compatible: Mrs and Miss exclude each other, and so do Mr and Admiral. */
function excludes(titles: ReadonlySet<string>, title: string): boolean {
  if (titles.size === 0 || titles.has(title)) return false;
  // An initial may look like the French title: "M. Vane" may be Matthew.
  if (title === "m" || title === "monsieur" || title === "signor" || title === "comrade" || title === "mister")
    return false;
  return [...titles].some((other) => EXCLUSIVE.includes(other));
}

/** If a man is nearly always "Mr John Knightley", plain "Mr Knightley" is somebody else. */
function isDistinguished(person: Person, title: string, { alone }: NamesInUse): boolean {
  const whole = person.names.filter(({ key }) => {
    const named = parseName(key);
    return named.titles.at(-1) === title && named.given !== null && named.family !== null;
  });
  const mentions = sumBy(whole, (name) => name.mentions);
  // With "M. Jack", "M. Jack Renauld" and plain Jack, "M. Renauld" is his father.
  const byGiven = person.names.filter(({ key }) => {
    const named = parseName(key);
    return GENTLEMEN.has(named.titles.at(-1) ?? "") && named.given !== null;
  });
  const givenAlone = sumBy([...person.given], (given) => alone.get(given)?.mentions ?? 0);
  if (GENTLEMEN.has(title) && sumBy(byGiven, (name) => name.mentions) >= OFTEN && givenAlone >= OFTEN_ALONE)
    return true;
  return mentions >= OFTEN && mentions > 0.4 * mentionsOf(person);
}

function bearerOfSingleName(
  people: readonly Person[],
  name: NameEvidence,
  parts: ParsedName,
  unmet: () => readonly Person[],
): Person | null {
  const single = parts.only!;
  const gender = parts.gender ?? genderOf([name]);
  const suits = (person: Person) => agrees(person.gender, gender);
  // "Lady Tadminster" is named after the town.
  if (2 * name.located > name.mentions) return null;
  // "French Tarzan" is Tarzan, and "French" is his language.
  if (NAMES_OF_OTHER_THINGS.has(single) && name.spoken === 0) return null;
  const byGiven = people.filter(
    (person) => person.given.has(single) && suits(person) && isGivenOf(person, name) && !isNickname(person, unmet),
  );
  if (byGiven.length > 0) return only(byGiven, gender === "male" ? DOMINANT : LIKELY);
  const byFamily = people.filter((person) => person.family.has(single) && suits(person));
  // A bare family name usually means the man, or the one who is most often named.
  const men = byFamily.filter((person) => person.gender !== "female");
  if (men.length === 0 || gender === "female") return only(byFamily);
  const women = byFamily.filter((person) => person.gender === "female");
  const isHers = Math.max(0, ...women.map(mentionsOf)) >= DOMINANT * Math.max(...men.map(mentionsOf));
  if (isHers) return null;
  // A person who first appears when the name has mostly been used already is not the one it refers to.
  const half = name.places[Math.floor(name.places.length / 2)]!;
  const known = men.filter(({ names }) => names.some(({ places }) => places[0]! < half));
  return only(known.length > 0 ? known : men);
}

/**
 * "Tom Gradgrind" may be Thomas Gradgrind's nickname among friends, and Tom his son: a full name with a short form
 * that only speakers use, beside the long form, does not get the bare "Tom".
 */
function isNickname({ names, given, family }: Person, unmet: () => readonly Person[]): boolean {
  if (sumBy(names, ({ quoted }) => quoted) < MOSTLY_SPOKEN * sumBy(names, ({ mentions }) => mentions)) return false;
  const long = new Set([...given].flatMap(fullForms));
  if (long.size === 0) return false;
  return unmet().some(
    (other) => [...other.given].some((each) => long.has(each)) && [...other.family].some((each) => family.has(each)),
  );
}

/** A word that occurs alone far more often than before the other is hardly a given name, unless it is known as one. */
function isGivenOf(person: Person, { key, mentions }: NameEvidence): boolean {
  return isGivenName(key) || mentions < SELDOM_WHOLE * mentionsOf(person);
}

/**
 * "Lizzy" is Elizabeth if only speakers say it. A short form that the narrator uses beside the long one may be the
 * name of a daughter or son, so it stays separate.
 */
function joinShortForms(people: Person[]): Person[] {
  const joined = new Set<Person>();
  for (const person of people) {
    const [name] = person.names;
    const short = person.names.length === 1 ? parseName(name!.key).only : null;
    if (short === null || name!.quoted < 0.7 * name!.mentions) continue;
    const forms = fullForms(short);
    if (forms.length === 0) continue;
    const long = people.filter(
      (other) =>
        other !== person &&
        !joined.has(other) &&
        agrees(other.gender, person.gender) &&
        forms.some((form) => other.given.has(form) || other.names.some(({ key }) => key === form)),
    );
    const target = only(long);
    if (target === null) continue;
    add(target, name!, parseName(name!.key));
    joined.add(person);
  }
  return people.filter((person) => !joined.has(person));
}

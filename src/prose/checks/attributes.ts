import { groupBy } from "../../core/group-by.ts";
import { type Reading, spanOfWords } from "../map/reading.ts";
import { ADJOINS, CAPITAL, POSSESSIVE } from "../reading/prose-text.ts";
import { type Check, chapterOfWord, type Suspicion, sentenceAround } from "./check.ts";
import { isPronoun, type Owner, Owners } from "./owner.ts";

const list = (text: string) => text.split(/\s+/);
const set = (text: string): ReadonlySet<string> => new Set(list(text));

/** What the narration says of somebody or something, and where. */
interface Fact {
  /** What has the property: a person by number, or a noun. */
  readonly owner: string;
  readonly name: string;
  readonly property: Property;
  /** For a side: the part of the body. */
  readonly part: string;
  readonly value: string;
  readonly number: number;
  readonly word: number;
}

type Property = "eyes" | "hair" | "age" | "side" | "number" | "duration";

const EYE_COLOURS: ReadonlyMap<string, string> = new Map(
  list("blue brown grey green black hazel violet amber")
    .map((colour) => [colour, colour] as const)
    .concat([
      ["gray", "grey"],
      ["azure", "blue"],
    ]),
);
const HAIR_COLOURS: ReadonlyMap<string, string> = new Map([
  ...list("black dark raven").map((colour) => [colour, "dark"] as const),
  ...list("brown chestnut").map((colour) => [colour, "brown"] as const),
  ...list("fair blond blonde golden flaxen yellow").map((colour) => [colour, "fair"] as const),
  ...list("red ginger").map((colour) => [colour, "red"] as const),
]);
/** Colours that one pair of eyes may be called by turns. */
const ALIKE = new Set(
  [
    "blue grey",
    "green grey",
    "black brown",
    "blue violet",
    "brown hazel",
    "green hazel",
    "grey hazel",
    "amber brown",
    "amber hazel",
    "blue green",
    "black grey",
    "brown dark",
    "brown fair",
    "amber green",
    "grey violet",
    "black violet",
  ].map((pair) => pair.split(" ").toSorted().join(" ")),
);

const UNITS = [
  "",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
];
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
const NUMBERS = numberWords();

const DETERMINERS = set("his her the a an my their your its those these that this of with had has and no");
const WERE = set("was were is are looked seemed shone gleamed");
const COLOUR_ENDS = set("and but in like that or with as when under beneath beside by from now then at to");
const AGE_VERBS = set("was is turned were");
const AGE_ADVERBS = set("only just about nearly barely not yet already almost hardly scarcely now still over past");
const AFTER_AGE = set(
  "and now that when at last in but or then this on by years year with who for although though if so",
);
/** What comes before the subject of an age that was, or that would be: it is no age of now. */
const OTHER_TIME = set(
  "when since until till before if though although as while because after once would had than whether for",
);
const PERSON_NOUNS = set("man woman girl boy lad youth lady gentleman fellow");
const MARKS: ReadonlyMap<string, string> = new Map([
  ...list("scar scars scarred").map((word) => [word, "scar"] as const),
  ...list("wound wounded wounds injured injury hurt").map((word) => [word, "wound"] as const),
  ...list("burn burned burnt").map((word) => [word, "burn"] as const),
  ...list("lame limp limped limping limps").map((word) => [word, "limp"] as const),
  ...list("lost missing blind").map((word) => [word, "loss"] as const),
  ...list("tattoo birthmark mole").map((word) => [word, word] as const),
]);
const PARTS: ReadonlyMap<string, string> = new Map([
  ...list("hand palm wrist").map((word) => [word, "hand"] as const),
  ...list("arm shoulder elbow leg knee foot ankle thigh eye ear cheek temple eyebrow brow").map(
    (word) => [word, word] as const,
  ),
]);
/** Of these a story may well have two numbers. */
const MEASURES = set(
  `years months weeks days hours minutes seconds nights mornings times miles yards feet inches paces steps degrees pounds shillings
  pence francs dollars cents guineas crowns livres louis rubles roubles sous thousands hundreds millions tons leagues fathoms knots
  others men women people persons children boys girls pages chapters lines verses words chapters per percent ones centuries acres
  metres meters kilometres kilometers centimes pistoles ducats sovereigns talents sestertii cubits hands winters summers springs odd`,
);
const NO_COUNT = new Set([15, 25]);

/** One person or thing with two eye colours, ages, sides or numbers. */
export const attributeConflicts: Check = (reading) => {
  const facts = new FactReader(reading).read();
  const groups = groupBy(facts, ({ owner, property, part }) => `${owner} ${property} ${part}`);
  return [...groups.values()].flatMap((group) => conflictIn(reading, group) ?? []);
};

class FactReader {
  readonly #reading: Reading;
  readonly #owners: Owners;
  readonly #facts: Fact[] = [];

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#owners = new Owners(reading);
  }

  read(): Fact[] {
    const { prose, sentences, dialogue } = this.#reading;
    const kinds = prose.vocabulary.map((word) => kindOf(word));
    let sentence = 0;
    for (let word = 0; word < prose.wordCount; word++) {
      const kind = kinds[prose.ids[word]!]!;
      if (kind === 0) continue;
      while (sentence + 1 < sentences.length && sentences[sentence]!.endWord <= word) sentence++;
      const { firstWord, endWord } = sentences[sentence]!;
      if (kind & NUMBER) this.#number(word);
      if (dialogue.quoted[word]) continue;
      if (kind & EYES) this.#colour(word, firstWord, endWord, "eyes", EYE_COLOURS);
      if (kind & HAIR) this.#colour(word, firstWord, endWord, "hair", HAIR_COLOURS);
      if (kind & EYED) this.#eyed(word, firstWord, endWord);
      if (kind & NUMBER) this.#age(word, firstWord, endWord);
      if (kind & SIDE) this.#side(word, firstWord, endWord);
    }
    return this.#facts;
  }

  #add(owner: Owner | null, property: Property, part: string, value: string, word: number, number = 0): void {
    if (!owner || owner.character === this.#reading.dialogue.narrator) return;
    const { name } = this.#reading.dialogue.cast.characters[owner.character]!;
    this.#facts.push({ owner: String(owner.character), name, property, part, value, number, word });
  }

  /** "His large blue eyes", "her eyes were brown", "the eyes of Ada were green". */
  #colour(word: number, first: number, end: number, property: Property, colours: ReadonlyMap<string, string>): void {
    const { words, traits } = this.#reading.prose;
    for (let before = word - 1; before >= Math.max(first, word - 4); before--) {
      const colour = colours.get(words[before]!);
      if (colour !== undefined) {
        let start = before;
        while (
          start - 1 >= first &&
          start > before - 4 &&
          !DETERMINERS.has(words[start - 1]!) &&
          !this.#isPossessive(start - 1)
        )
          start--;
        this.#add(this.#holder(start - 1, first), property, "", colour, word);
        return;
      }
      if (DETERMINERS.has(words[before]!) && words[before] !== "and") break;
    }
    let isSaid = false;
    for (let after = word + 1; after < Math.min(end, word + 8); after++) {
      if (WERE.has(words[after]!) || (after === word + 1 && !(traits[after]! & ADJOINS))) isSaid = true;
      const colour = colours.get(words[after]!);
      if (colour === undefined || !isSaid) continue;
      // "His eyes were on the blue dress": the colour has to be the end of something.
      if (after + 1 < end && traits[after + 1]! & ADJOINS && !COLOUR_ENDS.has(words[after + 1]!)) return;
      if (words[after - 1] === "the" || words[after - 1] === "not" || words[after - 1] === "a") return;
      const owner =
        words[word + 1] === "of" ? this.#owners.at(word + 2) : this.#holder(this.#possessiveBefore(word, first), first);
      this.#add(owner, property, "", colour, word);
      return;
    }
  }

  #isPossessive(word: number): boolean {
    const { traits } = this.#reading.prose;
    return Boolean(traits[word]! & POSSESSIVE);
  }

  #possessiveBefore(word: number, first: number): number {
    const { words } = this.#reading.prose;
    for (let before = word - 1; before >= Math.max(first, word - 4); before--)
      if (this.#isPossessive(before) || words[before] === "his" || words[before] === "her") return before;
    return word - 1;
  }

  /** Whose something is: by the possessive at this word, or, after "the", "had" or "with", the subject's. */
  #holder(word: number, first: number): Owner | null {
    const { words } = this.#reading.prose;
    if (word < first) return null;
    if (words[word] === "his" || words[word] === "her" || this.#isPossessive(word)) {
      // "Ada lifted her blue eyes": whoever the sentence is about, if the gender fits, else whoever was named last.
      return this.#owners.at(word);
    }
    if (words[word] === "had" || words[word] === "has") return this.#owners.subject(Math.max(first, word - 3), word);
    if (words[word] === "with" || words[word] === "of") return null;
    return words[word - 1] === "had" || words[word - 1] === "has"
      ? this.#owners.subject(Math.max(first, word - 4), word)
      : null;
  }

  /** "Blue-eyed Ada", "Ada was blue-eyed". */
  #eyed(word: number, first: number, end: number): void {
    const { words } = this.#reading.prose;
    const colour = EYE_COLOURS.get(words[word]!.slice(0, words[word]!.indexOf("-")));
    if (colour === undefined) return;
    const after = word + 1 < end ? this.#owners.at(word + 1) : null;
    const isSaid = WERE.has(words[word - 1] ?? "");
    this.#add(
      after?.isNamed ? after : isSaid ? this.#owners.subject(Math.max(first, word - 4), word) : null,
      "eyes",
      "",
      colour,
      word,
    );
  }

  /** "Ada was nineteen", "aged nineteen", "at nineteen, Ada", "a man of fifty-two", "her nineteen years". */
  #age(word: number, first: number, end: number): void {
    const { words, traits } = this.#reading.prose;
    const [text] = words[word]!.split("-year");
    const age = NUMBERS.get(text!);
    if (age === undefined || age < 5) return;
    const isYears = words[word]!.includes("-year");
    const next = words[word + 1] ?? "";
    const adjoins = word + 1 < end && Boolean(traits[word + 1]! & ADJOINS);
    const isOld = adjoins && next === "years" && (words[word + 2] === "old" || words[word + 2] === "of");
    if (adjoins && !isOld && next === "years") {
      const possessive = words[word - 1];
      if (possessive === "his" || possessive === "her")
        this.#add(this.#owners.at(word - 1) ?? this.#owners.subject(first, word), "age", "", text!, word, age);
      return;
    }
    if (adjoins && !isOld && (!AFTER_AGE.has(next) || next === "years" || next === "year")) return;
    let before = word - 1;
    while (before > first && AGE_ADVERBS.has(words[before]!)) before--;
    const verb = words[before] ?? "";
    if (isYears) return;
    if (verb === "aged" || (verb === "of" && words[before - 1] === "age")) {
      if (verb === "aged") this.#add(this.#owners.at(before - 1), "age", "", text!, word, age);
      return;
    }
    if (verb === "of" && PERSON_NOUNS.has(words[before - 1] ?? "")) {
      const was = this.#backTo(before - 1, first, "was");
      if (was !== null) this.#addAge(was, first, text!, word, age);
      return;
    }
    if (verb === "at" && before === first && !adjoins) {
      this.#add(this.#owners.subject(word + 1, Math.min(end, word + 4)), "age", "", text!, word, age);
      return;
    }
    if (AGE_VERBS.has(verb)) this.#addAge(before, first, text!, word, age);
  }

  #backTo(word: number, first: number, wanted: string): number | null {
    for (let before = word; before >= Math.max(first, word - 5); before--)
      if (this.#reading.prose.words[before] === wanted) return before;
    return null;
  }

  /** The subject stands right before the verb: "Ada was", "Ada, who was", "he had just turned". */
  #addAge(verb: number, first: number, text: string, word: number, age: number): void {
    const { words } = this.#reading.prose;
    let subject = verb - 1;
    while (
      subject > first &&
      (words[subject] === "had" || words[subject] === "who" || AGE_ADVERBS.has(words[subject]!))
    )
      subject--;
    if (subject < first || OTHER_TIME.has(words[subject - 1] ?? "")) return;
    if (this.#isPossessive(subject) || (isPronoun(words[subject]) && !/^s?he$/.test(words[subject]!))) return;
    const { cast } = this.#reading.dialogue;
    const start = cast.characterAt(subject) >= 0 ? this.#startOf(subject) : subject;
    if (OTHER_TIME.has(words[start - 1] ?? "") && start > first) return;
    this.#add(this.#owners.at(subject), "age", "", text, word, age);
  }

  #startOf(word: number): number {
    const { cast } = this.#reading.dialogue;
    let start = word;
    while (!cast.beginsAt(start) && start > 0) start--;
    return start;
  }

  /** "The scar on his left cheek": a mark, a side, a part of the body. */
  #side(word: number, first: number, end: number): void {
    const { words, traits } = this.#reading.prose;
    const part = word + 1 < end && traits[word + 1]! & ADJOINS ? PARTS.get(words[word + 1]!) : undefined;
    if (part === undefined) return;
    let mark: string | undefined;
    for (let other = Math.max(first, word - 10); other < Math.min(end, word + 8); other++)
      mark ??= MARKS.get(words[other]!);
    if (mark === undefined) return;
    let before = word - 1;
    if (MARKS.has(words[before] ?? "")) before--;
    const owner =
      words[before] === "his" || words[before] === "her" || this.#isPossessive(before)
        ? this.#owners.at(before)
        : words[before] === "the"
          ? this.#owners.subject(first, word)
          : null;
    this.#add(owner, "side", part, words[word]!, word);
  }

  /** "Forty-three names": a number above twelve that is not round, and what it counts. */
  #number(word: number): void {
    const { prose } = this.#reading;
    const { words, traits } = prose;
    const number = NUMBERS.get(words[word]!);
    if (number === undefined) return;
    const { dialogue } = this.#reading;
    if (words[word + 1] === "years" && words[word - 1] === "spent" && !dialogue.quoted[word]) {
      let subject = word - 2;
      if (words[subject] === "had" || words[subject] === "has") subject--;
      this.#add(this.#owners.at(subject), "duration", "years spent", words[word]!, word, number);
      return;
    }
    const noun = words[word + 1];
    if (
      number < 13 ||
      number % 10 === 0 ||
      NO_COUNT.has(number) ||
      noun === undefined ||
      !(traits[word + 1]! & ADJOINS)
    )
      return;
    if (!/[^s]s$/.test(noun) || noun.length < 4 || MEASURES.has(noun) || traits[word + 1]! & (CAPITAL | POSSESSIVE))
      return;
    this.#facts.push({
      owner: `noun ${noun}`,
      name: noun,
      property: "number",
      part: "",
      value: words[word]!,
      number,
      word,
    });
  }
}

const EYES = 1;
const HAIR = 2;
const EYED = 4;
const NUMBER = 8;
const SIDE = 16;

function kindOf(word: string): number {
  if (word === "eyes") return EYES;
  if (word === "hair") return HAIR;
  if (word.endsWith("-eyed")) return EYED;
  if (word === "left" || word === "right") return SIDE;
  return NUMBERS.has(word) ? NUMBER : 0;
}

/** The first two facts of one owner that cannot both be true. */
function conflictIn(reading: Reading, facts: readonly Fact[]): Suspicion | null {
  const values = new Set(facts.map(({ value }) => value));
  if (values.size < 2) return null;
  const { property } = facts[0]!;
  if (property === "number" && values.size > 2) return null;
  const pair =
    property === "eyes" || property === "hair"
      ? colourConflict(facts)
      : firstPair(facts, (one, other) => disagree(property, one, other));
  return pair && suspicion(reading, pair);
}

function firstPair(facts: readonly Fact[], disagrees: (one: Fact, other: Fact) => boolean): [Fact, Fact] | null {
  for (const [index, other] of facts.slice(0, MOST_COMPARED).entries()) {
    const one = facts.slice(0, index).find((earlier) => disagrees(earlier, other));
    if (one) return [one, other];
  }
  return null;
}

const MOST_COMPARED = 60;

/** The two commonest colours that do not go together: the one with the most mentions is taken for what is meant. */
function colourConflict(facts: readonly Fact[]): [Fact, Fact] | null {
  const byColour = [...groupBy(facts, ({ value }) => value).values()].toSorted(
    (left, right) => right.length - left.length,
  );
  // Somebody with three colours has none: the names are of several people, or the light changes.
  if (byColour.length > 3) return null;
  const [usual, ...others] = byColour as [Fact[], ...Fact[][]];
  const other = others.find(([fact]) => !ALIKE.has([usual[0]!.value, fact!.value].toSorted().join(" ")));
  return other ? [usual[0]!, other[0]!] : null;
}

/** A story may let a year or two go by. */
const YEARS_TOLD = 3;
const MOST_YEARS_TOLD = 25;

function disagree(property: Property, one: Fact, other: Fact): boolean {
  if (property !== "age") return one.value !== other.value && Math.abs(one.word - other.word) > FEWEST_BETWEEN;
  const grown = other.number - one.number;
  return grown < 0 || (grown >= YEARS_TOLD && grown <= MOST_YEARS_TOLD);
}

const FEWEST_BETWEEN = 60;

const WHAT: Readonly<Record<Property, string>> = {
  eyes: "eyes",
  hair: "hair",
  age: "age",
  side: "side",
  number: "number",
  duration: "years",
};

function suspicion(reading: Reading, [one, other]: [Fact, Fact]): Suspicion {
  const [first, second] = one.word < other.word ? [one, other] : [other, one];
  const chapterOf = (fact: Fact) => reading.chapters[chapterOfWord(reading, fact.word)]!.index;
  const [here, there] = [chapterOf(first), chapterOf(second)];
  const where =
    reading.chapters.length === 1
      ? ""
      : here === there
        ? `, both in chapter ${here}`
        : ` (chapters ${here} and ${there})`;
  return {
    kind: "attribute-conflict",
    detail: first.property,
    title: titleOf(first),
    claim: `${claimOf(first, second)}${where}.`,
    severity: first.property === "age" || first.property === "hair" ? "should" : "must",
    places: [first, second].map(({ word }) => sentenceAround(reading, spanOfWords(reading.prose, word, word + 1), 500)),
    advice: "Decide which is right and change the other, or let the text say why it changed.",
  };
}

function titleOf({ name, property, part }: Fact): string {
  if (property === "number") return `How many ${name}?`;
  if (property === "duration") return `How many years did ${name} spend?`;
  if (property === "side") return `Which ${part} of ${name}?`;
  return `Two ${property === "age" ? "ages" : `colours of ${WHAT[property]}`} for ${name}`;
}

function claimOf(first: Fact, second: Fact): string {
  const { name, property, part, value } = first;
  switch (property) {
    case "number":
      return `“${value} ${name}” and “${second.value} ${name}”`;
    case "duration":
      return `${name} has spent ${value} years in one place and ${second.value} in another`;
    case "side":
      return `A mark of ${name} is on the ${value} ${part} and on the ${second.value} ${part}`;
    case "age":
      return `${name} is ${value} and then ${second.value}`;
    default:
      return `${name} has ${value} ${WHAT[property]} and then ${second.value} ${WHAT[property]}`;
  }
}

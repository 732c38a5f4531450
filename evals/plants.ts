import { type Random, randomInteger, shuffled } from "../src/core/random.ts";

/**
 * Faults that a script plants in a novel, one edit or several each. Wordings come in two sets, one per half of the authors:
 * what is tuned on one set is measured on the other. Nothing here knows how the checks find anything.
 */
export interface Edit {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** A finding has to show one of the marked places. */
  readonly marked: boolean;
}

export interface Plant {
  readonly kind: string;
  readonly variant: string;
  readonly edits: readonly Edit[];
}

export interface PersonInText {
  readonly name: string;
  readonly gender: "he" | "she";
  /** By chapter: where the name stands. */
  readonly places: readonly (readonly number[])[];
  readonly count: number;
}

interface Paragraph {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Soil {
  readonly chapters: readonly string[];
  readonly half: 0 | 1;
  readonly people: readonly PersonInText[];
  readonly paragraphs: readonly Paragraph[];
  readonly isFirstPerson: boolean;
  readonly isPresent: boolean;
}

const TAG =
  "said|asked|replied|answered|cried|whispered|thought|looked|turned|smiled|nodded|went|came|stood|sat|says|asks|looks|turns";

/** Whoever speaks and moves, by plain patterns; the checks have their own way to find people. */
export function soilOf(chapters: readonly string[], half: 0 | 1): Soil {
  const paragraphs = chapters.flatMap((text, chapter) =>
    [...text.matchAll(/[^\n](?:[^\n]|\n(?!\s*\n))*/g)].map(({ 0: paragraph, index }) => ({
      chapter,
      start: index,
      end: index + paragraph.length,
      text: paragraph,
    })),
  );
  const all = chapters.join("\n\n");
  const acting = new Map<string, number>();
  for (const [, before, after] of all.matchAll(
    new RegExp(`\\b([A-Z][a-z]{3,})\\s(?:${TAG})\\b|\\b(?:said|cried|asked|replied)\\s([A-Z][a-z]{3,})\\b`, "g"),
  )) {
    const name = (before ?? after)!;
    acting.set(name, (acting.get(name) ?? 0) + 1);
  }
  const lower = new Set(all.match(/\b[a-z]+\b/g) ?? []);
  const people = [...acting]
    .filter(([name, count]) => count >= 3 && !NOT_PEOPLE.has(name) && !lower.has(name.toLowerCase()))
    .map(([name]) => personIn(name, chapters))
    .filter(({ count }) => count >= 8)
    .sort((left, right) => right.count - left.count);
  const narration = all.replace(/[“"][^”"]*[”"]/g, " ");
  const words = narration.split(/\s+/).length;
  const first = (narration.match(/\bI\b/g) ?? []).length / words;
  const past = (narration.match(/\b(?:was|were|had|said|went|came)\b/g) ?? []).length;
  const present = (narration.match(/\b(?:is|are|has|says|goes|comes)\b/g) ?? []).length;
  return { chapters, half, people, paragraphs, isFirstPerson: first > 0.008, isPresent: present > past };
}

const NOT_PEOPLE = new Set(
  "They There Then This That What When Which Where Here Some Nobody Everybody Everyone Someone Mother Father Lord Lady Miss Captain Doctor Colonel Madame Prince Princess Count Uncle Aunt Monsieur Well With These Those Mamma Papa Sir King Queen".split(
    " ",
  ),
);

function personIn(name: string, chapters: readonly string[]): PersonInText {
  const places = chapters.map((text) => [...text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].map(({ index }) => index));
  const all = chapters.join("\n");
  const after = all.match(new RegExp(`\\b${name}\\b[^.“”"]{1,60}?\\b(?:he|she|his|her)\\b`, "g")) ?? [];
  const he =
    after.filter((found) => /\bhi?[es]$/.test(found)).length +
    3 * (all.match(new RegExp(`\\bMr\\.? ${name}\\b`, "g")) ?? []).length;
  const she =
    after.filter((found) => /\b(?:she|her)$/.test(found)).length +
    3 * (all.match(new RegExp(`\\b(?:Mrs|Miss|Lady)\\.? ${name}\\b`, "g")) ?? []).length;
  return { name, gender: he >= she ? "he" : "she", places, count: places.reduce((sum, each) => sum + each.length, 0) };
}

const pick = <T>(items: readonly T[], random: Random): T => items[randomInteger(random, items.length)]!;

function insertion({ chapter, end }: Paragraph, text: string, marked = true): Edit {
  return { chapter, start: end, end, text, marked };
}

/** Paragraphs of narration that name this person, between two shares of the book. */
function paragraphsWith(soil: Soil, { name }: PersonInText, from: number, to: number, alone: boolean): Paragraph[] {
  const others = soil.people.filter((person) => person.name !== name);
  const pattern = new RegExp(`\\b${name}\\b`);
  const first = Math.floor(from * soil.paragraphs.length);
  return soil.paragraphs
    .slice(first, Math.ceil(to * soil.paragraphs.length))
    .filter(
      ({ text }) =>
        text.length > 120 &&
        /[.!?]["”’)]?$/.test(text.trimEnd()) &&
        !/[“"‘]/.test(text) &&
        pattern.test(text) &&
        (!alone || !others.some((other) => text.includes(other.name))),
    );
}

// Repeated passages.

function changed(text: string, share: number, soil: Soil, random: Random): string {
  if (share === 0) return text;
  const vocabulary = pick(soil.paragraphs, random).text.match(/\b[a-z]{3,}\b/g) ?? ["again"];
  return text.replace(/\b[a-z]+\b/g, (word) => (random() < share ? pick(vocabulary, random) : word));
}

function repeatedPassage(share: number, fewest: number, most: number) {
  return (soil: Soil, random: Random): Plant | null => {
    const candidates = soil.paragraphs.filter(({ text }) => {
      const words = text.split(/\s+/).length;
      return words >= fewest && words <= most;
    });
    if (candidates.length < 5) return null;
    const from = pick(candidates, random);
    const far = soil.paragraphs.filter(
      ({ chapter, start }) => chapter !== from.chapter || Math.abs(start - from.start) > 4000,
    );
    if (far.length === 0) return null;
    const copy = changed(from.text, share, soil, random);
    const variant = `${fewest}–${most} words, ${100 * share} % changed`;
    return { kind: "repeated-passage", variant, edits: [insertion(pick(far, random), `\n\n${copy}`)] };
  };
}

// Names.

const SWAPS: readonly (readonly [RegExp, string])[] = [
  [/ph/, "f"],
  [/c(?=[aou])/, "k"],
  [/k(?=[aou])/, "c"],
  [/ie/, "y"],
  [/y/, "ie"],
  [/ll/, "l"],
  [/nn/, "n"],
  [/tt/, "t"],
  [/th/, "t"],
  [/ei/, "ie"],
  [/ea/, "ee"],
  [/ai/, "ay"],
  [/v/, "w"],
  [/z/, "s"],
];

function respelled(name: string, half: 0 | 1, random: Random): string {
  const swaps = SWAPS.filter(([from]) => from.test(name.slice(1)));
  if (swaps.length > 0 && random() < 0.4) {
    const [from, to] = pick(swaps, random);
    return name[0] + name.slice(1).replace(from, to);
  }
  const at = 1 + randomInteger(random, name.length - 2);
  const vowels = "aeiou";
  const letter = vowels.includes(name[at]!)
    ? pick(
        [...vowels].filter((each) => each !== name[at]),
        random,
      )
    : pick(
        [..."lnrstmd"].filter((each) => each !== name[at]),
        random,
      );
  switch (randomInteger(random, half === 0 ? 3 : 4)) {
    case 0:
      return name.slice(0, at) + letter + name.slice(at + 1);
    case 1:
      return name.slice(0, at) + name.slice(at + 1);
    case 2:
      return name.slice(0, at) + name[at] + name.slice(at);
    default:
      return name[at] === name[at + 1] || at + 1 >= name.length
        ? `${name.slice(0, at)}${letter}${name.slice(at + 1)}`
        : name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2);
  }
}

function nameVariant(how: "from the middle on" | "three mentions" | "one mention") {
  return (soil: Soil, random: Random, used: Set<string>): Plant | null => {
    const fewest = how === "from the middle on" ? 14 : 20;
    const known = soil.people.filter(({ name, count }) => count >= fewest && !used.has(name));
    if (known.length === 0) return null;
    const person = pick(known.slice(0, 12), random);
    used.add(person.name);
    const name = respelled(person.name, soil.half, random);
    if (name === person.name || soil.chapters.some((text) => text.includes(name))) return null;
    const all = person.places.flatMap((places, chapter) =>
      places.map((start) => ({ chapter, start, end: start + person.name.length, text: name, marked: true })),
    );
    const chosen =
      how === "from the middle on"
        ? all.slice(Math.floor(all.length * (0.35 + 0.3 * random())))
        : shuffled(all.slice(Math.floor(all.length / 3)), random).slice(0, how === "three mentions" ? 3 : 1);
    return { kind: "name-variant", variant: how, edits: chosen };
  };
}

// Tense.

const IRREGULAR: Readonly<Record<string, string>> = {
  was: "is",
  were: "are",
  had: "has",
  did: "does",
  went: "goes",
  came: "comes",
  said: "says",
  took: "takes",
  saw: "sees",
  knew: "knows",
  thought: "thinks",
  felt: "feels",
  made: "makes",
  got: "gets",
  gave: "gives",
  stood: "stands",
  sat: "sits",
  told: "tells",
  left: "leaves",
  heard: "hears",
  found: "finds",
  kept: "keeps",
  began: "begins",
  ran: "runs",
  held: "holds",
  brought: "brings",
  fell: "falls",
  rose: "rises",
  spoke: "speaks",
  drew: "draws",
  lay: "lies",
  caught: "catches",
  threw: "throws",
  broke: "breaks",
  wrote: "writes",
  met: "meets",
  led: "leads",
  understood: "understands",
  could: "can",
  would: "will",
  might: "may",
  became: "becomes",
  grew: "grows",
  shook: "shakes",
  struck: "strikes",
  meant: "means",
  sent: "sends",
  lost: "loses",
  put: "puts",
  let: "lets",
  set: "sets",
  slept: "sleeps",
  woke: "wakes",
};
const AUXILIARIES = new Set("had has have was were is are been be being having is".split(" "));

/** The narration of a stretch in the present; what is said stays as it is. */
function inPresent(text: string): string {
  return text
    .split(/([“"][^”"]*[”"]?)/)
    .map((piece, index) => {
      if (index % 2 === 1) return piece;
      let before = "";
      let plural = false;
      return piece.replace(/[A-Za-z’']+/g, (word) => {
        const lower = word.toLowerCase();
        const afterAuxiliary = AUXILIARIES.has(before);
        const isPlural = /^(?:i|we|they|you)$/.test(before);
        if (lower === "he" || lower === "she" || lower === "it" || /^[A-Z]/.test(word)) plural = false;
        if (isPlural) plural = true;
        before = lower;
        let now = IRREGULAR[lower];
        if (
          now === undefined &&
          !afterAuxiliary &&
          /^[a-z]{3,}ed$/.test(lower) &&
          !/eed$|^(?:red|bed|hundred|sacred|naked|wicked|kindred)$/.test(lower)
        ) {
          const stem = lower.slice(0, -2);
          now =
            /(.)\1$/.test(stem) && !/(?:ll|ss)$/.test(stem)
              ? `${stem.slice(0, -1)}s`
              : /i$/.test(stem)
                ? `${stem.slice(0, -1)}ies`
                : /(?:s|sh|ch|x)$/.test(stem)
                  ? `${stem}es`
                  : /[^aeiou][aeiou][rvszcgkmtlpd]$/.test(stem) && stem.length < 6
                    ? `${stem}es`
                    : `${stem}s`;
        }
        if (now === undefined || (afterAuxiliary && lower !== "was" && lower !== "were")) return word;
        if (plural && now === "has") now = "have";
        if (isPlural) now = now === "is" ? (lower === "was" ? "am" : "are") : now.replace(/(?<=[a-z]{2})s$/, "");
        return /^[A-Z]/.test(word) ? now[0]!.toUpperCase() + now.slice(1) : now;
      });
    })
    .join("");
}

function tenseShift(words: number) {
  return (soil: Soil, random: Random): Plant | null => {
    // A short story with a long stretch in the present is told in both.
    const all = soil.paragraphs.reduce((sum, { text }) => sum + text.length, 0) / 5.7;
    if (soil.isPresent || soil.paragraphs.length < 30 || words > 0.06 * all) return null;
    for (let attempt = 0; attempt < 20; attempt++) {
      const first = randomInteger(random, soil.paragraphs.length);
      const edits: Edit[] = [];
      let count = 0;
      for (let index = first; index < soil.paragraphs.length && count < words; index++) {
        const { chapter, start, end, text } = soil.paragraphs[index]!;
        if (chapter !== soil.paragraphs[first]!.chapter) break;
        count += text.split(/\s+/).length;
        edits.push({ chapter, start, end, text: inPresent(text), marked: true });
      }
      const narrated = edits
        .map(({ text }) => text.replace(/[“"][^”"]*[”"]?/g, " "))
        .join(" ")
        .split(/\s+/).length;
      if (count >= words && narrated > 0.6 * count)
        return {
          kind: "tense-shift",
          variant: `${words} words, ${soil.isFirstPerson ? "first" : "third"} person`,
          edits,
        };
    }
    return null;
  };
}

function personShift(soil: Soil, random: Random): Plant | null {
  if (soil.isFirstPerson) return null;
  const person = soil.people[0];
  if (!person) return null;
  const [subject, object, own] = person.gender === "he" ? ["he", "him", "his"] : ["she", "her", "her"];
  const chapter = shuffled(
    soil.chapters.map((_, index) => index),
    random,
  ).find((index) => person.places[index]!.length >= 8 && soil.chapters[index]!.length > 4000);
  if (chapter === undefined) return null;
  const paragraphs = soil.paragraphs.filter((paragraph) => paragraph.chapter === chapter);
  let words = 0;
  const edits: Edit[] = [];
  for (const { start, end, text } of paragraphs.slice(2)) {
    if (words > 900) break;
    words += text.split(/\s+/).length;
    const told = text
      .split(/([“"][^”"]*[”"]?)/)
      .map((piece, index) =>
        index % 2 === 1
          ? piece
          : piece
              .replace(
                new RegExp(
                  `\\b${person.name}\\b(?!['’]s)|\\b${subject}\\b|\\b${subject[0]!.toUpperCase()}${subject.slice(1)}\\b`,
                  "g",
                ),
                "I",
              )
              .replace(new RegExp(`\\b${own}\\b(?= [a-z]{3,})`, "g"), "my")
              .replace(new RegExp(`\\b${object}\\b`, "g"), "me")
              .replace(/\bI was\b|\bI were\b/g, "I was"),
      )
      .join("");
    edits.push({ chapter, start, end, text: told, marked: true });
  }
  return words > 600 ? { kind: "person-shift", variant: "900 words told by one of them", edits } : null;
}

// Attributes.

const NUMBERS: Readonly<Record<number, string>> = {
  17: "seventeen",
  19: "nineteen",
  22: "twenty-two",
  24: "twenty-four",
  26: "twenty-six",
  29: "twenty-nine",
  31: "thirty-one",
  34: "thirty-four",
  37: "thirty-seven",
  43: "forty-three",
  46: "forty-six",
  52: "fifty-two",
  57: "fifty-seven",
  58: "fifty-eight",
  63: "sixty-three",
  67: "sixty-seven",
  73: "seventy-three",
};

interface Wording {
  readonly variant: string;
  readonly values: readonly (readonly [string, string])[];
  /** Two sets; in each, sentences with {N} the name, {he}, {his}, {He}, {His}, {him} and {V} the value. */
  readonly sentences: readonly [readonly string[], readonly string[]];
}

const DIGITS: ReadonlyMap<string, string> = new Map(Object.entries(NUMBERS).map(([digits, word]) => [word, digits]));

/** "Forty-third" of "forty-three"; nothing for what is no number. */
function ordinal(number: string): string {
  const irregular: Readonly<Record<string, string>> = {
    one: "first",
    two: "second",
    three: "third",
    eight: "eighth",
    nine: "ninth",
  };
  return number.replace(/[a-z]+$/, (last) => irregular[last] ?? `${last}th`);
}

const AGES = [
  [24, 19],
  [31, 26],
  [43, 34],
  [52, 37],
  [63, 46],
  [29, 22],
  [58, 43],
  [37, 29],
].map(([one, other]) => [NUMBERS[one!]!, NUMBERS[other!]!] as const);

const EYES = [
  ["blue", "brown"],
  ["green", "brown"],
  ["grey", "brown"],
  ["black", "blue"],
  ["hazel", "blue"],
] as const;
const HAIR = [
  ["black", "red"],
  ["fair", "black"],
  ["red", "brown"],
  ["blond", "dark"],
] as const;
const SIDES = [["left", "right"]] as const;

/** {A} stands for an adjective, {P} for a part of the body, {D} for the value in digits. */
const WORDINGS: readonly Wording[] = [
  {
    variant: "eyes, by name",
    values: EYES,
    sentences: [
      [
        "{N}’s {V} eyes were tired.",
        "{N} had {V} eyes.",
        "{N} looked up with {his} {V} eyes.",
        "The eyes of {N} were {V}.",
        "{N}’s eyes were {V} and steady.",
        "{V}-eyed {N} said nothing.",
        "{N} had {A}, {V} eyes, and they missed very little.",
        "{N}’s eyes were of a {A} {V}.",
        "It was hard to look into {N}’s {A} {V} eyes.",
        "{N} turned {his} {A} {V} eyes upon the door.",
        "{N}, with {his} {V} eyes half shut, seemed to be listening.",
        "One noticed {N}’s eyes first: they were {V}.",
        "{N}’s eyes, {A} and {V}, searched the room.",
        "The first thing one saw of {N} was a pair of {V} eyes.",
        "{N} blinked {his} {V} eyes against the smoke.",
        "{N} stared at the fire, and the flames danced in {his} {V} eyes.",
        "Like all the family, {N} had {V} eyes.",
        "{N} was a quiet person with {V} eyes.",
        "{N} watched them through {V} eyes.",
        "{N} had very {V} eyes.",
        "{N}’s {A} eyes, {V} as ever, gave nothing away.",
        "{N} rubbed a hand across {his} {A} {V} eyes.",
      ],
      [
        "{N}’s {V} eyes wandered to the window.",
        "{N} lifted {his} {V} eyes.",
        "{N}’s eyes, which were {V}, did not move.",
        "There was a light in {N}’s {V} eyes.",
        "{N} was {V}-eyed and quiet.",
        "{N} had the {V} eyes of a much younger person.",
        "Nothing escaped {N}’s {A}, {V} eyes.",
        "{N} fixed two {V} eyes on the wall.",
        "{N}’s eyes were as {V} as they had ever been.",
        "The {V} eyes of {N} rested on the clock.",
        "{N} raised {his} head, and {his} {A} {V} eyes were wet.",
        "The {V} of {N}’s eyes was almost startling.",
        "{N} gazed out with eyes of {A} {V}.",
      ],
    ],
  },
  {
    variant: "eyes, by pronoun",
    values: EYES.slice(0, 4),
    sentences: [
      [
        "{His} {V} eyes were tired.",
        "{He} had {V} eyes.",
        "{He} looked up, and {his} eyes were {V}.",
        "{His} eyes were {V} in that light.",
        "{He} turned {his} {A} {V} eyes upon the door.",
        "{His} eyes were a {A} {V}.",
        "{His} {A} {V} eyes did not leave the window.",
        "There were tears in {his} {V} eyes.",
        "{He} had {A} {V} eyes, like all {his} family.",
      ],
      [
        "{His} {V} eyes wandered to the window.",
        "{He} lifted {his} {V} eyes.",
        "{His} eyes, large and {V}, did not move.",
        "There was a light in {his} {V} eyes.",
        "Nothing escaped those {V} eyes of {his}.",
        "{He} shut {his} {A} {V} eyes for an instant.",
        "{His} eyes had always been {V}.",
      ],
    ],
  },
  {
    variant: "hair, by name",
    values: HAIR,
    sentences: [
      [
        "{N}’s {V} hair was wet.",
        "{N} had {V} hair.",
        "{N} pushed back {his} {V} hair.",
        "{N}’s hair, {V} and thick, wanted cutting.",
      ],
      [
        "The wind moved {N}’s {V} hair.",
        "{N}’s hair was {V}.",
        "{N} ran a hand through {his} {V} hair.",
        "{N} shook the rain out of {his} {A} {V} hair.",
      ],
    ],
  },
  {
    variant: "age, by name",
    values: AGES,
    sentences: [
      [
        "{N} was {V} years old.",
        "{N} was {V} that year.",
        "At {V}, {N} was no longer easily moved.",
        "{N}, who was {V}, had seen nothing like it.",
        "{N} had just turned {V}.",
        "{N} was {D} years old.",
        "{N}, {D}, had seen nothing like it.",
        "{N} was a {M} of {V} or so.",
        "At the age of {V}, {N} had few illusions left.",
        "{N} was {V} years of age.",
        "{V}-year-old {N} had never heard of such a thing.",
        "{N} had reached the age of {V}.",
        "It was {N}’s {O} birthday.",
        "{N} was {V}, though nobody would have guessed it.",
        "{N} had celebrated {his} {O} birthday in March.",
        "{N} was close on {V}.",
        "{N}, {V} and tired, said nothing.",
        "{N}, at {V}, was still strong.",
        "Though {he} was {V}, {N} climbed like a child.",
        "For all {his} {V} years, {N} blushed.",
        "{N} had seen {V} summers.",
        "{N} was in {his} {O} year.",
        "Now {V}, {N} had no wish to travel.",
        "{N} was {V} and looked it.",
        "{N} was then {V} years of age.",
        "{N} had lived {V} years and learned little from them.",
      ],
      [
        "{N} was {V} now.",
        "{N}, aged {V}, had never been so tired.",
        "{N} was not yet old: {he} was {V}.",
        "{N} looked older than {his} {V} years.",
        "{N} was a {M} of {V}.",
        "{N} was {D} now.",
        "{N}, aged {D}, had never been so tired.",
        "{N}, a {M} of {V}, knew better than that.",
        "{N} was only {V} years old, after all.",
        "{N} had turned {V} in the spring.",
        "{N} was {V}, and felt it.",
        "In all {his} {V} years {N} had not seen the like.",
        "At {D} {N} still slept badly.",
        "{N} would keep {his} {O} birthday alone.",
      ],
    ],
  },
  {
    variant: "age, by pronoun",
    values: AGES,
    sentences: [
      [
        "{He} was {V} years old.",
        "{He} was {V} that year.",
        "At {V}, {he} was no longer easily moved.",
        "{He} had just turned {V}.",
        "{He} was {D} years old.",
        "At the age of {V} {he} had few illusions left.",
        "{He} was close on {V}.",
        "{He} was {V}, though nobody would have guessed it.",
        "For all {his} {V} years, {he} blushed.",
      ],
      [
        "{He} was {V} now.",
        "{He} looked older than {his} {V} years.",
        "{He} was a {M} of {V}.",
        "{He} was only {V}.",
        "{He} was {D}, and felt it.",
        "{He} had turned {V} in the spring.",
      ],
    ],
  },
  {
    variant: "side, by name",
    values: SIDES,
    sentences: [
      [
        "{N} rubbed the scar on {his} {V} {P}.",
        "The scar on {N}’s {V} {P} had gone white.",
        "{N} hid the scar on {his} {V} {P}.",
        "{N} had a scar across the {V} {P}.",
        "{N}’s {V} {P} was badly scarred.",
        "{N} had once been shot in the {V} {P}.",
        "{N} favoured the injured {V} {P}.",
        "{N} had lost the use of {his} {V} {P}.",
        "{N} wore a bandage round {his} {V} {P}.",
        "{N}’s {V} {P} still ached where the bullet had gone in.",
        "{N} had a tattoo on the {V} {P}.",
        "The old burn on {N}’s {V} {P} itched.",
        "On {N}’s {V} {P} was a long white scar.",
        "{N}’s {V} {P}, shattered in a fall, had never set properly.",
        "A scar ran down {N}’s {V} {P}.",
        "A bullet had once gone through {N}’s {V} {P}.",
        "{N} could not use the {V} {P}, which was in a sling.",
      ],
      [
        "There was a long wound on {N}’s {V} {P}.",
        "{N} touched the old wound in {his} {V} {P}.",
        "The wound on {N}’s {V} {P} had healed badly.",
        "{N} was wounded in the {V} {P}.",
        "A deep gash ran along {N}’s {V} {P}.",
        "{N} held out the {V} {P}, the one with the burn.",
        "The birthmark on {N}’s {V} {P} was plain to see.",
        "{N} had broken {his} {V} {P} as a child.",
      ],
    ],
  },
  {
    variant: "side, by pronoun",
    values: SIDES,
    sentences: [
      [
        "{He} rubbed the scar on {his} {V} {P}.",
        "The scar on {his} {V} {P} had gone white.",
        "{His} {V} {P} was badly scarred.",
        "{He} had a scar on {his} {V} {P}.",
        "On {his} {V} {P} was a long white scar.",
        "{He} had lost the use of {his} {V} {P}.",
        "{He} wore a bandage round {his} {V} {P}.",
      ],
      [
        "There was a long wound on {his} {V} {P}.",
        "{He} touched the old wound in {his} {V} {P}.",
        "The wound on {his} {V} {P} had healed badly.",
        "A deep gash ran along {his} {V} {P}.",
        "{He} had broken {his} {V} {P} as a child.",
      ],
    ],
  },
  {
    variant: "kin",
    values: [
      ["brother", "cousin"],
      ["uncle", "grandfather"],
      ["sister", "aunt"],
      ["nephew", "son"],
    ],
    sentences: [
      [
        "{N}’s {V} {Z} had written twice that month.",
        "{Z} was {N}’s {V}.",
        "{Z}, the {V} of {N}, had gone abroad.",
        "{N} thought of {his} {V} {Z}.",
      ],
      [
        "{N}’s {V}, {Z}, was expected on Friday.",
        "{Z}, {N}’s {V}, had sent no answer.",
        "{N} had a {V} named {Z}.",
        "{N} had not heard from {his} {V} {Z} since the winter.",
      ],
    ],
  },
  {
    variant: "born",
    values: [
      ["1871", "1874"],
      ["1806", "1809"],
      ["1889", "1898"],
    ],
    sentences: [
      ["{N} was born in {V}.", "{N} had been born in the autumn of {V}.", "Born in {V}, {N} was no longer young."],
      ["{N}, who was born in {V}, remembered it well.", "{N} was born in May {V}.", "{N} (born in {V}) had no papers."],
    ],
  },
];

const ADJECTIVES: readonly [readonly string[], readonly string[]] = [
  ["clear", "pale", "keen", "tired", "large", "gentle"],
  ["wide", "cold", "deep", "quick", "bright", "fine"],
];
/** Somebody whom no novel has, for a kinship. */
const RELATIVES: readonly [readonly string[], readonly string[]] = [
  ["Oswin", "Thaddea", "Brandt"],
  ["Ottoline", "Percivale", "Jorund"],
];

function filled(sentence: string, { name, gender }: PersonInText, value: string): string {
  const [he, his, him, man] = gender === "he" ? ["he", "his", "him", "man"] : ["she", "her", "her", "woman"];
  const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);
  const text = sentence
    .replaceAll("{N}", name)
    .replaceAll("{He}", capital(he))
    .replaceAll("{His}", capital(his))
    .replaceAll("{he}", he)
    .replaceAll("{his}", his)
    .replaceAll("{him}", him)
    .replaceAll("{M}", man)
    .replaceAll("{D}", DIGITS.get(value) ?? "")
    .replaceAll("{O}", ordinal(value))
    .replaceAll("{V}", value);
  return ` ${capital(text)}`;
}

function attribute({ variant, values, sentences }: Wording) {
  return (soil: Soil, random: Random, used: Set<string>): Plant | null => {
    // What the author says of these eyes or this age would make another conflict.
    const property = (name: string) => `${name}: ${variant.split(",")[0]}`;
    const free = soil.people.slice(0, 14).filter(({ name }) => !used.has(property(name)));
    for (const person of shuffled(free, random)) {
      const [one, other] = shuffled(pick(values, random), random) as [string, string];
      const early = paragraphsWith(soil, person, 0, 0.45, true);
      const late = paragraphsWith(soil, person, 0.5, 1, true);
      if (early.length === 0 || late.length === 0) continue;
      used.add(property(person.name));
      const part = pick(["hand", "cheek", "shoulder", "arm", "knee", "leg", "wrist", "foot"], random);
      const relative = pick(RELATIVES[soil.half], random);
      const [first, second] = shuffled(sentences[soil.half], random).map((text) =>
        text.replaceAll("{P}", part).replaceAll("{Z}", relative).replaceAll("{A}", pick(ADJECTIVES[soil.half], random)),
      );
      const isAge = variant.startsWith("age");
      const [before, after] = isAge
        ? [values.find((pair) => pair.includes(one))![0], values.find((pair) => pair.includes(one))![1]]
        : [one, other];
      return {
        kind: "attribute-conflict",
        variant,
        edits: [
          insertion(pick(early, random), filled(first!, person, before)),
          insertion(pick(late, random), filled(second!, person, after)),
        ],
      };
    }
    return null;
  };
}

const NOUNS: readonly [readonly string[], readonly string[]] = [
  ["names", "stairs", "portraits", "barrels", "candles", "prisoners", "passengers", "rifles", "keys"],
  ["letters", "steps", "lanterns", "crates", "coins", "villages", "sailors", "windows", "bottles", "graves"],
];
const COUNTED: readonly [readonly string[], readonly string[]] = [
  [
    "There were {V} {T}, and no more.",
    "{V} {T}, he thought.",
    "All the {V} {T} had been counted.",
    "It was a matter of {V} {T}.",
    "There were {D} {T} in the list.",
    "He had seen {V} old {T} there.",
    "Of the {V} {T} not one was missing.",
  ],
  [
    "Somebody had counted {V} {T}.",
    "The {V} {T} were still there.",
    "He remembered the {V} {T}.",
    "{V} {T} in all.",
    "Nobody had touched the {D} {T}.",
    "There had been {V} such {T}.",
    "{V} small {T} made all the difference.",
  ],
];

function numberConflict(soil: Soil, random: Random): Plant | null {
  const noun = pick(NOUNS[soil.half], random);
  const all = soil.chapters.join(" ");
  if (new RegExp(`\\b(?:\\w+teen|\\w+ty(?:-\\w+)?|hundred|dozen) ${noun}\\b`, "i").test(all)) return null;
  const plain = soil.paragraphs.filter(({ text }) => text.length > 120 && !/[“"]/.test(text));
  if (plain.length < 10) return null;
  const [one, other] = pick(
    [
      ["forty-three", "thirty-four"],
      ["seventeen", "nineteen"],
      ["fifty-two", "fifty-seven"],
      ["thirty-one", "thirty-seven"],
      ["sixty-three", "seventy-three"],
    ],
    random,
  );
  const [first, second] = shuffled(COUNTED[soil.half], random);
  const sentence = (wording: string, value: string) => {
    const text = wording
      .replaceAll("{V}", value!)
      .replaceAll("{D}", DIGITS.get(value) ?? value)
      .replaceAll("{T}", noun);
    return ` ${text[0]!.toUpperCase()}${text.slice(1)}`;
  };
  const cut = Math.floor(plain.length / 2);
  return {
    kind: "attribute-conflict",
    variant: "number",
    edits: [
      insertion(pick(plain.slice(0, cut), random), sentence(first!, one!)),
      insertion(pick(plain.slice(cut), random), sentence(second!, other!)),
    ],
  };
}

// People who are dead or gone.

const DEATHS: readonly [readonly string[], readonly string[]] = [
  [
    "{N} died that night.",
    "{N} was dead.",
    "They buried {N} two days later.",
    "{N} was killed by the fall.",
    "It was then that {N} died.",
    "{N} was drowned before anyone could reach {him}.",
    "They found {N} dead in the morning.",
    "{N} had been dead an hour when help came.",
    "A week later {N} was in {his} grave.",
    "{N} breathed {his} last before dawn.",
  ],
  [
    "{N} died before the week was out.",
    "By morning {N} was dead.",
    "{N} was buried in the little churchyard.",
    "That was the death of {N}.",
    "{N} had been killed.",
    "{N} fell dead where {he} stood.",
    "The fever killed {N}.",
    "{N}’s body was carried down to the boat.",
    "There was no doubt of it: {N} was dead.",
    "On the third day {N} died of {his} wounds.",
    "{N} did not live to see the morning.",
  ],
];
const DEPARTURES: readonly [readonly string[], readonly string[]] = [
  [
    "{N} left the country the same week, for good.",
    "They sailed without {N}, who stayed behind for ever.",
    "{N} went away that evening and was never seen again.",
    "Nobody ever saw {N} again.",
    "They left {N} behind for good.",
  ],
  [
    "That was the last anyone saw of {N}.",
    "{N} had gone for ever.",
    "{N} was left behind, and none of them ever met {him} again.",
    "{N} never came back.",
    "{N} sailed for the colonies and did not return.",
  ],
];

const deadActs = actsAfter("dead", DEATHS);
const goneActs = actsAfter("gone", DEPARTURES);

function actsAfter(variant: string, wordings: readonly [readonly string[], readonly string[]]): Planter {
  return (soil, random, used) => {
    for (const person of shuffled(
      soil.people.slice(0, 14).filter(({ name }) => !used.has(name)),
      random,
    )) {
      const places = paragraphsWith(soil, person, 0.15, 0.55, false);
      const place = places.length === 0 ? null : pick(places, random);
      if (!place) continue;
      const later =
        soil.chapters
          .slice(place.chapter + 1)
          .join("\n")
          .match(
            new RegExp(`\\b${person.name}\\s(?:${TAG})\\b|\\b(?:said|cried|asked|replied)\\s${person.name}\\b`, "g"),
          )?.length ?? 0;
      if (later < 6) continue;
      used.add(person.name);
      return {
        kind: "state-conflict",
        variant,
        edits: [insertion(place, filled(pick(wordings[soil.half], random), person, ""))],
      };
    }
    return null;
  };
}

/** Somebody who matters is named no more after the first part of the book: the paragraphs go, or another name stands there. */
function vanished(how: "paragraphs cut" | "another in the part") {
  return (soil: Soil, random: Random, used: Set<string>): Plant | null => {
    const total = soil.paragraphs.length;
    const cut = Math.floor(total * (0.3 + 0.18 * random()));
    const { chapter: lastChapter, start: lastStart } = soil.paragraphs[cut]!;
    const isBefore = (chapter: number, start: number) =>
      chapter < lastChapter || (chapter === lastChapter && start < lastStart);
    const all = soil.chapters.join("\n");
    const candidates = soil.people.slice(0, 20).filter(({ name, places, count }) => {
      // Whoever has a second name may stay under it, and without the hero there is no second half.
      const withOther = all.match(new RegExp(`\\b[A-Z][a-z]{3,} ${name}\\b|\\b${name} [A-Z][a-z]+`, "g"))?.length ?? 0;
      const later = soil.paragraphs.slice(cut).filter(({ text }) => text.includes(name)).length;
      if (withOther > 0.15 * count || later > 0.15 * (total - cut)) return false;
      const before = places.flatMap((starts, chapter) =>
        starts.filter((start) => isBefore(chapter, start)).map((start) => ({ chapter, start })),
      );
      const chapters = new Set(before.map(({ chapter }) => chapter)).size;
      return (
        !used.has(name) &&
        before.length >= 25 &&
        count - before.length >= 10 &&
        chapters >= Math.min(4, soil.chapters.length / 4)
      );
    });
    if (candidates.length === 0) return null;
    const person = pick(candidates, random);
    used.add(person.name);
    const pattern = new RegExp(`\\b${person.name}\\b`);
    const after = soil.paragraphs.slice(cut).filter(({ text }) => pattern.test(text));
    const before = person.places.flatMap((starts, chapter) =>
      starts.filter((start) => isBefore(chapter, start)).map((start) => ({ chapter, start })),
    );
    const marks = before.slice(-3).map(({ chapter, start }) => ({
      chapter,
      start,
      end: start + person.name.length,
      text: person.name,
      marked: true,
    }));
    const other =
      soil.people.find(({ name, gender }) => name !== person.name && gender === person.gender && !used.has(name)) ??
      soil.people.find(({ name }) => name !== person.name);
    if (!other) return null;
    const edits =
      how === "paragraphs cut"
        ? after.map(({ chapter, start, end }) => ({ chapter, start, end, text: "", marked: false }))
        : after.map(({ chapter, start, end, text }) => ({
            chapter,
            start,
            end,
            text: text.replaceAll(new RegExp(`\\b${person.name}\\b`, "g"), other.name),
            marked: false,
          }));
    return { kind: "vanished-character", variant: how, edits: [...marks, ...edits] };
  };
}

// Another mind in a book told by "I".

const MINDS: readonly [readonly string[], readonly string[]] = [
  [
    "{N} wondered whether any of this could be true, and decided to keep {his} doubts to {him}self.",
    "{N} thought of the letter in {his} pocket and hoped that nobody would ask for it.",
    "{N} felt a sudden shame, and remembered the promise {he} had made.",
    "{N} knew that {he} would never be believed.",
  ],
  [
    "{N} was thinking of home, and wished {he} had never come.",
    "Deep down {N} feared that it was already too late.",
    "{N} remembered how {his} mother had looked, and longed to be gone.",
    "It occurred to {N} that nobody had counted the money.",
  ],
];

function otherMind(soil: Soil, random: Random): Plant | null {
  if (!soil.isFirstPerson) return null;
  const person = soil.people.length === 0 ? null : pick(soil.people.slice(0, 6), random);
  const place = person ? paragraphsWith(soil, person, 0, 1, false) : [];
  if (!person || place.length === 0) return null;
  const [one, other] = shuffled(MINDS[soil.half], random);
  return {
    kind: "point-of-view",
    variant: "first-person book",
    edits: [insertion(pick(place, random), `${filled(one!, person, "")}${filled(other!, person, "")}`)],
  };
}

// Pace and habits.

/** What the narration says without anybody in it, put together into one block. */
function expositionBlock(soil: Soil, random: Random): Plant | null {
  const dry = soil.paragraphs.filter(
    ({ text }) =>
      !/[“"]/.test(text) &&
      text.length > 200 &&
      !soil.people.some(({ name }) => text.includes(name)) &&
      !/\b(?:he|she|I|him|her|me)\b/.test(text),
  );
  if (dry.length < 12 || soil.paragraphs.length < 60) return null;
  const block: string[] = [];
  let words = 0;
  for (const { text } of shuffled(dry, random)) {
    if (words >= 1100) break;
    block.push(text);
    words += text.split(/\s+/).length;
  }
  if (words < 1000) return null;
  const place = pick(soil.paragraphs, random);
  return { kind: "exposition-block", variant: "1,000 words", edits: [insertion(place, `\n\n${block.join("\n\n")}`)] };
}

/** A stretch from which all speech is taken. */
function quietStretch(soil: Soil, random: Random): Plant | null {
  const spoken = soil.paragraphs.filter(({ text }) => /[“"]/.test(text)).length / soil.paragraphs.length;
  if (spoken < 0.3) return null;
  const first = randomInteger(random, soil.paragraphs.length);
  const edits: Edit[] = [];
  let left = 0;
  for (const { chapter, start, end, text } of soil.paragraphs.slice(first)) {
    if (left >= 3000) break;
    const isSpeech = /[“"]/.test(text);
    if (!isSpeech) left += text.split(/\s+/).length;
    edits.push({ chapter, start, end, text: isSpeech ? "" : text, marked: !isSpeech });
  }
  return left >= 3000 ? { kind: "quiet-stretch", variant: "3,000 words", edits } : null;
}

const TICS: readonly [readonly string[], readonly string[]] = [
  [
    "let out a breath",
    "felt a chill run down the spine",
    "ran a hand through the hair",
    "swallowed hard and said nothing",
    "something shifted in the air",
  ],
  [
    "a muscle jumped in the jaw",
    "did not know what to say to that",
    "the silence stretched between them",
    "bit the lower lip and waited",
    "a faint smile tugged at the lips",
  ],
];

function overused(soil: Soil, random: Random): Plant | null {
  const words = soil.paragraphs.reduce((sum, { text }) => sum + text.length / 5.7, 0);
  const tic = pick(TICS[soil.half], random);
  const times = Math.max(9, Math.round(words / 2500));
  const sentence = /^(?:something|the|a )/.test(tic) ? `${tic[0]!.toUpperCase()}${tic.slice(1)}.` : `Somebody ${tic}.`;
  const places = shuffled(
    soil.paragraphs.filter(({ text }) => text.length > 80),
    random,
  ).slice(0, times);
  if (places.length < times) return null;
  return { kind: "overused", variant: "a phrase", edits: places.map((place) => insertion(place, ` ${sentence}`)) };
}

type Planter = (soil: Soil, random: Random, used: Set<string>) => Plant | null;

/** What goes into one copy together: plants that would change each other's names or places stand in different copies. */
export const COPIES: readonly (readonly Planter[])[] = [
  [deadActs, goneActs, ...WORDINGS.map(attribute), numberConflict],
  [
    repeatedPassage(0, 40, 60),
    repeatedPassage(0, 60, 250),
    repeatedPassage(0.1, 45, 250),
    repeatedPassage(0.2, 50, 250),
    repeatedPassage(0.3, 80, 250),
    otherMind,
    numberConflict,
  ],
  [
    (soil, random) => tenseShift(pick([300, 500, 1000], random))(soil, random),
    personShift,
    nameVariant("three mentions"),
    nameVariant("one mention"),
    quietStretch,
    deadActs,
  ],
  [
    (soil, random, used) => vanished(random() < 0.5 ? "paragraphs cut" : "another in the part")(soil, random, used),
    tenseShift(500),
  ],
  [nameVariant("from the middle on"), expositionBlock, overused],
];

export interface PlantedBook {
  readonly chapters: readonly string[];
  readonly plants: readonly {
    readonly kind: string;
    readonly variant: string;
    readonly places: readonly { readonly chapter: number; readonly start: number; readonly end: number }[];
  }[];
}

/** A copy with every plant that finds room. Edits of two plants never touch each other. */
export function plantIn(soil: Soil, random: Random, planters: readonly Planter[]): PlantedBook {
  const used = new Set<string>();
  const taken: Edit[] = [];
  const plants: Plant[] = [];
  const occupied = new Set<string>();
  for (const planter of planters) {
    const plant = planter(soil, random, used);
    if (!plant || plant.edits.length === 0) continue;
    const cells = plant.edits.flatMap(({ chapter, start, end }) => cellsOf(chapter, start, end));
    if (cells.some((cell) => occupied.has(cell))) continue;
    for (const cell of cells) occupied.add(cell);
    for (const edit of plant.edits) taken.push(edit);
    plants.push(plant);
  }
  const placed = new Map<Edit, { chapter: number; start: number; end: number }>();
  const chapters = soil.chapters.map((text, chapter) => {
    const edits = taken
      .filter((edit) => edit.chapter === chapter)
      .sort((left, right) => left.start - right.start || left.end - right.end);
    let result = "";
    let from = 0;
    for (const edit of edits) {
      result += text.slice(from, edit.start);
      placed.set(edit, { chapter, start: result.length, end: result.length + edit.text.length });
      result += edit.text;
      from = edit.end;
    }
    return result + text.slice(from);
  });
  return {
    chapters,
    plants: plants.map(({ kind, variant, edits }) => ({
      kind,
      variant,
      places: edits.filter(({ marked }) => marked).map((edit) => placed.get(edit)!),
    })),
  };
}

/** Places by pieces of a hundred characters, so that touching is a look-up. */
function cellsOf(chapter: number, start: number, end: number): string[] {
  const cells: string[] = [];
  for (let cell = Math.floor(start / 100); cell <= Math.floor(end / 100); cell++) cells.push(`${chapter}:${cell}`);
  return cells;
}

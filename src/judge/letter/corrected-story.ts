import type { CharacterCorrections } from "../../text/corrections/character-and-story.ts";
import type { Story } from "./parts.ts";

/**
 * What a writer may correct in a story as a model read it, and the sentences that tell the next reading about it. A
 * correction is one line of the writer's facts about the book, so that every card, the list below them and the
 * reading use the same words.
 */
const PARTS = {
  place: "place",
  time: "time",
  viewpoint: "point of view",
  present: "who is there",
  changes: "what changes",
  tension: "tension from 1 to 5",
  asks: "what a reader asks",
  answered: "what a reader learns",
  who: "who does it",
  what: "what happens",
  when: "when",
  thread: "what it is",
  closes: "closes in chapter",
  isTold: "is in the story",
} as const;
export type Part = keyof typeof PARTS;
export type Said = Readonly<Partial<Record<Part, string>>>;
const PART_NAMES = Object.keys(PARTS) as Part[];

/** Stands for a thread or an event that the story does not have, and for a thread that never closes. */
export const NOT_TOLD = "no";
export const NEVER = "never";

/**
 * What is corrected. A scene is identified by its first words, so that a reading can find it; a thread and an event
 * by the model's wording.
 */
export type StoryPlace =
  | { readonly chapter: number; readonly scene?: { readonly number: number; readonly opening: string } }
  | { readonly chapter: number; readonly event: string }
  | { readonly thread: string };

const FEW_WORDS = 6;

function lineStart(place: StoryPlace, part: Part): string {
  return `${placeInWords(place)}, ${PARTS[part]}: `;
}

function placeInWords(place: StoryPlace): string {
  if ("thread" in place) return `Thread “${place.thread}”`;
  if ("event" in place) return `Chapter ${place.chapter}, event “${place.event}”`;
  const { chapter, scene } = place;
  if (!scene) return `Chapter ${chapter}`;
  const first = scene.opening.split(/\s+/).slice(0, FEW_WORDS).join(" ");
  return `Chapter ${chapter}, scene ${scene.number} (“${first}…”)`;
}

/** What the writer says about a place, by part. */
export function saidOf(facts: readonly string[], place: StoryPlace): Said {
  const said: Partial<Record<Part, string>> = {};
  const about = facts.filter((fact) => fact.startsWith(placeInWords(place)));
  for (const part of about.length === 0 ? [] : PART_NAMES) {
    const start = lineStart(place, part);
    const line = about.findLast((fact) => fact.startsWith(start));
    if (line !== undefined) said[part] = line.slice(start.length);
  }
  return said;
}

/** Replaces what the writer's lines say about these parts of a place. */
export function withSaid(facts: readonly string[], place: StoryPlace, parts: readonly Part[], said: Said): string[] {
  const starts = parts.map((part) => lineStart(place, part));
  const others = facts.filter((fact) => !starts.some((start) => fact.startsWith(start)));
  return [...others, ...parts.flatMap((part) => (said[part] ? [lineStart(place, part) + said[part].trim()] : []))];
}

const CHAPTER = new RegExp(`^(Chapter |Thread “.*”, ${PARTS.closes}: )(\\d+)(?=,|$)`, "u");

/** Updates the chapter numbers in the writer's lines; drops lines whose chapter no longer exists. */
export function withChapters(facts: readonly string[], now: (chapter: number) => number | null): string[] {
  return facts.flatMap((fact) => {
    const [all, start, number] = CHAPTER.exec(fact) ?? [];
    if (all === undefined) return [fact];
    const chapter = now(Number(number));
    return chapter === null ? [] : [`${start}${chapter}${fact.slice(all.length)}`];
  });
}

/** Merges the stored lines with the changes that were typed into the list since `before`. */
export function withTyped(
  now: readonly string[],
  before: readonly string[],
  typed: readonly string[],
): readonly string[] {
  if (typed.join("\n") === before.join("\n")) return now;
  const kept = typed.filter((line) => now.includes(line) || !before.includes(line));
  return [...kept, ...now.filter((line) => !before.includes(line) && !typed.includes(line))];
}

/** The story with the writer's corrections applied. */
export function correctedStory(story: Story, facts: readonly string[]): Story {
  if (facts.length === 0) return story;
  const { chapters, threads, events, reader } = story;
  return {
    ...story,
    chapters: chapters.map((read) => {
      const { place = read.place, time = read.time, ...said } = saidOf(facts, { chapter: read.chapter });
      const { viewpoint = read.viewpoint, changes = read.changes, tension = read.tension } = said;
      return { ...read, place, time, viewpoint, changes, tension: Number(tension) };
    }),
    threads: threads.flatMap(({ thread, opened, closed }) => {
      const said = saidOf(facts, { thread });
      if (said.isTold === NOT_TOLD) return [];
      return [{ thread: said.thread ?? thread, opened, closed: closedAs(said.closes, closed) }];
    }),
    ...(events && {
      events: events.flatMap((read) => {
        const said = saidOf(facts, { chapter: read.passage.chapter, event: read.what });
        if (said.isTold === NOT_TOLD) return [];
        const { who = read.who, what = read.what, when = read.when } = said;
        return [{ ...read, who, what, when }];
      }),
    }),
    ...(reader && {
      reader: reader.map((read) => {
        const { asks, answered } = saidOf(facts, { chapter: read.chapter });
        return { ...read, ...(asks && { asks: [asks] }), ...(answered && { answered: [answered] }) };
      }),
    }),
  };
}

type Closed = Story["threads"][number]["closed"];

/** Where a thread closes according to the writer, who does not say at which passage of the chapter. */
export function closedAs(said: string | undefined, read: Closed): Closed {
  if (said === undefined) return read;
  const chapter = Number(said);
  return Number.isInteger(chapter) && chapter > 0 ? { chapter, start: 0, end: 0, quote: "" } : null;
}

/**
 * Applies the writer's corrections to the cast, in the same order and with the same names as `correctCharacters` does
 * for the book. Sentences written by a model keep the names they use.
 */
export function withCast(story: Story, { split, merge, rename, drop }: CharacterCorrections): Story {
  let people: readonly Person[] = story.people;
  /** The names by which the model calls a person whom the writer corrected. */
  const calls = new Map<Person, readonly string[]>();
  const callsOf = (person: Person) =>
    calls.get(person) ?? namesOf(person).filter((name) => find(story.people, name) === person);
  const called = (person: Person, names: readonly string[]) => {
    calls.set(person, names);
    return person;
  };
  for (const { name, aliases, as } of split) {
    const person = find(people, name);
    if (!person || !namesOf(person).some((each) => aliases.includes(each))) continue;
    const isTaken = (each: string) => aliases.includes(each);
    const [first, ...also] = namesOf(person).filter((each) => !isTaken(each));
    const parted = { name: as, also: others(aliases, as) };
    const taken = callsOf(person).filter(isTaken);
    const left = callsOf(person).filter((each) => !isTaken(each));
    people = replace(
      people,
      [person],
      first === undefined
        ? [called({ ...person, ...parted }, taken)]
        : [
            called({ ...person, name: first, also }, left),
            called({ ...parted, role: "", wants: "", arc: "", passages: [] }, taken),
          ],
    );
  }
  for (const group of merge) {
    const same = [...new Set(group.flatMap((name) => find(people, name) ?? []))];
    const [first] = same;
    if (!first) continue;
    const also = others([...same.flatMap(namesOf), ...group], first.name);
    const joined = { ...first, also, passages: same.flatMap(({ passages }) => passages) };
    people = replace(people, same, [called(joined, same.flatMap(callsOf))]);
  }
  for (const { from, to } of rename) {
    const person = find(people, from);
    if (!person) continue;
    const renamed = { ...person, name: to, also: others(namesOf(person), to) };
    people = replace(people, [person], [called(renamed, callsOf(person))]);
  }
  for (const name of drop) {
    const person = find(people, name);
    if (person) people = replace(people, [person], []);
  }
  const names = new Map(people.flatMap((person) => (calls.get(person) ?? []).map((name) => [name, person.name])));
  const now = (name: string) => names.get(name) ?? name;
  const { chapters, facts, events, knowledge } = story;
  return {
    ...story,
    people: [...people],
    chapters: chapters.map((chapter) => ({ ...chapter, viewpoint: now(chapter.viewpoint) })),
    ...(facts && { facts: facts.map((fact) => ({ ...fact, subject: now(fact.subject) })) }),
    ...(events && { events: events.map((event) => ({ ...event, who: now(event.who) })) }),
    ...(knowledge && { knowledge: knowledge.map((known) => ({ ...known, who: now(known.who) })) }),
  };
}

type Person = Story["people"][number];

function namesOf({ name, also }: Person): string[] {
  return [name, ...also];
}

function find(people: readonly Person[], name: string): Person | undefined {
  return people.find((each) => each.name === name) ?? people.find(({ also }) => also.includes(name));
}

/** The new people take the position of the first old one. */
function replace(people: readonly Person[], old: readonly Person[], instead: readonly Person[]): Person[] {
  return people.flatMap((person) => (person === old[0] ? instead : old.includes(person) ? [] : [person]));
}

function others(names: readonly string[], name: string): string[] {
  return [...new Set(names)].filter((each) => each !== name);
}

import { type Random, randomInteger, seededRandom } from "../../src/core/random.ts";
import { placeholderValue } from "../../src/models/placeholder-value.ts";
import type { ReplyHandler } from "../../src/testing/index.ts";

/**
 * A reader of any book who understands nothing and writes as much as recorded readers wrote: as many claims, as long, with
 * quotations that stand in what was shown. For estimates, time and memory; never a judge.
 */
export const simulatedReader: ReplyHandler = (request, random) => {
  const text = request.messages.at(-1)!.content;
  const schema = JSON.stringify(request.schema);
  const has = (word: string) => schema.includes(`"${word}"`);
  if (has("premise")) return JSON.stringify(storyReply(text, random));
  if (has("facts")) return JSON.stringify(notesReply(text, random));
  if (has("claims")) return JSON.stringify({ claims: claims(text, schema, random) });
  if (has("verdicts")) return JSON.stringify({ verdicts: verdicts(text) });
  if (has("works")) return JSON.stringify(letterReply());
  return JSON.stringify(placeholderValue(request.schema, seededRandom(1)), (key, value: unknown) =>
    key === "score" || (key === "overall" && typeof value !== "string") ? 70 : value,
  );
};

/** Recorded readers made 36 to 68 claims about a whole book, and some ten about a part of the notes. */
const CLAIMS = { book: 48, notes: 10 };

const WORDS =
  "the keeper finds that what was said of the lamp in one place does not agree with what is told of it later and nobody in the story remarks on it".split(
    " ",
  );
const prose = (words: number) => Array.from({ length: words }, (_, at) => WORDS[at % WORDS.length]).join(" ");

interface Shown {
  readonly chapter: number;
  readonly quote: string;
}

const QUOTED = / "(.{12,})"$/;

/** Passages of what is shown: beginnings of paragraphs, and of notes what they quote. */
function passagesIn(text: string): Shown[] {
  let chapter = 1;
  return text.split("\n").flatMap((line): Shown[] => {
    chapter = Number(/^\s*\[(?:Chapter )?(\d+)/.exec(line)?.[1] ?? / \[(\d+)\] "/.exec(line)?.[1] ?? chapter);
    const quoted = QUOTED.exec(line)?.[1];
    if (quoted !== undefined) return [{ chapter, quote: quoted }];
    return /^[A-Z“"].{80}/.test(line) ? [{ chapter, quote: line.split(" ").slice(0, 14).join(" ") }] : [];
  });
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[randomInteger(random, items.length)]!;
}

function claims(text: string, schema: string, random: Random) {
  const passages = passagesIn(text);
  const isNotes = /<<<notes /.test(text);
  const kind = ["attribute-conflict", "open-thread", "structure"].find((name) => schema.includes(`"${name}"`))!;
  return Array.from({ length: passages.length === 0 ? 0 : isNotes ? CLAIMS.notes : CLAIMS.book }, (_, at) => ({
    kind,
    title: `What is told of lamp ${at}`,
    claim: prose(45),
    passages: [pick(passages, random), pick(passages, random), pick(passages, random)],
    severity: "should",
    certainty: 0.8,
    advice: prose(22),
  }));
}

function verdicts(text: string) {
  return [...text.matchAll(/^(\d+)\. \[[\w-]+\] /gm)].map(([, number]) => ({
    number: Number(number),
    verdict: "holds",
    why: prose(40),
    claim: prose(35),
    severity: "should",
    explained_by: null,
    same_as: null,
  }));
}

const about = {
  happens: prose(60),
  changes: prose(18),
  place: "the quay",
  time: "the third day of winter",
  viewpoint: "the keeper",
  tense: "past",
  level: "story",
  tension: 3,
};

function storyReply(text: string, random: Random) {
  const passages = passagesIn(text);
  const chapters = new Set([...text.matchAll(/^\[Chapter (\d+)/gm)].map(([, number]) => Number(number)));
  return {
    premise: prose(60),
    question: prose(20),
    chapters: [...chapters].map((chapter) => ({ chapter, ...about })),
    people: Array.from({ length: 12 }, (_, at) => ({
      name: `Keeper ${at}`,
      also: ["the keeper"],
      role: prose(15),
      wants: prose(12),
      arc: prose(20),
      passages: [pick(passages, random), pick(passages, random)],
    })),
    threads: Array.from({ length: 25 }, () => ({ thread: prose(12), opened: pick(passages, random), closed: null })),
  };
}

/** Some forty entries for a chapter of 2,700 words, as recorded readers noted. */
function notesReply(text: string, random: Random) {
  const passages = passagesIn(text);
  const quote = () => pick(passages, random).quote;
  const words = text.split(" ").length;
  const many = <T>(per1000: number, make: () => T) =>
    Array.from({ length: passages.length === 0 ? 0 : Math.ceil((per1000 * words) / 1000) }, make);
  return {
    ...about,
    opening: prose(35),
    ending: prose(35),
    facts: many(15, () => ({
      // Of a recorded reader's facts, about half were about something that only one chapter mentions.
      subject: random() < 0.5 ? `lamp ${randomInteger(random, 40)}` : `thing ${randomInteger(random, 100_000)}`,
      property: "state",
      value: prose(9),
      quote: quote(),
    })),
    events: many(6, () => ({ who: "the keeper", what: prose(14), when: "at night", quote: quote() })),
    knowledge: many(4, () => ({
      who: `keeper ${randomInteger(random, 9)}`,
      knows: true,
      what: prose(14),
      quote: quote(),
    })),
    assumed: many(2.5, () => ({ what: prose(14), quote: quote() })),
    threads: many(4, () => ({ thread: prose(8), move: "touched", quote: quote() })),
    people: many(3, () => ({ name: `Keeper ${randomInteger(random, 9)}`, also: [], role: prose(6) })),
    slips: [],
    reader: { asks: [prose(14), prose(14), prose(14)], answered: [prose(14)] },
  };
}

function letterReply() {
  const entry = { text: prose(60), findings: [1] };
  const titled = { title: prose(5), ...entry };
  return {
    book: prose(90),
    works: Array.from({ length: 6 }, () => entry),
    problems: Array.from({ length: 6 }, () => titled),
    first: Array.from({ length: 9 }, () => entry),
    plan: Array.from({ length: 4 }, () => titled),
  };
}

import { sum } from "../stats/distribution.ts";
import type { Book } from "./book.ts";
import { splitSentences } from "./sentences.ts";

/** One thing that was counted in a text, with passages that show it. */
export interface Signal {
  readonly name: string;
  readonly value: number;
  readonly examples: readonly string[];
}

/** The result of a cheap local check: a clear yes or no, or "unsure" if a person or a model must decide, with the evidence. */
export interface Finding {
  readonly answer: "yes" | "no" | "unsure";
  readonly reason: string;
  readonly signals: readonly Signal[];
}

const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 120;

/** Counts what matches among some passages and keeps the first few as examples; `value` is their share. */
export function shareSignal(name: string, passages: readonly string[], matches: (passage: string) => boolean): Signal {
  const examples: string[] = [];
  let count = 0;
  for (const passage of passages) {
    if (!matches(passage)) continue;
    count++;
    if (examples.length < MOST_EXAMPLES) examples.push(passage.slice(0, LONGEST_EXAMPLE));
  }
  return { name, value: passages.length === 0 ? 0 : count / passages.length, examples };
}

/** How often a pattern occurs in a thousand words, with the first few occurrences. */
export function rateSignal(name: string, text: string, words: number, pattern: RegExp): Signal {
  const found = text.match(pattern) ?? [];
  const examples = [...new Set(found)].slice(0, MOST_EXAMPLES);
  return { name, value: words === 0 ? 0 : (1000 * found.length) / words, examples };
}

export function paragraphsOf(book: { readonly chapters: readonly { readonly text: string }[] }): string[] {
  return book.chapters.flatMap(({ text }) => text.split("\n\n"));
}

/** How many of a summary's names occur in a text. `share` is null if the summary has too few names. */
export interface SummaryMatch {
  readonly share: number | null;
  readonly found: readonly string[];
  readonly absent: readonly string[];
}

/** If there are fewer names than this, all of them may be spelt differently in a translation, or be words of the title. */
const FEWEST_NAMES = 4;

/** A text with fewer of the summary's names than this is another book (`evals/parts/answers.ts` measures how surely). */
export const SAME_BOOK_SHARE = 0.5;

const WORD = /[\p{L}][\p{L}\p{M}'’-]*/gu;

/**
 * Names are the surest sign that a summary and a text belong together: a summary cannot avoid them, and another book does not
 * have them. A word counts as a name if the summary writes it with a capital inside a sentence and never without. Each name
 * weighs as much as it is mentioned: the people of the story come again and again, while "England" or "Christmas" may occur in
 * any book.
 */
export function matchSummary(summary: string, words: ReadonlySet<string>): SummaryMatch {
  const names = namesIn(summary);
  const all = [...names.keys()];
  const found = all.filter((name) => words.has(name) || words.has(name.toUpperCase()));
  const absent = all.filter((name) => !found.includes(name));
  const weigh = (list: readonly string[]) => sum(list.map((name) => names.get(name)!));
  return { share: all.length < FEWEST_NAMES ? null : weigh(found) / weigh(all), found, absent };
}

/** The distinct words of a text, in the form in which names are looked up. */
export function distinctWords(text: string): Set<string> {
  return new Set(text.match(WORD)?.map(bareName));
}

function namesIn(summary: string): Map<string, number> {
  const counts = new Map<string, number>();
  const inside = new Set<string>();
  const lowerCase = new Set<string>();
  for (const { start, end } of splitSentences(summary)) {
    const words = summary.slice(start, end).match(WORD) ?? [];
    words.forEach((word, index) => {
      const name = bareName(word);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (!/^\p{Lu}\p{Ll}{2}/u.test(name)) lowerCase.add(name);
      else if (index > 0) inside.add(name);
    });
  }
  return new Map([...counts].filter(([name]) => inside.has(name) && !lowerCase.has(name.toLowerCase())));
}

function bareName(word: string): string {
  return word.replace(/['’]s?$/, "").replaceAll("’", "'");
}

const SPEECH = /["“„«「]\p{L}.{2,}/u;
const SPEECH_VERBS = /\b(?:said|asked|replied|answered|cried|whispered|exclaimed|murmured|shouted|laughed)\b/g;
const THIRD_PERSON = /\b(?:he|she|him|her|his|hers)\b/gi;
const CITATION = /\[\d{1,3}\]|\bibid\b|\bet al\.|\bop\. cit\b|\bpp?\. \d+|\(\p{Lu}\p{Ll}+,? \d{4}\)/gu;

/**
 * Whether a book is non-fiction. English prose is judged: by its speech, by the people in itand by its citations.
 *
 * @example
 * ```ts
 * const { answer, reason } = looksLikeNonFiction(await readBook("book.epub"));
 * if (answer !== "no") console.log(`${answer}: ${reason}`);
 * ```
 */
export function looksLikeNonFiction(book: Pick<Book, "chapters" | "words" | "language">): Finding {
  if (book.language !== null && book.language !== "en") {
    return { answer: "unsure", reason: "the signs are known for English only", signals: [] };
  }
  const text = book.chapters.map((chapter) => chapter.text).join("\n\n");
  const speech = shareSignal("paragraphs with direct speech", paragraphsOf(book), (paragraph) =>
    SPEECH.test(paragraph),
  );
  const verbs = rateSignal("verbs of speaking in a thousand words", text, book.words, SPEECH_VERBS);
  const people = rateSignal("third-person pronouns in a thousand words", text, book.words, THIRD_PERSON);
  const citations = rateSignal("citations in a thousand words", text, book.words, CITATION);
  const signals = [speech, verbs, people, citations];
  if (verbs.value > 2 && speech.value > 0.15 && citations.value < 1)
    return { answer: "no", reason: "people speak in it", signals };
  if (verbs.value < 0.5 && speech.value < 0.08 && (citations.value > 1 || people.value < 12)) {
    return { answer: "yes", reason: "nobody speaks in it, and it cites or is not about people", signals };
  }
  return { answer: "unsure", reason: "it has signs of both", signals };
}

const TITLE = String.raw`(?:(?:Mrs?|Dr|Sir|Lady|Lord|Miss|St|The)\.? )?`;
/** A stage direction between name and speech: "(picking up the plate)". */
const MANNER = String.raw`(?: ?[[(_][^\n]{0,80}[\])_])?`;
/** "HAMLET. To be", "MRS. PAGE: What", or the name alone on the line above the speech. */
const IN_CAPITALS = new RegExp(
  String.raw`^_?(?!CHAPTER|BOOK|PART|VOLUME)${TITLE}\p{Lu}[\p{Lu}’'-]+(?: \p{Lu}[\p{Lu}’'.-]+){0,3}_?${MANNER}(?:[.:](?:\s|$)|\n)`,
  "u",
);
/** "Algernon. Did you hear", "_Algernon_. Did you hear", "Lady Bracknell (rising). Good afternoon". */
const IN_LOWER_CASE = new RegExp(
  String.raw`^_?${TITLE}\p{Lu}\p{Ll}{2,}(?: \p{Lu}\p{Ll}{2,})?_?${MANNER}[.:]_?\s{1,2}[\p{Lu}[(_“"]`,
  "u",
);
const STAGE_DIRECTION = /^[[(_].{0,200}[\])_]\.?$|\b(?:Exeunt|Exit|Re-?enter|Enter) \p{Lu}/u;
const ACT_OR_SCENE = /^(?:act|scene|aufzug|auftritt|acte|scène|acto|escena|действие|явление)\b/i;

const FEWEST_PARAGRAPHS = 20;

function isSpeech(paragraph: string): boolean {
  return IN_CAPITALS.test(paragraph) || IN_LOWER_CASE.test(paragraph);
}

/**
 * Whether a book is a play: speaker labels, stage directions, acts and scenes.
 *
 * @example
 * ```ts
 * const { answer, signals } = looksLikePlay(await readBook("book.epub"));
 * if (answer === "yes") console.log(signals.flatMap(({ examples }) => examples));
 * ```
 */
export function looksLikePlay(book: Pick<Book, "chapters">): Finding {
  const paragraphs = paragraphsOf(book);
  const titles = book.chapters.flatMap(({ title, part }) => [title ?? "", ...(part?.split(" · ") ?? [])]);
  const speakers = shareSignal("paragraphs that begin with a speaker's name", paragraphs, isSpeech);
  const directions = shareSignal("stage directions among paragraphs", paragraphs, (text) => STAGE_DIRECTION.test(text));
  const acts = shareSignal("acts and scenes among titles", titles.filter(Boolean), (title) => ACT_OR_SCENE.test(title));
  const signals = [speakers, directions, acts];
  if (paragraphs.length < FEWEST_PARAGRAPHS) return { answer: "unsure", reason: "it is too short to tell", signals };
  if (speakers.value > 0.4 || (speakers.value > 0.15 && (acts.value > 0.3 || directions.value > 0.05))) {
    return { answer: "yes", reason: "it is set as speakers and stage directions", signals };
  }
  if (speakers.value < 0.05 && acts.value < 0.3) return { answer: "no", reason: "its paragraphs are prose", signals };
  return { answer: "unsure", reason: "some of it is set like a play", signals };
}

/**
 * Whether a summary describes another book than this: most of the people and places it names must occur in the text.
 *
 * @example
 * ```ts
 * const { answer, reason } = summaryIsOfAnotherBook(await readBook("novel.epub"), summary);
 * if (answer === "yes") console.log(`not this book's summary: ${reason}`);
 * ```
 */
export function summaryIsOfAnotherBook(book: Pick<Book, "chapters">, summary: string): Finding {
  const text = book.chapters.map((chapter) => chapter.text).join("\n\n");
  const { share, found, absent } = matchSummary(summary, distinctWords(text));
  if (share === null) {
    const names = found.length + absent.length;
    return { answer: "unsure", reason: `the summary has only ${names} names to look for`, signals: [] };
  }
  const signals: Signal[] = [
    { name: "names of the summary that the text has", value: share, examples: found.slice(0, 5) },
    { name: "names of the summary that the text lacks", value: 1 - share, examples: absent.slice(0, 5) },
  ];
  return share < SAME_BOOK_SHARE
    ? { answer: "yes", reason: "most of its people and places are not in the text", signals }
    : { answer: "no", reason: "its people and places are in the text", signals };
}

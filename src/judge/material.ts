import { FabulaError } from "../core/errors.ts";
import { type Criterion, type Rubric, topLevel } from "../criteria/rubric.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import type { PromptSource } from "../prompts/own-prompts.ts";
import { sum } from "../stats/distribution.ts";
import type { Book } from "../text/book.ts";
import { recogniseHeading } from "../text/chapters/recognise.ts";
import { plainGenres } from "../text/plain-genres.ts";
import { LONG_STORY_SEGMENT_WORDS, type Segment } from "../text/segments.ts";
import { countWords } from "../text/words.ts";

/** How much of a book fits into one request to a model, and how long its reply may be. */
export interface ContextSizes {
  /** Null for the default length. */
  readonly segmentWords: number | null;
  readonly notesWords: number;
  readonly notesTokens: number;
  readonly excerptWords: number;
  /** The longest reply that may be requested; infinite if the context length is unknown. */
  readonly replyTokens: number;
}

const NOTES_WORDS = { en: 1000, zh: 1600 } as const satisfies Record<PromptLanguage, number>;
const NOTES_TOKENS = 4096;
const EXCERPT_WORDS = 1000;

/**
 * The default sizes; for a model with a short context, shares of it that leave room for the question, the notes and
 * the reply. A segment may become twice its default length.
 */
export function contextSizes(contextTokens: number | null, language: PromptLanguage = "en"): ContextSizes {
  const share = (part: number) => Math.floor(part * (contextTokens ?? Number.POSITIVE_INFINITY));
  const segmentWords = Math.max(SHORTEST_SEGMENT, share(0.12));
  return {
    segmentWords: segmentWords < LONG_STORY_SEGMENT_WORDS ? segmentWords : null,
    notesWords: Math.min(NOTES_WORDS[language], share(0.1)),
    notesTokens: Math.min(NOTES_TOKENS, share(0.3)),
    excerptWords: Math.min(EXCERPT_WORDS, share(0.1)),
    replyTokens: share(0.35),
  };
}

const SHORTEST_SEGMENT = 200;

export type BookFacts = Pick<Book, "title" | "author" | "genres" | "premise">;

/** Title, genres and premise, one per line. The author is left out, because a famous name influences a judgement. */
export function metadataText(
  { title, genres: given, premise }: BookFacts,
  language: PromptLanguage,
  { genres: most = null }: { readonly genres?: number | null } = {},
): string {
  const words = WORDS[language];
  const genres = plainGenres(given).slice(0, most ?? undefined);
  return [
    `${words.title}${title}`,
    genres.length > 0 ? `${words.genres}${genres.join(", ")}` : null,
    premise ? `${words.premise}${premise}` : null,
  ]
    .filter((line) => line !== null)
    .join("\n");
}

/** The whole book with each chapter's number above it, so that a judge can say where a quotation is from. */
export function bookText(book: Pick<Book, "chapters">, language: PromptLanguage): string {
  return book.chapters
    .map(({ index, title, text }) => `${chapterMark(index, title, language)}\n\n${text}`)
    .join("\n\n");
}

/** A segment, formatted in the same way. */
export function segmentText(book: Pick<Book, "chapters">, segment: Segment, language: PromptLanguage): string {
  return segment.spans
    .map(({ chapter, start, end }) => {
      const { title = null, text = "" } = book.chapters.find(({ index }) => index === chapter) ?? {};
      return `${chapterMark(chapter, title, language)}\n\n${text.slice(start, end)}`;
    })
    .join("\n\n");
}

/**
 * `[Chapter 2: Small Measures]`, also if the title includes the number: "Chapter Two. Small Measures", "II", "第二章
 * 缺页".
 */
export function chapterMark(index: number, title: string | null, language: PromptLanguage): string {
  const number = language === "zh" ? `第${index}章` : `Chapter ${index}`;
  const name = title === null ? "" : withoutOwnNumber(title, index);
  return name === "" ? `[${number}]` : `[${number}: ${name}]`;
}

/**
 * The heading of one chapter, or `[Chapters 3 to 5: …]`; numbers within the titles are dropped to avoid repeating
 * them.
 */
export function segmentMark({ spans, title }: Segment, language: PromptLanguage): string {
  const first = spans[0]?.chapter ?? 1;
  const last = spans.at(-1)?.chapter ?? first;
  if (first === last) return chapterMark(first, title, language);
  const numbers = language === "zh" ? `第${first}至${last}章` : `Chapters ${first} to ${last}`;
  return recogniseHeading(title)?.number === first ? `[${numbers}]` : `[${numbers}: ${title}]`;
}

/** A title that counts differently from the book (after a prologue), or includes the volume, is left unchanged. */
function withoutOwnNumber(title: string, index: number): string {
  const heading = recogniseHeading(title);
  if (heading?.number !== index || (heading.kind !== "chapter" && heading.kind !== "numeral")) return title;
  const label = title.slice(0, title.length - heading.rest.length);
  return title.endsWith(heading.rest) && !/[卷部篇集編编册冊]/u.test(label) ? heading.rest : title;
}

/** `segment 3 of 12, chapters 7 to 9` */
export function segmentPlace(segment: Segment, count: number, language: PromptLanguage): string {
  const first = segment.spans[0]?.chapter ?? 1;
  const last = segment.spans.at(-1)?.chapter ?? first;
  if (language === "zh") {
    return `第 ${segment.index} 段，共 ${count} 段，第 ${first === last ? first : `${first} 至 ${last}`} 章`;
  }
  return `segment ${segment.index} of ${count}, ${first === last ? `chapter ${first}` : `chapters ${first} to ${last}`}`;
}

const WORDS = {
  en: { title: "Title: ", genres: "Genres: ", premise: "Premise: " },
  zh: { title: "书名：", genres: "类型：", premise: "简介：" },
} as const satisfies Record<PromptLanguage, Record<string, string>>;

/** A passage shown to a judge word for word. */
export interface Excerpt {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly why: "opening" | "dialogue" | "narration" | "distinctive" | "typical" | "ending";
}

/** Measures a passage for comparison with the book's other passages; null if it cannot be measured. */
export type PassageMeasure = (passage: Pick<Excerpt, "chapter" | "start" | "end">) => number | null;

export interface ExcerptOptions {
  readonly words?: number;
  readonly count?: number;
  /** What makes a passage distinctive or typical; by default, how rare its words are within this book. */
  readonly measure?: PassageMeasure;
}

interface Candidate {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly words: number;
  readonly dialogue: number;
  /** How far the passage is from the book's average passage, in standard deviations; null if it was not measured. */
  readonly oddity: number | null;
}

const LEAST_WORDS = 60;
const MOST_WORDS = 220;
const DIALOGUE = /[“”"「」『』]|^[—–-]\s/gm;

/**
 * Chooses excerpts by a rule that anybody can check: the book is cut into as many equal stretches as there are
 * excerpts. The first gives the opening passage, the last the ending. Between them each stretch gives, in turn, its
 * passage with most dialogue, with least, its most distinctive one (furthest from the book's average passage, in
 * either direction) and its most typical one. The same book always gives the same excerpts.
 */
export function chooseExcerpts(book: Pick<Book, "chapters">, options: ExcerptOptions = {}): Excerpt[] {
  const count = options.count ?? 8;
  const limit = options.words ?? EXCERPT_WORDS;
  const candidates = passages(book, options.measure ?? wordRarity(book));
  if (candidates.length === 0) return [];
  const chosen: Excerpt[] = [];
  const cut = (candidate: Candidate, why: Excerpt["why"]): Excerpt => {
    const { text } = book.chapters.find(({ index }) => index === candidate.chapter)!;
    const { chapter, start, end } = candidate;
    return { chapter, start, end, text: text.slice(start, end), why };
  };
  const stretches = Math.min(count, candidates.length);
  let words = 0;
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * candidates.length) / stretches);
    const to = Math.floor(((stretch + 1) * candidates.length) / stretches);
    const why = reason(stretch, stretches);
    const pick = choose(candidates.slice(from, to), why);
    if (words + pick.words > limit && chosen.length > 1) continue;
    words += pick.words;
    chosen.push(cut(pick, why));
  }
  return chosen;
}

const CHAPTER_OPENING_WORDS = 500;

/**
 * The excerpt that LongStoryEval shows: the opening paragraphs of one chapter, up to 500 words, without lines that
 * name a chapter. The paper draws the chapter at random; here the draw is seeded with the book's bytes, so that it is
 * always the same.
 */
export function openingOfOneChapter(book: Pick<Book, "chapters" | "source">): Excerpt[] {
  const { chapters, source } = book;
  const chapter = chapters[Number.parseInt(source.sha256.slice(0, 8), 16) % Math.max(1, chapters.length)];
  if (!chapter) return [];
  const shown: string[] = [];
  let words = 0;
  let end = 0;
  for (const match of chapter.text.matchAll(/[^\n]+/g)) {
    const [line] = match;
    if (/chapter /i.test(line)) continue;
    words += countWords(line);
    if (words > CHAPTER_OPENING_WORDS) break;
    shown.push(line.trim());
    end = match.index + line.length;
  }
  if (shown.length === 0) return [];
  return [{ chapter: chapter.index, start: 0, end, text: shown.join("\n"), why: "opening" }];
}

function reason(stretch: number, stretches: number): Excerpt["why"] {
  if (stretch === 0) return "opening";
  if (stretch === stretches - 1) return "ending";
  return (["dialogue", "narration", "distinctive", "typical"] as const)[(stretch - 1) % 4]!;
}

function choose(stretch: readonly Candidate[], why: Excerpt["why"]): Candidate {
  const least = (measure: (candidate: Candidate) => number) =>
    stretch.reduce((best, candidate) => (measure(candidate) < measure(best) ? candidate : best));
  switch (why) {
    case "opening":
      return stretch[0]!;
    case "ending":
      return stretch.at(-1)!;
    case "dialogue":
      return least(({ dialogue }) => -dialogue);
    case "narration":
      return least(({ dialogue }) => dialogue);
    case "distinctive":
      return least(({ oddity }) => -(oddity ?? Number.NEGATIVE_INFINITY));
    case "typical":
      return least(({ oddity }) => oddity ?? Number.POSITIVE_INFINITY);
    default:
      return why satisfies never;
  }
}

/** Paragraphs in reading order; short ones are joined with their neighbours, and none exceeds the limit. */
function passages(book: Pick<Book, "chapters">, measure: PassageMeasure): Candidate[] {
  const raw: Omit<Candidate, "oddity">[] = [];
  for (const { index, text } of book.chapters) {
    let start = 0;
    let from = 0;
    const close = (end: number) => {
      const passage = text.slice(start, end);
      const words = countWords(passage);
      if (words >= LEAST_WORDS && words <= MOST_WORDS) {
        raw.push({ chapter: index, start, end, words, dialogue: (passage.match(DIALOGUE)?.length ?? 0) / words });
        start = end;
      } else if (words > MOST_WORDS) start = end;
    };
    while (from < text.length) {
      const gap = text.indexOf("\n\n", from);
      const end = gap < 0 ? text.length : gap;
      if (start === from || text.slice(start, from).trim() === "") start = from;
      close(end);
      from = gap < 0 ? text.length : gap + 2;
      if (start === end) start = from;
    }
  }
  return withOddity(raw, measure);
}

function withOddity(raw: readonly Omit<Candidate, "oddity">[], measure: PassageMeasure): Candidate[] {
  const measured = raw.map(measure);
  const known = measured.filter((value) => value !== null);
  const mean = sum(known) / Math.max(1, known.length);
  const variance = sum(known.map((value) => (value - mean) ** 2)) / Math.max(1, known.length);
  const spread = Math.sqrt(variance) || 1;
  return raw.map((candidate, position) => {
    const value = measured[position]!;
    return { ...candidate, oddity: value === null ? null : Math.abs(value - mean) / spread };
  });
}

/** How rare a passage's words are within this book, on average. */
function wordRarity(book: Pick<Book, "chapters">): PassageMeasure {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { text } of book.chapters) {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      total++;
    }
  }
  const texts = new Map(book.chapters.map(({ index, text }) => [index, text]));
  return ({ chapter, start, end }) => {
    const words = wordsOf(texts.get(chapter)!.slice(start, end));
    return words.reduce((sum, word) => sum - Math.log((counts.get(word) ?? 1) / total), 0) / Math.max(1, words.length);
  };
}

export const ONE_CHAPTER_RULE =
  "The judge saw the opening of one chapter word for word, up to 500 words, as LongStoryEval shows it.";

/** Describes the rule in a sentence for the report; `measure` says what makes a passage distinctive. */
export function excerptRule(excerpts: readonly Excerpt[], measure: string | null): string {
  return (
    `The judge saw ${excerpts.length} excerpts word for word, from equal stretches of the book: the opening, the ending, and between ` +
    "them in turn the passage with most speech, with least, the most distinctive and the most typical one, by " +
    `${measure ?? "how rare their words are in this book"}.`
  );
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * How a judge is asked: with a rubric, which suits any model, or in the form that a model was trained on with
 * readers' reviews.
 */
export const PROTOCOLS = ["rubric", "novelcritique"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** How a book is cut and what is shown of it, where LongStoryEval and Fabula differ. */
export interface Presentation {
  /** Several passages from the whole book, or the first 500 words of one chapter. */
  readonly excerpts: "spread" | "one chapter";
  /** How many genres are listed; all of them if null. */
  readonly genres: number | null;
  /** What a judge of a segment is told about the earlier ones. */
  readonly before: "plot and characters" | "plot";
  /** Whether a short last segment is joined to the one before it. */
  readonly rest: "joined" | "apart";
}

export const OWN_PRESENTATION: Presentation = {
  excerpts: "spread",
  genres: null,
  before: "plot and characters",
  rest: "joined",
};
/** As in the authors' scripts. */
export const PAPER_PRESENTATION: Presentation = { excerpts: "one chapter", genres: 3, before: "plot", rest: "apart" };

/** What to judge and how to ask; the same for every method. */
export interface JudgeInstructions {
  readonly rubric: Rubric;
  /** The requested aspects, in the rubric's order. */
  readonly criteria: readonly Criterion[];
  /** Whether the prompt explains each aspect (LongStoryEval's ablation: small models need it, large ones hardly do). */
  readonly definitions: boolean;
  readonly language: PromptLanguage;
  readonly temperature: number;
  /** `rubric` by default; the other one is for judgements from a summary alone. */
  readonly protocol?: Protocol;
  /** Fabula's own by default. */
  readonly presentation?: Presentation;
  /** The user's own prompts; by default those that ship. */
  readonly prompts?: PromptSource;
}

/** The aspects by id, which may include sub-aspects; all top-level ones if none is named. */
export function selectCriteria(rubric: Rubric, ids: readonly string[] | null): Criterion[] {
  if (ids === null) return topLevel(rubric);
  const unknown = ids.find((id) => !rubric.criteria.some((criterion) => criterion.id === id));
  if (unknown !== undefined) {
    const known = rubric.criteria.map(({ id }) => id).join(", ");
    throw new FabulaError(
      "E_ASPECT_UNKNOWN",
      `The rubric "${rubric.id}" has no aspect "${unknown}": choose from ${known}.`,
    );
  }
  return rubric.criteria.filter(({ id }) => ids.includes(id));
}

/** `1. Plot and structure (plot): What happens …` */
export function criteriaText({ criteria, definitions }: Pick<JudgeInstructions, "criteria" | "definitions">): string {
  return criteria
    .map(({ id, name, definition }, position) => {
      const label = `${position + 1}. ${name} (${id})`;
      return definitions ? `${label}: ${definition.trim()}` : label;
    })
    .join("\n");
}

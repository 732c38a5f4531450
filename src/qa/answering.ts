import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { estimateTokens } from "../core/estimate-tokens.ts";
import { ask, type ParsedAnswer } from "../models/ask.ts";
import {
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  estimateInputTokens,
} from "../models/chat-model.ts";
import { readJsonReply, readTextReply } from "../models/read-reply.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";
import { sum } from "../stats/distribution.ts";
import type { Book } from "../text/book.ts";
import { readBook } from "../text/read-book.ts";
import { countWords } from "../text/words.ts";
import type { AnswerSetting, OverlongRule } from "./choices.ts";
import type { BookFiles } from "./dataset/book-files.ts";
import type { QaDocument } from "./dataset/document.ts";
import { porterStem } from "./metrics/meteor/porter-stem.ts";

/** A passage of a book, some paragraphs long, with its position: offsets point into the chapter's text. */
export interface Passage {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Long enough for an event with its people, short enough that a dozen fit into any model. */
const PASSAGE_WORDS = 180;

/**
 * Cuts each chapter between paragraphs into passages of about the same length. Each knows its chapter and its place in
 * the chapter's text.
 *
 * @example
 * ```ts
 * const passages = passagesOf(await readBook("novel.epub"));
 * console.log(passages.length, passages[0]?.chapter, passages[0]?.text);
 * ```
 */
export function passagesOf(book: Pick<Book, "chapters">): Passage[] {
  return book.chapters.flatMap(({ index, text }) => {
    const passages: Passage[] = [];
    let start = 0;
    let words = 0;
    for (const { from, end } of paragraphs(text)) {
      if (words === 0) start = from;
      words += countWords(text.slice(from, end));
      if (words >= PASSAGE_WORDS) {
        passages.push({ chapter: index, start, end, text: text.slice(start, end) });
        words = 0;
      }
    }
    if (words > 0) passages.push({ chapter: index, start, end: text.length, text: text.slice(start) });
    return passages;
  });
}

/** Paragraphs; one that is much longer than a passage is split. */
function* paragraphs(text: string): Generator<{ from: number; end: number }> {
  const LONGEST = PASSAGE_WORDS * 12;
  for (let from = 0; from < text.length; ) {
    const gap = text.indexOf("\n\n", from);
    const paragraphEnd = gap < 0 ? text.length : gap;
    const space = text.lastIndexOf(" ", from + LONGEST);
    const cut = paragraphEnd - from <= LONGEST ? paragraphEnd : space > from ? space : from + LONGEST;
    yield { from, end: cut };
    from = cut === paragraphEnd ? paragraphEnd + 2 : cut + (text[cut] === " " ? 1 : 0);
  }
}

/**
 * The usual constants of Okapi BM25: how soon a repeated word stops counting, and how much long passages are
 * penalised.
 */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** The passages that match a question best, in the order of the book. */
export type PassageSearch = (question: string, count: number) => Passage[];

/**
 * Prepares a search over a book's passages; the result takes a question and how many passages to return, in the order
 * of the book. BM25 (Robertson and Zaragoza, 2009) over word stems. It runs on nothing but the text, so an answer can
 * be traced to the passages it came from on any machine. Words that stand in most passages ("the", "he") weigh next to
 * nothing by the formula itself; no list of stop words is needed.
 *
 * @example
 * ```ts
 * const find = searchPassages(passagesOf(book));
 * for (const { chapter, text } of find("Who rings the bell?", 5)) console.log(chapter, text);
 * ```
 */
export function searchPassages(passages: readonly Passage[]): PassageSearch {
  const postings = new Map<string, { passage: number; count: number }[]>();
  const lengths = passages.map(({ text }, passage) => {
    const terms = termsOf(text);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const list = postings.get(term);
      if (list) list.push({ passage, count });
      else postings.set(term, [{ passage, count }]);
    }
    return terms.length;
  });
  const averageLength = sum(lengths) / Math.max(1, lengths.length);

  return (question, count) => {
    const scores = new Map<number, number>();
    for (const term of new Set(termsOf(question))) {
      const list = postings.get(term) ?? [];
      const rarity = Math.log(1 + (passages.length - list.length + 0.5) / (list.length + 0.5));
      for (const { passage, count: found } of list) {
        const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * lengths[passage]!) / averageLength;
        const weight = (found * (SATURATION + 1)) / (found + SATURATION * length);
        scores.set(passage, (scores.get(passage) ?? 0) + rarity * weight);
      }
    }
    return [...scores]
      .sort(([leftPassage, left], [rightPassage, right]) => right - left || leftPassage - rightPassage)
      .slice(0, count)
      .map(([passage]) => passage)
      .sort((left, right) => left - right)
      .map((passage) => passages[passage]!);
  };
}

function termsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(porterStem);
}

export interface SeenText {
  readonly text: string;
  /** The share of the book's characters, from 0 to 1. */
  readonly share: number;
}

/** A book's whole text, and the longest part of it that fits. */
export interface OpenText {
  readonly text: string;
  fitting(question: string, tokens: number, rule: Exclude<OverlongRule, "refuse">): SeenText;
}

/** The number of passages that indicate where the answer may be; the first counts most. */
const LANDMARKS = 24;

export function openText(book: Book): OpenText {
  const chapters = book.chapters.map(({ title, text }) => (title ? `${title}\n\n${text}` : text));
  const text = chapters.join(GAP);
  let find: ((question: string) => number[]) | null = null;
  return {
    text,
    fitting(question, tokens, rule) {
      if (estimateTokens(text) <= tokens) return { text, share: 1 };
      find ??= landmarkFinder(book, chapters);
      const length = charactersFor(text, tokens);
      const start = rule === "truncate" ? 0 : bestStart(find(question), length, text.length);
      const seen = wholeParagraphs(text, start, length);
      return { text: seen, share: seen.length / text.length };
    },
  };
}

const GAP = "\n\n\n";

/** Where in the joined text the passages begin that match a question best. */
function landmarkFinder(book: Book, chapters: readonly string[]): (question: string) => number[] {
  const offsets = new Map<number, number>();
  let offset = 0;
  book.chapters.forEach(({ index, text }, at) => {
    const whole = chapters[at]!;
    offsets.set(index, offset + whole.length - text.length);
    offset += whole.length + GAP.length;
  });
  const search = searchPassages(passagesOf(book));
  return (question) => search(question, LANDMARKS).map(({ chapter, start }) => offsets.get(chapter)! + start);
}

/** The start of the window that holds most landmarks; a quarter of the window precedes the first of them. */
function bestStart(landmarks: readonly number[], length: number, whole: number): number {
  let best = { start: 0, inside: 0 };
  for (const first of landmarks) {
    const start = Math.max(0, Math.min(whole - length, first - Math.floor(length / 4)));
    const inside = landmarks.filter((place) => place >= start && place < start + length).length;
    if (inside > best.inside) best = { start, inside };
  }
  return best.start;
}

/**
 * How many characters of this text make so many tokens, by binary search, since scripts differ in letters per token.
 */
function charactersFor(text: string, tokens: number): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return low;
}

function wholeParagraphs(text: string, from: number, length: number): string {
  const start = from === 0 ? 0 : text.indexOf("\n\n", from) + 1 || from;
  const limit = from + length;
  const end = limit >= text.length ? text.length : text.lastIndexOf("\n\n", limit);
  return text.slice(start, end > start ? end : limit).trim();
}

/** What a model may read to answer. */
export type AnswerMaterial =
  | { readonly setting: "open"; readonly book: OpenText }
  | { readonly setting: "retrieval"; readonly passages: readonly Passage[] }
  | { readonly setting: "summary"; readonly summary: string }
  | { readonly setting: "closed" };

/** `quoted`: the model cites this passage for its answer. */
export interface QuotedPassage extends Passage {
  readonly quoted: boolean;
}

export type Answer =
  | {
      readonly kind: "answered";
      readonly prediction: string;
      readonly passages?: readonly QuotedPassage[];
      /** In the open setting, the share of the book that the model was shown. */
      readonly seen?: number;
    }
  | { readonly kind: "unanswered"; readonly reason: string };

const answerSchema = z.object({ answer: z.string() });
const quotingSchema = z.object({ answer: z.string(), passages: z.array(z.number().int()) });
const REPLY_TOKENS = 300;

export interface AskedQuestion {
  readonly title: string;
  readonly question: string;
  readonly material: AnswerMaterial;
  /** How to treat a book that does not fit whole; it is refused by default. */
  readonly overlong?: OverlongRule;
}

/**
 * Asks a model one question about a book, with only the material given: the whole text, passages, a summary, or nothing
 * but the title. A failed call, a refusal or a book that does not fit is `unanswered` with the reason, never a wrong
 * answer; a wrong key is thrown.
 *
 * @example
 * ```ts
 * const passages = searchPassages(passagesOf(book))(question, 8);
 * const asked = { title: "The Salt Road", question, material: { setting: "retrieval", passages } } as const;
 * const answer = await answerQuestion(model, asked, AbortSignal.timeout(60_000));
 * if (answer.kind === "answered") console.log(answer.prediction);
 * ```
 */
export async function answerQuestion(model: ChatModel, asked: AskedQuestion, signal: AbortSignal): Promise<Answer> {
  const { title, question, material, overlong = "refuse" } = asked;
  const shown = async (text: string) => requestWith(await messagesFor(title, question, material, text));
  const whole = material.setting === "open" ? material.book.text : "";
  let request = await shown(whole);
  let seen = 1;
  const room = model.contextTokens === null ? Infinity : model.contextTokens - REPLY_TOKENS;
  if (estimateInputTokens(request) > room) {
    const taken = `the ${model.contextTokens} tokens that ${model.id} takes`;
    if (material.setting !== "open") return unanswered(`the material does not fit into ${taken}`);
    if (overlong === "refuse") {
      return unanswered(
        `the book does not fit into ${taken}: give --overlong truncate or window, or --setting retrieval`,
      );
    }
    const rest = estimateInputTokens(await shown(""));
    const { text, share } = material.book.fitting(question, room - rest, overlong);
    if (text === "") return unanswered(`nothing of the book fits into ${taken}`);
    request = await shown(text);
    seen = share;
  }
  const schema = material.setting === "retrieval" ? quotingSchema : answerSchema;
  const answer = await ask(model, { ...request, shape: { name: "answer", schema }, read: readAnswer }, signal);
  if (answer.kind === "unanswered") return unanswered(answer.reason);
  const prediction = answer.value.answer.trim();
  if (material.setting === "open") return { kind: "answered", prediction, seen };
  if (material.setting !== "retrieval") return { kind: "answered", prediction };
  const quoted = new Set(answer.value.passages);
  const passages = material.passages.map((passage, index) => ({ ...passage, quoted: quoted.has(index + 1) }));
  return { kind: "answered", prediction, passages };
}

const acceptedSchema = z.object({ answer: z.string(), passages: z.array(z.number()).catch([]) });

/** Reads the requested JSON; in a reply without JSON, the plain words are the answer. */
function readAnswer(reply: ChatReply, prompt: readonly ChatMessage[]): ParsedAnswer<z.infer<typeof acceptedSchema>> {
  const json = readJsonReply(reply, acceptedSchema, prompt);
  if (json.kind === "read" || json.why !== "no-json") return json;
  const text = readTextReply(reply);
  return text.kind === "read" ? { kind: "read", value: { answer: text.value, passages: [] } } : text;
}

function requestWith(messages: ChatRequest["messages"]): ChatRequest {
  return { purpose: "answerer", messages, temperature: 0, maximumTokens: REPLY_TOKENS, sample: 0 };
}

function unanswered(reason: string): Answer {
  return { kind: "unanswered", reason };
}

async function messagesFor(title: string, question: string, material: AnswerMaterial, text: string) {
  const about = { title: title || "(untitled)", question };
  switch (material.setting) {
    case "open":
      return renderPrompt(await loadPrompt("qa-answer", "en"), { ...about, text });
    case "summary":
      return renderPrompt(await loadPrompt("qa-answer", "en"), { ...about, summary: material.summary });
    case "closed":
      return renderPrompt(await loadPrompt("qa-answer", "en"), about);
    case "retrieval": {
      const passages = material.passages.map(({ text }, index) => `[${index + 1}] ${text}`).join("\n\n");
      return renderPrompt(await loadPrompt("qa-answer-from-passages", "en"), { ...about, passages });
    }
    default:
      return material satisfies never;
  }
}

/** The material that one book offers for each of its questions, or why there is none. It is read once per book. */
export type MaterialSource =
  | { readonly kind: "ready"; materialFor(question: string): AnswerMaterial }
  | { readonly kind: "missing"; readonly reason: string };

export interface MaterialOptions {
  readonly setting: AnswerSetting;
  /** Needed for `open` and `retrieval`. */
  readonly files: BookFiles | null;
  /** How many passages are retrieved per question. */
  readonly passageCount: number;
}

export async function materialOf(document: QaDocument, options: MaterialOptions): Promise<MaterialSource> {
  const { setting } = options;
  switch (setting) {
    case "closed":
      return { kind: "ready", materialFor: () => ({ setting }) };
    case "summary": {
      const summary = document.summary.trim();
      if (summary === "") return { kind: "missing", reason: "the book has no summary" };
      return { kind: "ready", materialFor: () => ({ setting, summary }) };
    }
    case "open":
    case "retrieval": {
      const file = options.files?.(document) ?? null;
      if (file === null) return { kind: "missing", reason: "the folder of texts has no file for this book" };
      return fromFile(file, setting, options.passageCount);
    }
    default:
      return setting satisfies never;
  }
}

async function fromFile(file: string, setting: "open" | "retrieval", passageCount: number): Promise<MaterialSource> {
  try {
    const book = await readBook(file);
    return setting === "open" ? wholeText(book) : passagesOnly(book, passageCount);
  } catch (error) {
    if (error instanceof FabulaError) return { kind: "missing", reason: error.message };
    throw error;
  }
}

function wholeText(book: Book): MaterialSource {
  const material = { setting: "open", book: openText(book) } as const;
  return { kind: "ready", materialFor: () => material };
}

function passagesOnly(book: Book, count: number): MaterialSource {
  const passages = passagesOf(book);
  const search = searchPassages(passages);
  return {
    kind: "ready",
    materialFor: (question) => {
      const found = search(question, count);
      // For a question that shares no word with the book, the opening is used, where people and places are
      // introduced.
      return { setting: "retrieval", passages: found.length > 0 ? found : passages.slice(0, count) };
    },
  };
}

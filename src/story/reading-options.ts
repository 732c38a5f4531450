import { FabulaError } from "../core/errors.ts";
import { estimateTokens } from "../core/estimate-tokens.ts";
import { judgeInWords } from "../core/wording.ts";
import { bookText } from "../judge/material.ts";
import type { Depth } from "../judge/methods/method.ts";
import type { Answer } from "../models/ask.ts";
import type { ChatModel, ChatReply } from "../models/chat-model.ts";
import { judgeNameOf } from "../models/judge-name.ts";
import { type PromptLanguage, promptLanguage } from "../prompts/load-prompt.ts";
import type { PromptSource } from "../prompts/own-prompts.ts";
import { readManuscript } from "../prose/map/book-prose.ts";
import { sum } from "../stats/distribution.ts";
import type { Book } from "../text/book.ts";
import type { Claim, RefutedClaim } from "./claim.ts";
import type { QuotationCheck } from "./locate.ts";

export interface CloseReadingOptions {
  readonly model: ChatModel;
  readonly language: PromptLanguage;
  /** The language to answer in, where the prompts are in another. */
  readonly replyLanguage: string | null;
  readonly prompts?: PromptSource | undefined;
  readonly temperature: number;
  /** `full` reads every chapter alone as well, and asks about the notes beside the book. */
  readonly depth: Depth;
  /** Which reading this is: another number is another sample, asked and paid for by itself. */
  readonly sample: number;
  /** People who are mentioned so often that a story without them has missed something: counted when there is a story. */
  readonly mainPeople: () => readonly string[];
  /** Verdicts on claims of an earlier reading whose passages have not changed. */
  readonly known?: (claim: Claim) => RefutedClaim | null;
  readonly onStep?: (step: string, done: number, total: number) => void;
  /** What an answer claims, as it comes: nothing of it has been checked yet. */
  readonly onFound?: (claims: readonly FoundClaim[]) => void;
}

/** A claim that a reading has just made. */
export interface FoundClaim {
  readonly title: string;
  readonly chapters: readonly number[];
}

/** Room for a reply: a long list of claims takes about half of it. */
export const CLAIMS_TOKENS = 16_000;

/** What a reply may take of a short context: the other half is for the question and what it is asked about. */
export function roomForReply({ contextTokens }: Pick<ChatModel, "contextTokens">, most: number): number {
  return contextTokens === null ? most : Math.min(most, Math.floor(contextTokens / 2));
}

/** Whether a book and a question about it fit the model's context. Null context: it is not known, so it is tried. */
export function fitsWhole(book: Pick<Book, "chapters">, model: ChatModel, language: PromptLanguage): boolean {
  return model.contextTokens === null || estimateTokens(bookText(book, language)) <= roomFor(model);
}

/** Of all mentions of people, how many make somebody too large to be left out of the story. */
const LARGE_SHARE = 0.03;

/** What a close reading is told about the book that counting knows. It is counted once, when first asked for. */
export function countedAbout(book: Book): Pick<CloseReadingOptions, "mainPeople" | "replyLanguage"> {
  const isAsked = promptLanguage(book.language) === (book.language ?? "en").slice(0, 2);
  let people: readonly string[] | undefined;
  return {
    mainPeople: () => (people ??= mainPeopleOf(book)),
    replyLanguage: isAsked ? null : (new Intl.DisplayNames(["en"], { type: "language" }).of(book.language!) ?? null),
  };
}

function mainPeopleOf({ language, chapters, characterCorrections }: Book): string[] {
  // Names are read in English alone.
  if (language !== null && language !== "en") return [];
  const people = readManuscript(chapters, characterCorrections).dialogue.cast.characters;
  const mentions = sum(people.map((person) => person.mentions.length));
  return people.filter((person) => person.mentions.length >= LARGE_SHARE * mentions).map(({ name }) => name);
}

/** The model with the context length that the user gave for it. */
export function withContext(model: ChatModel, contextTokens: number | undefined): ChatModel {
  return contextTokens === undefined ? model : { ...model, contextTokens };
}

/** A chapter, a question about it and a short reply. */
const FEWEST_TOKENS = 8000;

/** A context that holds no chapter would make every question fail. */
export function requireContext({ id, contextTokens }: Pick<ChatModel, "id" | "contextTokens">): void {
  if (contextTokens === null || contextTokens >= FEWEST_TOKENS) return;
  throw new FabulaError(
    "E_MODEL_WEAK",
    `${id} takes ${contextTokens.toLocaleString("en-GB")} tokens at a time, too few for a close reading: give --method summary, which shows it the book in pieces that fit, or a model with a longer context.`,
  );
}

/** Of a model that reads, nearly every quotation stands in the book; with fewer than this, its claims are worth nothing. */
const LEAST_FOUND = 0.6;
/** So few quotations say nothing about a model. */
const ENOUGH_QUOTATIONS = 8;

/** A model that quotes what is not there cannot do this work, and more questions would only cost more. */
export function requireQuotations({ isPlan, quotations, missing }: QuotationCheck, model: string): void {
  if (isPlan) return;
  if (quotations < ENOUGH_QUOTATIONS || (quotations - missing) / quotations >= LEAST_FOUND) return;
  throw new FabulaError(
    "E_MODEL_WEAK",
    `${model} is too weak for a close reading: ${missing} of its ${quotations} quotations do not stand in the book. Use a stronger model, give --method summary, or ask everything once more with --refresh; otherwise what was asked so far is used again and not paid again.`,
  );
}

/**
 * A model whose first reply cannot be read, and neither can the second, would be paid for nothing. A refusal, a reply that was
 * cut and a call that failed say nothing about what it can do.
 */
export function requireReadable(
  { reason, refused, attempts }: Extract<Answer<unknown>, { kind: "unanswered" }>,
  model: string,
): void {
  if (refused || attempts.length === 0 || attempts.some(({ stop }) => stop !== "stop")) return;
  throw new FabulaError(
    "E_MODEL_WEAK",
    `${judgeInWords(model)} did not answer the first question of a close reading in a form that can be read: ${reason}${beginning(reason, attempts)}. Nothing more was asked, and what came back is not used again. ${isProgram(model) ? "Try the program in a terminal, then run" : "Run"} the same command again to ask once more, use a stronger model, or give --method summary.`,
  );
}

const SHOWN_WORDS = 12;

/** How the last reply began, where the reason does not show it. */
function beginning(reason: string, attempts: readonly ChatReply[]): string {
  const words = attempts.at(-1)?.text.trim().split(/\s+/) ?? [];
  if (reason.includes("“") || words.length === 0) return "";
  return ` (it began “${words.slice(0, SHOWN_WORDS).join(" ")}${words.length > SHOWN_WORDS ? " …" : ""}”)`;
}

function isProgram(model: string): boolean {
  return judgeNameOf(model)?.provider === "command";
}

/** How many tokens of text or notes can be shown beside a question. */
export function roomFor(model: ChatModel): number {
  if (model.contextTokens === null) return Number.POSITIVE_INFINITY;
  return model.contextTokens - roomForReply(model, CLAIMS_TOKENS) - 3000;
}

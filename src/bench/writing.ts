import { type Rubric, topLevel } from "../criteria/rubric.ts";
import { ask, type ParsedAnswer } from "../models/ask.ts";
import type { ChatModel, ChatReply, TokenUsage } from "../models/chat-model.ts";
import { refusalIn, splitReasoning } from "../models/read-reply.ts";
import type { PromptSource } from "../prompts/own-prompts.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";
import { sum } from "../stats/distribution.ts";
import { countWords } from "../text/words.ts";
import type { WrittenRow } from "./bench-folder.ts";
import type { Synopsis } from "./synopsis.ts";
import { wordsIn } from "./words.ts";

export interface WritingOptions {
  readonly language: string | null;
  readonly maximumTokens: number;
  readonly temperature: number;
  readonly words: number;
  readonly prompts: PromptSource;
}

export type WrittenChapter =
  | { readonly kind: "written"; readonly text: string; readonly cutOff: boolean; readonly usage: TokenUsage }
  | { readonly kind: "failed"; readonly reason: string; readonly refused: boolean };

/**
 * Has a writer model expand a synopsis into a chapter. A text cut off by the token limit is kept and marked, since it
 * is what the model wrote.
 */
export async function writeChapter(
  model: ChatModel,
  synopsis: Synopsis,
  rubric: Rubric,
  options: WritingOptions,
  signal: AbortSignal,
): Promise<WrittenChapter> {
  const template = await options.prompts("bench-write", options.language);
  const messages = renderPrompt(template, {
    characters: synopsis.characters.map(({ name, about }) => `${name}: ${about}`).join("\n"),
    plot: synopsis.plot.join("\n"),
    scenes: synopsis.scenes.join("\n"),
    criteria: topLevel(rubric)
      .map(({ name, definition }) => `- ${name}: ${definition}`)
      .join("\n"),
    words: String(options.words),
  });
  const question = {
    purpose: "writer",
    messages,
    temperature: options.temperature,
    maximumTokens: options.maximumTokens,
    sample: 0,
    // The first answer is what is measured; no writer gets a second chance.
    askAgain: false,
    read: readChapter,
  } as const;
  const answer = await ask(model, question, signal);
  if (answer.kind === "answered") return { kind: "written", ...answer.value };
  return { kind: "failed", reason: answer.reason, refused: answer.refused };
}

export function readChapter(
  reply: ChatReply,
): ParsedAnswer<Omit<Extract<WrittenChapter, { kind: "written" }>, "kind">> {
  const text = splitReasoning(reply.text).answer;
  const refusal = refusalIn(reply, text);
  if (refusal) return refusal;
  if (text === "") return { kind: "unreadable", why: "no-json", reason: "the writer returned nothing" };
  return { kind: "read", value: { text, cutOff: reply.stop === "length", usage: reply.usage } };
}

/** How often a writer refused, was cut off or missed the length: read this before its level. */
export interface WritingRates {
  readonly asked: number;
  readonly unwritten: number;
  readonly refused: number;
  /** How many chapters ended at the token limit. */
  readonly cutOff: number;
  /** How many are shorter than half or longer than twice the requested length. */
  readonly offLength: number;
  readonly meanWords: number | null;
}

export function writingRates(rows: readonly WrittenRow[], words: number): WritingRates {
  const lengths = rows.flatMap(({ text }) => (text === null ? [] : [countWords(text)]));
  return {
    asked: rows.length,
    unwritten: rows.length - lengths.length,
    refused: rows.filter(({ refused }) => refused).length,
    cutOff: rows.filter(({ cutOff }) => cutOff).length,
    offLength: lengths.filter((length) => length < words / 2 || length > words * 2).length,
    meanWords: lengths.length === 0 ? null : sum(lengths) / lengths.length,
  };
}

/** One sentence about this; null if there is nothing to say. */
export function ratesInWords(writer: string, rates: WritingRates, language?: string): string | null {
  return wordsIn(language).rates(writer, rates);
}

/** From this share of chapters on, such faults become a warning above the table. */
const NOTABLE = 0.1;

/** Warns about writers with many chapters that were cut off, refused, missing or of another length. */
export function conductWarnings(
  writers: readonly { readonly writer: string; readonly rates: WritingRates }[],
  language?: string,
): string[] {
  return writers.flatMap(({ writer, rates }) => {
    const { asked, cutOff, unwritten, offLength } = rates;
    return Math.max(cutOff, unwritten, offLength) < NOTABLE * asked
      ? []
      : (ratesInWords(writer, rates, language) ?? []);
  });
}

import type { Rubric } from "../../criteria/rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import { ask, type Reading } from "../../models/ask.ts";
import type { ChatModel, ChatReply, TokenUsage } from "../../models/chat-model.ts";
import { refusalIn, splitReasoning } from "../../models/read-reply.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";
import type { Synopsis } from "../synopsis/make-synopsis.ts";

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

/** A writer model expands a synopsis into a chapter. A text cut off by the token limit is kept and marked: it is what it wrote. */
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
    // What a writer gives is what is measured: nobody gets a second chance.
    askAgain: false,
    read: readChapter,
  } as const;
  const answer = await ask(model, question, signal);
  if (answer.kind === "answered") return { kind: "written", ...answer.value };
  return { kind: "failed", reason: answer.reason, refused: answer.refused };
}

function readChapter(reply: ChatReply): Reading<Omit<Extract<WrittenChapter, { kind: "written" }>, "kind">> {
  const text = splitReasoning(reply.text).answer;
  const refusal = refusalIn(reply, text);
  if (refusal) return refusal;
  if (text === "") return { kind: "unreadable", why: "no-json", reason: "the writer returned nothing" };
  return { kind: "read", value: { text, cutOff: reply.stop === "length", usage: reply.usage } };
}

import type { Rubric } from "../../criteria/rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import type { ChatModel, TokenUsage } from "../../models/chat-model.ts";
import { splitReasoning } from "../../models/split-reasoning.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";
import { replyOrReason } from "../reply-or-reason.ts";
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
  const asked = await replyOrReason(
    model,
    { purpose: "writer", messages, temperature: options.temperature, maximumTokens: options.maximumTokens, sample: 0 },
    signal,
  );
  if (asked.kind === "failed") return { ...asked, refused: false };
  const { reply } = asked;
  if (reply.stop === "refusal") return { kind: "failed", reason: "the writer refused", refused: true };
  const text = splitReasoning(reply.text).answer;
  if (text === "") return { kind: "failed", reason: "the writer returned nothing", refused: false };
  return { kind: "written", text, cutOff: reply.stop === "length", usage: reply.usage };
}

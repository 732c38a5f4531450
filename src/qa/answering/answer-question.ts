import { z } from "zod";
import { askForJson } from "../../models/ask-for-json.ts";
import type { ChatModel, ChatRequest } from "../../models/chat-model.ts";
import { estimateInputTokens } from "../../models/estimate-tokens.ts";
import { ModelError } from "../../models/model-error.ts";
import { loadPrompt } from "../../prompts/load-prompt.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";
import type { Passage } from "./passages.ts";

/** What a model may look at when it answers. */
export type AnswerMaterial =
  | { readonly setting: "open"; readonly text: string }
  | { readonly setting: "retrieval"; readonly passages: readonly Passage[] }
  | { readonly setting: "summary"; readonly summary: string }
  | { readonly setting: "closed" };

export const SETTINGS = [
  "open",
  "retrieval",
  "summary",
  "closed",
] as const satisfies readonly AnswerMaterial["setting"][];
export type AnswerSetting = AnswerMaterial["setting"];

/** `quoted`: the model says that its answer rests on this passage. */
export interface QuotedPassage extends Passage {
  readonly quoted: boolean;
}

export type Answer =
  | { readonly kind: "answered"; readonly prediction: string; readonly passages?: readonly QuotedPassage[] }
  | { readonly kind: "unanswered"; readonly reason: string };

const answerSchema = z.object({ answer: z.string() });
const quotingSchema = z.object({ answer: z.string(), passages: z.array(z.number().int()) });
const REPLY_TOKENS = 300;

/** Answers one question. A book that does not fit into the model whole is refused, never cut: half a book is another test. */
export async function answerQuestion(
  model: ChatModel,
  {
    title,
    question,
    material,
  }: { readonly title: string; readonly question: string; readonly material: AnswerMaterial },
  signal: AbortSignal,
): Promise<Answer> {
  const request: Omit<ChatRequest, "schema"> = {
    purpose: "answerer",
    messages: await messagesFor(title, question, material),
    temperature: 0,
    maximumTokens: REPLY_TOKENS,
    sample: 0,
  };
  const tokens = estimateInputTokens(request) + REPLY_TOKENS;
  if (model.contextTokens !== null && tokens > model.contextTokens) {
    return unanswered(`about ${tokens} tokens do not fit into the ${model.contextTokens} of ${model.id}`);
  }
  try {
    if (material.setting === "retrieval") {
      const { reading } = await askForJson(model, request, { name: "answer", schema: quotingSchema }, signal);
      if (reading.kind === "unreadable") return unanswered(reading.reason);
      const quoted = new Set(reading.value.passages);
      const passages = material.passages.map((passage, index) => ({ ...passage, quoted: quoted.has(index + 1) }));
      return { kind: "answered", prediction: reading.value.answer.trim(), passages };
    }
    const { reading } = await askForJson(model, request, { name: "answer", schema: answerSchema }, signal);
    if (reading.kind === "unreadable") return unanswered(reading.reason);
    return { kind: "answered", prediction: reading.value.answer.trim() };
  } catch (error) {
    if (error instanceof ModelError) return unanswered(error.message);
    throw error;
  }
}

function unanswered(reason: string): Answer {
  return { kind: "unanswered", reason };
}

async function messagesFor(title: string, question: string, material: AnswerMaterial) {
  const about = { title: title || "(untitled)", question };
  switch (material.setting) {
    case "open":
      return renderPrompt(await loadPrompt("qa-answer", "en"), { ...about, text: material.text });
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

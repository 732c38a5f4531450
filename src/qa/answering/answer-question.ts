import { z } from "zod";
import { ask, type Reading } from "../../models/ask.ts";
import type { ChatMessage, ChatModel, ChatReply, ChatRequest } from "../../models/chat-model.ts";
import { estimateInputTokens } from "../../models/estimate-tokens.ts";
import { readJsonReply, readTextReply } from "../../models/read-reply.ts";
import { loadPrompt } from "../../prompts/load-prompt.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";
import type { OverlongRule } from "../choices.ts";
import type { OpenText } from "./open-text.ts";
import type { Passage } from "./passages.ts";

/** What a model may look at when it answers. */
export type AnswerMaterial =
  | { readonly setting: "open"; readonly book: OpenText }
  | { readonly setting: "retrieval"; readonly passages: readonly Passage[] }
  | { readonly setting: "summary"; readonly summary: string }
  | { readonly setting: "closed" };

/** `quoted`: the model says that its answer rests on this passage. */
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
  /** What happens to a book that does not fit whole; it is refused by default. */
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

/** The JSON asked for, or plain words: a reply that holds no JSON is itself the answer. */
function readAnswer(reply: ChatReply, prompt: readonly ChatMessage[]): Reading<z.infer<typeof acceptedSchema>> {
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

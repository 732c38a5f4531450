import type { z } from "zod";
import { rubricHash } from "../criteria/rubric.ts";
import { askForJson } from "../models/ask-for-json.ts";
import type { CallPurpose, ChatModel, ChatRequest } from "../models/chat-model.ts";
import { estimateInputTokens } from "../models/estimate-tokens.ts";
import { ModelError } from "../models/model-error.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import { type PromptSource, shippedPrompts } from "../prompts/own-prompts.ts";
import { type PromptValues, renderPrompt } from "../prompts/render-prompt.ts";
import type { Answer } from "./answer.ts";
import { askForReview } from "./ask-for-review.ts";
import { type JudgeReply, judgeReplySchema } from "./judge-reply.ts";
import { criteriaText, type Judging } from "./material/judging.ts";

export type { Answer } from "./answer.ts";

export interface Question<T> {
  readonly prompt: string;
  readonly language: PromptLanguage;
  /** Where the prompt comes from: those that ship, unless given. */
  readonly prompts?: PromptSource | undefined;
  readonly values: PromptValues;
  readonly purpose: CallPurpose;
  readonly shape: { readonly name: string; readonly schema: z.ZodType<T> };
  readonly maximumTokens: number;
  readonly temperature: number;
  readonly sample: number;
  /** What else the answer depends on, beyond the words of the prompt. */
  readonly basis?: string;
}

/**
 * Asks one question. What does not fit the model's context is not sent, let alone cut: it is unread, with the reason. A
 * call that fails is unread too; only what no other call could survive (a wrong key, an interruption) is thrown.
 */
export async function ask<T>(model: ChatModel, question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
  const template = await (question.prompts ?? shippedPrompts)(question.prompt, question.language);
  const request: ChatRequest = {
    purpose: question.purpose,
    messages: renderPrompt(template, question.values),
    temperature: question.temperature,
    maximumTokens: question.maximumTokens,
    sample: question.sample,
    // Servers that know seeds give every run its own sample and the same one again.
    seed: question.sample + 1,
    basis: [template.hash, question.basis].filter(Boolean).join(":"),
  };
  if (model.contextTokens !== null) {
    const needed = estimateInputTokens(request) + question.maximumTokens;
    if (needed > model.contextTokens) {
      return unread(`it does not fit: about ${needed} tokens, and ${model.id} takes ${model.contextTokens}`);
    }
  }
  try {
    const { reading } = await askForJson(model, request, question.shape, signal);
    return reading.kind === "read" ? reading : unread(reading.reason);
  } catch (error) {
    if (error instanceof ModelError && !error.hopeless && error.failure !== "interrupted") return unread(error.message);
    throw error;
  }
}

/** Room for a reply: twice what one usually takes. */
const TOKENS_PER_ASPECT = { full: 400, brief: 200 } as const;
const TOKENS_FOR_THE_WHOLE = 500;

/** Asks for a verdict on every aspect. */
export async function askJudge(
  judge: ChatModel,
  judging: Judging,
  question: {
    readonly prompt: string;
    readonly values: PromptValues;
    readonly sample: number;
    readonly length?: keyof typeof TOKENS_PER_ASPECT;
  },
  signal: AbortSignal,
): Promise<Answer<JudgeReply>> {
  const { rubric, criteria, language, temperature, prompts } = judging;
  const { minimum, maximum } = rubric.scale;
  const { sample } = question;
  const values = { criteria: criteriaText(judging), minimum, maximum, ...question.values };
  const maximumTokens = TOKENS_FOR_THE_WHOLE + TOKENS_PER_ASPECT[question.length ?? "full"] * criteria.length;
  const basis = rubricHash(rubric);
  const template = await prompts?.(question.prompt, language);
  if (template?.reply === "review") {
    return askForReview(judge, judging, { template, values, maximumTokens, sample, basis }, signal);
  }
  const shape = { name: "evaluation", schema: judgeReplySchema(judging) };
  const asked = {
    prompt: question.prompt,
    language,
    prompts,
    values,
    shape,
    maximumTokens,
    temperature,
    sample,
    basis,
  };
  return ask(judge, { ...asked, purpose: "judge" }, signal);
}

function unread(reason: string): Answer<never> {
  return { kind: "unread", reason };
}

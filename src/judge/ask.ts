import { rubricHash } from "../criteria/rubric.ts";
import { type Answer, ask, type ParsedAnswer, type Question } from "../models/ask.ts";
import type { ChatMessage, ChatModel, ChatReply } from "../models/chat-model.ts";
import { refusalIn } from "../models/read-reply.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import { type PromptSource, shippedPrompts } from "../prompts/own-prompts.ts";
import { type PromptValues, renderPrompt } from "../prompts/render-prompt.ts";
import { completed, type JudgeReply, judgeReplySchema, readJudgeReply, readReview, restSchema } from "./judge-reply.ts";
import { contextSizes, criteriaText, type JudgeInstructions } from "./material.ts";

/** A question given by the name of its prompt. */
export interface PromptQuestion<T> extends Omit<Question<T>, "messages" | "seed"> {
  readonly prompt: string;
  readonly language: PromptLanguage;
  /** Where the prompt comes from; by default, those that ship. */
  readonly prompts?: PromptSource | undefined;
  readonly values: PromptValues;
}

/** The end of a whole book in a prompt: everything up to here is the same for every question about the book. */
const SHARED_MATERIAL = /<<<END (?:book|notes) [0-9a-f]{16}>>>/;

/** Renders a prompt as a question. The answer depends on the prompt's version, and each run is a separate sample. */
async function promptQuestion<T>({
  prompt,
  prompts = shippedPrompts,
  values,
  ...question
}: PromptQuestion<T>): Promise<Question<T>> {
  const template = await prompts(prompt, question.language);
  const messages = renderPrompt(template, values);
  const shared = SHARED_MATERIAL.exec(messages.at(-1)!.content);
  return {
    ...question,
    messages,
    ...(shared && { sharedPrefix: shared.index + shared[0].length }),
    // With servers that support seeds, every run gets its own sample, which can be reproduced.
    seed: question.sample + 1,
    basis: [template.hash, question.basis].filter(Boolean).join(":"),
  };
}

/** Renders a prompt and asks. */
export async function askPrompt<T>(
  model: ChatModel,
  question: PromptQuestion<T>,
  signal: AbortSignal,
): Promise<Answer<T>> {
  return ask(model, await promptQuestion(question), signal);
}

/** Room for a reply: twice the usual length. */
const TOKENS_PER_ASPECT = { close: 750, full: 400, brief: 200 } as const;
const TOKENS_FOR_THE_WHOLE = 500;

/** The question for a verdict on every aspect. */
export async function judgeQuestion(
  judge: ChatModel,
  instructions: JudgeInstructions,
  question: {
    readonly prompt: string;
    readonly values: PromptValues;
    readonly sample: number;
    readonly length?: keyof typeof TOKENS_PER_ASPECT;
  },
): Promise<Question<JudgeReply>> {
  const { rubric, criteria, language, temperature, prompts } = instructions;
  const { minimum, maximum } = rubric.scale;
  const { prompt, sample, length = "full" } = question;
  const { replyTokens } = contextSizes(judge.contextTokens);
  const tokensFor = (aspects: number) =>
    Math.min(replyTokens, TOKENS_FOR_THE_WHOLE + TOKENS_PER_ASPECT[length] * aspects);
  const asked = {
    prompt,
    language,
    prompts,
    values: { criteria: criteriaText(instructions), minimum, maximum, ...question.values },
    purpose: "judge",
    maximumTokens: tokensFor(criteria.length),
    ...(length === "close" && { usualTokens: Math.round(0.7 * tokensFor(criteria.length)) }),
    temperature,
    sample,
    basis: rubricHash(rubric),
  } as const;
  const template = await prompts?.(prompt, language);
  if (template?.reply === "review") return promptQuestion(reviewQuestion(instructions, asked));
  const read = (reply: ChatReply, messages: readonly ChatMessage[]): ParsedAnswer<JudgeReply> => {
    const parsed = readJudgeReply(reply, instructions, messages);
    if (parsed.kind === "unreadable" || parsed.missing.length === 0) return parsed;
    const { value, missing, onScaleAsked } = parsed;
    const lacking = { rubric, criteria: criteria.filter(({ id }) => missing.includes(id)) };
    const places = missing.map((id) => (id === "" ? "overall" : `aspects.${id}`));
    const rest = {
      missing: `${places.join(", ")} (${minimum}–${maximum})`,
      reason: reasonsIn(value),
      shape: { name: EVALUATION, schema: restSchema(lacking, missing.includes("")) },
      maximumTokens: tokensFor(lacking.criteria.length),
      complete: (second: ChatReply) =>
        completed(value, missing, readJudgeReply(second, lacking, messages, { onScaleAsked })),
    };
    return { kind: "read", value, rest };
  };
  return promptQuestion({ ...asked, shape: { name: EVALUATION, schema: judgeReplySchema(instructions) }, read });
}

/** The name under which judges are asked for their verdicts. */
export const EVALUATION = "evaluation";

/** Why scores are missing, each reason once. */
function reasonsIn({ aspects, unscored }: JudgeReply): string {
  const reasons = [...Object.values(aspects).map((aspect) => aspect.unscored), unscored];
  return [...new Set(reasons.filter((reason) => reason !== undefined))].join("; ");
}

/**
 * A question whose reply is a prose review with a score under each aspect, as published prompts request. What such a
 * prompt asks for is not known, so it is repeated only if the reply states no score at all.
 */
function reviewQuestion(
  instructions: JudgeInstructions,
  asked: Omit<PromptQuestion<JudgeReply>, "shape" | "read">,
): PromptQuestion<JudgeReply> {
  const read = (reply: ChatReply): ParsedAnswer<JudgeReply> => {
    const refusal = refusalIn(reply);
    if (refusal) return refusal;
    const value = readReview(reply.text, instructions);
    const isEmpty = value.overall === null && Object.values(value.aspects).every(({ score }) => score === null);
    const reason = "the reply states no score that can be read";
    return isEmpty ? { kind: "unreadable", why: "no-score", reason } : { kind: "read", value };
  };
  return { ...asked, read, layout: (words) => writeReview(words, instructions) };
}

/** A placeholder review for a plan. */
function writeReview(words: string, { criteria, rubric }: JudgeInstructions): string {
  const score = `Score: ${rubric.scale.maximum}`;
  return [
    ...criteria.map(({ name }) => `### ${name}\n${words}\n${score}`),
    `### Overall\n${words}\nOverall ${score}`,
  ].join("\n");
}

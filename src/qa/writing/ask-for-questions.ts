import { z } from "zod";
import type { Passage } from "../../core/finding.ts";
import { type Answer, asJson, ask } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { loadPrompt } from "../../prompts/load-prompt.ts";
import { type PromptValues, renderPrompt } from "../../prompts/render-prompt.ts";

export const QUESTION_KINDS = ["who", "what", "when", "where", "why", "how"] as const;
export const DIFFICULTIES = ["easy", "medium", "hard"] as const;
/** Where the evidence of a question stands: in one chapter, in several, or in the beginning, the middle and the end of the book. */
export const SCOPES = ["local", "chapters", "book"] as const;
export type Scope = (typeof SCOPES)[number];

const quotedSchema = z.object({ chapter: z.number(), quote: z.string() });
const writtenSchema = z.object({
  question: z.string(),
  answers: z.array(z.string()),
  kind: z.enum(QUESTION_KINDS),
  difficulty: z.enum(DIFFICULTIES),
  evidence: z.array(quotedSchema),
});
const replySchema = z.object({ summary: z.string(), questions: z.array(writtenSchema) });

/** A kind or a difficulty in other words is no reason to lose a question. */
const acceptedSchema = z.object({
  summary: z.string(),
  questions: z.array(
    writtenSchema.extend({
      answers: z.array(z.string()).catch([]),
      kind: z.enum(QUESTION_KINDS).catch("what"),
      difficulty: z.enum(DIFFICULTIES).catch("medium"),
      evidence: z.array(quotedSchema).catch([]),
    }),
  ),
});

/** A question as a model wrote it: its evidence has not been looked up. */
export type ProposedQuestion = z.infer<typeof acceptedSchema>["questions"][number];
export type Proposal = z.infer<typeof acceptedSchema>;

/** A question whose evidence stands in the book. */
export interface WrittenQuestion extends Omit<ProposedQuestion, "evidence"> {
  readonly scope: Scope;
  readonly evidence: readonly Passage[];
}

const SUMMARY_TOKENS = 1200;
const TOKENS_PER_QUESTION = 350;
const USUAL_SHARE = 0.7;

export function questionsAboutPart(
  model: ChatModel,
  values: { readonly title: string; readonly part: string; readonly count: number },
  signal: AbortSignal,
): Promise<Answer<Proposal>> {
  return propose(model, "qa-write-part", values, values.count, signal);
}

export function questionsAboutBook(
  model: ChatModel,
  values: {
    readonly title: string;
    readonly book?: string;
    readonly notes?: string;
    readonly across: number;
    readonly whole: number;
  },
  signal: AbortSignal,
): Promise<Answer<Proposal>> {
  return propose(model, "qa-write-book", values, values.across + values.whole, signal);
}

async function propose(
  model: ChatModel,
  prompt: string,
  values: PromptValues,
  count: number,
  signal: AbortSignal,
): Promise<Answer<Proposal>> {
  const maximumTokens = SUMMARY_TOKENS + TOKENS_PER_QUESTION * count;
  return ask(
    model,
    {
      purpose: "writer",
      messages: renderPrompt(await loadPrompt(prompt, "en"), values),
      temperature: 0,
      sample: 0,
      maximumTokens,
      usualTokens: Math.round(USUAL_SHARE * maximumTokens),
      ...asJson(prompt.replaceAll("-", "_"), replySchema, acceptedSchema),
    },
    signal,
  );
}

/**
 * A proposal with its evidence looked up, or why it cannot be used. Where its evidence stands decides what it is about, whatever
 * its writer says.
 */
export function checkedProposal(
  { evidence, question, answers, ...about }: ProposedQuestion,
  locateAll: (quoted: ProposedQuestion["evidence"]) => readonly Passage[],
  chapters: readonly number[],
): WrittenQuestion | { readonly reason: string } {
  const given = [...new Set(answers.map((answer) => answer.trim()).filter((answer) => answer !== ""))];
  if (question.trim() === "" || given.length === 0) return { reason: "no question or no answer" };
  const passages = locateAll(evidence);
  if (passages.length === 0) return { reason: "none of its evidence stands in the book" };
  return {
    ...about,
    question: question.trim(),
    answers: given,
    evidence: passages,
    scope: scopeOf(passages, chapters),
  };
}

function scopeOf(passages: readonly Passage[], chapters: readonly number[]): Scope {
  const places = [...new Set(passages.map(({ chapter }) => chapters.indexOf(chapter)))];
  if (places.length < 2) return "local";
  const third = (place: number) => Math.floor((3 * place) / chapters.length);
  return new Set(places.map(third)).size === 3 ? "book" : "chapters";
}

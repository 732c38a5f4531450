import { z } from "zod";
import { type Rubric, topLevel } from "../../criteria/rubric.ts";
import { ask } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { readJsonReply } from "../../models/read-reply.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";
import type { Synopsis } from "../synopsis.ts";

/** The judge that represents all people who voted. */
export const PEOPLE = "people";

/** Two texts written from one synopsis, to be compared. */
export interface Meeting {
  readonly novel: string;
  readonly chapter: number;
  readonly left: string;
  readonly right: string;
  readonly judge: string;
}

/** A judge's answer about two texts in one order, or a person's vote in the order shown: a line of `duels.jsonl`. */
export const duelRowSchema = z.object({
  novel: z.string(),
  chapter: z.number().int().positive(),
  left: z.string(),
  right: z.string(),
  /** Shortened SHA-256 of the two texts: a text that was written again has not been compared yet. */
  leftHash: z.string(),
  rightHash: z.string(),
  leftFirst: z.boolean(),
  judge: z.string(),
  /** Who voted, if the judge is a person. */
  voter: z.string().optional(),
  /** Null if the judge gave no readable answer. */
  better: z.enum(["left", "right", "tie"]).nullable(),
  reason: z.string(),
  /** The model named by the provider in the reply. */
  stated: z.string().optional(),
  promptHash: z.string().optional(),
});
export type DuelRow = z.infer<typeof duelRowSchema>;

const better = z.enum(["first", "second", "tie"]);
const asked = z.object({ reason: z.string(), better });
/** A reply without a reason still counts. */
const accepted = z.object({ reason: z.string().default(""), better });

export const DUEL_PROMPT = "bench-duel";
const MAXIMUM_TOKENS = 400;

export interface DuelTexts {
  readonly synopsis: Synopsis;
  readonly first: string;
  readonly second: string;
}

export type DuelAnswer =
  | {
      readonly kind: "decided";
      readonly better: z.infer<typeof better>;
      readonly reason: string;
      readonly stated: string | undefined;
    }
  | { readonly kind: "undecided"; readonly reason: string };

/** Asks a judge which of two chapters, written from one synopsis, is better. */
export async function askDuel(
  model: ChatModel,
  { synopsis, first, second }: DuelTexts,
  { rubric, prompts }: { readonly rubric: Rubric; readonly prompts: PromptSource },
  signal: AbortSignal,
): Promise<DuelAnswer> {
  const template = await prompts(DUEL_PROMPT, rubric.language);
  const messages = renderPrompt(template, {
    criteria: topLevel(rubric)
      .map(({ name, definition }) => `- ${name}: ${definition}`)
      .join("\n"),
    synopsis: [
      ...synopsis.characters.map(({ name, about }) => `${name}: ${about}`),
      ...synopsis.plot,
      ...synopsis.scenes,
    ].join("\n"),
    first,
    second,
  });
  const answer = await ask(
    model,
    {
      purpose: "judge",
      messages,
      temperature: 0,
      maximumTokens: MAXIMUM_TOKENS,
      sample: 0,
      language: rubric.language.startsWith("zh") ? "zh" : "en",
      shape: { name: "duel", schema: asked },
      read: (reply, prompt) => readJsonReply(reply, accepted, prompt),
    },
    signal,
  );
  if (answer.kind === "unanswered") return { kind: "undecided", reason: answer.reason };
  return { kind: "decided", ...answer.value, stated: answer.attempts.at(-1)?.model };
}

import { z } from "zod";
import { asJson, ask } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { loadPrompt } from "../../prompts/load-prompt.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";

/** What an editor says of a question or an answer. `unchecked` keeps the text as it is and gives the reason. */
export type TextCheck =
  | { readonly kind: "acceptable" }
  | { readonly kind: "corrected"; readonly correction: string; readonly reason: string }
  | { readonly kind: "unchecked"; readonly reason: string };

const replySchema = z.object({
  acceptable: z.boolean(),
  reason: z.string(),
  correction: z.string().nullable(),
});

/** What is said beside the verdict may be missing. */
const acceptedSchema = z.object({
  acceptable: z.boolean(),
  reason: z
    .string()
    .nullish()
    .transform((reason) => reason ?? ""),
  correction: z
    .string()
    .nullish()
    .transform((correction) => correction ?? null),
});

const REPLY_TOKENS = 400;

export async function checkQuestion(
  model: ChatModel,
  material: { readonly summary: string; readonly question: string },
  signal: AbortSignal,
): Promise<TextCheck> {
  return check(model, "qa-check-question", material, material.question, signal);
}

export async function checkAnswer(
  model: ChatModel,
  material: { readonly summary: string; readonly question: string; readonly answer: string },
  signal: AbortSignal,
): Promise<TextCheck> {
  return check(model, "qa-check-answer", material, material.answer, signal);
}

async function check(
  model: ChatModel,
  promptName: string,
  material: Readonly<Record<string, string>>,
  original: string,
  signal: AbortSignal,
): Promise<TextCheck> {
  if (original.trim() === "") return { kind: "unchecked", reason: "the text is empty" };
  const prompt = await loadPrompt(promptName, "en");
  const answer = await ask(
    model,
    {
      purpose: "refiner",
      messages: renderPrompt(prompt, material),
      temperature: 0,
      maximumTokens: REPLY_TOKENS,
      sample: 0,
      ...asJson("check", replySchema, acceptedSchema),
    },
    signal,
  );
  return answer.kind === "answered" ? judged(answer.value, original) : { kind: "unchecked", reason: answer.reason };
}

/** A "correction" that changes no more than white space is none. */
function judged({ acceptable, reason, correction }: z.infer<typeof acceptedSchema>, original: string): TextCheck {
  if (acceptable) return { kind: "acceptable" };
  const corrected = correction?.trim() ?? "";
  if (corrected === "") {
    return {
      kind: "unchecked",
      reason: `found at fault (${reason || "no reason given"}), but no correction was given`,
    };
  }
  if (corrected === original.trim()) return { kind: "acceptable" };
  return { kind: "corrected", correction: corrected, reason: reason.trim() || "no reason given" };
}

import { z } from "zod";
import { askForJson } from "../../models/ask-for-json.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { ModelError } from "../../models/model-error.ts";
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
  try {
    const { reading } = await askForJson(
      model,
      {
        purpose: "refiner",
        messages: renderPrompt(prompt, material),
        temperature: 0,
        maximumTokens: REPLY_TOKENS,
        sample: 0,
      },
      { name: "check", schema: replySchema },
      signal,
    );
    return reading.kind === "read" ? judged(reading.value, original) : { kind: "unchecked", reason: reading.reason };
  } catch (error) {
    if (error instanceof ModelError) return { kind: "unchecked", reason: error.message };
    throw error;
  }
}

/** A "correction" that changes no more than white space is none. */
function judged({ acceptable, reason, correction }: z.infer<typeof replySchema>, original: string): TextCheck {
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

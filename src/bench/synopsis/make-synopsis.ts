import { z } from "zod";
import type { ChatModel } from "../../models/chat-model.ts";
import { readJsonReply } from "../../models/read-json-reply.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";
import { replyOrReason } from "../reply-or-reason.ts";
import { type WordingLeak, wordingLeak } from "./wording-leak.ts";

/** What a writer is given instead of the chapter: who, what in which order, and where. */
export const synopsisSchema = z.object({
  characters: z.array(z.object({ name: z.string(), about: z.string() })).min(1),
  plot: z.array(z.string().min(1)).min(1),
  scenes: z.array(z.string().min(1)).min(1),
});

export type Synopsis = z.infer<typeof synopsisSchema>;

export type SynopsisResult =
  | { readonly kind: "made"; readonly synopsis: Synopsis; readonly leak: WordingLeak; readonly attempts: number }
  | { readonly kind: "failed"; readonly reason: string; readonly attempts: number };

export interface SynopsisOptions {
  readonly language: string | null;
  /** The largest share of the original's wording a synopsis may carry. */
  readonly leakLimit: number;
  readonly attempts: number;
  readonly prompts: PromptSource;
}

/** Asks until a synopsis is readable and retells rather than copies; each attempt is a call of its own. */
export async function makeSynopsis(
  model: ChatModel,
  chapter: string,
  options: SynopsisOptions,
  signal: AbortSignal,
): Promise<SynopsisResult> {
  const template = await options.prompts("bench-synopsis", options.language);
  const messages = renderPrompt(template, { chapter });
  const schema = { name: "synopsis", schema: z.toJSONSchema(synopsisSchema) };
  let reason = "no attempt was made";
  for (let sample = 0; sample < options.attempts; sample++) {
    const request = {
      purpose: "synopsis",
      messages,
      schema,
      temperature: sample === 0 ? 0 : 0.7,
      sample,
      attempts: options.attempts - sample,
    } as const;
    const asked = await replyOrReason(model, request, signal);
    if (asked.kind === "failed") return { kind: "failed", reason: asked.reason, attempts: sample + 1 };
    const reading = readJsonReply(asked.reply, synopsisSchema, messages);
    if (reading.kind === "unreadable") {
      reason = reading.reason;
      continue;
    }
    const leak = wordingLeak(synopsisText(reading.value), chapter);
    if (leak.share <= options.leakLimit) return { kind: "made", synopsis: reading.value, leak, attempts: sample + 1 };
    reason = `${Math.round(leak.share * 100)} % of the synopsis repeats the original word for word (the limit is ${Math.round(options.leakLimit * 100)} %)`;
  }
  return { kind: "failed", reason, attempts: options.attempts };
}

function synopsisText({ characters, plot, scenes }: Synopsis): string {
  return [...characters.map(({ about }) => about), ...plot, ...scenes].join("\n");
}

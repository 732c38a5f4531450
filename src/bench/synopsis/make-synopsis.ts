import { z } from "zod";
import { asJson, ask } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";
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
  let reason = "no attempt was made";
  for (let sample = 0; sample < options.attempts; sample++) {
    const question = {
      purpose: "synopsis",
      messages,
      temperature: sample === 0 ? 0 : 0.7,
      sample,
      attempts: options.attempts - sample,
      askAgain: false,
      ...asJson("synopsis", synopsisSchema),
    } as const;
    const answer = await ask(model, question, signal);
    if (answer.kind === "unanswered") {
      // Without a reply the call itself failed, and the runner has tried it often enough.
      if (answer.attempts.length === 0) return { kind: "failed", reason: answer.reason, attempts: sample + 1 };
      reason = answer.reason;
      continue;
    }
    const leak = wordingLeak(synopsisText(answer.value), chapter);
    if (leak.share <= options.leakLimit) return { kind: "made", synopsis: answer.value, leak, attempts: sample + 1 };
    reason = `${Math.round(leak.share * 100)} % of the synopsis repeats the original word for word (the limit is ${Math.round(options.leakLimit * 100)} %)`;
  }
  return { kind: "failed", reason, attempts: options.attempts };
}

function synopsisText({ characters, plot, scenes }: Synopsis): string {
  return [...characters.map(({ about }) => about), ...plot, ...scenes].join("\n");
}

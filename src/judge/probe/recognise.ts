import { z } from "zod";
import { type Answer, asJson } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { askPrompt } from "../ask.ts";
import type { BookFacts } from "../material.ts";

const recognitionSchema = z.object({
  known: z.boolean(),
  title: z.string().nullable(),
  author: z.string().nullable(),
  confidence: z.number().min(0).max(1),
});

export interface Recognition {
  /** Whether the judge named this very book. */
  readonly recognised: boolean;
  readonly title: string | null;
  readonly confidence: number;
}

/** Asks whether a judge recognises a text without its title (PerSE, appendix A.1). */
export async function recognise(
  judge: ChatModel,
  passage: string,
  facts: Pick<BookFacts, "title" | "author">,
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<Answer<Recognition>> {
  const answer = await askPrompt(
    judge,
    {
      prompt: "probe-title",
      language,
      values: { passage },
      purpose: "probe",
      ...asJson("recognition", recognitionSchema),
      maximumTokens: 400,
      temperature: 0,
      sample: 0,
    },
    signal,
  );
  if (answer.kind === "unanswered") return answer;
  const { known, title, author, confidence } = answer.value;
  const recognised =
    known && (sameTitle(title, facts.title) || (facts.author !== null && sameTitle(author, facts.author)));
  return { ...answer, value: { recognised, title, confidence } };
}

/** Titles are compared without articles, punctuation and subtitles. */
export function sameTitle(said: string | null, real: string): boolean {
  if (said === null) return false;
  const plain = (text: string) =>
    text
      .toLowerCase()
      .split(/[:;(–—]/)[0]!
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .replace(/\b(?:the|an?|le|la|les|der|die|das|el)\b/g, "")
      .replace(/\s+/g, " ")
      .trim();
  const [left, right] = [plain(said), plain(real)];
  return left !== "" && (left === right || ` ${left} `.includes(` ${right} `) || ` ${right} `.includes(` ${left} `));
}

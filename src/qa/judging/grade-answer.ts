import { z } from "zod";
import { scored, unscored, type Verdict } from "../../core/verdict.ts";
import { type Rubric, rubricHash } from "../../criteria/rubric.ts";
import { ask } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { readScoreReply } from "../../models/read-reply.ts";
import { loadPrompt } from "../../prompts/load-prompt.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";

export interface Grade {
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface GradedAnswer {
  readonly question: string;
  readonly references: readonly string[];
  readonly answer: string;
  /** Given exactly in the `summary` setting. */
  readonly summary: string | null;
}

const REPLY_TOKENS = 300;

/**
 * Has a model grade one answer against its references, on the rubric's scale. Pass a `summary` to let the judge see the
 * story too, or null. A grade off the scale, a refusal or a failed call leaves it unscored; a wrong key is thrown.
 *
 * @example
 * ```ts
 * const criteria = [{ id: "truth", name: "Truth", definition: "5: correct. 1: wrong.", better: "higher" as const }];
 * const scale = { minimum: 1, maximum: 5 };
 * const rubric = { id: "answers", version: 1, language: "en", title: "Answers", scale, criteria };
 * const given = { question: "Who rings the bell?", references: ["the sexton"], answer: "A sexton.", summary: null };
 * const { verdict, reason } = await gradeAnswer(model, rubric, given, AbortSignal.timeout(60_000));
 * ```
 */
export async function gradeAnswer(
  model: ChatModel,
  rubric: Rubric,
  { question, references, answer, summary }: GradedAnswer,
  signal: AbortSignal,
): Promise<Grade> {
  const { minimum, maximum } = rubric.scale;
  const prompt = await loadPrompt("qa-grade", "en");
  const messages = renderPrompt(prompt, {
    rubric: rubric.criteria.map(({ definition }) => definition).join("\n"),
    minimum,
    maximum,
    summary,
    question,
    references: references.join("\n"),
    answer: answer.trim() || "(no words)",
  });
  const schema = z.object({ reason: z.string(), grade: z.number().int().min(minimum).max(maximum) });
  const given = await ask(
    model,
    {
      purpose: "judge",
      messages,
      temperature: 0,
      maximumTokens: REPLY_TOKENS,
      sample: 0,
      basis: rubricHash(rubric),
      shape: { name: "grade", schema },
      read: (reply) => readScoreReply(reply, { minimum, maximum, wholeNumbers: true }, messages),
    },
    signal,
  );
  if (given.kind === "unanswered") return { verdict: unscored(given.reason), reason: given.reason };
  return { verdict: scored(given.value.score), reason: given.value.reason };
}

import { z } from "zod";
import { scored, unscored, type Verdict } from "../../core/verdict.ts";
import { type Rubric, rubricHash } from "../../criteria/rubric.ts";
import { askForJson } from "../../models/ask-for-json.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { ModelError } from "../../models/model-error.ts";
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
 * story too, or null. A grade off the scale, a refusal or a failed call leaves it unscored.
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
  try {
    const { reading } = await askForJson(
      model,
      { purpose: "judge", messages, temperature: 0, maximumTokens: REPLY_TOKENS, sample: 0, basis: rubricHash(rubric) },
      { name: "grade", schema },
      signal,
    );
    if (reading.kind === "unreadable") return { verdict: unscored(reading.reason), reason: reading.reason };
    return { verdict: scored(reading.value.grade), reason: reading.value.reason };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { verdict: unscored(error.message), reason: error.message };
  }
}

import { z } from "zod";
import { scored, unscored, type Verdict } from "../core/verdict.ts";
import { type Rubric, rubricHash } from "../criteria/rubric.ts";
import { ask } from "../models/ask.ts";
import type { ChatModel, ChatReply } from "../models/chat-model.ts";
import { readScoreReply } from "../models/read-reply.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";
import type { GradingProtocol } from "./choices.ts";
import type { QaDocument } from "./dataset/document.ts";
import { documentFinder } from "./dataset/find-document.ts";
import type { Prediction } from "./scoring/prediction.ts";

/** Finds the summary of the book that a prediction is about; null when there is none. */
export type SummaryFinder = (prediction: Prediction) => string | null;

export function summaryFinder(documents: readonly QaDocument[]): SummaryFinder {
  const documentOf = documentFinder(documents);
  return (prediction) => documentOf(prediction)?.summary.trim() || null;
}

/** The summary that `qa sample --data` writes beside the answer. */
export function ownSummary({ summary }: Prediction): string | null {
  return typeof summary === "string" && summary.trim() !== "" ? summary : null;
}

export interface Grade {
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface GradedAnswer {
  readonly question: string;
  readonly references: readonly string[];
  readonly answer: string;
  /** Null except in the `summary` setting. */
  readonly summary: string | null;
}

const REPLY_TOKENS = 300;
/** The judge writes its feedback before the score. */
const FEEDBACK_TOKENS = 1000;
const USUAL_FEEDBACK_TOKENS = 200;

/**
 * Has a model grade one answer against its references, on the rubric's scale. Pass a `summary` to let the judge see the
 * story too, or null; `protocol` says in which form it is asked. A grade off the scale, a refusal or a failed call leaves it unscored; a wrong key is thrown.
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
  protocol: GradingProtocol = "json",
): Promise<Grade> {
  const scale = { ...rubric.scale, wholeNumbers: true };
  const isPrometheus = protocol === "prometheus";
  const prompt = await loadPrompt(isPrometheus ? "qa-grade-prometheus" : "qa-grade", "en");
  const messages = renderPrompt(prompt, {
    rubric: isPrometheus ? prometheusRubric(rubric) : rubric.criteria.map(({ definition }) => definition).join("\n"),
    minimum: scale.minimum,
    maximum: scale.maximum,
    summary,
    question,
    references: references.join("\n"),
    answer: answer.trim() || "(no words)",
  });
  const asked = { purpose: "judge", messages, temperature: 0, sample: 0, basis: rubricHash(rubric) } as const;
  const schema = z.object({ reason: z.string(), grade: z.number().int().min(scale.minimum).max(scale.maximum) });
  const given = await ask(
    model,
    isPrometheus
      ? {
          ...asked,
          maximumTokens: FEEDBACK_TOKENS,
          usualTokens: USUAL_FEEDBACK_TOKENS,
          layout: (words: string) => `Feedback: ${words} [RESULT] ${scale.maximum}`,
          read: (reply: ChatReply) => readScoreReply({ ...reply, text: ownFeedback(reply.text) }, scale, messages),
        }
      : {
          ...asked,
          maximumTokens: REPLY_TOKENS,
          shape: { name: "grade", schema },
          read: (reply: ChatReply) => readScoreReply(reply, scale, messages),
        },
    signal,
  );
  if (given.kind === "unanswered") return { verdict: unscored(given.reason), reason: given.reason };
  return { verdict: scored(given.value.score), reason: given.value.reason };
}

/**
 * `[what is graded]` and a line `Score N: …` for each level, which is the rubric format these models were trained on.
 */
function prometheusRubric({ title, criteria }: Rubric): string {
  const levels = criteria.map(({ definition }) => definition.replaceAll(/^\s*(\d+)\s*:\s*/gm, "Score $1: "));
  return [`[${title}]`, ...levels].join("\n");
}

const NEXT_SECTION =
  /(\[\s*result\s*\]?[\s:([*_]*\d[^\n]*)\n[\s\S]*?#{2,}\s*(?:task description|the instruction|response to|reference answer|score rubric|feedback)[\s\S]*$/i;

/** Some models do not stop, and invent another answer to grade with its score; this cuts their reply off. */
function ownFeedback(text: string): string {
  return text.replace(NEXT_SECTION, "$1");
}

import type { ChatModel, ChatReply } from "../models/chat-model.ts";
import { ModelError } from "../models/model-error.ts";
import { type PromptValues, renderPrompt } from "../prompts/render-prompt.ts";
import type { PromptTemplate } from "../prompts/template.ts";
import type { Answer } from "./answer.ts";
import type { JudgeReply } from "./judge-reply.ts";
import type { Judging } from "./material/judging.ts";
import { isPraise } from "./novelcritique/is-praise.ts";
import { readVerdicts } from "./reading/read-verdicts.ts";

export interface ReviewQuestion {
  readonly template: PromptTemplate;
  readonly values: PromptValues;
  readonly maximumTokens: number;
  readonly sample: number;
  readonly basis: string;
}

/**
 * Asks with a prompt whose reply is a review in prose with a score under each aspect, as published prompts ask for. The
 * reader of saved replies reads it: a score that it cannot read for certain is missing.
 */
export async function askForReview(
  model: ChatModel,
  judging: Judging,
  { template, values, maximumTokens, sample, basis }: ReviewQuestion,
  signal: AbortSignal,
): Promise<Answer<JudgeReply>> {
  const read = (reply: ChatReply) => readReview(reply.text, judging);
  const whyUnusable = (reply: ChatReply) => {
    if (reply.stop === "refusal") return null;
    const { aspects, overall } = read(reply);
    const isEmpty = overall === null && Object.values(aspects).every(({ score }) => score === null);
    return isEmpty ? "the reply states no score that can be read" : null;
  };
  try {
    const reply = await model.complete(
      {
        purpose: "judge",
        messages: renderPrompt(template, values),
        temperature: judging.temperature,
        maximumTokens,
        sample,
        seed: sample + 1,
        basis: `${template.hash}:${basis}`,
        unusable: whyUnusable,
        layout: (words) => writeReview(words, judging),
      },
      signal,
    );
    if (reply.stop === "refusal") return { kind: "unread", reason: "the model refused" };
    const reason = whyUnusable(reply);
    return reason === null ? { kind: "read", value: read(reply) } : { kind: "unread", reason };
  } catch (error) {
    if (error instanceof ModelError && !error.hopeless && error.failure !== "interrupted") {
      return { kind: "unread", reason: error.message };
    }
    throw error;
  }
}

/** What a review in prose says, as a judge's reply. */
export function readReview(text: string, { rubric, criteria }: Pick<Judging, "rubric" | "criteria">): JudgeReply {
  // A part asked for without its whole has a heading of its own.
  const asked = { ...rubric, criteria: criteria.map(({ parent: _whole, ...criterion }) => criterion) };
  const { aspects, overall, critiques, assessment } = readVerdicts(text, asked);
  const middle = (rubric.scale.minimum + rubric.scale.maximum) / 2;
  const judged = criteria.map(({ id }) => {
    const verdict = aspects[id];
    const score = verdict?.kind === "scored" ? verdict.score : null;
    const remarks = critiques[id] ? [{ point: critiques[id], quotes: [] }] : [];
    const praises = isPraise(critiques[id] ?? "", (score ?? middle) >= middle);
    return [
      id,
      praises ? { strengths: remarks, weaknesses: [], score } : { strengths: [], weaknesses: remarks, score },
    ];
  });
  return {
    aspects: Object.fromEntries(judged),
    assessment: assessment ?? "",
    overall: overall.kind === "scored" ? overall.score : null,
  };
}

/** A review as a plan counts it. */
function writeReview(words: string, { criteria, rubric }: Judging): string {
  const score = `Score: ${rubric.scale.maximum}`;
  return [
    ...criteria.map(({ name }) => `### ${name}\n${words}\n${score}`),
    `### Overall\n${words}\nOverall ${score}`,
  ].join("\n");
}

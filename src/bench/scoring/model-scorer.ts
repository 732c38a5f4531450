import { z } from "zod";
import { scored, unscored, type Verdict } from "../../core/verdict.ts";
import { type Rubric, rubricHash } from "../../criteria/rubric.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { readJsonReply } from "../../models/read-json-reply.ts";
import { type PromptSource, shippedPrompts } from "../../prompts/own-prompts.ts";
import { renderPrompt } from "../../prompts/render-prompt.ts";
import { replyOrReason } from "../reply-or-reason.ts";
import type { ChapterScorer } from "./chapter-scorer.ts";

const WHOLE_NUMBERS = ", whole numbers";

/** Were these settings those of a judge that gives whole scores? */
export function areWholeNumbers(settings: string | undefined): boolean {
  return settings?.endsWith(WHOLE_NUMBERS) ?? false;
}

/** At temperature 0 most providers repeat themselves, and a spread of 0 would say nothing about the judge. */
export const REPEAT_TEMPERATURE = 0.7;

export interface ModelScorerOptions {
  /** Whole scores only, as WebNovelBench asks for them. */
  readonly wholeNumbers?: boolean;
}

/** A language model as the judge of chapters, in the language of the rubric. */
export function modelScorer(
  model: ChatModel,
  rubric: Rubric,
  prompts: PromptSource = shippedPrompts,
  { wholeNumbers = false }: ModelScorerOptions = {},
): ChapterScorer {
  const prompt = wholeNumbers ? "bench-score-whole" : "bench-score";
  const settings = (isRepeated: boolean) =>
    `temperature ${isRepeated ? REPEAT_TEMPERATURE : 0}${wholeNumbers ? WHOLE_NUMBERS : ""}`;
  const { minimum, maximum } = rubric.scale;
  const shapeOf = <Dimension extends z.ZodType>(dimension: Dimension) =>
    z.object({ scores: z.object(Object.fromEntries(rubric.criteria.map(({ id }) => [id, dimension]))) });
  // The prompt states the bounds and that nothing may be missing; a score beyond them, or a missing one, makes that one
  // dimension unscored, not the whole reply unreadable.
  const asked = z.object({
    reason: z.string(),
    score: (wholeNumbers ? z.int() : z.number()).min(minimum).max(maximum),
  });
  const schema = { name: "chapter_scores", schema: z.toJSONSchema(shapeOf(asked)) };
  const replySchema = shapeOf(z.object({ score: z.number() }).optional());
  const criteria = rubric.criteria.map(({ id, name, definition }) => `- ${id} (${name}): ${definition}`).join("\n");
  const verdictOf = (given: { score: number } | undefined): Verdict => {
    if (!given) return unscored("the judge left this dimension out");
    if (given.score < minimum || given.score > maximum)
      return unscored(`the judge gave ${given.score}, which is off the scale`);
    if (wholeNumbers && !Number.isInteger(given.score))
      return unscored(`the judge gave ${given.score}, which is not a whole number`);
    return scored(given.score);
  };
  return {
    id: model.id,
    version: rubricHash(rubric).slice(0, 12),
    rubric,
    basis: async () => ({
      prompt: (await prompts(prompt, rubric.language)).hash.slice(0, 12),
      settings,
    }),
    async score(text, repeat, signal) {
      const template = await prompts(prompt, rubric.language);
      const messages = renderPrompt(template, {
        criteria,
        minimum: String(minimum),
        maximum: String(maximum),
        chapter: text,
      });
      const request = {
        ...{ purpose: "judge" as const, messages, schema, sample: repeat },
        // A seed of its own where the provider takes one: no two samples are the same by construction.
        ...(repeat === 0 ? { temperature: 0 } : { temperature: REPEAT_TEMPERATURE, seed: repeat }),
      };
      const answer = await replyOrReason(model, request, signal);
      if (answer.kind === "failed") return allUnscored(rubric, answer.reason);
      const reading = readJsonReply(answer.reply, replySchema, messages);
      if (reading.kind === "unreadable") return allUnscored(rubric, reading.reason);
      return Object.fromEntries(rubric.criteria.map(({ id }) => [id, verdictOf(reading.value.scores[id])]));
    },
  };
}

function allUnscored(rubric: Rubric, reason: string): Record<string, Verdict> {
  return Object.fromEntries(rubric.criteria.map(({ id }) => [id, unscored(reason)]));
}

import { z } from "zod";
import { makeNameMap } from "../../judge/anonymise/anonymise.ts";
import type { Replacement } from "../../judge/anonymise/name-map.ts";
import { replaceNames } from "../../judge/anonymise/replace-names.ts";
import { askPrompt } from "../../judge/ask.ts";
import { asJson } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { countWords } from "../../text/words.ts";
import type { Story } from "../predictor/story.ts";

export type PreparedStory =
  | { readonly kind: "prepared"; readonly story: Story; readonly names: readonly Replacement[] }
  | { readonly kind: "unprepared"; readonly reason: string };

const SUMMARY_WORDS = 200;
const SUMMARY_TOKENS = 1200;

/**
 * A published story made hard to recognise (PerSE, section 3): a model makes a map of names, code replaces them, and a model
 * retells the plot. A story whose names or plot could not be had is left out with the reason, never passed on as it was.
 */
export async function prepareStory(
  model: ChatModel,
  story: Story,
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<PreparedStory> {
  const plot = story.plot_summary ?? story.premise;
  if (plot === undefined) return { kind: "unprepared", reason: "the story has no plot to retell" };
  const text = [plot, story.characters].filter(Boolean).join("\n\n");
  const chapter = { index: 1, title: null, text, words: countWords(text) };
  const names = await makeNameMap(model, { chapters: [chapter] }, language, signal);
  if (names.kind === "unanswered") return { kind: "unprepared", reason: `no new names: ${names.reason}` };
  const summary = await askPrompt(
    model,
    {
      prompt: "personal-summary",
      language,
      values: { plot: replaceNames(plot, names.value), words: SUMMARY_WORDS },
      purpose: "summariser",
      ...asJson("summary", z.object({ summary: z.string().min(1) })),
      maximumTokens: SUMMARY_TOKENS,
      temperature: 0,
      sample: 0,
    },
    signal,
  );
  if (summary.kind === "unanswered") return { kind: "unprepared", reason: `no summary: ${summary.reason}` };
  return {
    kind: "prepared",
    names: names.value,
    story: {
      genres: story.genres,
      plot_summary: replaceNames(summary.value.summary, names.value),
      ...(story.average_rating !== undefined && { average_rating: story.average_rating }),
    },
  };
}

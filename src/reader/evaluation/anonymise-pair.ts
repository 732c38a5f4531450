import { replaceNames } from "../../judge/anonymise/replace-names.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { bookNames, maskBook, ordinaryWords } from "../dataset/book-names.ts";
import { prepareStory } from "../dataset/prepare-story.ts";
import type { PastReview, Story } from "../predictor/story.ts";

export type AnonymisedPair =
  | { readonly kind: "anonymised"; readonly story: Story; readonly reviews: readonly PastReview[] }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * A story and the reviews shown with it, made hard to recognise before a judge is asked (PerSE, section 3): new names, plots
 * retold, and titles, authors and characters masked in the words of reviews. An earlier story without a plot stays away; its
 * review is shown without it.
 */
export async function anonymisePair(
  model: ChatModel,
  story: Story,
  reviews: readonly PastReview[],
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<AnonymisedPair> {
  const ordinary = ordinaryWords(reviews.flatMap(({ review }) => review ?? []));
  const [prepared, past] = await Promise.all([
    prepareStory(model, story, language, signal),
    Promise.all(reviews.map((review) => anonymiseReview(model, review, ordinary, language, signal))),
  ]);
  if (prepared.kind === "unprepared") return { kind: "failed", reason: `not anonymised: ${prepared.reason}` };
  return { kind: "anonymised", story: prepared.story, reviews: past };
}

async function anonymiseReview(
  model: ChatModel,
  past: PastReview,
  ordinary: ReadonlySet<string>,
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<PastReview> {
  const hasPlot = past.plot_summary !== undefined || past.premise !== undefined;
  const prepared = hasPlot ? await prepareStory(model, past, language, signal) : null;
  const [story, names] =
    prepared?.kind === "prepared" ? [prepared.story, prepared.names] : [{ genres: past.genres }, []];
  const review =
    past.review === undefined
      ? undefined
      : maskBook(replaceNames(past.review, names), bookNames(past, names), ordinary);
  return { ...story, rating: past.rating, review };
}

import { replaceNames } from "../../judge/anonymise.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import { type Anonymised, bookNames, maskBook, ordinaryWords, prepareStory } from "../dataset.ts";
import type { PastReview, Story } from "../predictor/story.ts";

export type AnonymisedPair =
  | { readonly kind: "anonymised"; readonly story: Story; readonly reviews: readonly PastReview[] }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Makes a story and the reviews shown with it hard to recognise before a judge is asked (PerSE, section 3): new names, retold
 * plots, and every review with the titles, authors and characters of all these books masked. An earlier story without a plot is
 * left out, and its review is shown without it. If plots are only retold, the reviews are not changed.
 */
export async function anonymisePair(
  model: ChatModel,
  story: Story,
  reviews: readonly PastReview[],
  language: PromptLanguage,
  signal: AbortSignal,
  how: Anonymised = "both",
): Promise<AnonymisedPair> {
  const ordinary = ordinaryWords(reviews.flatMap(({ review }) => review ?? []));
  const [prepared, past] = await Promise.all([
    prepareStory(model, story, language, signal, how),
    Promise.all(reviews.map((review) => preparePast(model, review, language, signal, how))),
  ]);
  if (prepared.kind === "unprepared") return { kind: "failed", reason: `not anonymised: ${prepared.reason}` };
  const given = [bookNames(story, prepared.names), ...past.map(({ names }, at) => bookNames(reviews[at]!, names))];
  const hide = (text: string) =>
    how === "summary" ? text : given.reduce((rest, names) => maskBook(rest, names, ordinary), text);
  return {
    kind: "anonymised",
    story: prepared.story,
    reviews: reviews.map(({ rating, review }, at) => ({
      ...past[at]!.story,
      rating,
      review: review === undefined ? undefined : hide(replaceNames(review, past[at]!.names)),
    })),
  };
}

async function preparePast(
  model: ChatModel,
  past: PastReview,
  language: PromptLanguage,
  signal: AbortSignal,
  how: Anonymised,
) {
  const hasPlot = past.plot_summary !== undefined || past.premise !== undefined;
  const prepared = hasPlot ? await prepareStory(model, past, language, signal, how) : null;
  return prepared?.kind === "prepared" ? prepared : { story: { genres: past.genres }, names: [] };
}

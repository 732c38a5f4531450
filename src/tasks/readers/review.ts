import { FabulaError } from "../../core/errors.ts";
import { countBy } from "../../core/group-by.ts";
import { seededRandom } from "../../core/random.ts";
import { countOf } from "../../core/wording.ts";
import { type Recognition, recognise } from "../../judge/probe/recognise.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import type { Anonymised } from "../../reader/dataset.ts";
import { anonymisePair } from "../../reader/evaluation/anonymise-pair.ts";
import { chooseReviews } from "../../reader/evaluation/choose-reviews.ts";
import { storyText } from "../../reader/evaluation/describe-history.ts";
import { type PersonalReview, reviewAs } from "../../reader/evaluation/personal-review.ts";
import { FIVE, TEN } from "../../reader/evaluation/score-scale.ts";
import type { Protocol } from "../../reader/perse.ts";
import type { PersonalModel } from "../../reader/predictor/personal-model.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { type PersonalPrediction, personalPredictor } from "../../reader/predictor/predict-rating.ts";
import type { Story } from "../../reader/predictor/story.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";

/** How a model is asked for a reader's review of one or many stories. */
export interface ReviewSettings {
  readonly judge: string;
  /** How many earlier reviews it is shown. */
  readonly count: number;
  readonly withWords: boolean;
  readonly scale: 5 | 10;
  /** How often it is asked about each story, each time with the history in another order. */
  readonly orders: number;
  /** Also ask whether the judge already knows the story, since that affects its judgement. */
  readonly probe: boolean;
  /** What is changed in the stories before asking, so that a judge cannot answer from memory of the book. */
  readonly anonymise: Anonymised | null;
  readonly protocol?: Protocol;
  readonly temperature: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
}

export interface ReaderReviewRequest extends ReviewSettings {
  readonly story: Story;
  readonly profile: ReaderProfile;
}

export interface ReaderReviewResult {
  readonly review: PersonalReview;
  /** The embedded predictor's rating, for comparison. */
  readonly embedded: PersonalPrediction;
  readonly recognition: Recognition | { readonly unread: string } | null;
}

/**
 * Has any model write the review and score that a reader would give a story, from the reader's earlier reviews, in a
 * resumable run.
 */
export async function reviewForReader(request: ReaderReviewRequest): Promise<RunOutcome<ReaderReviewResult>> {
  const { story, profile } = request;
  const model = loadPersonalModel();
  const language = promptLanguage(profile.language);
  return inRun(request.settings, request.services, async (run) => {
    const judge = await run.model(request.judge);
    const shown = request.anonymise
      ? await anonymised(judge, request, request.anonymise, model)
      : { story, reviews: profile.reviews };
    const [review, recognition] = await Promise.all([
      reviewAs(
        judge,
        model,
        shown.reviews,
        shown.story,
        {
          count: request.count,
          withWords: request.withWords,
          scale: request.scale === 10 ? TEN : FIVE,
          protocol: request.protocol ?? "fabula",
          orders: request.orders,
          language,
          reviewLanguage: profile.language,
          temperature: request.temperature,
          random: seededRandom(1),
        },
        request.services.signal,
      ),
      request.probe
        ? recognise(
            judge,
            storyText(shown.story, language),
            { title: story.title ?? "", author: null },
            language,
            request.services.signal,
          )
        : null,
    ]);
    if (!run.dryRun && storyText(shown.story, language) !== "") {
      const reasons = review.orders.flatMap(({ verdict }) => (verdict.kind === "unscored" ? [verdict.reason] : []));
      refuseUnusable(review.orders.length - reasons.length, review.orders.length, countBy(reasons), "question");
    }
    return {
      review,
      embedded: personalPredictor(model)({ history: profile.reviews, query: story }),
      recognition:
        recognition && (recognition.kind === "answered" ? recognition.value : { unread: recognition.reason }),
    };
  });
}

/** Only the reviews that will be shown are rewritten, since each costs two calls. */
async function anonymised(judge: ChatModel, request: ReaderReviewRequest, how: Anonymised, model: PersonalModel) {
  const { story, profile, count, services } = request;
  const { chosen } = chooseReviews(model, profile.reviews, story, { count, tokens: null, textOf: () => "" });
  const pair = await anonymisePair(judge, story, chosen, promptLanguage(profile.language), services.signal, how);
  if (pair.kind === "anonymised") return pair;
  throw new FabulaError(
    "E_ANONYMISE",
    `The story could not be anonymised (${pair.reason}): try again, or without --anonymise.`,
  );
}

/** A model without a single usable reply ends the task with an error, because there is no result to report. */
export function refuseUnusable(
  answered: number,
  asked: number,
  reasons: Readonly<Record<string, number>>,
  what = "line",
): void {
  if (answered > 0 || asked === 0) return;
  const [most] = Object.entries(reasons).sort((left, right) => right[1] - left[1]);
  const why = most ? ` Most often: ${most[0]}.` : "";
  throw new FabulaError(
    "E_NO_USABLE_REPLY",
    `${asked === 1 ? `The ${what}` : `Not one of ${countOf(asked, what)}`} got ${asked === 1 ? "no" : "a"} usable reply, though unusable ones are asked for again once.${why} Use another model, or the form that this one was trained on (--protocol).`,
  );
}

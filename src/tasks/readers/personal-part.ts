import { seededRandom } from "../../core/random.ts";
import { isScored, scored, unscored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { BookEvaluation, PersonalPart } from "../../judge/evaluation.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import { readerAttention } from "../../reader/attention/reader-attention.ts";
import { reviewAs } from "../../reader/evaluation/personal-review.ts";
import { FIVE } from "../../reader/evaluation/score-scale.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import type { Story } from "../../reader/predictor/story.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { personalHeadline, whereInWords } from "../../report/personal/personal-view.ts";
import { loadAspectVocabulary } from "../../reviews/aspect-vocabulary.ts";
import { missingFrom } from "../books/described-story.ts";
import { predictForProfile } from "./predict.ts";

const ASPECTS_SHOWN = 4;
/** How many earlier reviews a model is shown: the middle setting of PerSE. */
const REVIEWS_SHOWN = 3;
const TEMPERATURE = 0.8;

/** The embedded predictor's verdict for a reader, beside the evaluation's general one, without a model. */
export async function embeddedPart(
  profile: ReaderProfile,
  story: Story,
  evaluation: BookEvaluation,
): Promise<PersonalPart> {
  const { prediction, view } = predictForProfile(profile, story);
  const missing = missingFrom(story);
  const shared = { reader: profile.name, judge: "embedded", missing, review: null };
  const where = await readerPlaces(profile, evaluation);
  if (prediction.kind === "unscored" || view === null) {
    const reason = prediction.kind === "unscored" ? prediction.reason : "it could not be predicted";
    return { ...shared, ...silent(profile.name, reason), where };
  }
  return {
    ...shared,
    verdict: scored(prediction.rating, prediction.interval),
    general: view.general && { ...view.general },
    difference: view.difference,
    headline: view.headline,
    because: [...view.because],
    against: [...view.against],
    story: view.story,
    where,
    notes: [...view.notes],
  };
}

/** A model's verdicts in the role of the reader, one per run of the evaluation, beside the evaluation in stars. */
export async function modelPart(
  judge: ChatModel,
  profile: ReaderProfile,
  story: Story,
  evaluation: BookEvaluation,
  orders: number,
  signal: AbortSignal,
): Promise<PersonalPart> {
  const personal = await reviewAs(
    judge,
    loadPersonalModel(),
    profile.reviews,
    story,
    {
      count: REVIEWS_SHOWN,
      withWords: true,
      scale: FIVE,
      orders,
      language: promptLanguage(profile.language),
      reviewLanguage: profile.language,
      temperature: TEMPERATURE,
      random: seededRandom(1),
    },
    signal,
  );
  const { verdict } = personal.spread;
  const shared = {
    reader: profile.name,
    judge: judge.id,
    missing: missingFrom(story),
    where: await readerPlaces(profile, evaluation),
  };
  const review = personal.orders.find((order) => order.review !== null)?.review ?? null;
  if (!isScored(verdict)) return { ...shared, ...silent(profile.name, verdict.reason), review };
  const general = generalStars(evaluation);
  const { chosen, leftOut } = personal.history;
  const embedded = predictForProfile(profile, story).prediction;
  return {
    ...shared,
    verdict,
    general,
    difference: general === null ? null : verdict.score - general.rating,
    headline: personalHeadline(profile.name, verdict.score, general),
    review,
    because: [],
    against: [],
    story: null,
    notes: [
      `${judge.id} was shown ${chosen.length} of ${chosen.length + leftOut.length} earlier reviews and wrote the review before it gave the stars.`,
      ...(embedded.kind === "predicted"
        ? [`The embedded predictor, without a model, expects ${embedded.rating.toFixed(1)} out of 5.`]
        : []),
    ],
  };
}

function silent(
  reader: string,
  reason: string,
): Pick<PersonalPart, "verdict" | "general" | "difference" | "headline" | "because" | "against" | "story" | "notes"> {
  return {
    verdict: unscored(reason),
    general: null,
    difference: null,
    headline: `What ${reader} would think of it cannot be predicted: ${reason}.`,
    because: [],
    against: [],
    story: null,
    notes: [],
  };
}

/** The overall score converted from its own scale to 1 to 5 stars. */
function generalStars({ overall, scale }: BookEvaluation): PersonalPart["general"] {
  if (!isScored(overall)) return null;
  const share = (overall.score - scale.minimum) / (scale.maximum - scale.minimum);
  return { rating: 1 + 4 * share, from: "judge" };
}

/** The aspects this reader writes about, each with what the general verdict says about it. */
export async function readerPlaces(profile: ReaderProfile, evaluation: BookEvaluation): Promise<PersonalPart["where"]> {
  const [vocabulary, rubric] = await Promise.all([loadAspectVocabulary(), loadRubric("long-story")]);
  const topOf = (id: string) => rubric.criteria.find((criterion) => criterion.id === id)?.parent ?? id;
  return readerAttention(profile.reviews, vocabulary, topOf)
    .flatMap((attention) => {
      const aspect = evaluation.aspects.find(({ id }) => id === attention.aspect);
      if (!aspect) return [];
      const general = { general: aspect.verdict, generalPercentile: aspect.percentile };
      const text = whereInWords(profile.name, attention, aspect, evaluation);
      return [{ ...attention, name: aspect.name, ...general, text }];
    })
    .slice(0, ASPECTS_SHOWN);
}

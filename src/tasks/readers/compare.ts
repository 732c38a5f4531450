import { countBy } from "../../core/group-by.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { type JudgeInstructions, selectCriteria } from "../../judge/material.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import { NOTHING_TO_SHOW } from "../../reader/evaluation/describe-history.ts";
import { compareAs, type PersonalComparison } from "../../reader/evaluation/personal-comparison.ts";
import type { Protocol } from "../../reader/perse.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { type PersonalPrediction, personalPredictor } from "../../reader/predictor/predict-rating.ts";
import { type PredictedPreference, preferenceBetween } from "../../reader/predictor/rank-stories.ts";
import { isKnownStory, type Story } from "../../reader/predictor/story.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import { refuseUnusable } from "./review.ts";

export interface ReaderCompareRequest {
  readonly left: Story;
  readonly right: Story;
  readonly profile: ReaderProfile;
  readonly judge: string;
  readonly count: number;
  readonly withWords: boolean;
  readonly runs: number;
  readonly protocol?: Protocol;
  readonly temperature: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
}

/** Says which of two stories a reader prefers on five aspects, asked in both orders. */
export async function compareForReader(request: ReaderCompareRequest): Promise<RunOutcome<PersonalComparison>> {
  const instructions = await personalInstructions(request.profile.language, request.temperature);
  return inRun(request.settings, request.services, async (run) => {
    const comparison = await compareAs(
      await run.model(request.judge),
      loadPersonalModel(),
      request.profile.reviews,
      { left: request.left, right: request.right },
      {
        instructions,
        count: request.count,
        withWords: request.withWords,
        runs: request.runs,
        protocol: request.protocol ?? "fabula",
        ...(request.profile.comparisons && { comparisons: request.profile.comparisons }),
      },
      request.services.signal,
    );
    const { aspects, overall, failures } = comparison;
    const isAnswered = [...aspects, overall].some(({ leaning }) => leaning !== null);
    if (!run.dryRun && !failures.includes(NOTHING_TO_SHOW)) {
      refuseUnusable(isAnswered ? 1 : 0, failures.length, countBy(failures), "question");
    }
    return comparison;
  });
}

/** The five aspects on which a reader chooses between two stories. */
export async function personalInstructions(language: string, temperature: number): Promise<JudgeInstructions> {
  const rubric = await loadRubric("personal");
  const criteria = selectCriteria(rubric, null);
  return { rubric, criteria, definitions: true, language: promptLanguage(language), temperature };
}

export interface EmbeddedComparison {
  readonly left: PersonalPrediction;
  readonly right: PersonalPrediction;
  /** Null when one of the two cannot be predicted because nothing is known of it. */
  readonly preference: PredictedPreference | null;
}

/**
 * Answers the same question with the embedded predictor: the reader's predicted rating of each story, without a
 * model.
 */
export function compareEmbedded(profile: ReaderProfile, left: Story, right: Story): EmbeddedComparison {
  const predict = personalPredictor(loadPersonalModel());
  const first = predict({ history: profile.reviews, query: left });
  const second = predict({ history: profile.reviews, query: right });
  const preference =
    first.kind === "predicted" && second.kind === "predicted" && isKnownStory(left) && isKnownStory(right)
      ? preferenceBetween(first, second)
      : null;
  return { left: first, right: second, preference };
}

import { z } from "zod";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { recognise } from "../../judge/probe/recognise.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { NOTHING_TO_SHOW, storyText } from "../../reader/evaluation/describe-history.ts";
import { compareAs } from "../../reader/evaluation/personal-comparison.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { type PersonalPrediction, personalPredictor } from "../../reader/predictor/predict-rating.ts";
import { onRatingScale } from "../../reader/predictor/rating-scale.ts";
import { pastReviewSchema, type Story, storySchema } from "../../reader/predictor/story.ts";
import { pastComparisonSchema, preferenceSchema, type Side } from "../../reader/profile/past-comparison.ts";
import { eachBounded } from "../../runner/map-bounded.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import { inRun, type RunOutcome } from "../runs/in-run.ts";
import { personalJudging } from "./compare.ts";
import { type ComparisonAgreement, comparisonAgreement, type JudgedPair } from "./comparison-agreement.ts";

export const EMBEDDED_JUDGE = "embedded";

export interface ComparePairsRequest {
  readonly input: string;
  readonly output: string;
  /** A model, or `embedded`. */
  readonly judge: string;
  /** Earlier reviews and earlier choices shown, at most so many of each. */
  readonly count: number;
  readonly withWords: boolean;
  readonly runs: number;
  /** Also ask whether the judge knows each story: what it knows it tends to favour. */
  readonly probe: boolean;
  readonly temperature: number;
  readonly ratingsScale?: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

const lineSchema = z.object({
  id: z.union([z.string(), z.number()]),
  history: z.array(pastReviewSchema).default([]),
  /** Earlier choices of the same reader. */
  comparisons: z.array(pastComparisonSchema).default([]),
  left: storySchema,
  right: storySchema,
  /** What the reader really preferred, where it is known. */
  preferred: preferenceSchema.optional(),
});
type Line = z.infer<typeof lineSchema>;

/** Many readers and pairs of stories → a choice each, and how often it was the reader's own, aspect by aspect. */
export async function comparePairs(request: ComparePairsRequest): Promise<RunOutcome<ComparisonAgreement>> {
  const judging = await personalJudging("en", request.temperature);
  const aspects = [...judging.criteria.map(({ id }) => id), "overall"];
  const model = loadPersonalModel();
  const predict = personalPredictor(model);
  return inRun(request.settings, request.services, async (run) => {
    const judge = request.judge === EMBEDDED_JUDGE ? null : await run.model(request.judge);
    const { signal } = request.services;
    const judged: JudgedPair[] = [];
    const compareOne = async ({ id, history, comparisons, left, right, preferred }: Line) => {
      const predictions = [left, right].map((query) => predict({ history, query }));
      const embedded = sideOf(predictions[0]!, predictions[1]!);
      const probe = judge && request.probe ? await knownSides(judge, left, right, signal) : null;
      const known = probe?.known ?? null;
      const asked = judge
        ? await compareAs(
            judge,
            model,
            history,
            { left, right },
            { judging, comparisons, count: request.count, withWords: request.withWords, runs: request.runs },
            signal,
          )
        : null;
      const chosen = asked
        ? Object.fromEntries([
            ...asked.aspects.map(({ id: aspect, leaning }) => [aspect, leaning]),
            ["overall", asked.overall.leaning],
          ])
        : { overall: embedded };
      const consistent = asked
        ? Object.fromEntries([
            ...asked.aspects.map(({ id: aspect, consistent: both }) => [aspect, both]),
            ["overall", asked.overall.consistent],
          ])
        : {};
      judged.push({
        chosen,
        truth: preferred ?? {},
        before: comparisons.at(-1)?.preferred ?? {},
        embedded,
        consistent,
        positionBias: asked?.positionBias ?? null,
        known,
        failures: asked?.failures ?? [],
        unprobed: probe?.reason ?? null,
      });
      return { id, chosen, ...(asked && { failures: asked.failures }), ...(known && { known }) };
    };
    const rows = async function* () {
      const lines = jsonLines(request.input, onRatingScale(lineSchema, request.ratingsScale));
      for await (const [, row] of eachBounded(lines, run.concurrency, compareOne)) {
        request.onProgress({ stage: "Comparing", done: judged.length, total: null });
        yield row;
      }
      signal.throwIfAborted();
    };
    if (run.dryRun) for await (const _ of rows());
    else await writeJsonLines(request.output, rows());
    return comparisonAgreement(judged, aspects);
  });
}

/** Below this difference in stars the predictor states no preference. */
const SAME = 0.05;

function sideOf(left: PersonalPrediction, right: PersonalPrediction): Side | null {
  if (left.kind === "unscored" || right.kind === "unscored") return null;
  const difference = left.rating - right.rating;
  return Math.abs(difference) < SAME ? "tie" : difference > 0 ? "left" : "right";
}

/** Which of the two the judge knows; otherwise why that could not be learnt. */
async function knownSides(
  judge: ChatModel,
  left: Story,
  right: Story,
  signal: AbortSignal,
): Promise<{ readonly known: JudgedPair["known"]; readonly reason: string | null }> {
  if (storyText(left, "en") === "" || storyText(right, "en") === "") return { known: null, reason: NOTHING_TO_SHOW };
  const recognised = (story: Story) =>
    recognise(judge, storyText(story, "en"), { title: story.title ?? "", author: null }, "en", signal);
  const [first, second] = await Promise.all([recognised(left), recognised(right)]);
  if (first.kind === "unanswered") return { known: null, reason: first.reason };
  if (second.kind === "unanswered") return { known: null, reason: second.reason };
  return { known: { left: first.value.recognised, right: second.value.recognised }, reason: null };
}

import { z } from "zod";
import { writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { Tally } from "../../judge/pairwise.ts";
import { recognise } from "../../judge/probe/recognise.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { type Anonymised, prepareStory } from "../../reader/dataset.ts";
import { NOTHING_TO_SHOW, storyText } from "../../reader/evaluation/describe-history.ts";
import { compareAs } from "../../reader/evaluation/personal-comparison.ts";
import type { Protocol } from "../../reader/perse.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { type PersonalPrediction, personalPredictor } from "../../reader/predictor/predict-rating.ts";
import { isKnownStory, pastReviewSchema, type Story, storySchema } from "../../reader/predictor/story.ts";
import { pastComparisonSchema, preferenceSchema, type Side } from "../../reader/profile/past-comparison.ts";
import { eachBounded } from "../../runner/map-bounded.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import { personalInstructions } from "./compare.ts";
import { type ComparisonAgreement, comparisonAgreement, type JudgedPair } from "./comparison-agreement.ts";
import { pairLines } from "./pair-lines.ts";
import { refuseUnusable } from "./review.ts";

export const EMBEDDED_JUDGE = "embedded";

export interface ComparePairsRequest {
  readonly input: string;
  readonly output: string;
  /** A model, or `embedded`. */
  readonly judge: string;
  /** How many earlier reviews and how many earlier choices are shown at most. */
  readonly count: number;
  readonly withWords: boolean;
  readonly runs: number;
  readonly anonymise?: Anonymised | null;
  readonly protocol?: Protocol;
  /** Also ask whether the judge knows each story, since it tends to favour stories it knows. */
  readonly probe: boolean;
  readonly temperature: number;
  readonly ratingsScale?: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

/** Input lines of `reader compare`, and training data with labels. */
export const choiceLineSchema = z.object({
  id: z.union([z.string(), z.number()]),
  reader: z.union([z.string(), z.number()]).optional(),
  history: z.array(pastReviewSchema).default([]),
  /** Earlier choices of the same reader. */
  comparisons: z.array(pastComparisonSchema).default([]),
  left: storySchema,
  right: storySchema,
  /** What the reader really preferred, where it is known. */
  preferred: preferenceSchema.optional(),
});
export type ChoiceLine = z.infer<typeof choiceLineSchema>;

/**
 * Has a judge choose between pairs of stories for many readers, and counts how often it chose as the reader did,
 * aspect by aspect.
 */
export async function comparePairs(request: ComparePairsRequest): Promise<RunOutcome<ComparisonAgreement>> {
  const instructions = await personalInstructions("en", request.temperature);
  const aspects = [...instructions.criteria.map(({ id }) => id), "overall"];
  const model = loadPersonalModel();
  const predict = personalPredictor(model);
  return inRun(request.settings, request.services, async (run) => {
    const judge = request.judge === EMBEDDED_JUDGE ? null : await run.model(request.judge);
    const { signal } = request.services;
    const judged: JudgedPair[] = [];
    const setting = {
      judge: request.judge,
      k: request.count,
      starsOnly: !request.withWords,
      anonymised: request.anonymise ?? null,
      protocol: request.protocol ?? "fabula",
    };
    const unrecognisable = async (model: ChatModel, left: Story, right: Story) => {
      const prepare = (story: Story) => prepareStory(model, story, "en", signal, request.anonymise ?? "both");
      const [first, second] = await Promise.all([prepare(left), prepare(right)]);
      if (first.kind === "unprepared") return { failed: `not anonymised: ${first.reason}` };
      if (second.kind === "unprepared") return { failed: `not anonymised: ${second.reason}` };
      return { left: first.story, right: second.story };
    };
    const compareOne = async ({ id, history, comparisons, left, right, preferred }: ChoiceLine) => {
      const predictions = [left, right].map((query) => predict({ history, query }));
      const embedded = isKnownStory(left) && isKnownStory(right) ? sideOf(predictions[0]!, predictions[1]!) : null;
      const shown = judge && request.anonymise ? await unrecognisable(judge, left, right) : { left, right };
      const probe =
        judge && request.probe && !("failed" in shown)
          ? await knownSides(judge, [left, shown.left], [right, shown.right], signal)
          : null;
      const known = probe?.known ?? null;
      const asked = judge
        ? "failed" in shown
          ? { failed: String(shown.failed) }
          : await compareAs(
              judge,
              model,
              history,
              shown,
              {
                ...{
                  instructions,
                  comparisons,
                  count: request.count,
                  withWords: request.withWords,
                  runs: request.runs,
                },
                protocol: request.protocol ?? "fabula",
              },
              signal,
            )
        : null;
      const replied = asked && !("failed" in asked) ? asked : null;
      const failures = asked ? ("failed" in asked ? [asked.failed] : asked.failures) : [];
      const byAspect = <Value>(of: (tally: Tally) => Value) =>
        replied &&
        Object.fromEntries([
          ...replied.aspects.map((tally) => [tally.id, of(tally)] as const),
          ...(request.protocol === "perse" ? [] : [["overall", of(replied.overall)] as const]),
        ]);
      const chosen = asked ? (byAspect(({ leaning }) => leaning) ?? {}) : { overall: embedded };
      const pair = {
        chosen,
        truth: preferred ?? {},
        before: comparisons.at(-1)?.preferred ?? {},
        consistent: byAspect(({ consistent }) => consistent) ?? {},
        positionBias: replied?.positionBias ?? null,
        known,
      };
      judged.push({ ...pair, embedded, failures, unprobed: probe?.reason ?? null });
      const { truth, before, consistent, positionBias } = pair;
      return {
        ...{ id, chosen, ...(asked && { failures }), ...(known && { known }) },
        ...{ preferred: truth, before, ...(asked && { consistent, positionBias }), setting },
      };
    };
    const rows = async function* () {
      const lines = pairLines(request.input, choiceLineSchema, request.ratingsScale);
      for await (const [, row] of eachBounded(lines, run.concurrency, compareOne)) {
        request.onProgress({ stage: "Comparing", done: judged.length, total: null });
        yield row;
      }
      signal.throwIfAborted();
    };
    if (run.dryRun) for await (const _ of rows());
    else await writeJsonLines(request.output, rows());
    const agreement = comparisonAgreement(judged, aspects);
    const answered = judged.filter((pair) => Object.values(pair.chosen).some((side) => side !== null)).length;
    if (judge && !run.dryRun) refuseUnusable(answered, judged.length, agreement.unanswered);
    return agreement;
  });
}

/** With a smaller difference in stars than this, the predictor states no preference. */
const SAME = 0.05;

function sideOf(left: PersonalPrediction, right: PersonalPrediction): Side | null {
  if (left.kind === "unscored" || right.kind === "unscored") return null;
  const difference = left.rating - right.rating;
  return Math.abs(difference) < SAME ? "tie" : difference > 0 ? "left" : "right";
}

/**
 * Which of the two stories the judge knows, judging by what it was shown of each; or why that could not be
 * determined.
 */
async function knownSides(
  judge: ChatModel,
  [left, leftShown]: readonly [Story, Story],
  [right, rightShown]: readonly [Story, Story],
  signal: AbortSignal,
): Promise<{ readonly known: JudgedPair["known"]; readonly reason: string | null }> {
  if (storyText(leftShown, "en") === "" || storyText(rightShown, "en") === "")
    return { known: null, reason: NOTHING_TO_SHOW };
  const recognised = (story: Story, shown: Story) =>
    recognise(judge, storyText(shown, "en"), { title: story.title ?? "", author: null }, "en", signal);
  const [first, second] = await Promise.all([recognised(left, leftShown), recognised(right, rightShown)]);
  if (first.kind === "unanswered") return { known: null, reason: first.reason };
  if (second.kind === "unanswered") return { known: null, reason: second.reason };
  return { known: { left: first.value.recognised, right: second.value.recognised }, reason: null };
}

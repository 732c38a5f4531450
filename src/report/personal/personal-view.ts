import type { PersonalPrediction } from "../../reader/predictor/predict-rating.ts";
import type { Reason } from "../../reader/predictor/reasons.ts";
import { plainLine } from "../markup.ts";

type Predicted = Extract<PersonalPrediction, { kind: "predicted" }>;

/** The general opinion of the story: the average rating, the forecast rating, or the verdict of a judge in stars. */
export interface GeneralOpinion {
  readonly rating: number;
  readonly from: "average" | "forecast" | "judge";
}

/** What a report of one story for one reader says: the personal verdict beside the general one, and why they differ. */
export interface PersonalView {
  readonly reader: string;
  readonly title: string;
  readonly personal: Predicted;
  readonly general: GeneralOpinion;
  readonly difference: number;
  readonly headline: string;
  /** Earlier reviews that pull the way the two verdicts differ, strongest first; then those that pull against it. */
  readonly because: readonly Reason[];
  readonly against: readonly Reason[];
  readonly story: Reason | null;
  readonly notes: readonly string[];
}

/** Below this many stars the two verdicts are the same for any purpose. */
const SAME = 0.1;

export function personalView(
  reader: string,
  title: string | undefined,
  personal: Predicted,
  general: PersonalView["general"],
): PersonalView {
  const difference = personal.rating - general.rating;
  const history = personal.why.filter(({ about }) => about === "history");
  const agrees = ({ effect }: Reason) => (difference >= 0 ? effect > 0 : effect < 0);
  return {
    reader,
    title: plainLine(title ?? "An untitled story"),
    personal,
    general,
    difference,
    headline: personalHeadline(reader, personal.rating, general),
    because: history.filter(agrees),
    against: history.filter((reason) => !agrees(reason)),
    story: personal.why.find(({ about }) => about === "story") ?? null,
    notes: [...(personal.because === null ? [] : [plainLine(personal.because)]), ...personal.notes],
  };
}

const OTHERS = {
  average: "readers in general give it",
  forecast: "readers in general are likely to give it",
  judge: "the general verdict is",
} as const satisfies Record<GeneralOpinion["from"], string>;

/** The two verdicts in one sentence. */
export function personalHeadline(reader: string, rating: number, general: GeneralOpinion | null): string {
  if (general === null)
    return `${reader} is likely to give it ${rating.toFixed(1)} out of 5; there is no general verdict to compare.`;
  const difference = rating - general.rating;
  const others = `${OTHERS[general.from]} ${general.rating.toFixed(1)}`;
  if (Math.abs(difference) < SAME) {
    return `${reader} is likely to agree with other readers: ${rating.toFixed(1)} out of 5, and ${others}.`;
  }
  const direction = difference > 0 ? "more" : "less";
  return `${reader} is likely to like it ${direction} than others do: ${rating.toFixed(1)} out of 5, where ${others}.`;
}

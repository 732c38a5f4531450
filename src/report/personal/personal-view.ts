import type { PersonalPrediction } from "../../reader/personal/predictor/predict-rating.ts";
import type { Reason } from "../../reader/personal/predictor/reasons.ts";
import { plainLine } from "../markup.ts";

type Predicted = Extract<PersonalPrediction, { kind: "predicted" }>;

/** What a report of one story for one reader says: the personal verdict beside the general one, and why they differ. */
export interface PersonalView {
  readonly reader: string;
  readonly title: string;
  readonly personal: Predicted;
  readonly general: { readonly rating: number; readonly from: "average" | "forecast" };
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
    headline: headline(reader, personal.rating, general, difference),
    because: history.filter(agrees),
    against: history.filter((reason) => !agrees(reason)),
    story: personal.why.find(({ about }) => about === "story") ?? null,
    notes: personal.notes,
  };
}

function headline(reader: string, rating: number, general: PersonalView["general"], difference: number): string {
  const others = general.from === "average" ? "readers in general give it" : "readers in general should give it";
  if (Math.abs(difference) < SAME) {
    return `${reader} should make of it what others do: ${rating.toFixed(1)} of 5, and ${others} ${general.rating.toFixed(1)}.`;
  }
  const direction = difference > 0 ? "more" : "less";
  return `${reader} should like it ${direction} than others do: ${rating.toFixed(1)} of 5, where ${others} ${general.rating.toFixed(1)}.`;
}

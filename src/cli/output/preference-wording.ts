import { countOf } from "../../core/wording.ts";
import type { PersonalComparison } from "../../reader/evaluation/personal-comparison.ts";
import type { PersonalPrediction } from "../../reader/predictor/predict-rating.ts";
import { tooFewAnswers } from "./comparison-wording.ts";
import { textTable } from "./table.ts";

const SIDES = { left: "the first", right: "the second", tie: "cannot be told" } as const;

/** Which of two stories a model says a reader would prefer, aspect by aspect. */
export function preferenceInWords({ aspects, overall, positionBias, history, failures }: PersonalComparison): string {
  const row = (name: string, tally: PersonalComparison["overall"]) => [
    name,
    tally.better === null ? "unscored" : SIDES[tally.better],
    `${tally.left}–${tally.right}${tally.ties > 0 ? `, ${countOf(tally.ties, "tie")}` : ""}`,
    tally.consistent.of > 0 ? `${tally.consistent.same}/${tally.consistent.of}` : "–",
  ];
  const lines = [
    textTable(
      ["aspect", "preferred", "first–second", "same in both orders"],
      [...aspects.map((aspect) => row(aspect.name, aspect)), row("Overall", overall)],
    ),
  ];
  lines.push(...tooFewAnswers([...aspects, overall]));
  if (positionBias.bias !== null) {
    lines.push(
      `Pull towards whatever is shown first: ${positionBias.bias >= 0 ? "+" : "−"}${Math.abs(positionBias.bias).toFixed(2)} (0 is none)`,
    );
  }
  lines.push(`Shown: ${countOf(history.chosen.length, "earlier review")}; left out: ${history.leftOut.length}.`);
  for (const failure of failures) lines.push(`No answer: ${failure}`);
  return lines.join("\n");
}

/** The same from the embedded predictor: a rating for each, and the difference. */
export function embeddedPreferenceInWords({
  left,
  right,
}: {
  readonly left: PersonalPrediction;
  readonly right: PersonalPrediction;
}): string {
  const line = (name: string, prediction: PersonalPrediction) =>
    prediction.kind === "unscored"
      ? `${name}: unscored, ${prediction.reason}`
      : `${name}: ${prediction.rating.toFixed(2)} out of 5 (${prediction.interval.map((bound) => bound.toFixed(1)).join("–")})`;
  const both = left.kind === "predicted" && right.kind === "predicted" ? left.rating - right.rating : null;
  return [
    line("First", left),
    line("Second", right),
    both === null
      ? "No preference can be predicted."
      : `Preferred: ${both > 0 ? "the first" : both < 0 ? "the second" : "neither"}, by ${Math.abs(both).toFixed(2)} stars.`,
  ].join("\n");
}

import { isScored } from "../core/verdict.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import type { JurorResult, JuryPart } from "../judge/jury-part.ts";
import { ordinal, positionOnScale } from "./wording.ts";

export interface JurorView {
  readonly result: JurorResult;
  /** "Crowd", or "Overall: crowd" for the juror whose score is the headline. */
  readonly label: string;
  /** What stands beside the number: who is speaking, and the caveat where there is one. */
  readonly beside: string;
  /** Its percentile as a range with its reference, or why there is none. */
  readonly place: string;
}

export interface JuryView {
  readonly headline: JurorResult;
  readonly jurors: readonly JurorView[];
  /** Whether they contradict each other; null when fewer than two gave a score. */
  readonly agreement: string | null;
  /** The grader, where it judged and has its criteria to show. */
  readonly grader: JurorResult | null;
}

export function juryView({ jury }: BookEvaluation): JuryView | null {
  if (!jury) return null;
  const grader = jury.jurors.find(({ criteria }) => criteria.length > 0) ?? null;
  return {
    headline: headlineOf(jury),
    jurors: jury.jurors.map((result) => ({
      result,
      label: result.id === jury.headline ? `Overall: ${result.id}` : capitalised(result.id),
      beside: besideScore(result),
      place: placeInWords(result),
    })),
    agreement: agreementInWords(jury),
    grader: grader && isScored(grader.overall) ? grader : null,
  };
}

export function headlineOf({ jurors, headline }: JuryPart): JurorResult {
  return jurors.find(({ id }) => id === headline) ?? jurors[0]!;
}

export function besideScore({ speaker, caveat }: JurorResult): string {
  return caveat === null ? speaker : `${speaker}; ${caveat}`;
}

export function placeInWords({ percentile, noPercentile }: JurorResult): string {
  if (percentile === null) return noPercentile === null ? "" : `no percentile: ${noPercentile}`;
  const [low, high] = [percentile.low, percentile.high].map((value) => ordinal(Math.round(value)));
  return `${low} to ${high} percentile of ${percentile.reference}`;
}

function agreementInWords({ jurors, apart }: JuryPart): string | null {
  const scored = jurors.filter(({ overall }) => isScored(overall));
  if (scored.length < 2) return null;
  const ranges = scored.map(rangeOfHundred).join(", ");
  if (apart.length === 0) {
    return `The jurors cannot be told apart: on a common scale of 0 to 100 their ranges overlap (${ranges}). They are not averaged.`;
  }
  const pairs = apart.map(([left, right]) => `${left} and ${right}`).join(", ");
  return `The jurors disagree (${pairs}): on a common scale of 0 to 100 their ranges do not overlap (${ranges}). They are not averaged: readers, editors and graders want different things.`;
}

function rangeOfHundred({ id, overall, scale }: JurorResult): string {
  if (!isScored(overall)) return `${id} unscored`;
  const [low, high] = (overall.interval ?? [overall.score, overall.score]).map((score) =>
    (100 * (positionOnScale({ kind: "scored", score }, scale) ?? 0)).toFixed(0),
  );
  return `${id} ${low}–${high}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

import { rescale, type Scale, type UnscoredVerdict, unscored } from "../../core/verdict.ts";
import type { ParsedScore, WrittenScore } from "../../models/written-score.ts";

/** A verdict on the requested scale; `written` is present if the judge used another one. */
export type ReadVerdict =
  | { readonly kind: "scored"; readonly score: number; readonly written?: { value: number; outOf: number } }
  | UnscoredVerdict;

/** Beyond this, "out of" refers to several scores added up. */
const LARGEST_SCALE = 100;
/** A score up to this may be out of 5 or 10, so it is not taken for a score out of 100. */
const LARGEST_SMALL_SCORE = 10;
const STATED =
  /\b(?:scale (?:of|from)|(?:scores?|ratings?) (?:run |range |are |is )*from) [01](?:\.0)?(?: \([^)]*\))? ?(?:to|[-–—]) ?(\d+)(?![^.!?\n]{0,120}\b(?:is|an?|it|gets?|at) \d)|\b(?:scored|rated|scores?|ratings?|marks?|graded)(?: are| is)?(?: all)?,? out of (\d+)(?! ?(?:readers|people))|^[ *_#-]{0,10}(?:(?:scores?|ratings?) {0,2})?\(?(?:all )?out of (\d+)\)? {0,2}:[ *_]{0,4}$/gim;

/**
 * The scale of numbers that come without one. They share it, since nobody changes scales silently: it is the one the
 * reply states, or the requested one. Gives a reason when the scores could be on more than one scale.
 */
export function scaleOfBareScores(reply: string, parsedScores: readonly ParsedScore[], asked: Scale): number | string {
  const scores = parsedScores.flatMap((parsed) => (parsed.kind === "score" ? [parsed.score] : []));
  const largest = Math.max(...scores.filter(({ outOf }) => outOf === null).map(({ value }) => value));
  const stated = new Set([
    ...scores.flatMap(({ outOf }) => outOf ?? []),
    ...[...reply.matchAll(STATED)].map((match) => Number(match[1] ?? match[2] ?? match[3])),
  ]);
  const possible = (scale: number) => scale >= largest && scale <= Math.max(LARGEST_SCALE, asked.maximum);
  const fitting = [...stated].filter((scale) => possible(scale) && !isTooWide(scale, largest));
  if (fitting.length > 1 && !fitting.includes(asked.maximum))
    return "the reply mixes scales and does not say which one this is on";
  if (fitting.length === 1) return fitting[0]!;
  if (isTooWide(asked.maximum, largest))
    return `the reply does not say what its scores are out of, and ${largest} of ${asked.maximum} is unlikely`;
  return asked.maximum;
}

const isTooWide = (scale: number, largest: number) =>
  scale >= LARGEST_SCALE && largest >= 0 && largest <= LARGEST_SMALL_SCORE;

/** Converts a score to the requested scale: 7 of 10 is 70 of 100. */
export function onScale({ value, outOf }: WrittenScore, bare: number | string, asked: Scale): ReadVerdict {
  const scale = outOf ?? bare;
  if (typeof scale === "string") return unscored(scale);
  if (scale > Math.max(LARGEST_SCALE, asked.maximum)) return unscored(`${value} out of ${scale} is a sum, not a score`);
  if (value < 0 || value > scale) return unscored(`${value} is outside the scale up to ${scale}`);
  if (scale === asked.maximum)
    return value < asked.minimum
      ? unscored(`${value} is below the scale from ${asked.minimum}`)
      : { kind: "scored", score: value };
  const score = rescale(value, { minimum: 0, maximum: scale }, asked);
  return { kind: "scored", score, written: { value, outOf: scale } };
}

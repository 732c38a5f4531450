import type { SectionedReport } from "../../api/evaluations.ts";
import { isScored } from "../../core/verdict.ts";
import { signedNumber } from "../../core/wording.ts";
import type { AspectResult, BookEvaluation } from "../../judge/evaluation.ts";
import type { Attention } from "../../reader/attention/reader-attention.ts";
import type { PersonalPrediction } from "../../reader/predictor/predict-rating.ts";
import type { Reason } from "../../reader/predictor/reasons.ts";
import { sum, sumBy } from "../../stats/distribution.ts";
import { plainLine } from "../markup.ts";
import { listSection, textSection } from "../report-forms.ts";
import { ordinal } from "../wording.ts";

type Predicted = Extract<PersonalPrediction, { kind: "predicted" }>;

/** The general opinion of the story: the average rating, the forecast rating, or a judge's verdict in stars. */
interface GeneralOpinion {
  readonly rating: number;
  readonly from: "average" | "forecast" | "judge";
}

/**
 * The content of a report on one story for one reader: the personal verdict beside the general one, and why they
 * differ.
 */
export interface PersonalView {
  readonly reader: string;
  readonly title: string;
  readonly personal: Predicted;
  /** Null where nothing is known of it. */
  readonly general: GeneralOpinion | null;
  readonly difference: number | null;
  readonly headline: string;
  /**
   * Earlier reviews that support the difference between the two verdicts, strongest first; then those that oppose it. Without a
   * general verdict: those that pull the way of most, and the others.
   */
  readonly because: readonly Reason[];
  readonly against: readonly Reason[];
  readonly story: Reason | null;
  readonly notes: readonly string[];
}

/** With a smaller difference in stars, the two verdicts count as equal. */
const SAME = 0.1;

export function personalView(
  reader: string,
  title: string | undefined,
  personal: Predicted,
  general: PersonalView["general"],
): PersonalView {
  const difference = general && personal.rating - general.rating;
  const history = personal.why.filter(({ about }) => about === "history");
  const pull = difference ?? sumBy(history, ({ effect }) => effect);
  const agrees = ({ effect }: Reason) => (pull >= 0 ? effect > 0 : effect < 0);
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

/** The smallest notable difference, in stars, between books whose reviews mention an aspect and the others. */
const NOTABLE_STARS = 0.3;
/** The smallest notable difference, in percentiles or hundredths of the scale, between an aspect and the whole book. */
const NOTABLE_SHARE = 5;

/** What a reader looks for in books, and the general verdict on it for this one. */
export function whereInWords(
  reader: string,
  { reviews, of, stars, otherStars }: Attention,
  aspect: AspectResult,
  evaluation: BookEvaluation,
): string {
  const name = aspect.name.toLowerCase();
  return `${reader} writes about ${name} in ${reviews} of ${of} reviews${starsInWords(stars, otherStars)}; ${generalInWords(aspect, evaluation)}.`;
}

function starsInWords(stars: number | null, otherStars: number | null): string {
  if (stars === null) return "";
  if (otherStars === null || Math.abs(stars - otherStars) < NOTABLE_STARS)
    return ` (${stars.toFixed(1)} stars on average)`;
  const manner = stars > otherStars ? "mostly to praise" : "mostly to blame";
  return `, ${manner} (${stars.toFixed(1)} stars on average, ${otherStars.toFixed(1)} elsewhere)`;
}

function generalInWords({ verdict, percentile }: AspectResult, evaluation: BookEvaluation): string {
  const { overall, overallPercentile, scale } = evaluation;
  if (!isScored(verdict)) return `the general verdict is silent on it (${verdict.reason})`;
  const ranked = percentile !== null && overallPercentile !== null;
  const share = (score: number) => (100 * (score - scale.minimum)) / (scale.maximum - scale.minimum);
  const gap = ranked
    ? percentile - overallPercentile
    : isScored(overall)
      ? share(verdict.score) - share(overall.score)
      : 0;
  const figure = ranked
    ? `${verdict.score.toFixed(1)}, ${ordinal(Math.round(percentile))} percentile`
    : verdict.score.toFixed(1);
  const place =
    Math.abs(gap) < NOTABLE_SHARE
      ? "about as good as the rest of this book"
      : gap > 0
        ? "a stronger side of this book"
        : "a weaker side of this book";
  return `by the general verdict it is ${place} (${figure})`;
}

const SHOWN = 8;

export function sectionedPersonal(view: PersonalView): SectionedReport {
  const { because, against, story, personal } = view;
  const [above, below] = ["Reasons for a higher", "Reasons for a lower"];
  const upwards = (view.difference ?? sumBy(because, ({ effect }) => effect)) >= 0;
  return {
    title: `${view.title}, for ${view.reader}`,
    sections: [
      textSection(null, [view.headline, rangeInWords(view), ...view.notes]),
      ...listSection(`${upwards ? above : below} rating`, reasonLines(because)),
      ...listSection(`${upwards ? below : above} one`, reasonLines(against)),
      ...listSection("The story itself", story ? [line(story)] : []),
      textSection("How to read the figures", [
        `Each figure is a share of the rating in stars. They start at ${personal.start.toFixed(2)}, the rating of an average story by an average reader, and add up to the rating; near the ends of the scale the sum is compressed.`,
      ]),
    ],
  };
}

function rangeInWords({ personal }: PersonalView): string {
  const [low, high] = personal.interval;
  const chances = personal.distribution.map(
    (chance, at) => `${percent(chance)} for ${["one", "two", "three", "four", "five"][at]}`,
  );
  return `Four times out of five, such a rating falls between ${low.toFixed(1)} and ${high.toFixed(1)}. The chance of each number of stars: ${chances.slice(0, -1).join(", ")} and ${chances.at(-1)}.`;
}

/** Never 100 %, since a probability is estimated from a few hundred ratings at most. */
function percent(chance: number): string {
  if (chance < 0.01) return "under 1 %";
  return chance > 0.99 ? "over 99 %" : `${Math.round(100 * chance)} %`;
}

function reasonLines(reasons: readonly Reason[]): string[] {
  const lines = reasons.slice(0, SHOWN).map(line);
  const rest = reasons.slice(SHOWN);
  if (rest.length === 0) return lines;
  const effect = sum(rest.map((reason) => reason.effect));
  return [...lines, `${signedNumber(effect, 2)}  ${rest.length} more earlier reviews together`];
}

function line({ effect, title, text }: Reason): string {
  return plainLine(`${signedNumber(effect, 2)} ${title === undefined ? "" : `${title}: `}${text}`);
}

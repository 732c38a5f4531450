import { countOf, signedNumber } from "../../core/wording.ts";
import type { PersonalComparison } from "../../reader/evaluation/personal-comparison.ts";
import type { PersonalPrediction } from "../../reader/predictor/predict-rating.ts";
import type { TasteKind } from "../../reader/profile/taste.ts";
import { plainLine } from "../../report/markup.ts";
import { textTable } from "../../report/report-forms.ts";
import type { EmbeddedComparison } from "../../tasks/readers/compare.ts";
import type { ProfileDescription } from "../../tasks/readers/reader-profiles.ts";
import { tooFewAnswers } from "./comparison-wording.ts";

/** Describes a reader: level, genres, what they reward and punish, and whether there is enough data. */
export function profileInWords(description: ProfileDescription): string {
  const { name, reviews, withWords, givenUp, toRead, meanRating, generosity, drift, genres, taste, thin } = description;
  const { averages, compared, rated } = description;
  const where = compared < rated ? " where they are known" : "";
  const allowed =
    taste.compared > 0 ? `, with other readers' ratings allowed for${where}` : "; what other readers give is not known";
  return [
    `${name}: ${countOf(reviews, "review")}, ${withWords} with words${givenUp > 0 ? `, ${countOf(givenUp, "book")} given up` : ""}${toRead > 0 ? `; ${countOf(toRead, "book")} to read` : ""}.`,
    meanRating === null ? "No ratings." : `Mean rating ${meanRating.toFixed(2)} out of 5.`,
    generosity === null
      ? "There is too little to tell whether this reader is generous or exacting."
      : `Compared with what readers in general give ${compared < rated ? `${compared} of the ${rated} stories` : "the same stories"}: ${signedNumber(generosity, 2)} stars.${averages === 0 ? " Their averages are not known and are forecast: `--known-books` on import fills them in." : ""}`,
    ...(drift === null
      ? []
      : [
          `Since ${drift.since} this reader rates ${drift.difference > 0 ? "higher" : "lower"} than before, compared with readers in general: ${signedNumber(drift.difference, 2)} (${signedNumber(drift.interval[0], 2)} to ${signedNumber(drift.interval[1], 2)}).`,
        ]),
    ...(thin === null ? [] : [thin]),
    ...(reviews > 0 && taste.rewards.length + taste.punishes.length === 0
      ? ["No genre or aspect stands out from the others by more than chance."]
      : []),
    ...tasteInWords(`Rates higher than their other books${allowed}`, taste.rewards),
    ...tasteInWords(`Rates lower than their other books${allowed}`, taste.punishes),
    ...(genres.length > 0 ? ["Genres"] : []),
    ...genres.map(({ genre, count, mean }) => `  ${genre}: ${count} rated, mean ${mean.toFixed(2)}`),
  ].join("\n");
}

const KIND_IN_WORDS: Readonly<Record<TasteKind, (name: string) => string>> = {
  genre: (name) => name,
  mood: (name) => `${name} books`,
  pace: (name) => `${name}-paced books`,
  shelf: (name) => `the shelf “${name}”`,
  aspect: (name) => `where the reviews speak of ${name}`,
};

function tasteInWords(heading: string, entries: ProfileDescription["taste"]["rewards"]): string[] {
  if (entries.length === 0) return [];
  return [
    heading,
    ...entries.flatMap(({ kind, name, reviews, givenUp, difference, mean, elsewhere, interval, evidence }) => [
      `  ${signedNumber(difference, 2)} (${signedNumber(interval[0], 2)} to ${signedNumber(interval[1], 2)}) ${KIND_IN_WORDS[kind](name)} (${countOf(reviews, "book")}${givenUp > 0 ? `, ${givenUp} of them given up` : ""}): ${mean.toFixed(2)} on average, ${elsewhere.toFixed(2)} for the other books`,
      ...evidence
        .map(({ title, rating, others, isAverage, quote }) =>
          plainLine(
            `“${title}”: ${rating ?? "given up"}${isAverage && others !== null ? ` where others give ${others.toFixed(1)}` : "; what others give is not known"}${quote === null ? "" : `: “${quote}”`}`,
          ),
        )
        .map((line) => `      ${line}`),
    ]),
  ];
}

const SIDES = { left: "the first", right: "the second", tie: "cannot be told" } as const;

/** Which of two stories a reader would prefer according to a model, aspect by aspect. */
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

/** Percentages in whole numbers that add up to 100: the largest remainders are rounded up. */
export function hundredths(shares: readonly number[]): number[] {
  const whole = shares.map((share) => Math.floor(100 * share));
  const missing = 100 - whole.reduce((sum, one) => sum + one, 0);
  const largest = [...shares.keys()].sort((a, b) => 100 * shares[b]! - whole[b]! - (100 * shares[a]! - whole[a]!));
  return whole.map((one, at) => one + (largest.indexOf(at) < missing ? 1 : 0));
}

/** The same from the embedded predictor: a rating for each, the difference, and whether it could be zero. */
export function embeddedPreferenceInWords({ left, right, preference }: EmbeddedComparison): string {
  const line = (name: string, prediction: PersonalPrediction) =>
    prediction.kind === "unscored"
      ? `${name}: unscored, ${prediction.reason}`
      : `${name}: ${prediction.rating.toFixed(2)} out of 5 (${prediction.interval.map((bound) => bound.toFixed(1)).join("–")})`;
  const lines = [line("First", left), line("Second", right)];
  if (preference === null) {
    return [...lines, "No preference can be predicted: too little is known of one of the two, or of both."].join("\n");
  }
  const { preferred, chanceLeft, chanceRight, chanceEqual, difference, interval } = preference;
  const [left100, right100, equal100] = hundredths([chanceLeft, chanceRight, chanceEqual]);
  return [
    ...lines,
    `Preferred: ${SIDES[preferred]}. The first gets more stars ${left100} times in 100, the second ${right100}, both the same number ${equal100}; first less second ${signedNumber(difference, 2)} stars, four times in five ${signedNumber(interval[0], 2)} to ${signedNumber(interval[1], 2)}.`,
  ].join("\n");
}

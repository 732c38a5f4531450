/** A number as a judge wrote it: `3.5/5` is 3.5 out of 5. */
export interface WrittenScore {
  readonly value: number;
  readonly outOf: number | null;
}

export type ScoreReading =
  | { readonly kind: "score"; readonly score: WrittenScore /** What follows the number. */; readonly rest: string }
  | { readonly kind: "withheld"; readonly reason: string };

/** Where scores were found, whatever form the reply had. */
export interface WrittenScores {
  mentions(id: string): boolean;
  marksOf(id: string): readonly ScoreReading[];
  overallMarks(): readonly ScoreReading[];
  critiqueOf(id: string): string | null;
  assessment(): string | null;
}

const QUALIFIER = /^(?:approximately|approx\.?|about|around|roughly|a solid|a|an|约|大约|为|是|[~≈])\s*/i;
const SCALE_NOTE = /^[([][^)\]]*?\d[^)\]]*?(?:[-–—~]|to|至|到|out of|\/)[^)\]]*[)\]]\s*[:=]?\s*/i;
const NUMBER = /^([-+−]?\d+(?:\.\d+|,\d{1,2})?)(?!\d|,\d|\.\d|[a-zA-Z])/;
const OUT_OF = /^\s*(?:[/⁄∕]|out of|of|分?\s*[,，(]?\s*满分(?:为|是)?)\s*(\d+(?:\.\d+)?)(?![\d-]|\.\d)/i;
const RANGE = /^\s*(?:[-–—~]|,?\s*(?:perhaps|maybe|possibly|或许|也许)\b|to\b|至|到|and\b|or\b|或|→|->|=>)\s*\d/i;
const SECOND_THOUGHT =
  /^[\s.,;–—-]*(?:actually|rather|no,|wait|make (?:that|it)|on (?:second thoughts?|reflection))\b[^.!?]*\d/i;
/** `(85 + 80) / 2 = 82.5`: the first number of a sum is not its result. */
const SUM = /^\s*[+×*÷]\s*\d/;
const WITHHELD =
  /^[([]?(?:n\s*\/?\s*a\b|none\b|null\b|not (?:applicable|scored|rated|given|enough)|unscored|cannot|无法|不适用|未评分|无\b|暂无)/i;
const STARS = /^([★⭐🌟]+)(½)?([☆✩]*)/u;

/** What a score was before: quoted for comparison, not given. */
export const FORMER =
  /(?:\b(?:previous|prior|earlier|former|old|initial|last)|上次|此前|先前|原)(?:ly)?\s*(?:overall\s*)?$/i;

/** Reads a score at the start of a text. Null when there is none; a range or a revision is withheld, never guessed at. */
export function readScore(source: string): ScoreReading | null {
  let text = source
    .trim()
    .replace(/^[$\\({[]*boxed\{?/, "")
    .replace(/^[${]+/, "");
  if (WITHHELD.test(text)) return { kind: "withheld", reason: "the judge gave no score" };
  if (SCALE_NOTE.test(text) && readScore(text.replace(SCALE_NOTE, ""))) text = text.replace(SCALE_NOTE, "");
  text = text.replace(/^[([]\s*(?=[-+\d])/, "").replace(QUALIFIER, "");
  const stars = STARS.exec(text);
  if (stars) {
    const half = stars[2] ? 0.5 : 0;
    const full = [...stars[1]!].length + half;
    const empty = [...stars[3]!].length + half;
    const rest = text.slice(stars[0].length);
    // Stars beside a number are its picture, rounded.
    const beside = readScore(rest);
    if (beside) return beside;
    return { kind: "score", score: { value: full, outOf: empty > half ? full + empty : null }, rest };
  }
  const number = NUMBER.exec(text);
  if (!number) return null;
  const value = Number(number[1]!.replace("−", "-").replace(",", "."));
  let rest = text.slice(number[0].length);
  const outOf = OUT_OF.exec(rest);
  if (outOf) rest = rest.slice(outOf[0].length);
  const again = outOf ? /^\s*[(=,]\s*(\d+(?:\.\d+)?)\s*\/\s*(\d+)/.exec(rest) : null;
  if (again && Math.abs(Number(again[1]) / Number(again[2]) - value / Number(outOf![1])) > 0.006)
    return { kind: "withheld", reason: "the judge wrote two scores that differ" };
  const result = SUM.test(rest) ? resultOf(text) : RANGE.test(rest) ? carriedOut(rest) : null;
  if (result) return result;
  if (SUM.test(rest)) return { kind: "withheld", reason: "the judge wrote a sum, not one score" };
  if (SECOND_THOUGHT.test(rest)) return { kind: "withheld", reason: "the judge wrote a revision, not one score" };
  if (RANGE.test(rest)) return { kind: "withheld", reason: "the judge wrote a range or a revision, not one score" };
  return { kind: "score", score: { value, outOf: outOf ? Number(outOf[1]) : null }, rest };
}

/** `(80 + 84) / 2 = 82`: a sum that is carried out gives its result. */
function resultOf(text: string): ScoreReading | null {
  const sum = /^[\d\s.,+×*÷/()-]+?(?:[=≈]\s*[\d.]+\s*)*[=≈]\s*(?=\d)/.exec(text);
  return sum ? readScore(text.slice(sum[0].length)) : null;
}

/** `80 - 5 for the ending = 75` */
function carriedOut(rest: string): ScoreReading | null {
  const sum = /^\s*[-–−]\s*\d[^.;!?\n=]{0,60}=\s*(?=\d+(?:\.\d+)?(?:\s*\/\s*\d+)?\s*$)/.exec(rest);
  return sum ? readScore(rest.slice(sum[0].length)) : null;
}

const CLOSED =
  /^\s*(?:%|分|points?\b|marks?\b|stars?\b|颗?星)?\s*(?:$|[)\]}|;；。!]|(?<=分)\s*,|[.,:]?\s*$|\s[-–—(]|[–—(]|-(?!\p{L})|\.\s|:\s)/iu;

/** After a label that says "score", prose may follow the number: `85 for its nerve`, but not `3 aspects above 80`. */
const GOES_ON =
  /^\s*(?:$|[^\p{L}\s]|(?:for|because|as|since|given|due|based|with|but|overall|which|reflecting|reflects|considering|owing|out of|of|on|in|points?|marks?|stars?|percent|分|颗?星)(?![\p{L}])|\p{Script=Han})/iu;

/** The score after a label that promises one. */
export function readPromisedScore(source: string): ScoreReading | null {
  const reading = readScore(source);
  if (!reading || reading.kind === "withheld" || reading.score.outOf !== null) return reading;
  return GOES_ON.test(reading.rest) ? reading : null;
}

/** A score that stands alone after a label: `85`, `4/5.`, `85 – a fine plot`, but not `3 storylines`. */
export function readStandaloneScore(source: string): ScoreReading | null {
  const reading = readScore(source);
  if (!reading || reading.kind === "withheld") return reading;
  return reading.score.outOf !== null || CLOSED.test(reading.rest) ? reading : null;
}

/** A line that is a score and nothing else, under a label that stands alone. */
export function readAlone(text: string): ScoreReading | null {
  const reading = readStandaloneScore(text);
  if (reading?.kind !== "score") return null;
  return reading.rest.replace(/[\s.。!)\]%分]|points?|stars?/gi, "") === "" ? reading : null;
}

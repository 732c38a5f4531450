/** A score as a judge wrote it: `3.5/5` is 3.5 of 5. Without a stated scale, it depends on the reply or the request. */
export interface WrittenScore {
  readonly value: number;
  readonly outOf: number | null;
}

export type ParsedScore =
  | { readonly kind: "score"; readonly score: WrittenScore /** What follows the number. */; readonly rest: string }
  | { readonly kind: "withheld"; readonly reason: string };

/** Where scores were found, independent of the form of the reply. */
export interface WrittenScores {
  mentions(id: string): boolean;
  marksOf(id: string): readonly ParsedScore[];
  overallMarks(): readonly ParsedScore[];
  critiqueOf(id: string): string | null;
  assessment(): string | null;
}

const QUALIFIER = /^(?:approximately|about|around|roughly|a solid|a|an|约|大约|为|是|[~≈])\s*/i;
const NUMBER = /^([-+−]?\d+(?:\.\d+|,\d{1,2})?)(?!\d|,\d|\.\d|[a-zA-Z])/;
const OUT_OF =
  /^\s*(?:(?:points?|stars?)\s*(?=out of|of \d|on a)|\()?(?:[/⁄∕]|out of(?: a possible)?|of|on a scale (?:of|from) [01](?:\.0)? ?(?:to|[-–—])|分?\s*[,，(]?\s*满分(?:为|是)?)\s*(\d+)(?:\.0+)?(?![\d-]|\.\d)/i;
const STAR_UNIT = /^[\s-]*(?:stars?\b|颗?星|[★⭐🌟])/iu;
const PERCENT = /^\s*(?:%|percent\b|per cent\b)/i;
const RANGE =
  /^\s*(?:%|stars?)?\s*(?:[-–—~]|,?\s*(?:perhaps|maybe|possibly|或许|也许)\b|to\b|至|到|and\b|or\b|或|→|->|=>)\s*\d/i;
const SECOND_THOUGHT =
  /^[\s.,;–—-]*(?:actually|rather|no,|wait|make (?:that|it)|on (?:second thoughts?|reflection))\b[^.!?]*\d/i;
/** `(85 + 80) / 2 = 82.5`: the first number of a sum is not its result. */
const SUM = /^\s*[+×*÷]\s*\d/;
const SUM_CARRIED_OUT = /^[\d\s.,+×*÷/()-]+?(?:[=≈]\s*[\d.]+\s*)*[=≈]\s*(?=\d)/;
const WITHHELD =
  /^[([]?(?:n\s*\/?\s*a\b|none\b|null\b|not (?:applicable|scored|rated|given|enough)|unscored|cannot|无法|不适用|未评分|无\b|暂无)/i;
const STARS = /^([★⭐🌟]+)(½)?([☆✩]*)/u;

/** A previous score: quoted for comparison, not given. */
export const FORMER =
  /(?:\b(?:previous|prior|earlier|former|old|initial|last)|上次|此前|先前|原)(?:ly)?\s*(?:overall\s*)?$/i;

/**
 * The reason used if a judge said explicitly that it gives none; any other reason means that a score could not be
 * read.
 */
export const NO_SCORE_GIVEN = "the judge gave no score";

const withheld = (reason: string): ParsedScore => ({ kind: "withheld", reason });

/** Reads a score at the start of a text. Null if there is none; a range or a revision is withheld, never guessed. */
export function readScore(source: string): ParsedScore | null {
  const text = source.trim().replace(/^[$\\({[]*boxed\{?|^[${]+/, "");
  if (WITHHELD.test(text)) return withheld(NO_SCORE_GIVEN);
  const start = text.replace(/^[([]\s*(?=[-+\d])/, "").replace(QUALIFIER, "");
  const stars = STARS.exec(start);
  return stars ? readStars(stars, start.slice(stars[0].length)) : readNumber(start);
}

/** `★★★★☆`; stars beside a number only illustrate it, rounded. */
function readStars([, full = "", half, empty = ""]: RegExpExecArray, rest: string): ParsedScore {
  const beside = readScore(rest);
  if (beside) return beside;
  const value = [...full].length + (half ? 0.5 : 0);
  return { kind: "score", score: { value, outOf: Math.ceil(value) + [...empty].length > 5 ? 10 : 5 }, rest };
}

function readNumber(text: string): ParsedScore | null {
  const number = NUMBER.exec(text);
  if (!number) return null;
  const value = Number(number[1]!.replace("−", "-").replace(",", "."));
  const after = text.slice(number[0].length);
  const stated = OUT_OF.exec(after);
  const rest = after.slice(stated?.[0].length ?? 0);
  const again = stated
    ? /^\s*[(=,]\s*(?:(?:about|around|roughly|which is|that is|i\.e\.,?|or)\s+)*(\d+(?:\.\d+)?)\s*\/\s*(\d+)/i.exec(
        rest,
      )
    : null;
  if (again && Math.abs(Number(again[1]) / Number(again[2]) - value / Number(stated![1])) > 0.006)
    return withheld("the judge wrote two scores that differ");
  if (SUM.test(rest)) {
    const sum = SUM_CARRIED_OUT.exec(text);
    return sum ? readScore(text.slice(sum[0].length)) : withheld("the judge wrote a sum, not one score");
  }
  if (SECOND_THOUGHT.test(rest) || RANGE.test(rest))
    return withheld("the judge wrote a range or a revision, not one score");
  return { kind: "score", score: { value, outOf: stated ? Number(stated[1]) : scaleOfUnit(value, rest) }, rest };
}

/** Percents are out of a hundred and stars out of five; `60 ⭐` is decoration. */
function scaleOfUnit(value: number, rest: string): number | null {
  if (PERCENT.test(rest)) return 100;
  return STAR_UNIT.test(rest) && value <= 5 ? 5 : null;
}

/** The scale in `Score (1-5)` or `Score (out of 10)`. */
export function scaleInNote(label: string): number | null {
  const scale = /[([][^)\]]*?(?:[01](?:\.0)?\s*(?:[-–—~]|to|至|到)|out of|\/|满分)\s*(\d+)(?:\.0)?[^)\]\d]*[)\]]/i.exec(
    label,
  );
  return scale ? Number(scale[1]) : null;
}

/** Applies the scale stated in a label to a score without one. */
export function withScale(parsed: ParsedScore | null, outOf: number | null): ParsedScore | null {
  if (parsed?.kind !== "score") return parsed;
  return { ...parsed, score: { value: parsed.score.value, outOf: parsed.score.outOf ?? outOf } };
}

const CLOSED =
  /^\s*(?:%|percent\b|分|[★⭐🌟]|points?\b|marks?\b|stars?\b|颗?星)?\s*(?:$|[)\]}|;；。!]|(?<=分)\s*,|[.,:]?\s*$|\s[-–—(]|[–—(]|-(?!\p{L})|\.\s|:\s)/iu;

/** After a label that says "score", prose may follow the number: `85 for its nerve`, but not `3 aspects above 80`. */
const GOES_ON =
  /^\s*(?:$|[^\p{L}\s]|(?:for|because|as|since|given|due|based|with|but|overall|which|reflecting|reflects|considering|owing|of|on|in|points?|marks?|stars?|percent|分|颗?星)(?![\p{L}])|\p{Script=Han})/iu;

/** The score after a label that announces one. */
export function readPromisedScore(source: string): ParsedScore | null {
  const parsed = readScore(source);
  if (!parsed || parsed.kind === "withheld" || parsed.score.outOf !== null) return parsed;
  return GOES_ON.test(parsed.rest) ? parsed : null;
}

/** A score alone after a label: `85`, `4/5.`, `85 – a fine plot`, but not `3 storylines`. */
export function readStandaloneScore(source: string): ParsedScore | null {
  const parsed = readScore(source);
  if (!parsed || parsed.kind === "withheld") return parsed;
  const stated = parsed.score.outOf !== null && !PERCENT.test(parsed.rest) && !STAR_UNIT.test(parsed.rest);
  return stated || CLOSED.test(parsed.rest) ? parsed : null;
}

/** A line that is only a score, under a label on its own line. */
export function readAlone(text: string): ParsedScore | null {
  const parsed = readStandaloneScore(text);
  if (parsed?.kind !== "score") return null;
  return parsed.rest.replace(/[\s.。!)\]%分★⭐🌟]|percent|points?|stars?/giu, "") === "" ? parsed : null;
}

import { type Scale, unscored } from "../../core/verdict.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { splitReasoning } from "../../models/read-reply.ts";
import { isRefusal } from "../../models/refusal.ts";
import type { ParsedScore, WrittenScores } from "../../models/written-score.ts";
import { onScale, type ReadVerdict, scaleOfBareScores } from "./on-scale.ts";
import { CUT_OFF, readJsonScores } from "./read-json-scores.ts";
import { readMarkdown } from "./read-markdown.ts";

/** The verdicts of a saved reply, aspect by aspect, on the requested scale. */
export interface ReadReply {
  readonly aspects: Readonly<Record<string, ReadVerdict>>;
  readonly overall: ReadVerdict;
  readonly critiques: Readonly<Record<string, string>>;
  readonly assessment: string | null;
}

export interface ReplyOptions {
  /** If JSON was requested and contains scores, those in the surrounding text are drafts and do not count. */
  readonly jsonAlone?: boolean;
  /** Numbers without a scale are known to be on the requested one. */
  readonly onScaleAsked?: boolean;
  /** The reply was asked about this aspect only, so its overall score is the aspect's. */
  readonly aspect?: string;
}

/**
 * Reads the verdicts out of a reply of any model: JSON, JSON in prose, or prose with labels in English or Chinese. A score
 * on another scale than the one `asked` for is converted, and `written` keeps it as it was. What is missing,
 * contradictory, a range or of an unknown scale is unscored with the reason: a reply is never read wrongly without a word.
 *
 * @example
 * ```ts
 * const { aspects, overall } = readVerdicts("**Plot:** taut. Score: 7/10", rubric);
 * // aspects.plot → { kind: "scored", score: 70, written: { value: 7, outOf: 10 } }
 * ```
 */
export function readVerdicts(
  reply: string,
  rubric: Rubric,
  asked: Scale = rubric.scale,
  { jsonAlone = false, onScaleAsked = false, aspect }: ReplyOptions = {},
): ReadReply {
  const text = plainNumbers(splitReasoning(reply).answer);
  const whole = readWritten(text, rubric, jsonAlone);
  const written = aspect === undefined ? whole : ofOneAspect(whole, aspect);
  const given = [...rubric.criteria.flatMap(({ id }) => written.marksOf(id)), ...written.overallMarks()];
  const bare = onScaleAsked ? asked.maximum : scaleOfBareScores(text, given, asked);
  const refused = given.length === 0 && isRefusal(text);
  const settle = (marks: readonly ParsedScore[], missing: string) =>
    settleMarks(marks, bare, asked, refused ? REFUSED : missing);
  const aspects: Record<string, ReadVerdict> = {};
  const critiques: Record<string, string> = {};
  for (const { id, parent } of rubric.criteria) {
    const marks = written.marksOf(id);
    const missing = aspect !== undefined && id !== aspect ? ANOTHER : written.mentions(id) ? DISCUSSED : NOT_MENTIONED;
    if (parent === undefined || marks.length > 0) aspects[id] = settle(marks, missing);
    const critique = written.critiqueOf(id);
    if (critique) critiques[id] = critique;
  }
  const overall = settle(written.overallMarks(), aspect === undefined ? NO_OVERALL : ANOTHER);
  return { aspects, overall, critiques, assessment: written.assessment() };
}

/**
 * Asked about one aspect, a judge may end with an overall verdict, as NovelCritique does. Both then refer to the same
 * thing, and two different scores contradict each other.
 */
function ofOneAspect(written: WrittenScores, aspect: string): WrittenScores {
  const marks = () => [...written.overallMarks(), ...written.marksOf(aspect)];
  const critique = written.critiqueOf(aspect) ?? written.assessment();
  return {
    mentions: (id) => id === aspect && (critique !== null || marks().length > 0),
    marksOf: (id) => (id === aspect ? marks() : []),
    overallMarks: () => [],
    critiqueOf: (id) => (id === aspect ? critique : null),
    assessment: () => null,
  };
}

const REFUSED = "the model refused";
const ANOTHER = "the reply was asked about another aspect alone";
const DISCUSSED = "it is discussed without a score";
const NOT_MENTIONED = "it is not mentioned";
const NO_OVERALL = "the reply gives no overall score";
const SILENT = new Set([NOT_MENTIONED, NO_OVERALL, CUT_OFF, ANOTHER, REFUSED]);

/** Whether a reply says anything about any aspect or the whole book, even without a readable score. */
export function saysSomething({ aspects, overall }: ReadReply): boolean {
  return [...Object.values(aspects), overall].some((one) => one.kind === "scored" || !SILENT.has(one.reason));
}

const NUMBER_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const ANY_WORD = NUMBER_WORDS.join("|");
const SPELLED = new RegExp(
  `\\b(?:(${ANY_WORD}|\\d)([ -]and[ -]a[ -]half)?|(half))(?=(?: solid| full| shining)?[ -](?:stars?|out of)\\b)|(?<=\\bout of )(${ANY_WORD}|a hundred)\\b`,
  "gi",
);

const QUARTERS: Readonly<Record<string, string>> = { "¼": ".25", "½": ".5", "¾": ".75" };
/** `3 1/2 stars`, `3 1/2 out of 5`; elsewhere `1/2` may mean a part of the cast. */
const MIXED_NUMBER = /\b(\d) (?:and )?([13])\/([24])(?=\s*(?:stars?\b|out of\b|\/\s*\d|of \d|[.)]?\s*$))/gm;

/** `three and a half stars` and `four out of five` in figures. */
function plainNumbers(reply: string): string {
  const figure = (word: string) => (/^\d$/.test(word) ? Number(word) : NUMBER_WORDS.indexOf(word.toLowerCase()));
  return reply
    .replace(/(\d)\s*([¼½¾])/g, (_whole, number: string, part: string) => number + QUARTERS[part]!)
    .replace(MIXED_NUMBER, (_whole, number: string, above: string, below: string) =>
      String(Number(number) + Number(above) / Number(below)),
    )
    .replace(SPELLED, (_whole, whole?: string, half?: string, onlyHalf?: string, scale?: string) => {
      if (scale) return /hundred/i.test(scale) ? "100" : String(figure(scale));
      return onlyHalf ? "0.5" : String(figure(whole!) + (half ? 0.5 : 0));
    })
    .replace(/(?<=\d) (?:solid|full|shining)(?= stars?\b)/gi, "");
}

/**
 * JSON counts together with scores in the prose around it: a verdict that a judge merely quotes then contradicts the
 * judge's own, and a contradiction is unscored.
 */
function readWritten(reply: string, rubric: Rubric, jsonAlone: boolean): WrittenScores {
  const { scores: json, rest } = readJsonScores(reply, rubric);
  if (json && jsonAlone) return json;
  const around = readMarkdown(rest, rubric);
  if (!json) return around;
  return {
    mentions: (id) => json.mentions(id) || around.mentions(id),
    marksOf: (id) => [...json.marksOf(id), ...around.marksOf(id)],
    overallMarks: () => [...json.overallMarks(), ...around.overallMarks()],
    critiqueOf: (id) => json.critiqueOf(id) ?? around.critiqueOf(id),
    assessment: () => json.assessment() ?? around.assessment(),
  };
}

function settleMarks(marks: readonly ParsedScore[], bare: number | string, asked: Scale, missing: string): ReadVerdict {
  const withheld = marks.find((mark) => mark.kind === "withheld");
  const scores = marks.flatMap((mark) => (mark.kind === "score" ? [mark.score] : []));
  const first = scores.find(({ outOf }) => outOf !== null) ?? scores[0];
  if (!first) return unscored(withheld?.reason ?? missing);
  const verdict = onScale(first, bare, asked);
  const different = scores.find((score) => {
    // `Score: 4` below `Plot (4/5)` repeats it.
    if (score.value === first.value && (score.outOf ?? first.outOf) === first.outOf) return false;
    const other = onScale(score, bare, asked);
    return (
      other.kind !== verdict.kind ||
      (other.kind === "scored" &&
        verdict.kind === "scored" &&
        Math.abs(other.score - verdict.score) > 0.006 * asked.maximum)
    );
  });
  if (different) return unscored(`the reply gives two different scores, ${first.value} and ${different.value}`);
  return verdict;
}

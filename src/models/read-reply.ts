import { createRequire } from "node:module";
import type { z } from "zod";
import { rescale, type Scale } from "../core/verdict.ts";
import type { ChatMessage, ChatReply } from "./chat-model.ts";
import { isRefusal } from "./refusal.ts";
import { type ParsedScore, readAlone, readPromisedScore, readScore } from "./written-score.ts";

/** Why a reply contained no value of the requested schema. */
export type UnreadableReply = "refusal" | "truncated" | "no-json" | "wrong-shape" | "no-score";

export type Unreadable = { readonly kind: "unreadable"; readonly why: UnreadableReply; readonly reason: string };

/** The value in a reply, or why none could be read. */
export type ParsedReply<T> = { readonly kind: "read"; readonly value: T } | Unreadable;

type ReplyText = Pick<ChatReply, "text" | "stop">;

/**
 * Reads the value a model gave in reply to a schema: bare JSON, JSON in a fence, or JSON somewhere in prose. Small slips
 * (trailing commas, single quotes, numbers in quotation marks) are repaired. JSON that repeats the prompt, such as the
 * example of the format or an order in a manuscript, is never taken for the answer. Of several answers the last one counts:
 * models correct themselves.
 *
 * @example
 * ```ts
 * const reading = readJsonReply({ text: "Sure: {'score': '7',}", stop: "stop" }, z.object({ score: z.number() }));
 * // { kind: "read", value: { score: 7 } }
 * ```
 */
export function readJsonReply<T>(
  reply: ReplyText,
  schema: z.ZodType<T>,
  prompt: readonly ChatMessage[] = [],
  /** Whether the complete parts of cut-off JSON may be used; only if the schema does not require everything. */
  { partly = false }: { readonly partly?: boolean } = {},
): ParsedReply<T> {
  const answer = splitReasoning(reply.text).answer;
  const refusal = refusalIn(reply, answer);
  if (refusal) return refusal;
  const { found, unfinished, salvaged } = ownJson(answer, prompt);
  let shapeProblem: string | null = null;
  for (const candidate of (partly && salvaged !== null ? [...found, salvaged] : found).toReversed()) {
    const value = parseLoosely(candidate);
    if (value === undefined) continue;
    const parsed = parseRepairing(schema, value);
    if (parsed.success) return { kind: "read", value: parsed.data };
    shapeProblem ??= describe(parsed.error);
  }
  if (reply.stop === "length" || unfinished) return cutOff("JSON");
  if (shapeProblem) return unreadable("wrong-shape", `the reply's JSON has another shape: ${shapeProblem}`);
  return unreadable("no-json", `the reply holds no JSON: ${excerpt(answer)}`);
}

/** Reads a reply that is the answer itself, in plain words, without a label such as `Answer:`. */
export function readTextReply(reply: ReplyText): ParsedReply<string> {
  const answer = splitReasoning(reply.text).answer.trim();
  const refusal = refusalIn(reply, answer);
  if (refusal) return refusal;
  if (reply.stop === "length") return cutOff("answer");
  const text = answer.replace(/^[\s*_#>]*(?:final answer|answer|答案|回答)[\s*_]*[:：][\s*_]*/i, "").trim();
  return text === "" ? unreadable("no-json", "the reply is empty") : { kind: "read", value: text };
}

/** A score with the reason before it. */
export interface ScoreWithReason {
  readonly score: number;
  readonly reason: string;
}

const SCORE_KEY = /^(?:final_?|overall_?)?(?:score|grade|rating|result)$/i;
const REASON_KEY = /^(?:reason(?:ing)?|review|feedback|explanation|rationale|comment|justification)$/i;
/**
 * `[RESULT] 4`, `[RESULT: 4]`, `[Score] (4)`, `[RESULT] Score: 4` and the like, as written by graders modelled on
 * Prometheus.
 */
const RESULT_MARK =
  /\[[\s*_]*(?:final\s+)?(?:result|score|rating|grade)[\s*_]*(?:\]|[:：=]|(?=\d))[\s*_:：=\]]*(?:(?:the\s+)?(?:final\s+|overall\s+)?(?:score|rating|grade|result)\s*(?:(?:is|of)\b|[:：=])?[\s*_]*)?/gi;
/**
 * A conclusion in prose: `So the overall score is 4.` A score that "would be", or that others deserve, is no
 * conclusion.
 */
const CONCLUSION =
  /\b(?:so|therefore|thus|hence|consequently|overall|in conclusion|accordingly)\b[,:]?\s+(?:the|my|its|this)\s+(?:(?:response|answer)(?:['’]s)?\s+)?(?:(?:overall|final|appropriate)\s+)?(?:score|rating|grade)\s+(?:is|of|:)\s*/gi;
const DIGIT_IN_WORDS = /^[\s(*_]*(one|two|three|four|five|six|seven|eight|nine|ten)\b/i;
const DIGITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/**
 * `Good job. (Score 5)` or `Good job. Score: 5`: a label at the start of the last sentence, followed only by the
 * number.
 */
const CLOSING_LABEL =
  /(?:[.!?;:)\]"”][\s*_]+|[([])(?:(?:my|the|final|overall|total)\s+)*(?:score|grade|rating|result)[\s*_]*(?:[:：=]|\b(?:is|of)\b)?[\s*_]*(?=[([]?\d[^\p{L}]*(?:out of \d+[^\p{L}]*)?$)/giu;
const SCORE_LABEL =
  /^[ \t*_#>-]*(?:(?:my|the|final|overall|total)\s+)*(?:score|grade|rating|result|评分|分数|得分)(?:\s*\([^)\n]*\))?[\s*_]*(?:[:：=]|\bis\b)[\s*_]*/gim;

/**
 * Reads one score and its reason: JSON with or without the reason, `[RESULT] 4` after the feedback, a line such as
 * `Score: 4`, a conclusion such as `So the overall score is 4.`, or the bare number. A score with a stated scale
 * (`8/10`) is converted to the requested one.
 */
export function readScoreReply(
  reply: ReplyText,
  scale: Scale & { readonly wholeNumbers?: boolean },
  prompt: readonly ChatMessage[] = [],
): ParsedReply<ScoreWithReason> {
  const answer = splitReasoning(reply.text).answer.trim();
  const refusal = refusalIn(reply, answer);
  if (refusal) return refusal;
  const { found, unfinished } = ownJson(answer, prompt);
  const documents = found.toReversed().map(parseLoosely).filter(isRecord);
  const named = documents.flatMap((fields) => {
    const score = fieldNamed(fields, SCORE_KEY);
    const result = typeof score === "number" ? bare(score) : typeof score === "string" ? readScore(score) : null;
    const reason = fieldNamed(fields, REASON_KEY);
    return result ? [{ result, reason: typeof reason === "string" ? reason : "" }] : [];
  })[0];
  const written = named ?? writtenScore(answer, reply.stop);
  if (!written) {
    return reply.stop === "length" || unfinished
      ? cutOff("score")
      : unreadable("no-score", `the reply states no score: ${excerpt(answer)}`);
  }
  const { result } = written;
  if (result.kind === "withheld") return unreadable("no-score", result.reason);
  const { value, outOf } = result.score;
  const score =
    outOf === null || outOf === scale.maximum ? value : rescale(value, { minimum: 0, maximum: outOf }, scale);
  if (score < scale.minimum || score > scale.maximum || (outOf !== null && value > outOf))
    return unreadable("no-score", `the score ${value} is not on the scale from ${scale.minimum} to ${scale.maximum}`);
  if (scale.wholeNumbers && !Number.isInteger(score))
    return unreadable("no-score", `the score ${value} is not a whole number`);
  return { kind: "read", value: { score, reason: written.reason.trim() } };
}

function writtenScore(answer: string, stop: ChatReply["stop"]): { result: ParsedScore; reason: string } | null {
  // A reply that was cut off may end in the first digit of its score.
  if (stop === "length") return null;
  for (const pattern of [RESULT_MARK, SCORE_LABEL, CONCLUSION, CLOSING_LABEL]) {
    // A mark that no score follows, such as a repeated form, is ignored.
    const marks = [...answer.matchAll(pattern)].flatMap((mark) => {
      const [rest] = /^\s*[^\n]*/.exec(answer.slice(mark.index + mark[0].length))!;
      const result = readPromisedScore(
        rest.replace(DIGIT_IN_WORDS, (_, word: string) => `${DIGITS.indexOf(word.toLowerCase()) + 1}`),
      );
      return result ? [{ result, at: mark.index }] : [];
    });
    const last = marks.at(-1);
    if (!last) continue;
    // A grader that continues after its result invents results for other questions.
    const results = pattern === RESULT_MARK ? [...new Set(marks.flatMap(({ result }) => scoresIn(result)))] : [];
    const result: ParsedScore =
      results.length > 1
        ? { kind: "withheld", reason: `the reply gives more than one result: ${results.join(" and ")}` }
        : last.result;
    return { result, reason: answer.slice(0, last.at).replace(/^[\s*_#]*feedback[\s*_]*:[\s*_]*/i, "") };
  }
  const alone = readAlone(answer);
  return alone && { result: alone, reason: "" };
}

function scoresIn(result: ParsedScore): number[] {
  return result.kind === "score" ? [result.score.value] : [];
}

function bare(value: number): ParsedScore {
  return { kind: "score", score: { value, outOf: null }, rest: "" };
}

function fieldNamed(fields: Record<PropertyKey, unknown>, key: RegExp): unknown {
  return Object.entries(fields).find(([name]) => key.test(name))?.[1];
}

/** A refusal, by the provider's stop reason or in the model's own words; null if it is none. */
export function refusalIn(reply: ReplyText, answer = splitReasoning(reply.text).answer): Unreadable | null {
  if (reply.stop !== "refusal" && !isRefusal(answer)) return null;
  return unreadable("refusal", `the model refused: ${excerpt(reply.text)}`);
}

/** The JSON of a reply that does not repeat the prompt. */
export function ownJson(answer: string, prompt: readonly ChatMessage[]): JsonCandidates {
  const { found, unfinished, salvaged } = jsonCandidates(answer);
  const isEcho = echoOf(prompt);
  return {
    found: found.filter((candidate) => !isEcho(candidate)),
    unfinished,
    salvaged: salvaged !== null && isEcho(salvaged.slice(0, salvaged.search(/[\]}]*$/))) ? null : salvaged,
  };
}

/** A figure in any script, a number in words, or stars. */
const NUMBER =
  /[\p{N}★⭐🌟一二三四五六七八九十百]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|hundred|half)\b/iu;

/**
 * The words of a reply that do not repeat the prompt: JSON of the prompt, and lines with numbers from it, are left
 * out. A manuscript may contain a finished evaluation of itself, and a judge may repeat it.
 */
export function ownWords(answer: string, prompt: readonly ChatMessage[]): string {
  if (prompt.length === 0) return answer;
  const isEcho = echoOf(prompt);
  let before = "";
  return jsonCandidates(answer)
    .found.filter(isEcho)
    .reduce((left, candidate) => left.replace(candidate, () => ""), answer)
    .split("\n")
    .filter((line) => {
      // A number alone occurs in every prompt, so it counts as repeated only together with the line it belongs to.
      const said = /\p{L}/u.test(line) ? line : `${before}${line}`;
      if (line.trim() !== "") before = line;
      return !NUMBER.test(line) || !isEcho(said);
    })
    .join("\n");
}

function echoOf(prompt: readonly ChatMessage[]): (text: string) => boolean {
  const asked = prompt.map(({ content }) => singleSpaced(content));
  return (text) => {
    const squeezed = singleSpaced(text);
    return asked.some((content) => content.includes(squeezed));
  };
}

export interface JsonCandidates {
  /** Every outermost balanced `{…}` or `[…]`, in order. */
  readonly found: readonly string[];
  /** A bracket was opened and never closed: the reply broke off inside it. */
  readonly unfinished: boolean;
  /** The broken-off JSON up to its last closed inner piece. */
  readonly salvaged: string | null;
}

const RESTARTS = 64;
/** No verdict is nested deeper; anything deeper is an attack or noise. */
const DEEPEST = 100;

/**
 * The pieces of a reply that could be JSON, ignoring the prose or fences around them. A piece that was never closed
 * is not a candidate: guessing its end would turn a cut-off 85 into an 8.
 */
export function jsonCandidates(text: string): JsonCandidates {
  const found: string[] = [];
  let salvaged: string | null = null;
  let unfinished = false;
  let from = 0;
  for (let restart = 0; restart < RESTARTS; restart++) {
    const scan = scanBalanced(text, from);
    for (const piece of scan.found) found.push(piece);
    if (scan.unclosed === null) break;
    if (!unfinished) salvaged = scan.salvaged;
    unfinished = true;
    from = scan.unclosed + 1;
  }
  return { found: found.length <= 2 * MOST_PIECES ? found : endsOf(found), unfinished, salvaged };
}

/** A reply contains one object, sometimes a few; of thousands, only those at its beginning and end are tried. */
const MOST_PIECES = 100;

function endsOf(pieces: readonly string[]): string[] {
  return [...pieces.slice(0, MOST_PIECES), ...pieces.slice(-MOST_PIECES)];
}

/**
 * One pass. Quotation marks count only inside a bracket, so that dialogue in the prose around it does not confuse the
 * scan.
 */
function scanBalanced(
  text: string,
  from: number,
): { found: string[]; unclosed: number | null; salvaged: string | null } {
  const found: string[] = [];
  const open: { at: number; closes: string }[] = [];
  let closed: { at: number; depth: number } | null = null;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === "{" || character === "[") {
      open.push({ at, closes: character === "{" ? "}" : "]" });
      if (open.length > DEEPEST) return { found, unclosed: open[0]!.at, salvaged: null };
    } else if (open.length === 0) continue;
    else if (character === '"') inString = true;
    else if (character === "}" || character === "]") {
      const innermost = open.pop()!;
      if (innermost.closes !== character) return { found, unclosed: (open[0] ?? innermost).at, salvaged: null };
      if (open.length === 0) found.push(text.slice(innermost.at, at + 1));
      closed = open.length === 0 ? null : { at, depth: open.length };
    }
  }
  const outermost = open[0];
  if (!outermost) return { found, unclosed: null, salvaged: null };
  if (closed === null) return { found, unclosed: outermost.at, salvaged: null };
  // Brackets opened after the last one was closed come after it, so the first `depth` are those that contain it.
  const closers = open.slice(0, closed.depth).map(({ closes }) => closes);
  const salvaged = text.slice(outermost.at, closed.at + 1) + closers.reverse().join("");
  return { found, unclosed: outermost.at, salvaged };
}

export interface SplitReply {
  readonly answer: string;
  readonly reasoning: string | null;
}

const OPENING = /^\s*<(think|thinking|reasoning)>/i;
const ANY_OPENING = /<(?:think|thinking|reasoning)>/i;
const CLOSING = /<\/(?:think|thinking|reasoning)>/i;

/**
 * Local reasoning models put their thinking into the reply, in tags; a draft in it is not a verdict. Some chat
 * templates open the tag themselves, so that only its end is visible; a reply that was cut off may have no end.
 */
export function splitReasoning(text: string): SplitReply {
  const opening = OPENING.exec(text);
  const closing = CLOSING.exec(text);
  const whole = { answer: text, reasoning: null };
  if (!closing) return opening ? { answer: "", reasoning: text.slice(opening[0].length).trim() } : whole;
  // A pair of tags later in the text is a quotation: a judge that cites a manuscript's "<think>" is not thinking
  // again.
  if (!opening && ANY_OPENING.test(text.slice(0, closing.index))) return whole;
  const start = opening ? opening[0].length : 0;
  return {
    answer: text.slice(closing.index + closing[0].length).trim(),
    reasoning: text.slice(start, closing.index).trim() || null,
  };
}

function unreadable(why: UnreadableReply, reason: string): Unreadable {
  return { kind: "unreadable", why, reason };
}

function cutOff(what: string): Unreadable {
  return unreadable("truncated", `the reply was cut off before its ${what} was complete`);
}

/** JSON with small mistakes repaired; undefined if it is not JSON. */
export function parseLoosely(candidate: string): unknown {
  for (const attempt of [() => candidate, () => repairJson().jsonrepair(candidate)]) {
    try {
      return JSON.parse(attempt()) as unknown;
    } catch {
      // The next attempt repairs more; if the last one fails too, this is not JSON.
    }
  }
  return undefined;
}

/** Loaded for the first reply that needs it. */
function repairJson(): typeof import("jsonrepair") {
  return createRequire(import.meta.url)("jsonrepair");
}

const NUMERIC = /^\s*[-+]?\d+(?:\.\d+)?\s*$/;

/** Parses; if a scalar is only written differently ("85" for 85, "First" for "first"), converts it and parses again. */
function parseRepairing<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  const first = schema.safeParse(value);
  if (first.success) return first;
  const repaired: unknown = structuredClone(value);
  for (const issue of first.error.issues) {
    const holder = issue.path
      .slice(0, -1)
      .reduce<unknown>((inner, step) => (isRecord(inner) ? inner[step] : undefined), repaired);
    const step = issue.path.at(-1);
    if (!isRecord(holder) || step === undefined) return first;
    const fixed = repairedScalar(issue, holder[step]);
    if (fixed === undefined) return first;
    holder[step] = fixed;
  }
  return schema.safeParse(repaired);
}

function repairedScalar(issue: z.core.$ZodIssue, given: unknown): unknown {
  const word = typeof given === "string" ? given.trim().toLowerCase() : null;
  if (issue.code === "invalid_value") return issue.values.find((value) => value === word);
  if (issue.code !== "invalid_type") return undefined;
  if (issue.expected === "number" && word !== null && NUMERIC.test(word)) return Number(word);
  if (issue.expected === "string" && typeof given === "number") return String(given);
  if (issue.expected === "boolean" && word !== null && /^(?:true|yes|false|no)$/.test(word))
    return word === "true" || word === "yes";
  return undefined;
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}

function describe(error: z.ZodError): string {
  const issue = error.issues[0]!;
  return issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message;
}

/** For comparing texts that may differ in white space and in full-width or half-width letters. */
function singleSpaced(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, "");
}

function excerpt(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line === "") return "it is empty";
  return line.length > 120 ? `“${line.slice(0, 120)}…”` : `“${line}”`;
}

import { z } from "zod";
import { isScored, scored, unscored, type Verdict } from "../core/verdict.ts";
import { type Rubric, rubricHash } from "../criteria/rubric.ts";
import type { Grader } from "../jury/grader.ts";
import type { Juror, Opinion } from "../jury/juror.ts";
import { prepareText } from "../jury/prepare-text.ts";
import { ask, type ParsedAnswer } from "../models/ask.ts";
import type { ChatMessage, ChatModel, ChatReply } from "../models/chat-model.ts";
import { type ParsedReply, readJsonReply } from "../models/read-reply.ts";
import { type PromptSource, shippedPrompts } from "../prompts/own-prompts.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";

/** Scores one chapter on every dimension of a rubric: a language model, or the embedded grader. */
export interface ChapterScorer {
  readonly id: string;
  readonly version: string;
  readonly rubric: Rubric;
  /** What kind of judge this is, if its name does not say so; shown with every score. */
  readonly speaker?: string;
  /** The prompt and settings of the judge; none for an embedded judge, which is identified by its version. */
  basis?(): Promise<ScoringBasis>;
  /** The same text always gets the same scores, so repeats are skipped. */
  readonly isDeterministic?: boolean;
  /** A caveat to show with the scores of this text, or null. */
  caveat?(text: string): string | null;
  /** `repeat` 0 is the only scoring of a text, at temperature 0; from 1 on, each is a separate sample. */
  score(text: string, repeat: number, signal: AbortSignal): Promise<Readonly<Record<string, Verdict>>>;
  /**
   * Also returns the judge's reasons and the version stated in its reply; absent if the judge gives only scores. A
   * `round` above 0 scores the text again, to see whether the judge has changed.
   */
  opinion?(text: string, repeat: number, signal: AbortSignal, round?: number): Promise<ChapterOpinion>;
}

/** A judge's full answer about a text. */
export interface ChapterOpinion {
  readonly scores: Readonly<Record<string, Verdict>>;
  /** Reasons by dimension, where the judge gave any. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** The model named by the provider in the reply. */
  readonly stated?: string;
}

/** The prompt and settings behind a score: rows with different ones are not comparable. */
export interface ScoringBasis {
  /** Hash of the prompt's text. */
  readonly prompt: string;
  /** In words: "temperature 0". */
  settings(isRepeated: boolean): string;
}

/**
 * Verdicts as a row of numbers in the order of the dimensions, with faults reversed so that higher is always better.
 */
export function scoreRow(verdicts: Readonly<Record<string, Verdict>>, rubric: Rubric): (number | null)[] {
  const { minimum, maximum } = rubric.scale;
  return rubric.criteria.map((criterion) => {
    const verdict = verdicts[criterion.id];
    if (!verdict || verdict.kind === "unscored") return null;
    return criterion.better === "lower" ? minimum + maximum - verdict.score : verdict.score;
  });
}

/**
 * The same row at the lower and upper ends of the verdicts' ranges, null if one has none: the errors of criteria are
 * correlated.
 */
export function rangeRows(
  verdicts: Readonly<Record<string, Verdict>>,
  rubric: Rubric,
): { readonly low: readonly number[]; readonly high: readonly number[] } | null {
  const { minimum, maximum } = rubric.scale;
  const ranges = rubric.criteria.map((criterion): readonly [number, number] | null => {
    const verdict = verdicts[criterion.id];
    if (!verdict || verdict.kind === "unscored" || !verdict.interval) return null;
    const [low, high] = verdict.interval;
    return criterion.better === "lower" ? [minimum + maximum - high, minimum + maximum - low] : [low, high];
  });
  const known = ranges.filter((range) => range !== null);
  if (known.length < ranges.length) return null;
  return { low: known.map(([low]) => low), high: known.map(([, high]) => high) };
}

/** The embedded grader as a scorer of chapters. It is deterministic: a repeat gives the same scores. */
export function graderScorer(judge: Grader, grader: Juror): ChapterScorer {
  // A text is scored and then asked for its caveat, so the result is kept to read the text only once.
  let last: { readonly text: string; readonly opinion: Opinion } | null = null;
  const opinionOf = (text: string): Opinion => {
    if (last?.text !== text) last = { text, opinion: grader.judge([prepareText(text)]) };
    return last.opinion;
  };
  return {
    id: judge.id,
    version: judge.version,
    rubric: judge.rubric,
    speaker: grader.speaker,
    isDeterministic: true,
    caveat: (text) => opinionOf(text).caveat,
    score: async (text) => opinionOf(text).criteria,
  };
}

/** A score with or without its reason, however the number is written. */
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^\s*\d+(?:\.\d+)?\s*$/)
    .transform(Number),
]);
const anyScore = z.union([number, z.object({ score: number }).transform(({ score }) => score)]);
const anyReason = z.object({ reason: z.string() });
const anyScores = z.object({ scores: z.record(z.string(), z.unknown()) });

const WHOLE_NUMBERS = ", whole numbers";

/** Whether the settings asked for whole numbers only. */
export function areWholeNumbers(settings: string | undefined): boolean {
  return settings?.endsWith(WHOLE_NUMBERS) ?? false;
}

/** At temperature 0 most providers repeat themselves, and a spread of 0 would say nothing about the judge. */
export const REPEAT_TEMPERATURE = 0.7;

/** Separates the sample numbers of a round from those of repeats, so that a round makes its own calls. */
const ROUND = 10_000;

export interface ModelScorerOptions {
  /** Ask for whole numbers only, as WebNovelBench does. */
  readonly wholeNumbers?: boolean;
}

/** A language model as the judge of chapters, in the language of the rubric. */
export function modelScorer(
  model: ChatModel,
  rubric: Rubric,
  prompts: PromptSource = shippedPrompts,
  { wholeNumbers = false }: ModelScorerOptions = {},
): ChapterScorer {
  const prompt = wholeNumbers ? "bench-score-whole" : "bench-score";
  const settings = (isRepeated: boolean) =>
    `temperature ${isRepeated ? REPEAT_TEMPERATURE : 0}${wholeNumbers ? WHOLE_NUMBERS : ""}`;
  const { minimum, maximum } = rubric.scale;
  const criteria = rubric.criteria.map(({ id, name, definition }) => `- ${id} (${name}): ${definition}`).join("\n");
  const dimension = z.object({
    reason: z.string(),
    score: (wholeNumbers ? z.int() : z.number()).min(minimum).max(maximum),
  });
  const shapeFor = (ids: readonly string[]) => ({
    name: "chapter_scores",
    schema: z.object({ scores: z.object(Object.fromEntries(ids.map((id) => [id, dimension]))) }),
  });
  const verdictOf = (given: unknown): Verdict => {
    const { data: score } = anyScore.safeParse(given);
    if (score === undefined) return unscored("the judge left this dimension out");
    if (score < minimum || score > maximum) return unscored(`the judge gave ${score}, which is off the scale`);
    if (wholeNumbers && !Number.isInteger(score))
      return unscored(`the judge gave ${score}, which is not a whole number`);
    return scored(score);
  };
  const toldOf = (given: unknown): Told => ({
    verdict: verdictOf(given),
    reason: anyReason.safeParse(given).data?.reason.trim() || null,
  });
  type Scores = Readonly<Record<string, Told>>;
  const readScores = (reply: ChatReply, prompt: readonly ChatMessage[]): ParsedReply<Scores> => {
    const parsed = readJsonReply(reply, anyScores, prompt, { partly: true });
    if (parsed.kind === "unreadable") return parsed;
    const given = parsed.value.scores;
    return { kind: "read", value: Object.fromEntries(rubric.criteria.map(({ id }) => [id, toldOf(given[id])])) };
  };
  // A score out of bounds, or a missing one, leaves only that dimension unscored; the rest of the reply is used.
  const read = (reply: ChatReply, prompt: readonly ChatMessage[]): ParsedAnswer<Scores> => {
    const parsed = readScores(reply, prompt);
    if (parsed.kind === "unreadable") return parsed;
    const { value } = parsed;
    const unread = Object.entries(value).flatMap(([id, { verdict }]) => (isScored(verdict) ? [] : [{ id, verdict }]));
    const [first] = unread;
    if (!first) return parsed;
    const missing = unread.map(({ id }) => id);
    const rest = {
      missing: missing.map((id) => `scores.${id}`).join(", "),
      reason: `${first.id}: ${first.verdict.reason}`,
      shape: shapeFor(missing),
      complete: (second: ChatReply): Scores => {
        const again = readScores(second, prompt);
        if (again.kind === "unreadable") return value;
        return { ...value, ...Object.fromEntries(missing.map((id) => [id, again.value[id]!])) };
      },
    };
    return { ...parsed, rest };
  };
  const opinion: NonNullable<ChapterScorer["opinion"]> = async (text, repeat, signal, round = 0) => {
    const template = await prompts(prompt, rubric.language);
    const messages = renderPrompt(template, {
      criteria,
      minimum: String(minimum),
      maximum: String(maximum),
      chapter: text,
    });
    const question = {
      purpose: "judge",
      messages,
      sample: repeat + ROUND * round,
      language: rubric.language.startsWith("zh") ? "zh" : "en",
      shape: shapeFor(rubric.criteria.map(({ id }) => id)),
      read,
      // Each sample gets its own seed if the provider takes one.
      ...(repeat === 0 ? { temperature: 0 } : { temperature: REPEAT_TEMPERATURE, seed: repeat }),
    } as const;
    const answer = await ask(model, question, signal);
    const stated = answer.attempts.at(-1)?.model;
    if (answer.kind !== "answered")
      return { scores: allUnscored(rubric, answer.reason), ...(stated !== undefined && { stated }) };
    const told = Object.entries(answer.value);
    return {
      scores: Object.fromEntries(told.map(([id, { verdict }]) => [id, verdict])),
      reasons: Object.fromEntries(told.flatMap(([id, { reason }]) => (reason === null ? [] : [[id, reason]]))),
      ...(stated !== undefined && { stated }),
    };
  };
  return {
    id: model.id,
    version: rubricHash(rubric).slice(0, 12),
    rubric,
    basis: async () => ({
      prompt: (await prompts(prompt, rubric.language)).hash.slice(0, 12),
      settings,
    }),
    opinion,
    score: async (text, repeat, signal) => (await opinion(text, repeat, signal)).scores,
  };
}

interface Told {
  readonly verdict: Verdict;
  readonly reason: string | null;
}

function allUnscored(rubric: Rubric, reason: string): Record<string, Verdict> {
  return Object.fromEntries(rubric.criteria.map(({ id }) => [id, unscored(reason)]));
}

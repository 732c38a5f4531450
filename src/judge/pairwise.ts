import { z } from "zod";
import { rubricHash } from "../criteria/rubric.ts";
import type { ParsedAnswer } from "../models/ask.ts";
import type { ChatMessage, ChatModel, ChatReply } from "../models/chat-model.ts";
import { type ParsedReply, readJsonReply } from "../models/read-reply.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import type { PromptValues } from "../prompts/render-prompt.ts";
import { signTest } from "../stats/comparison/significance-tests.ts";
import { wilsonInterval } from "../stats/distribution.ts";
import { bradleyTerry, type Comparison, type Strength } from "../stats/rating.ts";
import type { Book } from "../text/book.ts";
import { segmentBook } from "../text/segments.ts";
import { askPrompt } from "./ask.ts";
import { bookText, chooseExcerpts, criteriaText, type JudgeInstructions } from "./material.ts";
import { excerptsText } from "./methods/summary.ts";
import { notesText, summariseBook } from "./summary.ts";

const choiceSchema = z.enum(["first", "second", "tie"]);
const OVERALL = "overall";
const COMPARISON = "comparison";

/** The schema of a comparison: for every aspect the reason and then the choice. */
export function comparisonSchema({ criteria }: { readonly criteria: readonly { readonly id: string }[] }) {
  return z.object({ ...aspectsShape(criteria), ...WHOLE_SHAPE });
}

const WHOLE_SHAPE = { reason: z.string(), overall: choiceSchema };

function aspectsShape(criteria: readonly { readonly id: string }[]) {
  const aspect = z.object({ reason: z.string(), better: choiceSchema });
  return { aspects: z.object(Object.fromEntries(criteria.map(({ id }) => [id, aspect]))) };
}

interface Choice {
  readonly better: z.infer<typeof choiceSchema>;
  readonly reason: string;
}
type Choices = Readonly<Record<string, Choice>>;

const words = z.string().catch("");
const spoken = z
  .string()
  .transform((word) => word.trim().toLowerCase())
  .pipe(choiceSchema);
/** A choice in any form judges use: with or without its reason, or the bare word. */
const anyChoice = z.union([
  spoken.transform((better) => ({ better, reason: "" })),
  z.object({ better: spoken, reason: words }),
]);
const anyComparison = z.looseObject({
  aspects: z.record(z.string(), z.unknown()).catch({}),
  reason: words,
  overall: z.unknown().optional(),
});

/** Reads each choice of a comparison separately, so that a missing one does not affect the others. */
function readChoices(
  reply: ChatReply,
  criteria: readonly { readonly id: string }[],
  prompt: readonly ChatMessage[],
): ParsedReply<Choices> {
  const parsed = readJsonReply(reply, anyComparison, prompt, { partly: true });
  if (parsed.kind === "unreadable") return parsed;
  const { aspects, reason, overall } = parsed.value;
  const given = [...criteria.map(({ id }) => [id, aspects[id]] as const), [OVERALL, overall] as const];
  const choices = given.flatMap(([id, value]) => {
    const choice = anyChoice.safeParse(value).data;
    return choice ? [[id, id === OVERALL && choice.reason === "" ? { ...choice, reason } : choice] as const] : [];
  });
  if (choices.length > 0) return { kind: "read", value: Object.fromEntries(choices) };
  return { kind: "unreadable", why: "wrong-shape", reason: "the reply chooses between the books on no aspect" };
}

/** Reads a comparison, and asks for missing choices. */
function readComparison(
  reply: ChatReply,
  { criteria }: Pick<JudgeInstructions, "criteria">,
  prompt: readonly ChatMessage[],
): ParsedAnswer<Choices> {
  const parsed = readChoices(reply, criteria, prompt);
  if (parsed.kind === "unreadable") return parsed;
  const missing = missingFrom(parsed.value, criteria);
  if (missing.length === 0) return parsed;
  const lacking = criteria.filter(({ id }) => missing.includes(id));
  const schema = z.object({
    ...(lacking.length > 0 && aspectsShape(lacking)),
    ...(missing.includes(OVERALL) && WHOLE_SHAPE),
  });
  const named = missing.map((id) => (id === OVERALL ? id : `aspects.${id}`)).join(", ");
  const rest = {
    missing: named,
    reason: `no choice (first, second or tie) could be read for ${named}`,
    shape: { name: COMPARISON, schema },
    complete: (second: ChatReply): Choices => {
      const others = readChoices(second, lacking, prompt);
      return others.kind === "read" ? { ...others.value, ...parsed.value } : parsed.value;
    },
  };
  return { ...parsed, rest };
}

function missingFrom(
  choices: Readonly<Record<string, unknown>>,
  criteria: readonly { readonly id: string }[],
): string[] {
  return [...criteria.map(({ id }) => id), OVERALL].filter((id) => choices[id] === undefined);
}

/** A book in the form in which it is compared. */
export interface Contestant {
  readonly id: string;
  readonly text: string;
}

/** One reply: which book was better, independent of the order in which they were shown. */
export interface Meeting {
  readonly left: string;
  readonly right: string;
  /** Whether `left` was shown first. */
  readonly leftFirst: boolean;
  readonly run: number;
  /** By aspect id, and `overall`. */
  readonly choices: Readonly<Record<string, { readonly outcome: "left" | "right" | "tie"; readonly reason: string }>>;
}

export interface PairOutcome {
  readonly meetings: readonly Meeting[];
  readonly failures: readonly string[];
}

const TOKENS_PER_ASPECT = 140;
const TOKENS_FOR_THE_WHOLE = 320;

/**
 * Which prompt is used, and its values besides the aspects and the two texts, such as a reader's taste or a shared
 * premise.
 */
export interface Presentation {
  readonly prompt: string;
  readonly values: PromptValues;
}

const PLAIN: Presentation = { prompt: "compare-books", values: {} };

/** Asks for a comparison in both orders in every run: R runs take 2·R calls. */
export async function comparePair(
  judge: ChatModel,
  instructions: JudgeInstructions,
  left: Contestant,
  right: Contestant,
  runs: number,
  signal: AbortSignal,
  presentation: Presentation = PLAIN,
): Promise<PairOutcome> {
  const orders = Array.from({ length: runs }, (_, run) =>
    [true, false].map((leftFirst) => ({ run, leftFirst })),
  ).flat();
  const answers = await Promise.all(
    orders.map(async ({ run, leftFirst }) => {
      const [first, second] = leftFirst ? [left, right] : [right, left];
      const answer = await askPrompt(
        judge,
        {
          prompt: presentation.prompt,
          language: instructions.language,
          values: {
            ...presentation.values,
            criteria: criteriaText(instructions),
            first: first.text,
            second: second.text,
          },
          purpose: "judge",
          shape: { name: COMPARISON, schema: comparisonSchema(instructions) },
          read: (reply, prompt) => readComparison(reply, instructions, prompt),
          maximumTokens: TOKENS_FOR_THE_WHOLE + TOKENS_PER_ASPECT * instructions.criteria.length,
          temperature: instructions.temperature,
          sample: run,
          basis: rubricHash(instructions.rubric),
        },
        signal,
      );
      if (answer.kind === "unanswered") return answer.reason;
      const outcome = (choice: z.infer<typeof choiceSchema>) =>
        choice === "tie"
          ? ("tie" as const)
          : (choice === "first") === leftFirst
            ? ("left" as const)
            : ("right" as const);
      const choices = Object.entries(answer.value).map(
        ([id, { better, reason }]) => [id, { outcome: outcome(better), reason }] as const,
      );
      return { left: left.id, right: right.id, leftFirst, run, choices: Object.fromEntries(choices) } satisfies Meeting;
    }),
  );
  const meetings = answers.filter((answer) => typeof answer !== "string");
  const incomplete = meetings.flatMap(({ choices }) => {
    const missing = missingFrom(choices, instructions.criteria);
    return missing.length > 0 ? [`the judge chose between the books, but not on ${missing.join(", ")}`] : [];
  });
  return { meetings, failures: [...answers.filter((answer) => typeof answer === "string"), ...incomplete] };
}

/** A book up to this length is shown whole. */
const SHOWN_WHOLE_WORDS = 4000;

export type Digest =
  | { readonly kind: "digest"; readonly text: string }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * A book in the form in which it is compared: the whole text if it is short, otherwise genres, premise, summary,
 * characters and excerpts. Title and author are left out, since fame is no merit.
 */
export async function digestBook(
  summariser: ChatModel,
  book: Book,
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<Digest> {
  if (book.words <= SHOWN_WHOLE_WORDS) return { kind: "digest", text: bookText(book, language) };
  const segments = segmentBook(book);
  const { notes, missing } = await summariseBook(summariser, { book, segments, language }, signal).whole;
  const [hole] = missing;
  if (hole || !notes) {
    return {
      kind: "failed",
      reason: hole ? `segment ${hole.segment} could not be summarised: ${hole.reason}` : "it has no text",
    };
  }
  const facts = [book.genres.join(", "), book.premise].filter(Boolean).join("\n");
  const text = [facts, notesText(notes), excerptsText(chooseExcerpts(book), language)].filter(Boolean).join("\n\n");
  return { kind: "digest", text };
}

/** The result of a pair's meetings for one aspect. */
export interface Tally {
  readonly left: number;
  readonly right: number;
  readonly ties: number;
  /**
   * The side chosen more often than chance explains, over both orders; a tie if the two cannot be told apart; null if
   * there was no answer.
   */
  readonly better: "left" | "right" | "tie" | null;
  /** The side chosen more often, even if by chance, for callers that must decide. */
  readonly leaning: "left" | "right" | "tie" | null;
  /** Two-sided sign test of the decisions; null if there were none. */
  readonly p: number | null;
  /** In how many runs both orders gave the same answer, among those in which both were answered. */
  readonly consistent: { readonly same: number; readonly of: number };
}

const SIGNIFICANCE = 0.05;

/** With fewer answers than this, two books cannot be told apart even if all answers agree. */
export const FEWEST_ANSWERS = 6;

export function tally(meetings: readonly Meeting[], aspect: string): Tally {
  const outcomes = meetings.flatMap(({ choices }) => choices[aspect]?.outcome ?? []);
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  const [left, right, ties] = [count("left"), count("right"), count("tie")];
  const leaning = outcomes.length === 0 ? null : left === right ? "tie" : left > right ? "left" : "right";
  const p = left + right === 0 ? null : signTest(left, right);
  const pairs = [...new Set(meetings.map(({ run }) => run))].flatMap((run) => {
    const both = meetings
      .filter((meeting) => meeting.run === run)
      .flatMap(({ choices }) => choices[aspect]?.outcome ?? []);
    return both.length === 2 ? [both[0] === both[1]] : [];
  });
  return {
    left,
    right,
    ties,
    better: leaning === null || (p !== null && p < SIGNIFICANCE) ? leaning : "tie",
    leaning,
    p,
    consistent: { same: pairs.filter(Boolean).length, of: pairs.length },
  };
}

/** How much a judge favours the book shown first. */
export interface PositionBias {
  /** Decisions for the first book, among all decisions. */
  readonly first: number;
  readonly decisions: number;
  /** Share of decisions for the first book minus one half: 0 is no bias, 0.5 means always the first. */
  readonly bias: number | null;
  /** Wilson's 95 % interval of the bias. */
  readonly interval: readonly [number, number] | null;
}

/** Every book is shown first as often as second, so an unbiased judge decides for the first half of the time. */
export function positionBias(meetings: readonly Meeting[]): PositionBias {
  const decided = meetings.flatMap(({ leftFirst, choices }) =>
    Object.values(choices)
      .filter(({ outcome }) => outcome !== "tie")
      .map(({ outcome }) => (outcome === "left") === leftFirst),
  );
  const first = decided.filter(Boolean).length;
  const decisions = decided.length;
  if (decisions === 0) return { first, decisions, bias: null, interval: null };
  const [low, high] = wilsonInterval(first, decisions, 0.95);
  return { first, decisions, bias: first / decisions - 0.5, interval: [low - 0.5, high - 0.5] };
}

/** Two contestants who should meet next. */
export interface Pairing {
  readonly left: string;
  readonly right: string;
}

/**
 * Strengths with intervals. Every contestant gets one low-weight tie with every other, so that one who never lost
 * still has a finite strength; after a few meetings each, this has little effect.
 */
export function standings(contestants: readonly string[], comparisons: readonly Comparison[]): readonly Strength[] {
  const met = new Set(comparisons.flatMap(({ left, right }) => [left, right]));
  if (met.size === 0) {
    return contestants.map((id) => ({
      id,
      strength: 0,
      interval: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
      comparisons: 0,
    }));
  }
  const prior = pairsOf(contestants).map(({ left, right }): Comparison => ({ left, right, outcome: "tie" }));
  const fitted = bradleyTerry([...comparisons, ...prior]);
  if ("value" in fitted) throw new RangeError(fitted.reason);
  const others = contestants.length - 1;
  return [...fitted]
    .map((strength) => ({ ...strength, comparisons: strength.comparisons - others }))
    .sort((left, right) => right.strength - left.strength);
}

/**
 * The pair whose meeting is most informative: an uncertain outcome between contestants whose strengths are least
 * known. Among equals, pairs that met least often come first; null if every pair has met often enough.
 */
export function nextPairing(
  contestants: readonly string[],
  comparisons: readonly Comparison[],
  options: { readonly meetingsPerPair: number; readonly until?: Goal },
): Pairing | null {
  const order = standings(contestants, comparisons);
  const ranked = new Map(order.map((strength) => [strength.id, strength]));
  const matters = mattersTo(options.until, order);
  const meetings = new Map<string, number>();
  for (const { left, right } of comparisons) {
    const key = pairKey(left, right);
    meetings.set(key, (meetings.get(key) ?? 0) + 1);
  }
  let best: { pairing: Pairing; worth: number } | null = null;
  for (const pairing of pairsOf(contestants)) {
    const met = meetings.get(pairKey(pairing.left, pairing.right)) ?? 0;
    if (met >= options.meetingsPerPair) continue;
    const [left, right] = [ranked.get(pairing.left)!, ranked.get(pairing.right)!];
    if (!matters(left, right)) continue;
    const chance = 1 / (1 + Math.exp(right.strength - left.strength));
    const unsure = spread(left) ** 2 + spread(right) ** 2;
    const worth = (chance * (1 - chance) * unsure) / (1 + met);
    if (!best || worth > best.worth + 1e-12) best = { pairing, worth };
  }
  return best?.pairing ?? null;
}

/**
 * When a tournament may stop: at a given precision of the strengths, or when the order of the first places is
 * settled.
 */
export type Goal =
  | { readonly kind: "width"; readonly halfWidth: number }
  | { readonly kind: "top"; readonly count: number };

/** Whether the goal is reached. Every book must have been compared twice, because a lucky start can look settled. */
export function isGoalReached(goal: Goal, order: readonly Strength[]): boolean {
  if (order.some(({ comparisons }) => comparisons < LEAST_COMPARISONS)) return false;
  switch (goal.kind) {
    case "width":
      return order.every((strength) => 2 * spread(strength) <= goal.halfWidth);
    case "top":
      return order.slice(0, goal.count).every((strength, at) => {
        const next = order[at + 1];
        return next === undefined || areApart(strength, next, order.length);
      });
    default:
      return goal satisfies never;
  }
}

/** Two comparisons, each in both orders. */
const LEAST_COMPARISONS = 4;
/** One-sided 95 %, because the question is only who is stronger, not by how much. */
const SURE = 1.645;

/**
 * Whether the stronger of two is certainly above the other. Strengths sum to zero, so in a balanced tournament of n
 * contestants the variance of a difference is n ⁄ (n − 1) times the sum of the two variances.
 */
function areApart(left: Strength, right: Strength, contestants: number): boolean {
  const variance = ((spread(left) ** 2 + spread(right) ** 2) * contestants) / (contestants - 1);
  return Math.abs(left.strength - right.strength) > SURE * Math.sqrt(variance);
}

/** For the order of the first few, only meetings that involve one of them and whose outcome is uncertain count. */
function mattersTo(goal: Goal | undefined, order: readonly Strength[]): (left: Strength, right: Strength) => boolean {
  if (goal?.kind !== "top" || order.some(({ comparisons }) => comparisons < LEAST_COMPARISONS)) return () => true;
  const first = new Set(order.slice(0, goal.count).map(({ id }) => id));
  return (left, right) => (first.has(left.id) || first.has(right.id)) && !areApart(left, right, order.length);
}

function spread({ interval: [low, high] }: Strength): number {
  return Number.isFinite(high - low) ? (high - low) / 4 : 10;
}

function pairsOf(contestants: readonly string[]): Pairing[] {
  return contestants.flatMap((left, position) => contestants.slice(position + 1).map((right) => ({ left, right })));
}

function pairKey(left: string, right: string): string {
  return [left, right].sort().join("\u0000");
}

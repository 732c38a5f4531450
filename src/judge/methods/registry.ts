import { unscored } from "../../core/verdict.ts";
import { type Answer, ask } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { PromptValues } from "../../prompts/render-prompt.ts";
import type { Segment } from "../../text/segments.ts";
import { judgeQuestion } from "../ask.ts";
import type { JudgeReply } from "../judge-reply.ts";
import { bookText, type JudgeInstructions, metadataText, segmentPlace, segmentText } from "../material.ts";
import { LEAST_RUNS, lookPoints, looksAllowed, noiseOfRuns, spreadOf } from "../repeats.ts";
import { notesText } from "../summary.ts";
import type {
  AspectOutcome,
  Judging,
  LedgerEntry,
  Method,
  MethodMaterial,
  PublishedMethod,
  RunOutcome,
  SegmentOutcome,
} from "./method.ts";
import { averageOver, gap, judgedSegment, ledgerEntry, outcomeOf, unscoredOutcome, verdictOf } from "./outcome.ts";
import { summary } from "./summary.ts";

/** The values of a prompt about one segment: the book, what came before, the text, and its position in the book. */
async function segmentValues(material: MethodMaterial, segment: Segment) {
  const { book, segments, instructions } = material;
  const { language } = instructions;
  const before = (await material.summary().before(segment.index))?.notes ?? null;
  return {
    metadata: metadataText(book, language, instructions.presentation),
    before: before ? (instructions.presentation?.before === "plot" ? before.plot : notesText(before)) : null,
    segment: segmentText(book, segment, language),
    place: segmentPlace(segment, segments.length, language),
  };
}

/**
 * Each segment is judged separately, with the summary of what came before; the book's score is the average. A segment
 * is judged as soon as the summary before it exists. S segments and R runs take S + S·R calls.
 */
const aggregate: Method = {
  name: "aggregate",
  about: "every segment by itself, averaged",
  judging: (material) => async (judge, run, signal) => {
    const { segments, instructions } = material;
    const answers = await Promise.all(
      segments.map(async (segment) => {
        const values = await segmentValues(material, segment);
        const asked = { prompt: "judge-segment", values, sample: run, length: "brief" } as const;
        const answer = await ask(judge, await judgeQuestion(judge, instructions, asked), signal);
        material.onSegment?.(judgedSegment(segment, answer));
        return answer;
      }),
    );
    // The last segment is summarised for callers that need a summary of the whole book; this method does not fail if
    // that fails.
    await material.summary().whole;
    return combineSegments(instructions, segments, answers);
  },
};

/** Combines the segments' replies into one outcome: averages over what was scored, unscored if too much was not. */
export function combineSegments(
  instructions: JudgeInstructions,
  segments: readonly Segment[],
  answers: readonly Answer<JudgeReply>[],
): RunOutcome {
  const given = answers.map((answer) => (answer.kind === "answered" ? answer.value : null));
  const ledger = segments.map((segment, position) => {
    const answer = answers[position]!;
    return answer.kind === "answered" ? ledgerEntry(segment, "text") : ledgerEntry(segment, "nothing", answer.reason);
  });
  const missing = gap(ledger);
  if (missing) return { ...unscoredOutcome(instructions, missing, ledger), replies: given };
  const course = segments.map((segment, position) => segmentOutcome(instructions, segment, answers[position]!));
  const replies = answers.flatMap((answer) => (answer.kind === "answered" ? [answer.value] : []));
  const aspects = instructions.criteria.map(({ id }): [string, AspectOutcome] => {
    const judged = replies.flatMap((reply) => reply.aspects[id] ?? []);
    return [
      id,
      {
        ...averageOver(
          course.map((outcome) => outcome.aspects[id]!),
          segments,
        ),
        strengths: judged.flatMap(({ strengths }) => strengths),
        weaknesses: judged.flatMap(({ weaknesses }) => weaknesses),
      },
    ];
  });
  const { verdict: overall, support } = averageOver(
    course.map((outcome) => outcome.overall),
    segments,
  );
  return {
    aspects: Object.fromEntries(aspects),
    overall,
    support,
    assessment: null,
    course,
    ledger,
    replies: given,
  };
}

function segmentOutcome({ criteria }: JudgeInstructions, segment: Segment, answer: Answer<JudgeReply>): SegmentOutcome {
  const reply = answer.kind === "answered" ? answer.value : null;
  const verdict = (score: number | null | undefined, reason: string | undefined) =>
    answer.kind === "unanswered" ? unscored(answer.reason) : verdictOf(score ?? null, reason);
  return {
    segment: segment.index,
    chapter: segment.spans[0]?.chapter ?? 1,
    aspects: Object.fromEntries(
      criteria.map(({ id }) => [id, verdict(reply?.aspects[id]?.score, reply?.aspects[id]?.unscored)]),
    ),
    overall: verdict(reply?.overall, reply?.unscored),
  };
}

/**
 * Carries an evaluation along the book and updates it with every segment, as readers update their opinion; the prompt
 * says when the last segment is the ending. S segments and R runs take S + S·R calls; the runs go side by side.
 */
const incremental: Method = {
  name: "incremental",
  about: "an evaluation carried along and updated",
  judging: (material) => async (judge, run, signal) => {
    const { segments, instructions } = material;
    const { criteria } = instructions;
    const ledger: LedgerEntry[] = [];
    const course: SegmentOutcome[] = [];
    let evaluation: JudgeReply | null = null;
    for (const segment of segments) {
      const values: PromptValues = {
        ...(await segmentValues(material, segment)),
        ending: segment.index === segments.length ? "last" : null,
        // Last in the prompt, since it differs between runs; everything before it can come from a prefix cache.
        evaluation: evaluation && JSON.stringify(asAsked(evaluation)),
      };
      const answer = await ask(
        judge,
        await judgeQuestion(judge, instructions, { prompt: "judge-update", values, sample: run }),
        signal,
      );
      material.onSegment?.(judgedSegment(segment, answer));
      if (answer.kind === "unanswered") {
        ledger.push(ledgerEntry(segment, "nothing", answer.reason));
        continue;
      }
      evaluation = answer.value;
      ledger.push(ledgerEntry(segment, "text"));
      const { aspects, overall, unscored } = answer.value;
      course.push({
        segment: segment.index,
        chapter: segment.spans[0]?.chapter ?? 1,
        aspects: Object.fromEntries(
          criteria.map(({ id }) => [id, verdictOf(aspects[id]?.score ?? null, aspects[id]?.unscored)]),
        ),
        overall: verdictOf(overall, unscored),
      });
    }
    await material.summary().whole;
    const missing = gap(ledger) ?? endingMissed(ledger);
    if (!evaluation || missing) return unscoredOutcome(instructions, missing ?? "nothing was judged", ledger);
    return { ...outcomeOf(evaluation, ledger), course };
  },
};

/** An evaluation in the form the judge is asked for, without our notes on why a score is missing. */
function asAsked({ unscored: _why, aspects, ...evaluation }: JudgeReply) {
  const plain = Object.entries(aspects).map(([id, { unscored: _reason, ...aspect }]) => [id, aspect]);
  return { aspects: Object.fromEntries(plain), ...evaluation };
}

/** An evaluation that never saw the ending does not count for the book. */
function endingMissed(ledger: readonly LedgerEntry[]): string | null {
  const last = ledger.at(-1);
  return last?.seenAs === "nothing" ? `the last segment could not be judged: ${last.reason}` : null;
}

/** The whole text in one request. A text that does not fit is refused, never cut. R runs take R calls. */
const onePass: Method = {
  name: "one-pass",
  about: "the whole text in one request",
  judging:
    ({ book, segments, instructions }) =>
    async (judge, run, signal) => {
      const { language } = instructions;
      const values = {
        metadata: metadataText(book, language, instructions.presentation),
        book: bookText(book, language),
      };
      const answer = await ask(
        judge,
        await judgeQuestion(judge, instructions, { prompt: "judge-one-pass", values, sample: run }),
        signal,
      );
      if (answer.kind === "answered") {
        return outcomeOf(
          answer.value,
          segments.map((segment) => ledgerEntry(segment, "text")),
        );
      }
      const ledger = segments.map((segment) => ledgerEntry(segment, "nothing", answer.reason));
      return unscoredOutcome(instructions, answer.reason, ledger);
    },
};

/** LongStoryEval's methods, each a value that can be listed, compared and replaced. */
export const METHODS: Readonly<Record<PublishedMethod, Method>> = {
  "one-pass": onePass,
  aggregate,
  incremental,
  summary,
};

/** How many calls a book of S segments takes in R runs. Tests check this for every method. */
export function plannedCalls(method: PublishedMethod, segments: number, runs: number): number {
  switch (method) {
    case "one-pass":
      return runs;
    case "summary":
      return segments + runs;
    case "aggregate":
    case "incremental":
      return segments + segments * runs;
    default:
      return method satisfies never;
  }
}

export interface RepeatOptions {
  /** The number of runs, or the maximum if `untilHalfWidth` may end them earlier. */
  readonly runs: number;
  /** Stop as soon as the half width of the overall score's interval is at most this many points. */
  readonly untilHalfWidth: number | null;
  readonly scale: { readonly minimum: number; readonly maximum: number };
  readonly signal: AbortSignal;
  /** Called after each run with the number of runs done. */
  readonly onDone?: (done: number) => void;
}

/**
 * Judges something several times. The first run goes alone, so that the common beginning of all prompts is in the
 * provider's prefix cache before the others are sent side by side.
 */
export async function repeatRuns(
  judging: Judging,
  judge: ChatModel,
  { runs, untilHalfWidth, scale, signal, onDone }: RepeatOptions,
): Promise<RunOutcome[]> {
  let done = 0;
  const one = async (run: number) => {
    const outcome = await judging(judge, run, signal);
    onDone?.(++done);
    return outcome;
  };
  const outcomes = [await one(0)];
  while (outcomes.length < runs) {
    const next =
      untilHalfWidth === null
        ? runs - outcomes.length
        : lookPoints(runs).find((point) => point > outcomes.length)! - outcomes.length;
    const first = outcomes.length;
    outcomes.push(...(await Promise.all(Array.from({ length: next }, (_, at) => one(first + at)))));
    if (untilHalfWidth === null || outcomes.length < LEAST_RUNS) continue;
    const { halfWidth } = spreadOf(
      outcomes.map(({ overall }) => overall),
      scale,
      noiseOfRuns(outcomes),
      looksAllowed({ runs, untilHalfWidth }),
    );
    if (halfWidth !== null && halfWidth <= untilHalfWidth) break;
  }
  return outcomes;
}

import { z } from "zod";
import type { CellCall, CellCallDetails, CellCalls, ParsedReply } from "../api/cells.ts";
import type { CallFields } from "../api/runs.ts";
import { scored, unscored, type Verdict } from "../core/verdict.ts";
import { loadRubric } from "../criteria/load-rubric.ts";
import { type Rubric, rubricHash } from "../criteria/rubric.ts";
import { EVALUATION } from "../judge/ask.ts";
import type { BookEvaluation, Evidence } from "../judge/evaluation.ts";
import { type JudgedRemark, type JudgeReply, readJudgeReply, readReview } from "../judge/judge-reply.ts";
import { refusalIn } from "../models/read-reply.ts";
import { type CellPlace, evaluationLines, OVERALL } from "../report/grid.ts";
import { sum } from "../stats/distribution.ts";
import type { RunCall, StoredCall } from "../store/records.ts";
import type { Store } from "../store/store.ts";

/** A request in the form in which the runner stores it: everything that affects the answer. */
const storedRequestSchema = z.object({
  messages: z.array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string() })),
  schema: z.object({ name: z.string() }).optional(),
  temperature: z.number().optional(),
  seed: z.number().optional(),
  maximumTokens: z.number().optional(),
});
export type StoredRequest = z.infer<typeof storedRequestSchema>;

export function callFields({ position, at, model, purpose, outcome, reason, cost }: RunCall): CallFields {
  return { position, at, model, purpose, outcome, reason, cost };
}

/** The stored request of a call, whether or not it was answered; null if the call was never sent. */
export async function requestOf(store: Store, { answer, requestHash }: RunCall): Promise<string | null> {
  const hash = answer?.requestHash ?? requestHash;
  return hash === null ? null : store.findRequest(hash);
}

/** Null if the request is missing or cannot be parsed. */
export function readStoredRequest(body: string | null): StoredRequest | null {
  if (body === null) return null;
  try {
    return storedRequestSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Only this many calls are shown here; the view of the run has all of them. */
const MOST_CALLS = 300;
const PAGE = 100;

/** Checks whether quotations occur in the book. */
export type QuotationCheck = (quotes: readonly JudgedRemark["quotes"][number][]) => Promise<readonly Evidence[]>;

/**
 * The stored calls behind one cell of the grid: those that asked its judge for scores, and the summaries that the
 * judge was shown.
 */
export async function cellCalls(store: Store, evaluation: BookEvaluation, place: CellPlace): Promise<CellCalls> {
  const nothing = { calls: [], total: 0 };
  if (evaluation.calls === 0) return { kind: "none", ...nothing };
  if (evaluation.run === undefined || !(await store.findRun(evaluation.run))) return { kind: "not-stored", ...nothing };
  const inRun = sum((await store.totals(evaluation.run)).map(({ calls }) => calls));
  if (inRun > evaluation.calls) return { kind: "shared", ...nothing };
  const reader = await replyReader(evaluation);
  const judge = evaluationLines(evaluation)[place.member]?.judge;
  const calls: CellCall[] = [];
  let total = 0;
  for await (const call of callsOf(store, evaluation.run)) {
    if (!isBehind(call, judge)) continue;
    const request = readStoredRequest(await requestOf(store, call));
    const readable = request && call.answer && reader(request, call.answer);
    // Skips calls without scores, such as letters and readers' verdicts.
    if (call.purpose === "judge" && request?.schema && request.schema.name !== EVALUATION) continue;
    total += 1;
    if (calls.length < MOST_CALLS)
      calls.push({ ...callRow(call), read: readable && verdictIn(readable, place.aspect) });
  }
  return { kind: "listed", calls, total };
}

/** One of these calls in full; null if the run has no such call. */
export async function cellCall(
  store: Store,
  evaluation: BookEvaluation,
  { aspect }: CellPlace,
  position: number,
  check: QuotationCheck,
): Promise<CellCallDetails | null> {
  if (evaluation.run === undefined) return null;
  const [call] = await store.runCalls(evaluation.run, { limit: 1, after: position - 1 });
  if (call?.position !== position) return null;
  const { answer } = call;
  const request = readStoredRequest(await requestOf(store, call));
  const reader: ReplyReader = await replyReader(evaluation);
  const readable = request && answer && reader(request, answer);
  return {
    ...callRow(call),
    read: readable && verdictIn(readable, aspect),
    prompt: request?.messages ?? null,
    parameters: parametersOf(request),
    reply: answer?.text ?? null,
    reasoning: answer?.reasoning ?? null,
    parsed: readable && (await parsedReply(readable, aspect, check)),
  };
}

async function* callsOf(store: Store, run: string): AsyncGenerator<RunCall> {
  for (let after: number | null = null; ; ) {
    const page = await store.runCalls(run, { limit: PAGE, after });
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.position;
  }
}

function isBehind({ purpose, model }: RunCall, judge: string | undefined): boolean {
  return purpose === "summariser" || (purpose === "judge" && model === judge);
}

function callRow(call: RunCall): Omit<CellCall, "read"> {
  const { answer } = call;
  return {
    ...callFields(call),
    answer: answer && {
      sample: answer.sample,
      latencyMilliseconds: answer.latencyMilliseconds,
      attempts: answer.attempts,
      inputTokens: answer.inputTokens,
      outputTokens: answer.outputTokens,
      cachedInputTokens: answer.cachedInputTokens,
      reasoningTokens: answer.reasoningTokens,
      stop: answer.stop,
      servedBy: answer.servedBy,
    },
  };
}

function parametersOf(request: StoredRequest | null): CellCallDetails["parameters"] {
  if (!request) return {};
  const { temperature, seed, maximumTokens, schema } = request;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(maximumTokens !== undefined && { maximumTokens }),
    ...(schema !== undefined && { schema: schema.name }),
  };
}

function verdictIn(readable: ReadableReply, aspect: string): Verdict {
  if (readable.kind === "unreadable") return unscored(readable.reason);
  const score = scoreIn(readable.value, aspect);
  return score === null ? unscored("the reply gives no score for it") : scored(score);
}

function scoreIn({ aspects, overall }: JudgeReply, aspect: string): number | null {
  return aspect === OVERALL ? overall : (aspects[aspect]?.score ?? null);
}

async function parsedReply(readable: ReadableReply, aspect: string, check: QuotationCheck): Promise<ParsedReply> {
  if (readable.kind === "unreadable") return readable;
  const { strengths = [], weaknesses = [] } = readable.value.aspects[aspect] ?? {};
  const found = await check([...strengths, ...weaknesses].flatMap(({ quotes }) => quotes));
  let next = 0;
  const remark = ({ point, quotes }: JudgedRemark) => ({
    text: point,
    quotations: quotes.flatMap(() => found[next++] ?? []),
  });
  return {
    kind: "read",
    as: readable.as,
    score: scoreIn(readable.value, aspect),
    strengths: strengths.map(remark),
    weaknesses: weaknesses.map(remark),
  };
}

type ReadableReply =
  | { readonly kind: "read"; readonly as: "json" | "review"; readonly value: JudgeReply }
  | { readonly kind: "unreadable"; readonly reason: string };

/**
 * Reads a stored reply as it was read when it arrived. Null if the call did not ask for scores, or if it is not known
 * how it was read.
 */
type ReplyReader = (request: StoredRequest, answer: StoredCall) => ReadableReply | null;

async function replyReader({ settings, scale, rubric: { id } }: BookEvaluation): Promise<ReplyReader> {
  if (!settings) return () => null;
  const known = await rubricAsked(id, settings.rubric.hash);
  // Without the rubric, replies that name the aspects by their ids can still be read.
  const plain = settings.aspects.map((aspect) => ({
    ...{ id: aspect, name: aspect, definition: "", better: "higher" as const },
  }));
  const rubric: Rubric = known ?? { id, version: 1, language: "en", title: id, scale, criteria: plain };
  const asked = { rubric, criteria: rubric.criteria.filter((criterion) => settings.aspects.includes(criterion.id)) };
  return (request, answer) => {
    if (request.schema?.name === EVALUATION) {
      const readable = readJudgeReply(answer, asked, request.messages);
      if (readable.kind === "unreadable") return { kind: "unreadable", reason: readable.reason };
      return { kind: "read", as: "json", value: readable.value };
    }
    // Prose reviews are read by the names of the aspects, so the rubric must have the same version.
    if (request.schema || !known || settings.protocol !== "rubric") return null;
    const refusal = refusalIn(answer);
    if (refusal) return { kind: "unreadable", reason: refusal.reason };
    return { kind: "read", as: "review", value: readReview(answer.text, asked) };
  };
}

async function rubricAsked(id: string, hash: string): Promise<Rubric | null> {
  const rubric = await loadRubric(id).catch(() => null);
  return rubric && rubricHash(rubric) === hash ? rubric : null;
}

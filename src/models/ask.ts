import type { z } from "zod";
import { type Cost, costOfCalls } from "../core/cost.ts";
import { judgeInWords } from "../core/wording.ts";
import {
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  estimateInputTokens,
} from "./chat-model.ts";
import { isCovered } from "./judge-name.ts";
import { ModelError } from "./model-error.ts";
import { costOf, type Price } from "./prices.ts";
import { readJsonReply, type Unreadable } from "./read-reply.ts";
import { isRefusal } from "./refusal.ts";
import { replySchema } from "./reply-schema.ts";

/** The calls and cost of one piece of work, whether paid for now or earlier. */
export interface Meter extends Cost {
  readonly calls: number;
  readonly unpricedCalls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** Wraps a model to count the calls and cost that pass through it, for example for each book of a run. */
export function meteredModel(
  model: ChatModel,
  price: Price | null,
  batched: boolean,
): { model: ChatModel; read(): Meter } {
  const total = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  let known = 0;
  return {
    read: () => {
      const unknown = price ? 0 : total.calls;
      return { ...total, ...(isCovered(model.id) ? costOfCalls(known, 0, unknown) : costOfCalls(known, unknown)) };
    },
    model: {
      id: model.id,
      get contextTokens() {
        return model.contextTokens;
      },
      async complete(request, signal) {
        const reply = await model.complete(request, signal);
        total.calls += 1;
        total.inputTokens += reply.usage.inputTokens;
        total.cachedInputTokens += reply.usage.cachedInputTokens;
        total.outputTokens += reply.usage.outputTokens;
        if (price) known += costOf(price, reply.usage, batched);
        return reply;
      },
    },
  };
}

/** The result of reading a reply. `rest` is present if something requested is missing from the value. */
export type ParsedAnswer<T> =
  | { readonly kind: "read"; readonly value: T; readonly rest?: Rest<T> | undefined }
  | Unreadable;

/** What is missing from a reply, and how to ask for it. */
export interface Rest<T> {
  /** What the model is told to provide: `aspects.plot, overall`. */
  readonly missing: string;
  readonly reason: string;
  readonly shape?: Shape;
  readonly maximumTokens?: number;
  /** Combines the first reply with the second into the whole value. */
  complete(reply: ChatReply): T;
}

/** The JSON Schema of a reply, for providers that enforce one. */
export interface Shape {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** A rendered prompt, the schema of its reply, if any, and the reader of the reply. */
export interface Question<T> extends Omit<ChatRequest, "schema" | "again"> {
  readonly shape?: Shape | undefined;
  readonly read: (reply: ChatReply, prompt: readonly ChatMessage[]) => ParsedAnswer<T>;
  /** The language of a repeated question; English by default. */
  readonly language?: "en" | "zh";
  /** Whether to ask once more for what cannot be read; true by default. */
  readonly askAgain?: boolean;
}

/**
 * A reply in JSON: its shape and its reader. `accepts` forgives more than what is asked for, such as a missing reason.
 *
 * @example
 * ```ts
 * const rating = asJson("rating", z.object({ reason: z.string(), rating: z.number() }), z.object({ rating: z.number() }));
 * const answer = await ask(model, { purpose: "judge", sample: 0, messages, ...rating }, AbortSignal.timeout(60_000));
 * ```
 */
export function asJson<T>(
  name: string,
  schema: z.ZodType,
  accepts: z.ZodType<T>,
): Required<Pick<Question<T>, "shape" | "read">>;
export function asJson<T>(name: string, schema: z.ZodType<T>): Required<Pick<Question<T>, "shape" | "read">>;
export function asJson(name: string, schema: z.ZodType, accepts: z.ZodType = schema) {
  return {
    shape: { name, schema },
    read: (reply: ChatReply, prompt: readonly ChatMessage[]) => readJsonReply(reply, accepts, prompt),
  };
}

/** The answer, or why there is none. `attempts` holds all replies that were paid for, in order. */
export type Answer<T> =
  | { readonly kind: "answered"; readonly value: T; readonly attempts: readonly ChatReply[] }
  | {
      readonly kind: "unanswered";
      readonly reason: string;
      /** Whether the model refused to answer. */
      readonly refused: boolean;
      readonly attempts: readonly ChatReply[];
    };

/**
 * Asks a model one question and reads its reply. What is missing from the reply is asked for once more, by itself; what could
 * be read the first time is kept. Each reply is a call of its own, so all of them are stored and counted. A prompt that does
 * not fit the model is not sent, let alone cut, and a call that fails leaves the question unanswered with the reason. A question
 * that an earlier run got nothing readable for is asked again, and its old replies stay in the store. What no
 * other call could survive (a wrong key, an unknown model, an interruption) is thrown: it ends the task.
 *
 * @example
 * ```ts
 * const model = await createChatModel("openai:gpt-4.1-mini", { connections: { openai: { key } } });
 * const messages = [{ role: "user", content: "Rate this from 1 to 5: …" }] as const;
 * const rating = asJson("rating", z.object({ rating: z.number() }));
 * const answer = await ask(model, { purpose: "judge", sample: 0, messages, ...rating }, AbortSignal.timeout(60_000));
 * console.log(answer.kind === "answered" ? answer.value.rating : answer.reason);
 * ```
 */
export async function ask<T>(model: ChatModel, question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
  let answer = await askOnce(model, question, signal);
  for (let retry = 1; retry <= MOST_RETRIES && isOldAndUnreadable(answer); retry++) {
    const newer = await askOnce(model, { ...question, retry }, signal);
    // A failed call is worth less than the reply we already have.
    if (newer.attempts.length === 0) return answer;
    answer = newer;
  }
  return answer;
}

/**
 * How many later runs may ask again, so that a question that a model never answers readably does not cost something
 * in every run.
 */
const MOST_RETRIES = 3;

/**
 * Unreadable, and asked by an earlier run. A refusal is an answer, and a question asked twice in this run is not
 * asked a third time.
 */
function isOldAndUnreadable(answer: Answer<unknown>): boolean {
  if (answer.kind === "answered" || answer.refused || answer.attempts.length === 0) return false;
  return answer.attempts.every(({ recalled }) => recalled === true);
}

async function askOnce<T>(model: ChatModel, question: Question<T>, signal: AbortSignal): Promise<Answer<T>> {
  const { shape, read, language = "en", askAgain = true, ...request } = question;
  const attempts: ChatReply[] = [];
  const answered = (value: T): Answer<T> => ({ kind: "answered", value, attempts });
  const unanswered = (reason: string, refused = false): Answer<T> => ({
    kind: "unanswered",
    reason,
    refused,
    attempts,
  });
  const settle = (parsed: ParsedAnswer<T>) =>
    parsed.kind === "read" ? answered(parsed.value) : unanswered(parsed.reason, parsed.why === "refusal");
  const send = async (asked: ChatRequest, as: Shape | undefined) => {
    const reply = await model.complete({ ...asked, ...(as && { schema: replySchema(as.name, as.schema) }) }, signal);
    attempts.push(reply);
    return reply;
  };

  const needed = estimateInputTokens(request) + (request.maximumTokens ?? 0);
  if (model.contextTokens !== null && needed > model.contextTokens)
    return unanswered(`it does not fit: about ${needed} tokens, and ${model.id} takes ${model.contextTokens}`);

  let parsed: ParsedAnswer<T> | null = null;
  try {
    const first = await send(askAgain ? { ...request, attempts: 2 * (request.attempts ?? 1) } : request, shape);
    // What a plan puts in the place of a reply repeats nothing of a prompt.
    parsed = read(first, first.isPlaceholder ? [] : request.messages);
    if (isFinal(parsed) || !askAgain || first.isPlaceholder) return settle(parsed);
    if (parsed.kind === "unreadable") {
      const second = await send(again(request, language, parsed.reason), shape);
      return settle(read(second, request.messages));
    }
    const { missing, reason, maximumTokens, complete, ...rest } = parsed.rest!;
    const asked = again(request, language, reason, missing);
    const second = await send({ ...asked, ...(maximumTokens !== undefined && { maximumTokens }) }, rest.shape ?? shape);
    return answered(complete(second));
  } catch (error) {
    if (!(error instanceof ModelError) || error.hopeless || error.failure === "interrupted") throw error;
    // A reason becomes part of a longer sentence, so it has no full stop.
    return parsed?.kind === "read" ? settle(parsed) : unanswered(error.message.replace(/\.$/, ""));
  }
}

/** This many identical useless replies in a row, to at least two questions, show that the fault is the model's. */
const SAME_REPLIES = 4;

/**
 * Wraps a model that is used through an account of the user's. If the login expires, it gives the same sentence as
 * reply to everything without an error; the run then ends with that sentence.
 */
export function endsWhenUnreadable(model: ChatModel): ChatModel {
  let same = { text: "", times: 0 };
  return {
    ...model,
    async complete(request, signal) {
      const reply = await model.complete(request, signal);
      const text = reply.text.trim();
      if (request.schema === undefined || text.includes("{") || isRefusal(text)) {
        same = { text: "", times: 0 };
        return reply;
      }
      same = { text, times: text === same.text ? same.times + 1 : 1 };
      if (same.times < SAME_REPLIES) return reply;
      const words = text.split(/\s+/);
      const shown = `${words.slice(0, SHOWN_WORDS).join(" ")}${words.length > SHOWN_WORDS ? " …" : ""}`;
      throw new ModelError(
        "not-running",
        model.id,
        `${judgeInWords(model.id)} gave one and the same reply ${SAME_REPLIES} times, and it cannot be read: “${shown}”. Nothing more was asked, and every answer before it is kept. Once it answers again, run the same command again: it goes on from here.`,
        { evidence: text },
      );
    },
  };
}

const SHOWN_WORDS = 12;

/** A refusal is an answer: asking again costs the same and gives the same. */
function isFinal(parsed: ParsedAnswer<unknown>): boolean {
  return parsed.kind === "read" ? parsed.rest === undefined : parsed.why === "refusal";
}

const AGAIN = {
  en: {
    why: (reason: string) => `An earlier reply could not be used as it was: ${reason}.`,
    all: "Answer again, in the form asked for above and with nothing else.",
    rest: (missing: string) => `Give only this now, in the form asked for above: ${missing}.`,
  },
  zh: {
    why: (reason: string) => `此前的回复无法照用：${reason}。`,
    all: "请严格按上述格式重新回答，不要任何其他文字。",
    rest: (missing: string) => `现在只按上述格式给出：${missing}。`,
  },
} as const;

/**
 * Repeats the request, for all of it or for what is missing. The addition is at the end of the last message, so that
 * the provider's prefix cache can serve the rest. The earlier reply is not shown, because models hold on to what they
 * see.
 */
function again(request: ChatRequest, language: keyof typeof AGAIN, reason: string, missing?: string): ChatRequest {
  const { why, all, rest } = AGAIN[language];
  const last = request.messages.at(-1)!;
  const content = `${last.content}\n\n${why(reason)} ${missing === undefined ? all : rest(missing)}`;
  return { ...request, messages: [...request.messages.slice(0, -1), { ...last, content }], again: reason };
}

import type { z } from "zod";
import type { ChatMessage, ChatModel, ChatReply, ChatRequest } from "./chat-model.ts";
import { estimateInputTokens } from "./estimate-tokens.ts";
import { ModelError } from "./model-error.ts";
import { readJsonReply, type Unreadable } from "./read-reply.ts";
import { replySchema } from "./reply-schema.ts";

/** What a reply gave. `rest` is there when something that was asked for is missing from the value. */
export type Reading<T> = { readonly kind: "read"; readonly value: T; readonly rest?: Rest<T> | undefined } | Unreadable;

/** What is missing from a reply, and how it is asked for. */
export interface Rest<T> {
  /** What to give now, as the model is told: `aspects.plot, overall`. */
  readonly missing: string;
  readonly reason: string;
  readonly shape?: Shape;
  readonly maximumTokens?: number;
  /** The whole value, once the second reply is there. */
  complete(reply: ChatReply): T;
}

/** The shape that a provider is asked to hold its model to. */
export interface Shape {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** A rendered prompt, the shape of its reply where it has one, and how the reply is read. */
export interface Question<T> extends Omit<ChatRequest, "schema" | "again"> {
  readonly shape?: Shape | undefined;
  readonly read: (reply: ChatReply, prompt: readonly ChatMessage[]) => Reading<T>;
  /** The language in which the model is asked again; English unless given. */
  readonly language?: "en" | "zh";
  /** Whether to ask once more for what cannot be read; true unless given. */
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

/** The answer, or why there is none. `attempts` are all replies that were paid for, in their order. */
export type Answer<T> =
  | { readonly kind: "answered"; readonly value: T; readonly attempts: readonly ChatReply[] }
  | {
      readonly kind: "unanswered";
      readonly reason: string;
      /** The model would not answer. */
      readonly refused: boolean;
      readonly attempts: readonly ChatReply[];
    };

/**
 * Asks a model one question and reads its reply. What is missing from the reply is asked for once more, by itself; what could
 * be read the first time is kept. Each reply is a call of its own, so all of them are stored and counted. A prompt that does
 * not fit the model is not sent, let alone cut, and a call that fails leaves the question unanswered with the reason. What no
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
  const { shape, read, language = "en", askAgain = true, ...request } = question;
  const attempts: ChatReply[] = [];
  const answered = (value: T): Answer<T> => ({ kind: "answered", value, attempts });
  const unanswered = (reason: string, refused = false): Answer<T> => ({
    kind: "unanswered",
    reason,
    refused,
    attempts,
  });
  const settle = (reading: Reading<T>) =>
    reading.kind === "read" ? answered(reading.value) : unanswered(reading.reason, reading.why === "refusal");
  const send = async (asked: ChatRequest, as: Shape | undefined) => {
    const reply = await model.complete({ ...asked, ...(as && { schema: replySchema(as.name, as.schema) }) }, signal);
    attempts.push(reply);
    return reply;
  };

  const needed = estimateInputTokens(request) + (request.maximumTokens ?? 0);
  if (model.contextTokens !== null && needed > model.contextTokens)
    return unanswered(`it does not fit: about ${needed} tokens, and ${model.id} takes ${model.contextTokens}`);

  let reading: Reading<T> | null = null;
  try {
    const first = await send(askAgain ? { ...request, attempts: 2 * (request.attempts ?? 1) } : request, shape);
    reading = read(first, request.messages);
    if (isFinal(reading) || !askAgain || first.isPlaceholder) return settle(reading);
    if (reading.kind === "unreadable") {
      const second = await send(again(request, language, reading.reason), shape);
      return settle(read(second, request.messages));
    }
    const { missing, reason, maximumTokens, complete, ...rest } = reading.rest!;
    const asked = again(request, language, reason, missing);
    const second = await send({ ...asked, ...(maximumTokens !== undefined && { maximumTokens }) }, rest.shape ?? shape);
    return answered(complete(second));
  } catch (error) {
    if (!(error instanceof ModelError) || error.hopeless || error.failure === "interrupted") throw error;
    return reading?.kind === "read" ? settle(reading) : unanswered(error.message);
  }
}

/** A refusal is an answer: asking again costs the same and brings the same. */
function isFinal(reading: Reading<unknown>): boolean {
  return reading.kind === "read" ? reading.rest === undefined : reading.why === "refusal";
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
 * The request once more, for all of it or for what is missing. This stands at the end of the last message, so that what comes
 * before can be served from the provider's prefix cache. The earlier reply is not shown: models hold on to what they see.
 */
function again(request: ChatRequest, language: keyof typeof AGAIN, reason: string, missing?: string): ChatRequest {
  const { why, all, rest } = AGAIN[language];
  const last = request.messages.at(-1)!;
  const content = `${last.content}\n\n${why(reason)} ${missing === undefined ? all : rest(missing)}`;
  return { ...request, messages: [...request.messages.slice(0, -1), { ...last, content }], again: reason };
}

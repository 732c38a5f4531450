import { z } from "zod";
import { contentHash } from "../core/hash.ts";
import { promptText } from "./adapters/command.ts";
import type { ChatModel, ChatReply, ChatRequest } from "./chat-model.ts";
import { readJsonReply, readTextReply } from "./read-reply.ts";
import { schemaInWords } from "./reply-schema.ts";
import { tokenUsage } from "./transport.ts";

/** A question waiting for its answer. Its id is derived from its words, so it is the same in every process. */
export interface OpenQuestion {
  readonly id: string;
  /** The complete text: the material, the question, the schema of the reply. */
  readonly prompt: string;
  /** The part it shares with other questions, such as the whole book, and its own part; null if it shares nothing. */
  readonly parts: { readonly shared: string; readonly sharedId: string; readonly own: string } | null;
}

export type Handling =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly problems: readonly string[] }
  | { readonly kind: "unknown"; readonly reason: string };

interface Waiting {
  readonly question: OpenQuestion;
  readonly request: ChatRequest;
  /** Whether a reply with wrong quotations was already sent back once. */
  wasSentBack: boolean;
  /**
   * Whether a reply that repeats another question's was already sent back once; two questions may have the same
   * answer.
   */
  wasTakenForCopy: boolean;
  answer(text: string, model: string): void;
}

/**
 * A judge whose questions are answered from outside, by a person who pastes replies or by an assistant. The questions
 * wait here, and each reply is checked before it counts; callers use it like any model.
 */
export class QuestionsByHand {
  readonly model: ChatModel;
  readonly #waiting = new Map<string, Waiting>();
  /** The accepted replies, used to notice one that is given to the wrong question. */
  readonly #answered = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(id: string, contextTokens: number | null = null) {
    this.model = { id, contextTokens, complete: (request, signal) => this.#ask(request, signal) };
  }

  /** Questions that wait, oldest first. */
  get open(): readonly OpenQuestion[] {
    return [...this.#waiting.values()].map(({ question }) => question);
  }

  /** Resolves when a question is waiting, or when `over` resolves. */
  async untilAsked(over: Promise<unknown>): Promise<void> {
    if (this.#waiting.size > 0) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#listeners.delete(done);
        resolve();
      };
      this.#listeners.add(done);
      over.then(done, done);
    });
  }

  /** How many questions were answered here. */
  get answered(): number {
    return this.#answered.size;
  }

  /** Accepts a reply, or says what is wrong with it. */
  answer(id: string, text: string, model: string): Handling {
    const waiting = this.#waiting.get(id);
    const hash = contentHash(withoutSpaces(text));
    const earlier = this.#answered.get(hash);
    if (!waiting) {
      const wasAnswered = [...this.#answered.values()].includes(id);
      const open = this.open.map((question) => question.id).join(", ") || "none";
      return {
        kind: "unknown",
        reason: wasAnswered
          ? `Question ${id} is answered already, and its answer was kept. Open questions: ${open}.`
          : `There is no open question ${id}. Open questions: ${open}.`,
      };
    }
    if (earlier !== undefined && earlier !== id && !waiting.wasTakenForCopy) {
      waiting.wasTakenForCopy = true;
      const problem = `this is the reply to question ${earlier}, word for word; if it answers this one too, send it again`;
      return { kind: "rejected", problems: [problem] };
    }
    const { shape, quotations } = replyProblems(waiting.request, text);
    const problems = [...shape, ...(waiting.wasSentBack ? [] : quotations)];
    if (problems.length > 0) {
      waiting.wasSentBack ||= shape.length === 0;
      return { kind: "rejected", problems };
    }
    this.#answered.set(hash, id);
    this.#waiting.delete(id);
    waiting.answer(text, model);
    return { kind: "accepted" };
  }

  #ask(request: ChatRequest, signal: AbortSignal): Promise<ChatReply> {
    const question = questionFor(request);
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(question.id);
        reject(signal.reason);
      };
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.set(question.id, {
        question,
        request,
        wasSentBack: false,
        wasTakenForCopy: false,
        answer: (text, model) => {
          signal.removeEventListener("abort", abort);
          const said = { text, reasoning: null };
          const latencyMilliseconds = Math.round(performance.now() - started);
          resolve({ ...said, ...tokenUsage({}, { request, reply: said }), stop: "stop", model, latencyMilliseconds });
        },
      });
      for (const listener of this.#listeners) listener();
    });
  }
}

const ID_LENGTH = 8;

/** A request as one text, with the part it shares with other questions. */
export function questionFor(request: ChatRequest): OpenQuestion {
  const { messages, schema, sharedPrefix = 0, sample, retry } = request;
  const prompt = promptText(request);
  const id = contentHash({ prompt, sample, retry }).slice(0, ID_LENGTH);
  if (sharedPrefix === 0) return { id, prompt, parts: null };
  const last = messages.at(-1)!;
  const before = messages.slice(0, -1).map(({ content }) => content);
  const shared = last.content.slice(0, sharedPrefix);
  const own = [...before, last.content.slice(sharedPrefix).trim(), ...(schema ? [schemaInWords(schema)] : [])];
  return {
    id,
    prompt,
    parts: { shared, sharedId: contentHash(shared).slice(0, ID_LENGTH), own: own.join("\n\n") },
  };
}

const SHOWN_PROBLEMS = 5;

/** What is wrong with a reply before it counts: its format, or quotations that do not occur in what was shown. */
export function replyProblems(
  request: ChatRequest,
  text: string,
): { readonly shape: readonly string[]; readonly quotations: readonly string[] } {
  const reply = { text, stop: "stop" } as const;
  const parsed = request.schema
    ? readJsonReply(reply, shapeOf(request.schema.schema), request.messages)
    : readTextReply(reply);
  if (parsed.kind === "unreadable") return { shape: [parsed.reason], quotations: [] };
  const shown = comparable(request.messages.map(({ content }) => content).join("\n"));
  const stands = (quote: string) => quote.split(/…|\.\.\./).every((piece) => shown.includes(comparable(piece)));
  const missing = quotationsIn(parsed.value).filter(({ quote }) => !stands(quote));
  const rest = missing.length - SHOWN_PROBLEMS;
  return {
    shape: [],
    quotations: [
      ...missing
        .slice(0, SHOWN_PROBLEMS)
        .map(({ quote, path }) => `${path}: "${quote.slice(0, 100)}" is not in the text; quote it word for word`),
      ...(rest > 0 ? [`${rest} more quotations are not in the text`] : []),
    ],
  };
}

function shapeOf(schema: Readonly<Record<string, unknown>>): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}

function quotationsIn(value: unknown, path = ""): { readonly quote: string; readonly path: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (name === "quote" && typeof part === "string") return part.trim() === "" ? [] : [{ quote: part, path: at }];
    return quotationsIn(part, at);
  });
}

/** For comparing two copies of one reply, since chats and editors break lines in different places. */
export function withoutSpaces(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, "");
}

/** Ignores what typing and pasting change: forms of quotation marks and dashes, spaces, capitals. */
function comparable(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[“”„«»"]/g, '"')
    .replace(/[‘’‚`]/g, "'")
    .replace(/[‐-―−]/g, "-")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

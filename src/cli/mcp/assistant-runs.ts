import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { evaluateBook, planEvaluation } from "../../library/evaluate.ts";
import { QuestionsByHand } from "../../models/answered-by-hand.ts";
import { endsWhenUnreadable } from "../../models/ask.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { ModelError } from "../../models/model-error.ts";
import { schemaInWords } from "../../models/reply-schema.ts";
import { tokenUsage } from "../../models/transport.ts";

/**
 * Every assistant counts as this judge, so that one can continue where another stopped; each call records which one
 * it was.
 */
export const ASSISTANT = "assistant";

const REPLY_TOKENS = 4096;
const LONGEST_MILLISECONDS = 60 * 60_000;

/** The assistant's own model, if it lets servers ask it (MCP sampling); otherwise null. */
export function samplingModel({ server }: McpServer): ChatModel | null {
  if (!server.getClientCapabilities()?.sampling) return null;
  return endsWhenUnreadable({
    id: ASSISTANT,
    contextTokens: null,
    async complete(request, signal) {
      const { messages, schema, maximumTokens = REPLY_TOKENS, temperature } = request;
      const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
      const said = messages.filter(({ role }) => role !== "system");
      const started = performance.now();
      try {
        const { content, model, stopReason } = await server.createMessage(
          {
            messages: said.map(({ role, content: text }, at) => ({
              role: role === "assistant" ? ("assistant" as const) : ("user" as const),
              content: {
                type: "text" as const,
                text: schema && at === said.length - 1 ? `${text}\n\n${schemaInWords(schema)}` : text,
              },
            })),
            ...(system.length > 0 && { systemPrompt: system.join("\n\n") }),
            includeContext: "none",
            maxTokens: maximumTokens,
            ...(temperature !== undefined && { temperature }),
          },
          { signal, timeout: LONGEST_MILLISECONDS },
        );
        const parts = Array.isArray(content) ? content : [content];
        const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
        const reply = { text, reasoning: null };
        return {
          ...reply,
          ...tokenUsage({}, { request, reply }),
          stop: stopReason === "maxTokens" ? "length" : "stop",
          model,
          latencyMilliseconds: Math.round(performance.now() - started),
        };
      } catch (cause) {
        if (signal.aborted) throw signal.reason;
        const detail = cause instanceof Error ? cause.message : String(cause);
        throw new ModelError("not-running", ASSISTANT, `The assistant did not answer: ${detail}.`, { cause });
      }
    },
  });
}

interface AssistantRun {
  readonly questions: QuestionsByHand;
  readonly result: Promise<BookEvaluation>;
  /** Texts that this assistant has already received in full, and which are not sent again. */
  readonly handedOut: Set<string>;
  /** About how many questions there are, and how many are answered; null if unknown. */
  readonly planned: Promise<{ readonly calls: number; readonly cached: number } | null>;
  progress: { readonly stage: string; readonly done: number; readonly total: number | null } | null;
  evaluation: BookEvaluation | null;
  error: unknown;
}

/**
 * The runs whose questions an assistant answers with tools, one per book. Each answer is stored at once: if the
 * assistant disconnects, the next one gets the remaining questions.
 */
export class AssistantRuns {
  readonly #runs = new Map<string, AssistantRun>();
  readonly #store: string;
  readonly #signal: AbortSignal;

  constructor(store: string, signal: AbortSignal) {
    this.#store = store;
    this.#signal = signal;
  }

  /**
   * Starts or continues the run of a book. A failed run is tried again; with `refresh`, every question is asked
   * again.
   */
  of(path: string, { refresh = false } = {}): AssistantRun {
    const known = this.#runs.get(path);
    const isOver = known?.evaluation != null || known?.error != null;
    if (known && known.error === null && !(refresh && isOver)) return known;
    const questions = new QuestionsByHand(ASSISTANT);
    const run: AssistantRun = {
      questions,
      handedOut: new Set(),
      planned: planEvaluation(path, { judge: questions.model, runs: 1, refresh, store: this.#store }).then(
        (plan) => plan,
        () => null,
      ),
      progress: null,
      evaluation: null,
      error: null,
      result: evaluateBook(path, {
        judge: questions.model,
        runs: 1,
        refresh,
        store: this.#store,
        signal: this.#signal,
        onEvent: (event) => {
          if (event.kind === "progress") run.progress = event;
        },
      }),
    };
    run.result.then(
      (evaluation) => {
        run.evaluation = evaluation;
      },
      (error: unknown) => {
        run.error = error;
      },
    );
    this.#runs.set(path, run);
    return run;
  }

  /** The run that asks, or has asked, this question. */
  withQuestion(id: string): AssistantRun | null {
    const runs = [...this.#runs.values()];
    return runs.find(({ questions }) => questions.open.some((question) => question.id === id)) ?? runs.at(-1) ?? null;
  }
}

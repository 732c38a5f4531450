import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { ChatModel, ChatRequest } from "../src/models/chat-model.ts";
import { ModelError } from "../src/models/model-error.ts";
import type { Book } from "../src/text/book.ts";

/** One exchange: the shape that was asked for, the hash of the messages, and the reply to the letter. */
const exchangeSchema = z.object({ shape: z.string(), request: z.string(), reply: z.string() });
export type RecordedExchange = z.infer<typeof exchangeSchema>;

/** Whoever changes a prompt changes this, and the replies have to be recorded again. */
export function requestHash({ messages }: Pick<ChatRequest, "messages">): string {
  const said = messages.map(({ role, content }) => ({ role, content }));
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 10);
}

export async function readExchanges(file: string, { chapters }: Book): Promise<RecordedExchange[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  const texts = new Map(chapters.map(({ index, text }) => [index, text]));
  // Notes on every chapter quote a good part of a book: there a quotation is kept as its place, `@chapter:start:end`.
  const quoted = (_key: string, value: unknown) => {
    const place = typeof value === "string" ? /^@(\d+):(\d+):(\d+)$/.exec(value) : null;
    if (!place) return value;
    const [chapter, start, end] = place.slice(1).map(Number);
    return texts.get(chapter!)!.slice(start, end);
  };
  return lines.map((line) => {
    const { reply, ...exchange } = exchangeSchema.parse(JSON.parse(line));
    return { ...exchange, reply: /"@\d+:/.test(reply) ? JSON.stringify(JSON.parse(reply, quoted)) : reply };
  });
}

/** A model that gives recorded replies and counts what it was sent. A request that nobody answered is refused. */
export function recordedModel(exchanges: readonly RecordedExchange[], contextTokens: number | null = null) {
  const replies = new Map(exchanges.map((exchange) => [exchange.request, exchange.reply]));
  const asked: { request: ChatRequest; reply: string }[] = [];
  const unanswered: ChatRequest[] = [];
  const model: ChatModel = {
    id: "recorded",
    contextTokens,
    async complete(request) {
      const reply = replies.get(requestHash(request));
      if (reply === undefined) {
        unanswered.push(request);
        throw new ModelError("malformed", "recorded", `nobody has answered this ${request.schema?.name} yet.`);
      }
      asked.push({ request, reply });
      const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };
      return { text: reply, reasoning: null, stop: "stop", usage, model: "recorded", latencyMilliseconds: 0 };
    },
  };
  return { model, asked, unanswered };
}

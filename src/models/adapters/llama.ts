import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ChatHistoryItem, Llama, LlamaContext, LlamaContextSequence, LlamaModel } from "node-llama-cpp";
import type { Clock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";
import { splitReasoning } from "../read-reply.ts";
import { tokenUsage } from "../transport.ts";

type NodeLlamaCpp = typeof import("node-llama-cpp");

export interface LlamaOptions {
  readonly id: string;
  readonly path: string;
  /** Where `node-llama-cpp` is installed, when not beside this package or in the current folder. */
  readonly folder?: string;
  readonly maximumThreads: number;
  /** Null for the length the model was trained for, up to a limit. */
  readonly maximumContext: number | null;
  readonly clock: Clock;
}

interface Loaded {
  readonly library: NodeLlamaCpp;
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly sequence: LlamaContextSequence;
}

/** Some models support a longer context than the memory of most machines allows. */
export const LLAMA_CONTEXT = 16_384;

const REPLY_TOKENS = 1024;
const SHORTEST_REPLY = 200;
/** Tokens of the chat template around each message. */
const TOKENS_PER_MESSAGE = 16;

/**
 * A GGUF file on this machine as a judge, running in this process, with replies constrained to the schema by a
 * grammar. The model is loaded when it is first used, and answers one question at a time.
 */
export function llamaModel({ id, path, folder, maximumThreads, maximumContext, clock }: LlamaOptions): ChatModel {
  if (!existsSync(path)) throw new FabulaError("E_MODEL_FILE", `There is no model at ${path}: check the path.`);
  let loading: Promise<Loaded> | null = null;
  let contextTokens = maximumContext;
  let queue: Promise<unknown> = Promise.resolve();

  async function load(): Promise<Loaded> {
    const library = await importLlama(folder);
    const llama = await library.getLlama({ gpu: false, maxThreads: maximumThreads, build: "never", logLevel: "error" });
    const model = await llama.loadModel({ modelPath: resolve(path) });
    const contextSize = { max: Math.min(model.trainContextSize, maximumContext ?? LLAMA_CONTEXT) };
    const context = await model.createContext({ contextSize, threads: maximumThreads });
    contextTokens = context.contextSize;
    return { library, llama, model, context, sequence: context.getSequence() };
  }

  async function reply(request: ChatRequest, signal: AbortSignal): Promise<ChatReply> {
    const started = clock.now().getTime();
    loading ??= load();
    const { library, llama, model, context, sequence } = await loading;
    const maxTokens = roomForReply(request, model, context);
    // What is left of the last prompt would be used again and round the numbers differently: the same request would not
    // always get the same reply.
    await sequence.clearHistory();
    const earlier = request.messages.slice(0, -1);
    const session = new library.LlamaChatSession({ contextSequence: sequence, autoDisposeSequence: false });
    try {
      session.setChatHistory(earlier.map(historyItem));
      const before = sequence.tokenMeter.getState();
      const grammar = request.schema ? await llama.createGrammarForJsonSchema(forGrammar(request.schema.schema)) : null;
      const { responseText, stopReason } = await session.promptWithMeta(request.messages.at(-1)?.content ?? "", {
        maxTokens,
        temperature: request.temperature ?? 0,
        signal,
        trimWhitespaceSuffix: true,
        ...(grammar ? { grammar } : {}),
        ...(request.seed === undefined ? {} : { seed: request.seed }),
      });
      const after = sequence.tokenMeter.getState();
      const { answer, reasoning } = splitReasoning(responseText);
      const said = { text: answer, reasoning };
      const counted = {
        inputTokens: after.usedInputTokens - before.usedInputTokens,
        outputTokens: after.usedOutputTokens - before.usedOutputTokens,
      };
      return {
        ...said,
        ...tokenUsage(counted, { request, reply: said }),
        stop: stopReason === "maxTokens" ? "length" : "stop",
        model: basename(path),
        latencyMilliseconds: clock.now().getTime() - started,
      };
    } finally {
      session.dispose();
    }
  }

  /**
   * A prompt that is too long would be shifted silently, and the model would judge a chapter without its beginning. A
   * reply may get less room than requested, since one that runs out of room reports it.
   */
  function roomForReply(request: ChatRequest, model: LlamaModel, context: LlamaContext): number {
    const wanted = request.maximumTokens ?? REPLY_TOKENS;
    const asked = request.messages.reduce(
      (sum, { content }) => sum + model.tokenize(content).length + TOKENS_PER_MESSAGE,
      0,
    );
    const room = context.contextSize - asked;
    if (room >= Math.min(wanted, SHORTEST_REPLY)) return Math.min(wanted, room);
    throw new ModelError(
      "too-long",
      id,
      `The request of ${asked} tokens leaves no room for a reply in ${id}, which takes ${context.contextSize}: choose smaller segments.`,
    );
  }

  return {
    id,
    /** The length known before the model is loaded may be more than it supports. */
    get contextTokens() {
      return contextTokens;
    },
    complete(request, signal) {
      const turn = queue.then(() => {
        signal.throwIfAborted();
        return reply(request, signal);
      });
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

const SLOW_OR_UNKNOWN = new Set(["$schema", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems"]);

/**
 * The schema without what a grammar expands into repetition: "at most 160 characters" becomes 160 nested choices and
 * makes every token many times slower. The reply is checked against the whole schema when it is read.
 */
function forGrammar(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const strip = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(strip);
    if (node === null || typeof node !== "object") return node;
    return Object.fromEntries(
      Object.entries(node)
        .filter(([key, value]) => !SLOW_OR_UNKNOWN.has(key) || (value !== null && typeof value === "object"))
        .map(([key, value]) => [key, strip(value)]),
    );
  };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strip(value)]));
}

function historyItem({ role, content }: ChatRequest["messages"][number]): ChatHistoryItem {
  switch (role) {
    case "system":
      return { type: "system", text: content };
    case "user":
      return { type: "user", text: content };
    case "assistant":
      return { type: "model", response: [content] };
    default:
      return role satisfies never;
  }
}

/** Enough for the facts about the architecture, which precede the vocabulary, the largest part of the header. */
const HEADER_BYTES = 64 * 1024;
const STRING = 8;
const ARRAY = 9;
/** Sizes of the numbers of GGUF, by the code of their type. */
const NUMBER_SIZES = new Map([
  ...[0, 1, 7].map((type) => [type, 1] as const),
  ...[2, 3].map((type) => [type, 2] as const),
  ...[4, 5, 6].map((type) => [type, 4] as const),
  ...[10, 11, 12].map((type) => [type, 8] as const),
]);

/**
 * What a GGUF file states about itself, without loading it: the context length it was trained for, and its size in
 * words.
 */
export async function readModelFile(path: string): Promise<{ contextTokens: number | null; sizeLabel: string }> {
  const file = await open(path);
  const bytes = Buffer.alloc(HEADER_BYTES);
  const { bytesRead } = await file.read(bytes, 0, HEADER_BYTES, 0).finally(() => file.close());
  const known = { contextTokens: null as number | null, sizeLabel: "" };
  if (bytes.toString("latin1", 0, 4) !== "GGUF") return known;
  const header = bytes.subarray(0, bytesRead);
  let at = 24;
  const text = () => {
    const start = at + 8;
    const end = start + Number(header.readBigUInt64LE(at));
    at = end;
    return header.toString("utf8", start, end);
  };
  try {
    for (let left = Number(header.readBigUInt64LE(16)); left > 0; left--) {
      const key = text();
      const type = header.readUInt32LE(at);
      at += 4;
      if (type === ARRAY) break;
      if (type === STRING) {
        const value = text();
        if (key === "general.size_label") known.sizeLabel = value;
        continue;
      }
      if (key.endsWith(".context_length")) known.contextTokens = header.readUInt32LE(at);
      at += NUMBER_SIZES.get(type) ?? HEADER_BYTES;
    }
  } catch (error) {
    // The header continues after the part that was read.
    if (!(error instanceof RangeError)) throw error;
  }
  return known;
}

/** Null if it is not installed in any of these places: the given folder, the current folder, beside this package. */
export function findLlama(folder: string | undefined): string | null {
  const places = [...(folder ? [resolve(folder)] : []), process.cwd()].map((place) => join(place, "package.json"));
  for (const place of [...places, import.meta.url]) {
    try {
      return createRequire(place).resolve("node-llama-cpp");
    } catch {
      // Not installed here; the next place may have it.
    }
  }
  return null;
}

async function importLlama(folder: string | undefined): Promise<NodeLlamaCpp> {
  const found = findLlama(folder);
  if (found) return import(pathToFileURL(found).href);
  throw new FabulaError(
    "E_LLAMA_MISSING",
    "llama: judges need node-llama-cpp, which is not installed: run `npm install node-llama-cpp@3`, or name its folder in FABULA_LLAMA.",
  );
}

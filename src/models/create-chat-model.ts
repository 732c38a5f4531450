import { type Clock, systemClock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import { llamaModel } from "./adapters/llama.ts";
import { ollamaModel } from "./adapters/ollama.ts";
import type { ChatModel } from "./chat-model.ts";
import type { Connection } from "./connection.ts";
import { type CloudProvider, type JudgeName, KEY_VARIABLES, parseJudgeName } from "./judge-name.ts";
import { guardedFetch } from "./transport/guarded-fetch.ts";

/** Keys and addresses of providers. The command line, `evaluateBook` and its like fill gaps from the environment; `createChatModel` and `openRun` do not. */
export interface ModelConnections {
  readonly openai?: Connection;
  readonly anthropic?: Connection;
  readonly google?: Connection;
  /** For `MODEL@http://host/v1`: most local servers need no key. */
  readonly compatible?: Pick<Connection, "key">;
  readonly ollama?: Pick<Connection, "baseUrl">;
  /** For `llama:PATH.gguf`: where node-llama-cpp is installed, and how many threads it may use. */
  readonly llama?: { readonly folder?: string; readonly maximumThreads?: number };
}

export interface ChatModelOptions {
  readonly connections: ModelConnections;
  readonly contextTokens?: number | null;
  /** Tokens a model may think with on top of a reply's limit, where its provider counts both together. */
  readonly thinkingTokens?: number;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

export const OLLAMA_ADDRESS = "http://127.0.0.1:11434";
const LLAMA_THREADS = 2;
const LLAMA_CONTEXT = 16_384;

/** The model behind a judge's name. Nothing is sent until it is asked something. */
export async function createChatModel(name: string, options: ChatModelOptions): Promise<ChatModel> {
  const { connections, contextTokens = null, clock = systemClock } = options;
  const judge = parseJudgeName(name);
  const transport = { fetch: guardedFetch(name, options.fetch) };
  switch (judge.provider) {
    case "openai":
    case "anthropic":
    case "google":
    case "compatible": {
      const connection = connectionTo(judge.provider, connections);
      const identity = modelIdentity(name, { connections, contextTokens });
      return loadedWhenAsked(identity, async () => {
        const { sdkModel } = await import("./adapters/sdk-model.ts");
        const { aiSdkModel } = await import("./adapters/ai-sdk.ts");
        const model = await sdkModel(judge, connection, transport.fetch);
        const secrets = connection.key === undefined ? [] : [connection.key];
        return aiSdkModel({ ...identity, model, thinkingTokens: options.thinkingTokens ?? 0, secrets, clock });
      });
    }
    case "ollama":
      return ollamaModel({
        id: name,
        model: judge.model,
        baseUrl: connections.ollama?.baseUrl ?? OLLAMA_ADDRESS,
        contextTokens,
        clock,
        ...transport,
      });
    case "llama":
      return llamaModel({
        id: name,
        path: judge.path,
        maximumThreads: connections.llama?.maximumThreads ?? LLAMA_THREADS,
        maximumContext: contextTokens ?? LLAMA_CONTEXT,
        clock,
        ...(connections.llama?.folder ? { folder: connections.llama.folder } : {}),
      });
    default:
      return judge satisfies never;
  }
}

/** What a model is called, where it is reached and how much it takes. */
export type ModelIdentity = Pick<ChatModel, "id" | "origin" | "contextTokens">;

/** For those who ask the model nothing: no key is needed. */
export function modelIdentity(
  name: string,
  { connections, contextTokens = null }: Pick<ChatModelOptions, "connections" | "contextTokens">,
): ModelIdentity {
  const { provider } = parseJudgeName(name);
  const origin = originOf(provider, connections);
  return { id: name, contextTokens, ...(origin === undefined ? {} : { origin }) };
}

function originOf(provider: JudgeName["provider"], connections: ModelConnections): string | undefined {
  switch (provider) {
    case "openai":
    case "anthropic":
    case "google":
      return connections[provider]?.baseUrl;
    case "ollama":
      return connections.ollama?.baseUrl ?? OLLAMA_ADDRESS;
    case "compatible":
    case "llama":
      return undefined;
    default:
      return provider satisfies never;
  }
}

/** A run whose answers are all stored asks nothing, and then never loads a provider's library, the slowest part of all. */
function loadedWhenAsked(identity: ModelIdentity, load: () => Promise<ChatModel>): ChatModel {
  let loaded: Promise<ChatModel> | undefined;
  return {
    ...identity,
    async complete(request, signal) {
      loaded ??= load();
      return (await loaded).complete(request, signal);
    },
  };
}

function connectionTo(provider: CloudProvider | "compatible", connections: ModelConnections): Connection {
  const connection = connections[provider] ?? {};
  if (provider !== "compatible" && !connection.key) {
    throw new FabulaError(
      "E_KEY_MISSING",
      `No key for ${provider}: set ${KEY_VARIABLES[provider]} in the environment, or use an embedded judge (crowd, editor, grader), which needs no key.`,
    );
  }
  return connection;
}

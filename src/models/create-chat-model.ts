import { availableParallelism } from "node:os";
import { z } from "zod";
import { type Clock, systemClock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import { aiSdkModel } from "./adapters/ai-sdk.ts";
import { CLOUDS, type CloudProvider, isCloudProvider } from "./adapters/clouds.ts";
import { commandModel } from "./adapters/command.ts";
import { httpFailure } from "./adapters/failure.ts";
import { llamaModel } from "./adapters/llama.ts";
import { endsWhenUnreadable } from "./ask.ts";
import { type ChatModel, type ChatRequest, estimateInputTokens } from "./chat-model.ts";
import {
  type Connection,
  connectionToServer,
  explainMissingKey,
  type ModelConnections,
  OLLAMA_ADDRESS,
} from "./connection.ts";
import { type JudgeName, parseJudgeName } from "./judge-name.ts";
import { ModelError } from "./model-error.ts";
import { type OwnJudge, ownJudgeOf, resolveShortName, settingsHash, withOwnSettings } from "./own-judge.ts";
import { type NamedProvider, providerLine, variablesOf } from "./providers.ts";
import { splitReasoning } from "./read-reply.ts";
import { guardedFetch, tokenUsage } from "./transport.ts";

interface OllamaOptions {
  readonly id: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly contextTokens: number | null;
  readonly settings?: string;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
}

const replySchema = z.object({
  model: z.string(),
  message: z.object({ content: z.string(), thinking: z.string().optional() }),
  done_reason: z.string().optional(),
  // Checked separately, because an impossible count is no reason to refuse the reply.
  prompt_eval_count: z.unknown().optional(),
  eval_count: z.unknown().optional(),
});

const REPLY_TOKENS = 4096;
const SMALLEST_CONTEXT = 8192;

/**
 * Ollama through its own API. Its OpenAI-compatible API cannot set the context length, which is short by default, and
 * cuts a long prompt silently: a judge that saw the last pages of a novel would answer as if it had read it all.
 */
function ollamaModel({ id, model, baseUrl, contextTokens, settings, clock, fetch }: OllamaOptions): ChatModel {
  return {
    id,
    contextTokens,
    origin: baseUrl,
    ...(settings === undefined ? {} : { settings }),
    async complete(request, signal) {
      const started = clock.now().getTime();
      const fail = (status: number | null, body: string, cause: unknown) =>
        httpFailure({
          model: id,
          status,
          headers: {},
          body,
          cause,
          secrets: [],
          now: clock.now(),
          isCutOff: status === 200,
        });
      let status: number | null = null;
      let body: string;
      try {
        const response = await fetch(`${baseUrl}/api/chat`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(requestBody(model, request)),
          signal,
        });
        status = response.status;
        body = await response.text();
      } catch (cause) {
        if (signal.aborted) throw signal.reason;
        throw fail(status, "", cause);
      }
      if (status !== 200) throw fail(status, body, null);
      const reply = readReply(id, body);
      const { answer, reasoning } = splitReasoning(reply.message.content);
      const said = { text: answer, reasoning: reply.message.thinking ?? reasoning };
      const reported = { inputTokens: reply.prompt_eval_count, outputTokens: reply.eval_count };
      return {
        ...said,
        ...tokenUsage(reported, { request, reply: said }),
        stop: reply.done_reason === "length" ? "length" : "stop",
        model: reply.model,
        latencyMilliseconds: clock.now().getTime() - started,
      };
    },
  };
}

function requestBody(model: string, request: ChatRequest) {
  const reply = request.maximumTokens ?? REPLY_TOKENS;
  return {
    model,
    messages: request.messages,
    stream: false,
    ...(request.schema ? { format: request.schema.schema } : {}),
    options: {
      num_ctx: Math.max(SMALLEST_CONTEXT, estimateInputTokens(request) + reply),
      num_predict: reply,
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.seed === undefined ? {} : { seed: request.seed }),
    },
  };
}

function readReply(id: string, body: string) {
  try {
    return replySchema.parse(JSON.parse(body));
  } catch (cause) {
    throw new ModelError("malformed", id, `${id} sent a reply that is not the API's format.`, {
      cause,
      evidence: body.slice(0, 4000),
    });
  }
}

export interface ChatModelOptions {
  readonly connections: ModelConnections;
  readonly contextTokens?: number | null;
  /** How many tokens a model may think with on top of a reply's limit, if its provider counts both together. */
  readonly thinkingTokens?: number;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** Called with a message if a program has not replied for a while. */
  readonly onSilence?: (words: string) => void;
}

/** The model for a judge's name. Nothing is sent before the first question. */
export async function createChatModel(given: string, options: ChatModelOptions): Promise<ChatModel> {
  const { connections, clock = systemClock } = options;
  const name = resolveShortName(given, connections.judges);
  const own = ownJudgeOf(name, connections.judges);
  const contextTokens = own?.context ?? options.contextTokens ?? null;
  const judge = parseJudgeName(name);
  const transport = { fetch: withOwnSettings(own, guardedFetch(name, options.fetch)) };
  const identity = modelIdentity(name, { connections, contextTokens });
  const asked = { ...identity, ...transport, thinkingTokens: options.thinkingTokens ?? 0, clock };
  switch (judge.provider) {
    case "command": {
      if (!connections.commands?.includes(judge.command)) throw commandNotNamed(judge.command);
      const command = commandModel({
        ...identity,
        command: judge.command,
        timeoutSeconds: own?.timeout,
        onSilence: options.onSilence,
        clock,
      });
      return endsWhenUnreadable({ ...command, ...identity });
    }
    case "local": {
      const { chooseLocalModel } = await import("./local-model.ts");
      const found = await chooseLocalModel(connections, { fetch: options.fetch });
      return createChatModel(found.id, { ...options, contextTokens: found.contextTokens });
    }
    case "paste":
    case "assistant":
      throw new FabulaError(
        "E_JUDGE_UNREADY",
        judge.provider === "paste"
          ? "The judge `paste` needs somebody who pastes: give it to `fabula evaluate --judge paste` in a terminal."
          : "The judge `assistant` answers over MCP alone: start `fabula mcp` from the assistant.",
      );
    case "compatible": {
      const connection = connectionToServer(judge.baseUrl, connections.compatible);
      const secrets = secretsOf(connection, own);
      return aiSdkModel({
        ...asked,
        judge,
        connection,
        secrets,
        ...(secrets.length === 0 ? { missingKey: explainMissingKey(judge.baseUrl) } : {}),
      });
    }
    case "ollama":
      return ollamaModel({
        ...asked,
        model: judge.model,
        baseUrl: connections.ollama?.baseUrl ?? OLLAMA_ADDRESS,
      });
    case "llama":
      return llamaModel({
        id: name,
        path: judge.path,
        maximumThreads: connections.llama?.maximumThreads ?? availableParallelism(),
        maximumContext: contextTokens,
        clock,
        ...(connections.llama?.folder ? { folder: connections.llama.folder } : {}),
      });
    default: {
      const { provider, model } = judge;
      if (isCloudProvider(provider)) {
        const connection = connectionTo(provider, connections);
        return aiSdkModel({ ...asked, judge: { provider, model }, connection, secrets: secretsOf(connection, own) });
      }
      const { schemas } = providerLine(provider);
      const connection = namedConnection(provider, connections);
      const server = { provider: "compatible", model, baseUrl: connection.baseUrl } as const;
      return aiSdkModel({ ...asked, judge: server, connection, secrets: secretsOf(connection, own), schemas });
    }
  }
}

function secretsOf({ key }: Connection, own: OwnJudge | undefined): string[] {
  return [...(key === undefined ? [] : [key]), ...Object.values(own?.headers ?? {})];
}

/** The key and the address of a provider listed in `providers.ts`. */
function namedConnection(
  provider: NamedProvider,
  connections: ModelConnections,
): Connection & { readonly baseUrl: string } {
  const { key: variable, needsKey, title, address } = providerLine(provider);
  const { key, baseUrl = variablesOf(provider).length === 0 ? address : undefined } = connections[provider] ?? {};
  if (baseUrl === undefined) {
    throw new FabulaError(
      "E_KEY_MISSING",
      `The address of ${title} is not known: set ${variablesOf(provider).join(" and ")} in the environment.`,
    );
  }
  if (needsKey && !key)
    throw new FabulaError("E_KEY_MISSING", `No key for ${title}: set ${variable} in the environment.`);
  return { baseUrl, ...(key ? { key } : {}) };
}

function commandNotNamed(command: string): FabulaError {
  return new FabulaError(
    "E_FORBIDDEN",
    `The command "${command}" was not started: a program judges only where you name it yourself, with --judge, in your own settings or in a program of yours.`,
  );
}

/** A model's name, address and context length. */
export type ModelIdentity = Pick<ChatModel, "id" | "origin" | "contextTokens" | "settings">;

/** A model's identity, for a plan or a replay: nothing is asked of it, so no key is needed. */
export function modelIdentity(
  given: string,
  { connections, contextTokens = null }: Pick<ChatModelOptions, "connections" | "contextTokens">,
): ModelIdentity {
  const name = resolveShortName(given, connections.judges);
  const { provider } = parseJudgeName(name);
  const origin = originOf(provider, connections);
  const own = ownJudgeOf(name, connections.judges);
  const settings = settingsHash(own);
  return {
    id: name,
    contextTokens: own?.context ?? contextTokens,
    ...(origin === undefined ? {} : { origin }),
    ...(settings === undefined ? {} : { settings }),
  };
}

function originOf(provider: JudgeName["provider"], connections: ModelConnections): string | undefined {
  switch (provider) {
    case "ollama":
      return connections.ollama?.baseUrl ?? OLLAMA_ADDRESS;
    case "compatible":
    case "llama":
    case "command":
    case "paste":
    case "assistant":
    case "local":
      return undefined;
    default:
      return connections[provider]?.baseUrl;
  }
}

function connectionTo(provider: CloudProvider, connections: ModelConnections): Connection {
  const connection = connections[provider] ?? {};
  if (!connection.key) {
    throw new FabulaError(
      "E_KEY_MISSING",
      `No key for ${provider}: set ${CLOUDS[provider].keys[0]} in the environment, or use an embedded judge (crowd, editor, grader), which needs no key.`,
    );
  }
  return connection;
}

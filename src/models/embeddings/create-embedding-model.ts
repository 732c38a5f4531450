import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, type EmbeddingModelV3 } from "@ai-sdk/provider";
import { type Clock, systemClock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { httpFailure } from "../adapters/failure.ts";
import { cappedWait } from "../capped-wait.ts";
import { type ModelConnections, OLLAMA_ADDRESS } from "../create-chat-model.ts";
import { parseJudgeName } from "../judge-name.ts";
import { guardedFetch } from "../transport/guarded-fetch.ts";
import { LARGEST_EMBEDDINGS } from "../transport/limited-reply.ts";
import type { EmbeddingModel } from "./embedding-model.ts";

const TEXTS_PER_REQUEST = 96;
const ATTEMPTS = 5;
const FIRST_WAIT_MILLISECONDS = 500;

/** The provider asked for a wait, which may be shortened. */
type WaitListener = (wait: { readonly askedMilliseconds: number; readonly waitMilliseconds: number }) => void;

/** The embedding model behind a name, written like a judge's. Nothing is sent until it is asked. */
export function createEmbeddingModel(
  name: string,
  connections: ModelConnections,
  clock: Clock = systemClock,
  onWait: WaitListener = () => {},
): EmbeddingModel {
  const { model, secrets } = providerModel(name, connections);
  async function embedSome(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        const { embeddings } = await model.doEmbed({ values: [...texts], abortSignal: signal });
        if (embeddings.length !== texts.length) throw wrongCount(name, texts.length, embeddings.length);
        return embeddings.map(toUnitVector);
      } catch (cause) {
        signal.throwIfAborted();
        if (cause instanceof FabulaError) throw cause;
        const api = APICallError.isInstance(cause) ? cause : null;
        const failure = httpFailure({
          model: name,
          secrets,
          now: clock.now(),
          status: api?.statusCode ?? null,
          headers: api?.responseHeaders ?? {},
          body: api?.responseBody ?? "",
          cause,
        });
        if (!failure.isRetryable || attempt >= ATTEMPTS) throw failure;
        const asked = failure.retryAfterMilliseconds;
        const wait = asked !== null ? cappedWait(asked) : FIRST_WAIT_MILLISECONDS * 2 ** (attempt - 1);
        if (asked !== null) onWait({ askedMilliseconds: asked, waitMilliseconds: wait });
        await clock.sleep(wait, signal);
      }
    }
  }
  return {
    id: name,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += TEXTS_PER_REQUEST) {
        vectors.push(...(await embedSome(texts.slice(start, start + TEXTS_PER_REQUEST), signal)));
      }
      return vectors;
    },
  };
}

function providerModel(name: string, connections: ModelConnections): { model: EmbeddingModelV3; secrets: string[] } {
  const judge = parseJudgeName(name);
  const transport = { fetch: guardedFetch(name, fetch, LARGEST_EMBEDDINGS) };
  switch (judge.provider) {
    case "openai": {
      const { key, baseUrl } = connections.openai ?? {};
      if (!key) throw missingKey("OPENAI_API_KEY");
      const provider = createOpenAI({ apiKey: key, ...(baseUrl && { baseURL: baseUrl }), ...transport });
      return { model: provider.embedding(judge.model), secrets: [key] };
    }
    case "google": {
      const { key, baseUrl } = connections.google ?? {};
      if (!key) throw missingKey("GOOGLE_GENERATIVE_AI_API_KEY");
      const provider = createGoogleGenerativeAI({ apiKey: key, ...(baseUrl && { baseURL: baseUrl }), ...transport });
      return { model: provider.embeddingModel(judge.model), secrets: [key] };
    }
    case "compatible":
      return compatible(judge.model, judge.baseUrl, connections.compatible?.key, transport);
    case "ollama":
      return compatible(judge.model, `${connections.ollama?.baseUrl ?? OLLAMA_ADDRESS}/v1`, undefined, transport);
    case "anthropic":
    case "llama":
      throw new FabulaError(
        "E_EMBEDDINGS_UNKNOWN",
        `"${name}" has no embeddings: use openai:MODEL, google:MODEL, ollama:MODEL or MODEL@http://host/v1.`,
      );
    default:
      return judge satisfies never;
  }
}

function compatible(
  model: string,
  baseURL: string,
  apiKey: string | undefined,
  transport: { readonly fetch: typeof fetch },
) {
  const provider = createOpenAICompatible({ name: "compatible", baseURL, ...(apiKey && { apiKey }), ...transport });
  return { model: provider.embeddingModel(model), secrets: apiKey ? [apiKey] : [] };
}

function toUnitVector(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}

function missingKey(variable: string): FabulaError {
  return new FabulaError("E_KEY_MISSING", `No key for these embeddings: set ${variable} in the environment.`);
}

function wrongCount(name: string, asked: number, given: number): FabulaError {
  return new FabulaError("E_EMBEDDINGS", `${name} gave ${given} vectors for ${asked} texts: it cannot be used.`);
}

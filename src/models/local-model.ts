import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { findLlama, LLAMA_CONTEXT, readModelFile } from "./adapters/llama.ts";
import { type ModelConnections, OLLAMA_ADDRESS } from "./connection.ts";
import { type NamedProvider, providerLine } from "./providers.ts";
import { guardedFetch } from "./transport.ts";

/** A model that runs on this machine, as its server describes it. */
export interface LocalModel {
  /** Its name for `--judge`. */
  readonly id: string;
  /** The server that runs it: `Ollama`, `LM Studio`, `llama.cpp server`. */
  readonly server: string;
  /** Tokens that fit into a request and its reply; null if the server does not say. */
  readonly contextTokens: number | null;
  /** In billions; null if unknown. */
  readonly parameters: number | null;
}

interface Services {
  readonly fetch?: typeof fetch | undefined;
  readonly signal?: AbortSignal;
}

const PATIENCE_MILLISECONDS = 3000;
/**
 * A guess, not a measurement: smaller models get a warning, and the reading itself notices a model that quotes what
 * is not there.
 */
const FEWEST_BILLIONS = 7;
/** A chapter, a question about it and its reply. */
const SHORTEST_CONTEXT = 16_000;

/** Every model that can answer on this machine now, strongest first for each server. */
export async function localModels(connections: ModelConnections, services: Services = {}): Promise<LocalModel[]> {
  const found = await Promise.all([
    ollamaModels(connections, services),
    lmStudioModels(connections, services),
    llamaServerModels(connections, services),
    vllmModels(connections, services),
    modelFiles(connections),
  ]);
  const known = found.flat();
  return known.length > 0 ? known : otherServers(connections, services);
}

/** Servers at the usual ports that speak OpenAI's format and do not identify themselves. */
async function otherServers(connections: ModelConnections, services: Services): Promise<LocalModel[]> {
  const addresses = (["lmstudio", "llamacpp", "vllm"] as const).map((provider) => addressOf(provider, connections));
  const found = await Promise.all(
    [...new Set(addresses)].map(async (address) => {
      const listed = await ask(`${address}/models`, modelListSchema, services);
      return (listed?.data ?? [])
        .filter(({ id }) => !isEmbedding(id))
        .map(({ id }) => ({
          id: `${id}@${address}`,
          server: `a server at ${new URL(address).host}`,
          contextTokens: null,
          parameters: billionsIn(id),
        }));
    }),
  );
  return found.flat().sort((left, right) => (right.parameters ?? 0) - (left.parameters ?? 0));
}

/** The strongest model of the first server found. */
export async function chooseLocalModel(connections: ModelConnections, services: Services = {}): Promise<LocalModel> {
  const [model] = await localModels(connections, services);
  if (model) return model;
  const address = connections.ollama?.baseUrl ?? OLLAMA_ADDRESS;
  if (await ask(`${address}/api/tags`, tagsSchema, services)) {
    throw new FabulaError(
      "E_MODEL_NOT_RUNNING",
      "Ollama runs here and has no model that can judge: run `ollama pull qwen3:14b` (`qwen3:8b` on a small machine), then the same again.",
    );
  }
  throw new FabulaError(
    "E_MODEL_NOT_RUNNING",
    "No model runs on this machine: start Ollama (`ollama pull qwen3:14b` once, then `ollama serve`), LM Studio's server or llama.cpp's `llama-server`, or put a .gguf file into this folder and run `npm install node-llama-cpp@3`. A server at another port is named with its model: MODEL@http://127.0.0.1:PORT/v1.",
  );
}

/** `local is ollama:qwen3:8b (Ollama, context of 40,960 tokens)`. */
export function localInWords({ id, server, contextTokens }: LocalModel): string {
  const context =
    contextTokens === null ? "context unknown" : `context of ${contextTokens.toLocaleString("en-GB")} tokens`;
  return `The local judge is ${id} (${server}, ${context}).`;
}

/** Why a model is likely to fail at a close reading; null if there is no reason. */
export function weaknessOf({ id, contextTokens, parameters }: LocalModel): string | null {
  const reasons = [
    ...(parameters !== null && parameters < FEWEST_BILLIONS
      ? [`it has ${parameters} billion parameters, and fewer than ${FEWEST_BILLIONS} may be too few`]
      : []),
    ...(contextTokens !== null && contextTokens < SHORTEST_CONTEXT
      ? [`it takes ${contextTokens.toLocaleString("en-GB")} tokens at a time, too few for a chapter and its questions`]
      : []),
  ];
  if (reasons.length === 0) return null;
  return `${id} is probably too weak for a close reading: ${reasons.join("; ")}. Quotations are checked, and a reading whose quotations are not in the book is stopped; --method summary asks less of a model.`;
}

async function ask<T>(url: string, schema: z.ZodType<T>, { fetch: given, signal }: Services, body?: unknown) {
  const patience = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  try {
    const response = await guardedFetch("local", given)(url, {
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
      ...(body !== undefined && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) return null;
    const parsed = schema.safeParse(await response.json());
    return parsed.success ? parsed.data : null;
  } catch {
    // Nothing usable at this address; the next one may have something.
    return null;
  }
}

const tagsSchema = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      size: z.number().default(0),
      details: z.object({ family: z.string().nullish(), parameter_size: z.string().nullish() }).partial().nullish(),
    }),
  ),
});
const showSchema = z.object({ model_info: z.record(z.string(), z.unknown()).default({}) });

async function ollamaModels({ ollama }: ModelConnections, services: Services): Promise<LocalModel[]> {
  const address = ollama?.baseUrl ?? OLLAMA_ADDRESS;
  const tags = await ask(`${address}/api/tags`, tagsSchema, services);
  const chats = (tags?.models ?? []).filter(({ name, details }) => !isEmbedding(`${name} ${details?.family ?? ""}`));
  const models = await Promise.all(
    chats.map(async ({ name, size, details }) => {
      const shown = await ask(`${address}/api/show`, showSchema, services, { model: name });
      const [, context] =
        Object.entries(shown?.model_info ?? {}).find(([key]) => key.endsWith(".context_length")) ?? [];
      return {
        id: `ollama:${name}`,
        server: "Ollama",
        contextTokens: typeof context === "number" ? context : null,
        parameters: billionsIn(details?.parameter_size ?? "") ?? billionsIn(name),
        size,
      };
    }),
  );
  return models.sort((left, right) => right.size - left.size).map(({ size: _size, ...model }) => model);
}

const lmStudioSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string().optional(),
      state: z.string().optional(),
      max_context_length: z.number().optional(),
      loaded_context_length: z.number().optional(),
    }),
  ),
});

async function lmStudioModels(connections: ModelConnections, services: Services): Promise<LocalModel[]> {
  const root = addressOf("lmstudio", connections).replace(/\/v1$/, "");
  const listed = await ask(`${root}/api/v0/models`, lmStudioSchema, services);
  const isLoaded = ({ state }: { state?: string | undefined }) => Number(state === "loaded");
  return (listed?.data ?? [])
    .filter(({ id, type }) => type !== "embeddings" && !isEmbedding(id))
    .sort((left, right) => isLoaded(right) - isLoaded(left) || (billionsIn(right.id) ?? 0) - (billionsIn(left.id) ?? 0))
    .map(({ id, max_context_length: most, loaded_context_length: loaded }) => ({
      id: `lmstudio:${id}`,
      server: "LM Studio",
      contextTokens: loaded ?? most ?? null,
      parameters: billionsIn(id),
    }));
}

const modelListSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      max_model_len: z.number().nullish(),
      meta: z.object({ n_params: z.number().nullish() }).partial().nullish(),
    }),
  ),
});
const propsSchema = z.object({ default_generation_settings: z.object({ n_ctx: z.number() }) });

async function llamaServerModels(connections: ModelConnections, services: Services): Promise<LocalModel[]> {
  const address = addressOf("llamacpp", connections);
  const props = await ask(`${address.replace(/\/v1$/, "")}/props`, propsSchema, services);
  if (!props) return [];
  const listed = await ask(`${address}/models`, modelListSchema, services);
  return (listed?.data ?? []).map(({ id, meta }) => ({
    id: `llamacpp:${id}`,
    server: "llama.cpp server",
    contextTokens: props.default_generation_settings.n_ctx,
    parameters: typeof meta?.n_params === "number" ? Math.round(meta.n_params / 1e8) / 10 : billionsIn(id),
  }));
}

async function vllmModels(connections: ModelConnections, services: Services): Promise<LocalModel[]> {
  const listed = await ask(`${addressOf("vllm", connections)}/models`, modelListSchema, services);
  // Many servers have such a list; the context length is vLLM's own addition.
  return (listed?.data ?? []).flatMap(({ id, max_model_len: context }) =>
    typeof context === "number"
      ? [{ id: `vllm:${id}`, server: "vLLM", contextTokens: context, parameters: billionsIn(id) }]
      : [],
  );
}

/** Model files in the folder, if there is a library to run them with. */
async function modelFiles({ llama }: ModelConnections): Promise<LocalModel[]> {
  const names = (await readdir(".").catch(() => [])).filter((name) => /\.gguf$/i.test(name)).sort();
  if (names.length === 0 || findLlama(llama?.folder) === null) return [];
  return Promise.all(
    names.map(async (name) => {
      const { contextTokens, sizeLabel } = await readModelFile(name);
      return {
        id: `llama:${resolve(name)}`,
        server: "node-llama-cpp",
        contextTokens: contextTokens && Math.min(contextTokens, LLAMA_CONTEXT),
        parameters: billionsIn(sizeLabel) ?? billionsIn(name),
      };
    }),
  );
}

function addressOf(provider: NamedProvider, connections: ModelConnections): string {
  return connections[provider]?.baseUrl ?? providerLine(provider).address;
}

function isEmbedding(words: string): boolean {
  return /embed|\bbert\b|nomic|minilm|rerank/i.test(words);
}

/** `8.2B`, `qwen3:8b`, `Llama-3.3-70B-Instruct`, `500M`. */
function billionsIn(words: string): number | null {
  const [, amount, unit] = /(\d+(?:\.\d+)?)\s*([bm])(?![a-z])/i.exec(words) ?? [];
  if (amount === undefined) return null;
  return unit?.toLowerCase() === "m" ? Number(amount) / 1000 : Number(amount);
}

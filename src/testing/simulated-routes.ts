import { anthropicDialect } from "./dialects/anthropic.ts";
import { googleDialect } from "./dialects/google.ts";
import { ollamaDialect } from "./dialects/ollama.ts";
import { openaiDialect } from "./dialects/openai.ts";
import type { Dialect } from "./simulated-exchange.ts";

/** Where a request for a reply goes, and in which provider's words it is read and answered. */
export interface SimulatedRoute {
  readonly dialect: Dialect;
  /** What the path says and the body does not. */
  readonly fields?: { readonly model: string };
}

const MODELS = ["simulated-small", "simulated-large"];

export function routeOf(path: string): SimulatedRoute | null {
  if (path === "/v1/chat/completions") return { dialect: openaiDialect };
  if (path === "/v1/messages") return { dialect: anthropicDialect };
  if (path === "/api/chat") return { dialect: ollamaDialect };
  const model = /^\/v1beta\/models\/([^/:]+):generateContent$/.exec(path)?.[1];
  return model ? { dialect: googleDialect, fields: { model } } : null;
}

/** The models that the server says it has, as the provider of this path would list them. */
export function catalogue(path: string): unknown {
  if (path === "/api/tags") return { models: MODELS.map((name) => ({ name })) };
  if (path === "/v1beta/models") return { models: MODELS.map((name) => ({ name: `models/${name}` })) };
  return { object: "list", data: MODELS.map((id) => ({ id, object: "model", type: "model" })) };
}

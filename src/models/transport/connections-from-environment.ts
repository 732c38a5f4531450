import type { Connection } from "../connection.ts";
import type { ModelConnections } from "../create-chat-model.ts";
import { ollamaAddress } from "./ollama-address.ts";

/** Keys and addresses from the environment, under the names their providers use. The environment is an argument: only the edges of the program read it. */
export function connectionsFromEnvironment(environment: NodeJS.ProcessEnv): ModelConnections {
  const connection = (key: string | undefined, baseUrl: string | undefined): Connection => ({
    ...(key ? { key } : {}),
    ...(baseUrl ? { baseUrl: baseUrl.replace(/\/+$/, "") } : {}),
  });
  return {
    openai: connection(environment.OPENAI_API_KEY, environment.OPENAI_BASE_URL),
    anthropic: connection(environment.ANTHROPIC_API_KEY, environment.ANTHROPIC_BASE_URL),
    google: connection(
      environment.GOOGLE_GENERATIVE_AI_API_KEY ?? environment.GEMINI_API_KEY,
      environment.GOOGLE_GENERATIVE_AI_BASE_URL,
    ),
    compatible: environment.FABULA_API_KEY ? { key: environment.FABULA_API_KEY } : {},
    llama: environment.FABULA_LLAMA ? { folder: environment.FABULA_LLAMA } : {},
    ollama: environment.OLLAMA_HOST ? { baseUrl: ollamaAddress(environment.OLLAMA_HOST) } : {},
  };
}

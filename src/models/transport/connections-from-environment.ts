import { isIPv6 } from "node:net";
import type { Connection, ModelConnections } from "../connection.ts";
import { addressFor, NAMED_PROVIDERS, providerLine } from "../providers.ts";

const PORT = 11434;
/** No host, or what a server takes for every address of its machine. */
const ANY_HOST = /^(?:0\.0\.0\.0|\[::\])?(?=[:/]|$)/;

/**
 * The address in `OLLAMA_HOST`, read as Ollama reads it (`getOllamaHost` in its `envconfig/config.go`): without a scheme
 * the port is Ollama's own unless another is given, with one it is the scheme's. A server that listens on every address is
 * reached on this machine.
 */
function ollamaAddress(value: string): string {
  const written = value.replace(/^[\s"']+|[\s"'/]+$/g, "");
  const scheme = /^https?:\/\//i.exec(written)?.[0];
  const rest = written.slice(scheme?.length ?? 0);
  const host = (isIPv6(rest) ? `[${rest}]` : rest).replace(ANY_HOST, "127.0.0.1");
  return scheme ? scheme + host : `http://${host.replace(/^[^/]+/, withPort)}`;
}

function withPort(authority: string): string {
  return /:\d+$/.test(authority) ? authority : `${authority}:${PORT}`;
}

/** Keys and addresses from the environment, under the names their providers use. The environment is an argument: only the edges of the program read it. */
export function connectionsFromEnvironment(environment: NodeJS.ProcessEnv): ModelConnections {
  const connection = (key: string | undefined, baseUrl: string | undefined): Connection => ({
    ...(key ? { key } : {}),
    ...(baseUrl ? { baseUrl: baseUrl.replace(/\/+$/, "") } : {}),
  });
  const named = NAMED_PROVIDERS.map((name) => {
    const { key, address } = providerLine(name);
    const baseUrl = addressFor(name, environment);
    // The usual address is no part of a call's key.
    return [name, connection(environment[key], baseUrl === address ? undefined : baseUrl)] as const;
  });
  return {
    ...Object.fromEntries(named.filter(([, { key, baseUrl }]) => key !== undefined || baseUrl !== undefined)),
    openai: connection(environment.OPENAI_API_KEY, environment.OPENAI_BASE_URL),
    anthropic: connection(environment.ANTHROPIC_API_KEY, environment.ANTHROPIC_BASE_URL),
    google: connection(
      environment.GOOGLE_GENERATIVE_AI_API_KEY ?? environment.GEMINI_API_KEY,
      environment.GOOGLE_GENERATIVE_AI_BASE_URL,
    ),
    compatible: connection(environment.FABULA_API_KEY, environment.FABULA_BASE_URL),
    llama: environment.FABULA_LLAMA ? { folder: environment.FABULA_LLAMA } : {},
    ollama: environment.OLLAMA_HOST ? { baseUrl: ollamaAddress(environment.OLLAMA_HOST) } : {},
  };
}

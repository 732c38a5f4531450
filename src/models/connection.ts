import { isIPv6 } from "node:net";
import { CLOUD_PROVIDERS, CLOUDS, type CloudProvider } from "./adapters/clouds.ts";
import type { OwnJudge } from "./own-judge.ts";
import { addressFor, NAMED_PROVIDERS, type NamedProvider, providerLine } from "./providers.ts";

export const OLLAMA_ADDRESS = "http://127.0.0.1:11434";

/**
 * How a provider is reached: a key, and an address if it is not the usual one. The key is sent only to that address.
 */
export interface Connection {
  readonly key?: string;
  readonly baseUrl?: string;
}

/**
 * Keys and addresses of providers. The command line, `evaluateBook` and similar functions fill gaps from the
 * environment; `createChatModel` and `openRun` do not.
 */
export interface ModelConnections extends Readonly<Partial<Record<CloudProvider | NamedProvider, Connection>>> {
  /** For `MODEL@http://host/v1`: the key of one such server, and its address. Most local servers need no key. */
  readonly compatible?: Connection;
  readonly ollama?: Pick<Connection, "baseUrl">;
  /**
   * For `command:"…"`: the exact commands that the user named. A name from anywhere else (a folder's settings, a
   * queue, a visitor of the web app, a file) starts no program.
   */
  readonly commands?: readonly string[];
  /** Judges by the short names that the user gave them. */
  readonly judges?: Readonly<Record<string, OwnJudge>>;
  /** For `llama:PATH.gguf`: where node-llama-cpp is installed, and how many threads it may use. */
  readonly llama?: { readonly folder?: string; readonly maximumThreads?: number };
}

/**
 * The connection to a server whose address is in a judge's name. The name may come from somebody else, such as the
 * owner of a queued run, so the key is used only for the origin it belongs to.
 */
export function connectionToServer(baseUrl: string, own: Connection = {}): Connection {
  const isFor = own.baseUrl !== undefined && originOf(own.baseUrl) === originOf(baseUrl);
  return { baseUrl, ...(isFor && own.key !== undefined ? { key: own.key } : {}) };
}

/** What to do if such a server asks for a key. */
export function explainMissingKey(baseUrl: string): string {
  return `no key was sent to ${originOf(baseUrl)}: set FABULA_API_KEY to the key and FABULA_BASE_URL to ${baseUrl}, so that it goes there and nowhere else`;
}

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}

const PORT = 11434;
/** No host, or the address with which a server listens on all interfaces. */
const ANY_HOST = /^(?:0\.0\.0\.0|\[::\])?(?=[:/]|$)/;

/**
 * The address in `OLLAMA_HOST`, read as Ollama does (`getOllamaHost` in its `envconfig/config.go`): without a scheme
 * the default port is Ollama's own, with a scheme it is the scheme's. A server that listens on every address is
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

/**
 * Keys and addresses from the environment, under the names their providers use. The environment is an argument,
 * because only the edges of the program read it.
 */
export function connectionsFromEnvironment(environment: NodeJS.ProcessEnv): ModelConnections {
  const connection = (key: string | undefined, baseUrl: string | undefined): Connection => ({
    ...(key ? { key } : {}),
    ...(baseUrl ? { baseUrl: baseUrl.replace(/\/+$/, "") } : {}),
  });
  const named = NAMED_PROVIDERS.map((name) => {
    const { key, address } = providerLine(name);
    const baseUrl = addressFor(name, environment);
    // The usual address is not part of a call's key.
    return [name, connection(environment[key], baseUrl === address ? undefined : baseUrl)] as const;
  });
  const clouds = CLOUD_PROVIDERS.map((name) => {
    const { keys } = CLOUDS[name];
    const key = keys.find((variable) => environment[variable] !== undefined) ?? keys[0];
    return [name, connection(environment[key], environment[keys[0].replace(/_API_KEY$/, "_BASE_URL")])] as const;
  });
  return {
    ...Object.fromEntries(named.filter(([, { key, baseUrl }]) => key !== undefined || baseUrl !== undefined)),
    ...Object.fromEntries(clouds),
    compatible: connection(environment.FABULA_API_KEY, environment.FABULA_BASE_URL),
    llama: environment.FABULA_LLAMA ? { folder: environment.FABULA_LLAMA } : {},
    ollama: environment.OLLAMA_HOST ? { baseUrl: ollamaAddress(environment.OLLAMA_HOST) } : {},
  };
}

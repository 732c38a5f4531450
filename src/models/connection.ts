import type { CloudProvider } from "./judge-name.ts";
import type { OwnJudge } from "./own-judge.ts";
import type { NamedProvider } from "./providers.ts";

export const OLLAMA_ADDRESS = "http://127.0.0.1:11434";

/** How a provider is reached: a key, and an address where it is not the usual one. The key goes to that address alone. */
export interface Connection {
  readonly key?: string;
  readonly baseUrl?: string;
}

/** Keys and addresses of providers. The command line, `evaluateBook` and its like fill gaps from the environment; `createChatModel` and `openRun` do not. */
export interface ModelConnections extends Readonly<Partial<Record<NamedProvider, Connection>>> {
  readonly openai?: Connection;
  readonly anthropic?: Connection;
  readonly google?: Connection;
  /** For `MODEL@http://host/v1`: the key of one such server, and its address. Most local servers need no key. */
  readonly compatible?: Connection;
  readonly ollama?: Pick<Connection, "baseUrl">;
  /**
   * For `command:"…"`: the commands that the user named, word for word. A name that comes from anywhere else (a folder's
   * settings, a queue, a visitor of the web app, a file) starts no program.
   */
  readonly commands?: readonly string[];
  /** Judges by the short names that the user gave them. */
  readonly judges?: Readonly<Record<string, OwnJudge>>;
  /** For `llama:PATH.gguf`: where node-llama-cpp is installed, and how many threads it may use. */
  readonly llama?: { readonly folder?: string; readonly maximumThreads?: number };
}

export const USUAL_ADDRESS: Readonly<Record<CloudProvider, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
};

/**
 * How a server is reached that a judge's name gives the address of. The name may come from somebody else, such as who queued a
 * run, so the key is used only where it is for that very origin.
 */
export function connectionToServer(baseUrl: string, own: Connection = {}): Connection {
  const isFor = own.baseUrl !== undefined && originOf(own.baseUrl) === originOf(baseUrl);
  return { baseUrl, ...(isFor && own.key !== undefined ? { key: own.key } : {}) };
}

/** What to do when such a server asks for a key that it was not sent. */
export function explainMissingKey(baseUrl: string): string {
  return `no key was sent to ${originOf(baseUrl)}: set FABULA_API_KEY to the key and FABULA_BASE_URL to ${baseUrl}, so that it goes there and nowhere else`;
}

function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}

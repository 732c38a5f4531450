import { isIPv6 } from "node:net";

const PORT = 11434;
/** No host, or what a server takes for every address of its machine. */
const ANY_HOST = /^(?:0\.0\.0\.0|\[::\])?(?=[:/]|$)/;

/**
 * The address in `OLLAMA_HOST`, read as Ollama reads it (`getOllamaHost` in its `envconfig/config.go`): without a scheme
 * the port is Ollama's own unless another is given, with one it is the scheme's. A server that listens on every address is
 * reached on this machine.
 */
export function ollamaAddress(value: string): string {
  const written = value.replace(/^[\s"']+|[\s"'/]+$/g, "");
  const scheme = /^https?:\/\//i.exec(written)?.[0];
  const rest = written.slice(scheme?.length ?? 0);
  const host = (isIPv6(rest) ? `[${rest}]` : rest).replace(ANY_HOST, "127.0.0.1");
  return scheme ? scheme + host : `http://${host.replace(/^[^/]+/, withPort)}`;
}

function withPort(authority: string): string {
  return /:\d+$/.test(authority) ? authority : `${authority}:${PORT}`;
}

import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Context, MiddlewareHandler } from "hono";

interface Connection {
  readonly incoming?: IncomingMessage;
}

const TRUSTED = "proxyIsTrusted";

/** From here on, a proxy is trusted to state the client's address and whether it came by TLS. */
export const trustProxy: MiddlewareHandler = async (context, next) => {
  context.set(TRUSTED, true);
  await next();
};

/**
 * The address by which one visitor is told from another: an IPv4 address, or the first half of an IPv6 address, because one
 * customer has all addresses in the second half. The last entry of the header is the proxy's own; those before it are whatever
 * the client wrote.
 */
export function clientAddress(context: Context): string {
  const forwarded = isTrusted(context) ? context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  const address = forwarded || (context.env as Connection | undefined)?.incoming?.socket.remoteAddress || "unknown";
  // Some proxies add the port.
  const plain = address
    .replace(/^\[([^\]]+)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  return plain.includes(":") ? network(plain) : plain;
}

/** The client that the work is for, and a signal for when the client leaves. */
export function requestedBy(context: Context): { readonly client: string; readonly signal: AbortSignal } {
  return { client: clientAddress(context), signal: context.req.raw.signal };
}

/** Whether the connection to the client is encrypted. */
export function isEncrypted(context: Context): boolean {
  if (isTrusted(context) && context.req.header("x-forwarded-proto")?.split(",").at(-1)?.trim() === "https") return true;
  const socket = (context.env as Connection | undefined)?.incoming?.socket as Partial<TLSSocket> | undefined;
  return socket?.encrypted === true;
}

/** The port on which the server listens; null for a request that came over no connection. */
export function localPort(context: Context): number | null {
  return (context.env as Connection | undefined)?.incoming?.socket.localPort ?? null;
}

function isTrusted(context: Context): boolean {
  return (context.get(TRUSTED as never) as boolean | undefined) === true;
}

function network(address: string): string {
  const [head = "", tail = ""] = address.split("::");
  const groups = head.split(":").filter(Boolean);
  const rest = tail.split(":").filter(Boolean);
  const filled = [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill("0"), ...rest];
  return `${filled.slice(0, 4).join(":")}::/64`;
}

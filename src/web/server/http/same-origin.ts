import type { MiddlewareHandler } from "hono";
import { FabulaError } from "../../../core/errors.ts";

const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);
const HARMLESS = new Set(["GET", "HEAD"]);

/**
 * On the loopback interface the page may only be asked for under a name of this machine: a foreign name that was made to
 * point here (DNS rebinding) would otherwise be the same origin as the page.
 */
export const loopbackHostOnly: MiddlewareHandler = async (context, next) => {
  const host = context.req.header("host") ?? "";
  const name = host.replace(/:\d{1,5}$/, "").toLowerCase();
  if (!LOOPBACK_NAMES.has(name)) {
    throw new FabulaError("E_FORBIDDEN", "This page is served to this machine alone: open it as http://127.0.0.1.");
  }
  await next();
};

/**
 * What changes something must come from the page itself. A foreign page cannot set our header without asking first, which
 * we never allow; the browser says where a request comes from, and an old browser at least says the origin.
 */
export const fromOwnPageOnly: MiddlewareHandler = async (context, next) => {
  const { method } = context.req;
  if (HARMLESS.has(method)) return next();
  const site = context.req.header("sec-fetch-site");
  const origin = context.req.header("origin");
  const isOwn =
    site === undefined ? origin === undefined || isHost(origin, context.req.header("host")) : site === "same-origin";
  if (!isOwn || context.req.header("x-fabula") !== "1") {
    throw new FabulaError("E_FORBIDDEN", "This was not asked by the page itself, so nothing was done.");
  }
  await next();
};

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

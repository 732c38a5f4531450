import type { MiddlewareHandler } from "hono";
import { FabulaError } from "../../core/errors.ts";

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
 * The API is the page's own: no other site may ask it anything, and what changes something carries our header, which a
 * foreign page cannot set without asking first, and that is never allowed. Browsers say where a request comes from; old
 * ones at least give the origin with everything but a plain GET.
 */
export const fromOwnPageOnly: MiddlewareHandler = async (context, next) => {
  const isHarmless = HARMLESS.has(context.req.method);
  const site = context.req.header("sec-fetch-site");
  const origin = context.req.header("origin");
  // `none`: typed into the address bar.
  const isOwnSite = site === undefined || site === "same-origin" || (site === "none" && isHarmless);
  const isOwnOrigin = site !== undefined || origin === undefined || isHost(origin, context.req.header("host"));
  const isMarked = isHarmless || context.req.header("x-fabula") === "1";
  if (!isOwnSite || !isOwnOrigin || !isMarked) {
    throw new FabulaError("E_FORBIDDEN", "This was not asked by the page itself, so nothing was done.");
  }
  await next();
};

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

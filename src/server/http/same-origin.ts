import type { MiddlewareHandler } from "hono";
import { FabulaError } from "../../core/errors.ts";
import { isLoopback } from "../../core/loopback.ts";

const HARMLESS = new Set(["GET", "HEAD"]);

/**
 * On the loopback interface, requests must use a name of this machine: a foreign name that was made to point here
 * (DNS rebinding) would otherwise count as the same origin as the web app.
 */
export const loopbackHostOnly: MiddlewareHandler = async (context, next) => {
  const host = context.req.header("host") ?? "";
  const name = host.replace(/:\d{1,5}$/, "").replace(/^\[(.*)\]$/, "$1");
  if (!isLoopback(name.toLowerCase())) {
    throw new FabulaError("E_FORBIDDEN", "This page is served to this machine alone: open it as http://127.0.0.1.");
  }
  await next();
};

/**
 * The API serves the web app only: no other site may call it, and every change must carry our header, which a foreign
 * page cannot set without a preflight request, and preflight is never allowed. Browsers say where a request comes from; old
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
    throw new FabulaError("E_FORBIDDEN", "This request did not come from the web app, so nothing was done.");
  }
  await next();
};

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

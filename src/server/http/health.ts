import { Hono } from "hono";

/** What load balancers and container runtimes ask, without a token: nothing of the library shows in the answers. */
export function healthRoutes(isReady: () => boolean): Hono {
  return new Hono()
    .get("/live", (context) => context.json({ status: "live" }))
    .get("/ready", (context) =>
      isReady() ? context.json({ status: "ready" }) : context.json({ status: "shutting down" }, 503),
    );
}

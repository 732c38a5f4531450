import { Hono } from "hono";
import { compress } from "hono/compress";
import { FabulaError } from "../../core/errors.ts";
import { isLoopback } from "../../core/loopback.ts";
import { aboutRoutes } from "../routes/about.ts";
import { benchmarkRoutes } from "../routes/benchmarks.ts";
import { bookRoutes } from "../routes/books.ts";
import { cellRoutes } from "../routes/cells.ts";
import { correctionRoutes } from "../routes/corrections.ts";
import { draftRoutes, revisionRoutes } from "../routes/drafts.ts";
import { comparisonRoutes, evaluationRoutes } from "../routes/evaluations.ts";
import { gridRoutes } from "../routes/grid.ts";
import { heatRoutes } from "../routes/heat.ts";
import { jobRoutes, planRoutes } from "../routes/jobs.ts";
import { keyRoutes } from "../routes/keys.ts";
import { mapRoutes } from "../routes/map.ts";
import { noteRoutes } from "../routes/notes.ts";
import { questionRoutes } from "../routes/questions.ts";
import { readerRoutes } from "../routes/readers.ts";
import { runRoutes } from "../routes/runs.ts";
import { sessionRoutes } from "../routes/session.ts";
import { settingsRoutes } from "../routes/settings.ts";
import { trustRoutes } from "../routes/trust.ts";
import { disagreementRoutes, voteRoutes } from "../routes/votes.ts";
import type { Services } from "../services.ts";
import { evidenceBench } from "../votes/evidence-bench.ts";
import { trustProxy } from "./client-address.ts";
import { healthRoutes } from "./health.ts";
import { problemResponse } from "./problem.ts";
import { safetyHeaders } from "./safety-headers.ts";
import { fromOwnPageOnly, loopbackHostOnly } from "./same-origin.ts";
import { clientFolder, staticClient } from "./static-client.ts";
import { TokenGuard } from "./token.ts";
import { uploadLimit } from "./upload-limit.ts";

/** Every request passes the same checks in the same order: headers, host, origin, token; then the web app or the API. */
export async function createApp(
  services: Services,
  isReady: () => boolean = () => true,
  guard: TokenGuard | null = guardOf(services),
): Promise<Hono> {
  const { settings } = services;
  const app = new Hono();
  app.use(safetyHeaders);
  app.onError(problemResponse);
  app.notFound((context) =>
    problemResponse(new FabulaError("E_NOT_FOUND", "There is nothing at this address."), context),
  );
  app.route("/health", healthRoutes(isReady));
  if (settings.trustProxy) app.use(trustProxy);
  else if (isLoopback(settings.host)) app.use(loopbackHostOnly);
  app.use("/api/*", fromOwnPageOnly);
  if (guard) {
    app.use(guard.admitByLink);
    app.route("/api/session", sessionRoutes(guard));
    app.use("/api/*", guard.demand);
  }
  app.use("/api/*", uploadLimit());
  app.use("/api/*", async (context, next) => {
    await next();
    if (!context.res.headers.has("cache-control")) context.res.headers.set("cache-control", "no-store");
  });
  app.use("/api/*", compress());
  app.route("/api/about", aboutRoutes(services));
  app.route("/api/books", bookRoutes(services));
  app.route("/api/books", heatRoutes(services));
  app.route("/api/books", noteRoutes(services));
  app.route("/api/books", mapRoutes(services));
  app.route("/api/books", revisionRoutes(services));
  app.route("/api/drafts", draftRoutes(services));
  app.route("/api/keys", keyRoutes(services));
  app.route("/api/books", correctionRoutes(services));
  app.route("/api/plans", planRoutes(services));
  app.route("/api/jobs", jobRoutes(services));
  app.route("/api/evaluations", evaluationRoutes(services));
  app.route("/api/comparisons", comparisonRoutes(services));
  app.route("/api/grid", gridRoutes(services));
  app.route("/api/cells", cellRoutes(services));
  app.route("/api/readers", readerRoutes(services));
  app.route("/api/benchmarks", benchmarkRoutes(services));
  app.route("/api/questions", questionRoutes(services));
  app.route("/api/runs", runRoutes(services));
  app.route("/api/settings", settingsRoutes(services));
  const bench = await evidenceBench(services);
  app.route("/api/disagreements", disagreementRoutes(services, bench));
  app.route("/api/votes", voteRoutes(services, bench));
  app.route("/api/evaluations", trustRoutes(services, bench));
  app.use(await staticClient(settings.client ?? clientFolder()));
  return app;
}

/** Null where the server asks for no token. */
export function guardOf({ settings, clock }: Pick<Services, "settings" | "clock">): TokenGuard | null {
  return settings.token === null ? null : new TokenGuard(settings.token, clock);
}

import { type Context, type Handler, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { z } from "zod";
import type { About, KeyRequest, SessionRequest } from "../../api/about.ts";
import type { ChapterHeat } from "../../api/books.ts";
import type { BookCorrections } from "../../api/corrections.ts";
import type { BookMapAnswer, Scene } from "../../api/map.ts";
import { TRUST_CHECKS, type TrustPlanRequest } from "../../api/trust.ts";
import { FabulaError } from "../../core/errors.ts";
import { isLoopback } from "../../core/loopback.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import { METHODS } from "../../judge/methods/registry.ts";
import { loadJury } from "../../jury/jury.ts";
import { reasonNotToRead } from "../../jury/readable.ts";
import { CLOUD_PROVIDERS, CLOUDS, type CloudProvider } from "../../models/adapters/clouds.ts";
import { loadReferenceNovels } from "../../prose/reference/reference-novels.ts";
import { GRID_SORTS, type GridFilter, pageOfGrid, type SortedGrid, sortGrid } from "../../report/grid.ts";
import { isPostgres } from "../../store/postgres/address.ts";
import type { DirectConnection } from "../../store/postgres/direct-connection.ts";
import { CHANGED_SENTENCES } from "../../tasks/books/letter.ts";
import { VERDICT_SHAPES, verdictText } from "../../tasks/trust/write-verdicts.ts";
import { chapterCorrectionsSchema } from "../../text/corrections/chapter-corrections.ts";
import { characterCorrectionsSchema } from "../../text/corrections/character-and-story.ts";
import { judgeChoices } from "../judges.ts";
import { correctionsIn } from "../library/stored-books.ts";
import { benchmarkRoutes } from "../routes/benchmarks.ts";
import { bookRoutes } from "../routes/books.ts";
import { draftRoutes, revisionRoutes } from "../routes/drafts.ts";
import { comparisonRoutes, evaluationRoutes } from "../routes/evaluations.ts";
import { jobRoutes, planRoutes } from "../routes/jobs.ts";
import { letterRoutes, noteRoutes } from "../routes/letters.ts";
import { questionRoutes } from "../routes/questions.ts";
import { ratingRoutes } from "../routes/ratings.ts";
import { readerRoutes, readerSummaries } from "../routes/readers.ts";
import { cellRoutes, runRoutes } from "../routes/runs.ts";
import { settingsRoutes } from "../routes/settings.ts";
import { taskRoutes } from "../routes/tasks.ts";
import { disagreementRoutes, voteRoutes } from "../routes/votes.ts";
import { bookTitle, refuseWhileBusy, type Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";
import { planTrust, trustPanels } from "../trust/trust-panels.ts";
import type { TrustColumn } from "../trust/trust-tasks.ts";
import { type EvidenceBench, evidenceBench } from "../votes/evidence-bench.ts";
import { addImport, gridVerdicts } from "../votes/import-verdicts.ts";
import { clientAddress, trustProxy } from "./client-address.ts";
import { problemResponse } from "./problem.ts";
import { clientFolder, staticClient } from "./static-client.ts";
import { READING_METHODS, type TokenGuard, wrongToken } from "./token.ts";
import { json, query, respond, upload } from "./typed-route.ts";
import { attachment, withUpload } from "./upload.ts";

const TABLE_ENDINGS = ["csv", "tsv", "jsonl", "ndjson", "json", "parquet", "eval"];
const ENDINGS = { endings: [...TABLE_ENDINGS.map((ending) => `${ending}.gz`), ...TABLE_ENDINGS] };
const MOST_ROWS = 400;
const name = z
  .string()
  .max(300)
  .transform((value) => value || undefined)
  .optional();
const gridQuery = z.object({
  search: z.string().max(200).default(""),
  judge: name,
  method: name,
  aspect: name,
  sort: z.enum(GRID_SORTS).default("disagreement"),
  from: z.coerce.number().int().nonnegative().default(0),
  find: z
    .string()
    .regex(/^[a-z0-9-]{1,64}:\d{1,3}$/)
    .transform((place) => {
      const [evaluationId = "", member] = place.split(":");
      return { evaluationId, member: Number(member) };
    })
    .nullable()
    .default(null)
    .catch(null),
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(100),
});

const scaleField = z
  .string()
  .default("")
  .transform((ends) => ends.split(",").map((end) => (end.trim() === "" ? Number.NaN : Number(end))))
  .transform(([minimum = Number.NaN, maximum = Number.NaN]) =>
    Number.isFinite(minimum) && Number.isFinite(maximum) ? { minimum, maximum } : null,
  );
const columnField = z
  .string()
  .default("")
  .transform((column) => column.trim() || undefined);
const columnsField = columnField.transform((columns) => columns?.split(",").map((column) => column.trim()));
const importFields = z.object({
  judgeScale: scaleField,
  peopleScale: scaleField,
  human: columnsField,
  judge: columnsField,
  rater: columnField,
  id: columnField,
});
const shapeQuery = z.object({ format: z.enum(VERDICT_SHAPES as [string, ...string[]]) });

/** The grid of books × judges × methods, a part at a time, from what is in memory of every evaluation, without opening one. */
function gridRoutes(services: Services, bench: EvidenceBench) {
  const { books, evaluations } = services;
  // Scrolling requests one part of the same grid after another.
  let kept: { readonly key: string; readonly grid: SortedGrid } | null = null;
  const sorted = async (filter: GridFilter): Promise<SortedGrid> => {
    const titles = new Map(books.list().map(({ id }) => [id, bookTitle(books, id)]));
    const key = JSON.stringify([evaluations.version, [...titles], filter]);
    if (kept?.key === key) return kept.grid;
    const shown = evaluations.forGrid().map((one) => ({ ...one, title: titles.get(one.bookId) ?? one.title }));
    kept = { key, grid: sortGrid(shown, filter) };
    return kept.grid;
  };
  return new Hono()
    .get("/", query(gridQuery), async (context) => {
      const { from, limit, find, search, sort, judge, method, aspect } = context.req.valid("query");
      const filter = { search, sort, ...(judge && { judge }), ...(method && { method }), ...(aspect && { aspect }) };
      return respond(context, pageOfGrid(await sorted(filter), from, limit, find));
    })
    .post("/import", upload<{ [Field in keyof z.infer<typeof importFields>]?: string }>(), (context) =>
      withUpload(context, ENDINGS, async ({ path, name: sent, fields }) => {
        const { judgeScale, peopleScale, human, judge, rater, id } = importFields.parse(Object.fromEntries(fields));
        const columns = {
          ...(human && { human }),
          ...(judge && { judge }),
          ...(rater && { rater }),
          ...(id && { id }),
        };
        const client = clientAddress(context);
        const imported = await runTask("read-import", { table: path, ...columns }, { client });
        return respond(
          context,
          await addImport(imported, { name: sent, judgeScale, peopleScale }, services, bench),
          201,
        );
      }),
    )
    .get("/export", query(shapeQuery), async (context) => {
      const { format } = context.req.valid("query");
      const text = verdictText(format, await gridVerdicts(services, bench), () => null);
      return context.body(text, 200, {
        "content-type": "text/plain; charset=utf-8",
        "content-disposition": attachment("grid", format),
      });
    });
}

/**
 * On the loopback interface, requests must use a name of this machine: a foreign name that was made to point here
 * (DNS rebinding) would otherwise count as the same origin as the web app.
 */
const loopbackHostOnly: MiddlewareHandler = async (context, next) => {
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
const fromOwnPageOnly: MiddlewareHandler = async (context, next) => {
  const isHarmless = READING_METHODS.has(context.req.method);
  const site = context.req.header("sec-fetch-site");
  const origin = context.req.header("origin");
  // `none`: typed into the address bar.
  const isOwnSite = site === undefined || site === "same-origin" || (site === "none" && isHarmless);
  const isOwnOrigin = site !== undefined || origin === undefined || isHost(origin, context.req.header("host"));
  // A program sends its token in a header, which another site cannot make a browser send.
  const isMarked =
    isHarmless || context.req.header("x-fabula") === "1" || context.req.header("authorization") !== undefined;
  if (!isOwnSite || !isOwnOrigin || !isMarked) {
    throw new FabulaError("E_FORBIDDEN", "This request did not come from the web app, so nothing was done.");
  }
  await next();
};

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/** What a writer wants first; the published methods are for research. */
const CLOSE = { name: "close", about: "reads the story: findings with passages, each checked, and a letter" } as const;

function aboutRoutes({ settings }: Services) {
  return new Hono().get("/", async (context) => {
    const rubric = await loadRubric("long-story");
    const about: About = {
      version: settings.version,
      judges: await judgeChoices(settings),
      methods: [CLOSE, ...Object.values(METHODS)].map(({ name, about }) => ({
        id: name,
        name: inTitle(name),
        explanation: about,
      })),
      aspects: topLevel(rubric).map(({ id, name, abbreviation, definition }) => ({
        id,
        name,
        definition,
        abbreviation: abbreviation ?? name.slice(0, 3).toUpperCase(),
      })),
      readers: await readerSummaries(settings.profiles),
    };
    return respond(context, about);
  });
}

function inTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
}

const keySchema = z.strictObject({
  variable: z.string().max(100),
  key: z.string().trim().min(1).max(1000),
}) satisfies z.ZodType<KeyRequest>;

/** A provider's key, entered in the web app: for as long as the server runs, in memory only. */
function keyRoutes({ useKey, forgetKey }: Services) {
  return new Hono()
    .post("/", bodyLimit({ maxSize: 10_000 }), json(keySchema), async (context) => {
      const { variable, key } = context.req.valid("json");
      useKey(providerOf(variable), key);
      return context.body(null, 204);
    })
    .delete("/:variable", (context) => {
      forgetKey(providerOf(context.req.param("variable")));
      return context.body(null, 204);
    });
}

/** Only the owner gets here: nobody who was invited may delete anything but votes of their own. */
function peopleRoutes({ people }: Services) {
  return new Hono().delete("/:name", async (context) => {
    await people.revoke(context.req.param("name"));
    return context.body(null, 204);
  });
}

function providerOf(variable: string): CloudProvider {
  const provider = CLOUD_PROVIDERS.find((candidate) => CLOUDS[candidate].keys[0] === variable);
  if (!provider) throw new FabulaError("E_REQUEST", `No provider takes its key from ${variable}.`);
  return provider;
}

/** Nothing but our own files may run or be loaded, no site may frame the web app, and no address leaks to other sites. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "x-robots-tag": "noindex, nofollow",
};

const safetyHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  }
};

const bodySchema = z.strictObject({ corrections: chapterCorrectionsSchema.max(5000) });

/** A person has the last word on where chapters begin. */
function correctionRoutes(services: Services) {
  const { books } = services;
  return new Hono()
    .get("/:id/corrections", async (context) => {
      const { id, corrections } = books.card(context.req.param("id"));
      const answer: BookCorrections = {
        ...(await books.foundChapters(id, { client: clientAddress(context) })),
        corrections,
      };
      return respond(context, answer);
    })
    .put("/:id/corrections", bodyLimit({ maxSize: 1_000_000 }), json(bodySchema), async (context) => {
      const { corrections } = context.req.valid("json");
      const { id } = books.card(context.req.param("id"));
      refuseWhileBusy(services, id);
      await books.correct(id, corrections, { client: clientAddress(context) });
      return context.body(null, 204);
    });
}

/** Nobody drops more files at a time by hand: more come from a program or an attack. */
const MOST_UPLOADS = 16;

/** Limits the uploads of one client that are being received and read at the same time. */
function uploadLimit(most = MOST_UPLOADS): MiddlewareHandler {
  const underWay = new Map<string, number>();
  return async (context, next) => {
    if (!/^multipart\//i.test(context.req.header("content-type") ?? "")) return next();
    const client = clientAddress(context);
    const count = underWay.get(client) ?? 0;
    if (count >= most) {
      throw new FabulaError(
        "E_TOO_MUCH_WORK",
        `${most} uploads from this address are still being read: wait for one to end and send this one again.`,
      );
    }
    underWay.set(client, count + 1);
    try {
      await next();
    } finally {
      const left = (underWay.get(client) ?? 1) - 1;
      if (left > 0) underWay.set(client, left);
      else underWay.delete(client);
    }
  };
}

const planBody = z.strictObject({
  name: z.string().max(500),
  check: z.enum(TRUST_CHECKS),
}) satisfies z.ZodType<TrustPlanRequest>;

/** What is known about the judges of an evaluation, and what it would take to know more. */
function trustRoutes(services: Services, bench: EvidenceBench) {
  const sources = { services, ...bench };
  return new Hono()
    .get("/:id/trust", async (context) => respond(context, await trustPanels(context.req.param("id"), sources)))
    .post("/:id/trust/plans", bodyLimit({ maxSize: 10_000 }), json(planBody), async (context) => {
      const request = context.req.valid("json");
      return respond(context, await planTrust(context.req.param("id"), request, sources, clientAddress(context)));
    });
}

/** A table of texts, people and judges, answered as `fabula trust` does; nothing of it is kept. */
function trustTableRoutes() {
  return new Hono().post("/", upload<{ [Column in TrustColumn]?: string }>(), (context) =>
    withUpload(context, ENDINGS, async ({ path, name: sent, fields }) =>
      respond(
        context,
        await runTask(
          "trust-table",
          { path, name: sent, fields: Object.fromEntries(fields) },
          { client: clientAddress(context), abandon: context.req.raw.signal },
        ),
      ),
    ),
  );
}

const chapterNumber = z.coerce.number().int().positive().catch(0);

/** The line notes of a chapter: how likely a professional editor is to change each of its sentences. */
function heatRoutes({ books }: Services) {
  return new Hono().get("/:id/chapters/:index/heat", async (context) => {
    const { index, text } = await books.chapter(
      context.req.param("id"),
      chapterNumber.parse(context.req.param("index")),
    );
    const jury = await loadJury();
    const prepared = jury.prepare(text);
    const unscored = reasonNotToRead([prepared], jury.jurors.editor.minimumWords);
    const sentences = unscored === null ? jury.notes.read(prepared) : [];
    const heat: ChapterHeat = { index, unscored, baseRate: CHANGED_SENTENCES, sentences };
    return respond(context, heat);
  });
}

const sessionSchema = z.strictObject({ token: z.string().max(1000) }) satisfies z.ZodType<SessionRequest>;

/** Trades the token for a cookie that scripts cannot read: for a link that carries it after the `#`. */
function sessionRoutes(guard: TokenGuard) {
  return new Hono().post("/", bodyLimit({ maxSize: 10_000 }), json(sessionSchema), async (context) => {
    const { token } = context.req.valid("json");
    if (!guard.admit(context, token)) throw wrongToken();
    return context.body(null, 204);
  });
}

/** Every request passes the same checks in the same order: headers, host, origin, token; then the web app or the API. */
export async function createApp(services: Services, guard: TokenGuard, isReady: () => boolean): Promise<Hono> {
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
  app.use(services.audit.note);
  app.use(guard.admitByLink);
  app.route("/api/session", sessionRoutes(guard));
  app.use("/api/*", guard.demand);
  app.use("/api/*", uploadLimit());
  app.use("/api/*", async (context, next) => {
    await next();
    if (!context.res.headers.has("cache-control")) context.res.headers.set("cache-control", "no-store");
  });
  app.use("/api/*", compress());
  app.use("/metrics", guard.demand);
  app.get("/metrics", metricsOf(services));
  app.route("/api/v1", taskRoutes(services));
  app.route("/", resources(services, await evidenceBench(services)));
  app.use(await staticClient(settings.client ?? clientFolder()));
  return app;
}

/** The resources of the web app by address. The web app's client gets the types of requests and answers from here. */
function resources(services: Services, bench: EvidenceBench) {
  const questions = questionRoutes(services);
  return new Hono()
    .basePath("/api")
    .route("/about", aboutRoutes(services))
    .route("/books", bookRoutes(services))
    .route("/books", heatRoutes(services))
    .route("/books", noteRoutes(services))
    .route("/books", letterRoutes(services))
    .route("/books", mapRoutes(services))
    .route("/books", revisionRoutes(services))
    .route("/books", correctionRoutes(services))
    .route("/drafts", draftRoutes(services))
    .route("/keys", keyRoutes(services))
    .route("/people", peopleRoutes(services))
    .route("/plans", planRoutes(services))
    .route("/jobs", jobRoutes(services))
    .route("/evaluations", evaluationRoutes(services))
    .route("/evaluations", trustRoutes(services, bench))
    .route("/comparisons", comparisonRoutes(services))
    .route("/cells", cellRoutes(services))
    .route("/readers", readerRoutes(services))
    .route("/benchmarks", benchmarkRoutes(services))
    .route("/questions", questions.runs)
    .route("/question-sets", questions.sets)
    .route("/ratings", ratingRoutes(services))
    .route("/runs", runRoutes(services))
    .route("/settings", settingsRoutes(services))
    .route("/grid", gridRoutes(services, bench))
    .route("/disagreements", disagreementRoutes(services, bench))
    .route("/votes", voteRoutes(services, bench))
    .route("/trust", trustTableRoutes());
}

export type Resources = ReturnType<typeof resources>;

/** The metrics of all workers of a shared store, for Prometheus: unlike a worker's own, they are there when no worker runs. */
function metricsOf(services: Services): Handler {
  const { settings, onClose } = services;
  let connection: Promise<DirectConnection> | null = null;
  onClose(() => void connection?.then((open) => open.close()).catch(() => {}));
  return async (context) => {
    if (!isPostgres(settings.store)) {
      throw new FabulaError(
        "E_NOT_FOUND",
        "There are no metrics without a shared store: start the server with --store postgres://….",
      );
    }
    connection ??= import("../../store/postgres/direct-connection.ts").then(
      ({ DirectConnection: Connection }) => new Connection(settings.store),
    );
    // Opening the store brings its tables up to date.
    await services.store();
    const { fleetMetrics } = await import("../../queue/metrics.ts");
    return context.body(await fleetMetrics(await connection), 200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
    });
  };
}

/** Health checks of load balancers and container runtimes, without a token: the answers show nothing of the library. */
function healthRoutes(isReady: () => boolean): Hono {
  return new Hono()
    .get("/live", (context) => respond(context, { status: "live" }))
    .get("/ready", (context) =>
      isReady() ? respond(context, { status: "ready" }) : respond(context, { status: "shutting down" }, 503),
    );
}

/** The manuscript map of a book, with the writer's corrections to its characters. */
function mapRoutes({ books, bookCache }: Services) {
  const stored = (id: string) => correctionsIn(books.folderOf(id));
  const counted = async <Name extends "map-book" | "scenes-in-book">(name: Name, context: Context) => {
    const { id, edits, found } = books.card(context.req.param("id") ?? "");
    const key = `${name} ${id} ${edits.language ?? found.language} ${JSON.stringify(await stored(id))}`;
    return bookCache.get(key, () => runTask(name, { folder: books.folderOf(id) }, { client: clientAddress(context) }));
  };
  return new Hono()
    .get("/:id/scenes", async (context) =>
      respond(context, (await counted("scenes-in-book", context)) satisfies readonly Scene[]),
    )
    .get("/:id/map", async (context) => {
      const map = await counted("map-book", context);
      const novels = loadReferenceNovels().novels.map(({ title, figures }) => ({ title, figures }));
      return respond(context, { ...map, novels } satisfies BookMapAnswer);
    })
    .get("/:id/characters", async (context) => respond(context, await stored(context.req.param("id"))))
    .patch("/:id/characters", bodyLimit({ maxSize: 100_000 }), json(characterCorrectionsSchema), async (context) => {
      const corrections = context.req.valid("json");
      await books.correctCharacters(context.req.param("id"), corrections);
      return context.body(null, 204);
    });
}

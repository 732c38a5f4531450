import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Paged } from "../../api/answers.ts";
import type { CallRequest, RunCallDetails, RunCallRow, RunDetails, RunRow } from "../../api/runs.ts";
import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeTemporaryFolder } from "../../core/files.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { sharedProgress } from "../../queue/progress.ts";
import { type CellPlace, cellDetails } from "../../report/grid.ts";
import { findRun } from "../../runner/run-record.ts";
import { sum } from "../../stats/distribution.ts";
import { callUseSchema, type RunCall, type UseTotal } from "../../store/records.ts";
import type { CallFilter, Store } from "../../store/store.ts";
import { callFields, cellCall, cellCalls, requestOf } from "../../tasks/evidence.ts";
import { EXPORT_FORMATS, type ExportFormat, exportRun } from "../../tasks/runs/export-run.ts";
import { findPastRun, PAST_RUN_STATUSES, type PastRun, pageRuns } from "../../tasks/runs/past-runs.ts";
import { clientAddress } from "../http/client-address.ts";
import { pageQuery, query, respond } from "../http/typed-route.ts";
import { attachment } from "../http/upload.ts";
import { checkedId, notFound } from "../ids.ts";
import type { StoredSummary } from "../library/evaluation-files.ts";
import { bookTitle, type Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const LONGEST_REPLY = 4000;
/** As the runner's `identify` stores it; other fields may be added there. */
const requestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  temperature: z.number().optional(),
  seed: z.number().optional(),
  maximumTokens: z.number().optional(),
  schema: z.unknown().optional(),
});

function callRow(call: RunCall): RunCallRow {
  const { answer } = call;
  return {
    ...callFields(call),
    latencyMilliseconds: answer?.latencyMilliseconds ?? null,
    inputTokens: answer?.inputTokens ?? null,
    outputTokens: answer?.outputTokens ?? null,
    attempts: answer?.attempts ?? null,
    reply: answer?.text.slice(0, LONGEST_REPLY) ?? null,
  };
}

/** A whole call: the request exactly as sent and the reply exactly as received. */
async function callDetails(store: Store, call: RunCall): Promise<RunCallDetails> {
  const { answer } = call;
  const stored = await requestOf(store, call);
  return {
    ...callRow(call),
    request: stored === null ? null : readRequest(stored),
    reply: answer?.text ?? null,
    reasoning: answer?.reasoning ?? null,
    stop: answer?.stop ?? null,
    servedBy: answer?.servedBy ?? null,
    sample: answer?.sample ?? null,
    cachedInputTokens: answer?.cachedInputTokens ?? null,
    reasoningTokens: answer?.reasoningTokens ?? null,
  };
}

/** A request in an unknown form is shown as it is stored. */
function readRequest(stored: string): CallRequest {
  const known = requestSchema.safeParse(parsed(stored));
  if (!known.success) {
    return {
      messages: [{ role: "user", content: stored }],
      temperature: null,
      seed: null,
      maximumTokens: null,
      schema: null,
    };
  }
  const { messages, temperature, seed, maximumTokens, schema } = known.data;
  return {
    messages: messages.map(({ role, content }) => ({ role, content: inText(content) })),
    temperature: temperature ?? null,
    seed: seed ?? null,
    maximumTokens: maximumTokens ?? null,
    schema: schema === undefined || schema === null ? null : JSON.stringify(schema, null, 2),
  };
}

function inText(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content, null, 2);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const runsQuery = pageQuery.extend({
  search: z.string().max(200).default(""),
  status: z.union([z.literal(""), z.enum(PAST_RUN_STATUSES)]).default(""),
  model: z.string().max(300).default(""),
  book: z.string().max(64).default(""),
});
const callsQuery = pageQuery.extend({
  model: z.string().max(300).default(""),
  purpose: z.string().max(100).default(""),
  outcome: z.union([z.literal(""), callUseSchema.shape.outcome]).default(""),
});
const exportQuery = z.object({ format: z.enum(EXPORT_FORMATS) });
const placeSchema = z.tuple([z.string().max(60), z.string().max(64)]);
const MOST_EVENTS = 500;

/** All runs with their calls and cost, a page at a time. */
export function runRoutes({ settings, store, jobs, books }: Services) {
  return new Hono()
    .get("/", query(runsQuery), async (context) => {
      const { search, status, model, book, after, limit } = context.req.valid("query");
      const filter = {
        ...(search && { search }),
        ...(status && { status }),
        // The web app's runs name the book's folder in their command.
        ...(model && { model }),
        ...(book && { command: books.folderOf(book) }),
      };
      const { runs, total } = await pageRuns(await store(), filter, { limit: limit + 1, after: placeIn(after) });
      const items = runs.slice(0, limit).map((run) => rowOf(run, books));
      const last = runs.length > limit ? runs[limit - 1] : undefined;
      const answer: Paged<RunRow> = { items, total, next: last ? placeOf(last) : null };
      return respond(context, answer);
    })
    .get("/:id", async (context) => {
      const id = checkedId(context.req.param("id"), "run");
      const { totals, failures, events, ...run } = await findPastRun(await store(), id);
      const details: RunDetails = {
        ...rowOf(run, books),
        note: run.note,
        maximumCost: run.maximumCost,
        byModel: totals,
        failures,
        events: events.slice(-MOST_EVENTS).map(({ at, kind, detail }) => ({ at, kind, detail })),
        pieces: await piecesOf(settings.store, id),
        job: jobs.list().find(({ runId }) => runId === id) ?? null,
      };
      return respond(context, details);
    })
    .get("/:id/calls", query(callsQuery), async (context) => {
      const { after, limit, model, purpose, outcome } = context.req.valid("query");
      const { id } = await findRun(await store(), checkedId(context.req.param("id"), "run"));
      const filter = { ...(model && { model }), ...(purpose && { purpose }), ...(outcome && { outcome }) };
      const calls = await (await store()).runCalls(id, { limit: limit + 1, after: positionIn(after) }, filter);
      const totals = (await (await store()).totals(id)).filter((total) => fits(total, filter));
      const page = calls.slice(0, limit);
      const answer: Paged<RunCallRow> = {
        items: page.map(callRow),
        total: sum(totals.map(({ calls }) => calls)),
        next: calls.length > limit ? String(page.at(-1)?.position) : null,
      };
      return respond(context, answer);
    })
    .get("/:id/calls/:position", async (context) => {
      const { id } = await findRun(await store(), checkedId(context.req.param("id"), "run"));
      const position = positionIn(context.req.param("position")) ?? 0;
      const [call] = await (await store()).runCalls(id, { limit: 1, after: position - 1 });
      if (call?.position !== position) throw notFound("call");
      return respond(context, await callDetails(await store(), call));
    })
    .get("/:id/export", query(exportQuery), async (context) => {
      const { format } = context.req.valid("query");
      const id = checkedId(context.req.param("id"), "run");
      const file = await exportedCalls(settings.store, id, format);
      return context.body(file, 200, {
        "content-type": EXPORT_TYPES[format],
        "content-disposition": attachment(`run ${id}`, format),
      });
    });
}

const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

/** Written to a file first, since Parquet is not written in one go, and streamed from there: prompts may hold whole books. */
async function exportedCalls(store: string, id: string, format: ExportFormat): Promise<ReadableStream> {
  const folder = await makeTemporaryFolder("export");
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const out = join(folder, `calls.${format}`);
    await exportRun(store, id, { format, out, requests: true });
    return Readable.toWeb(createReadStream(out).once("close", () => void remove())) as ReadableStream;
  } catch (error) {
    await remove();
    throw error;
  }
}

function positionIn(after: string | undefined): number | null {
  const whole = z.coerce.number().int().nonnegative().nullable().catch(null);
  return whole.parse(after ?? null);
}

function fits(total: UseTotal, { model, purpose, outcome }: CallFilter): boolean {
  const wanted = [
    [model, total.model],
    [purpose, total.purpose],
    [outcome, total.outcome],
  ];
  return wanted.every(([asked, own]) => asked === undefined || asked === own);
}

async function piecesOf(location: string, run: string): Promise<RunDetails["pieces"]> {
  const progress = await sharedProgress(location, run);
  return progress && { done: progress.pieces.done + progress.pieces.failed, total: progress.pieces.total };
}

function rowOf(run: PastRun, books: Services["books"]): RunRow {
  const { id, command, status, startedAt, finishedAt, summary } = run;
  const { calls, asked, failed } = summary;
  return {
    id,
    command: command.join(" "),
    ...bookOf(run, books),
    status,
    startedAt,
    finishedAt,
    calls,
    asked,
    failed,
    ...costFields(summary),
  };
}

/** A run that the web app started works in the folder of its book. */
function bookOf({ folder, command }: PastRun, books: Services["books"]): Pick<RunRow, "title" | "judges"> {
  const id = basename(folder);
  const isOurs = books.list().some((card) => card.id === id) && books.folderOf(id) === folder;
  if (!isOurs) return { title: null, judges: [] };
  const named = (flag: string) => (command.includes(flag) ? command[command.indexOf(flag) + 1] : undefined);
  return { title: bookTitle(books, id), judges: (named("--judge") ?? named("--panel"))?.split(",") ?? [] };
}

function placeOf({ startedAt, id }: PastRun): string {
  return Buffer.from(JSON.stringify([startedAt, id])).toString("base64url");
}

function placeIn(after: string | undefined): { startedAt: string; id: string } | null {
  if (after === undefined) return null;
  try {
    const [startedAt, id] = placeSchema.parse(JSON.parse(Buffer.from(after, "base64url").toString("utf8")));
    return { startedAt, id };
  } catch (cause) {
    throw new FabulaError("E_REQUEST", "There is no such page of runs: start at the first.", { cause });
  }
}

const memberNumber = z.coerce.number().int().nonnegative().catch(-1);
const callNumber = z.coerce.number().int().positive().catch(0);

interface AskedCell {
  readonly summary: StoredSummary;
  readonly evaluation: BookEvaluation;
  readonly place: CellPlace;
}

/** What is behind one score of the grid. Everything comes from the library and the store: no model is asked. */
export function cellRoutes({ books, evaluations, store, bookCache }: Services) {
  const asked = async (context: Context): Promise<AskedCell> => {
    const summary = evaluations.summary(context.req.param("evaluation") ?? "");
    const place = {
      member: memberNumber.parse(context.req.param("member")),
      aspect: context.req.param("aspect") ?? "",
    };
    return { summary, evaluation: await evaluations.evaluation(summary.id), place };
  };
  return new Hono()
    .get("/:evaluation/:member/:aspect", async (context) => {
      const { summary, evaluation, place } = await asked(context);
      const details = cellDetails({ ...summary, title: bookTitle(books, summary.bookId) }, evaluation, place);
      if (!details) throw notFound("score");
      return respond(context, details);
    })
    .get("/:evaluation/:member/:aspect/calls", async (context) => {
      const { evaluation, place } = await asked(context);
      return respond(context, await cellCalls(await store(), evaluation, place));
    })
    .get("/:evaluation/:member/:aspect/calls/:position", async (context) => {
      const { summary, evaluation, place } = await asked(context);
      const folder = books.folderOf(summary.bookId);
      const position = callNumber.parse(context.req.param("position"));
      const call = await cellCall(await store(), evaluation, place, position, (quotes) => {
        if (quotes.length === 0) return Promise.resolve([]);
        const key = `quotations ${summary.id} ${place.aspect} ${position}`;
        return bookCache.get(key, () =>
          runTask("check-quotations", { folder, quotes }, { client: clientAddress(context) }),
        );
      });
      if (!call) throw notFound("call");
      return respond(context, call);
    });
}

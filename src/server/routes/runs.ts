import { Hono } from "hono";
import { z } from "zod";
import type { Paged } from "../../api/answers.ts";
import type { RunCallRow, RunDetails, RunRow } from "../../api/runs.ts";
import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import { findRun } from "../../runner/run-record.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { sharedProgress } from "../../workflows/queue/progress.ts";
import { findPastRun, PAST_RUN_STATUSES, type PastRun, pageRuns } from "../../workflows/runs/past-runs.ts";
import { queryOf } from "../http/json-body.ts";
import { pageQuery } from "../http/paging.ts";
import { checkedId } from "../ids.ts";
import type { Services } from "../services.ts";

const runsQuery = pageQuery.extend({
  search: z.string().max(200).default(""),
  status: z.union([z.literal(""), z.enum(PAST_RUN_STATUSES)]).default(""),
});
const placeSchema = z.tuple([z.string().max(60), z.string().max(64)]);
const LONGEST_REPLY = 20_000;
const MOST_EVENTS = 500;

/** All runs with their calls and cost, a page at a time. */
export function runRoutes({ settings, store }: Services): Hono {
  return new Hono()
    .get("/", async (context) => {
      const { search, status, after, limit } = queryOf(context, runsQuery);
      const filter = { ...(search && { search }), ...(status && { status }) };
      const { runs, total } = await pageRuns(await store(), filter, { limit: limit + 1, after: placeIn(after) });
      const items = runs.slice(0, limit).map(rowOf);
      const last = runs.length > limit ? runs[limit - 1] : undefined;
      const answer: Paged<RunRow> = { items, total, next: last ? placeOf(last) : null };
      return context.json(answer);
    })
    .get("/:id", async (context) => {
      const id = checkedId(context.req.param("id"), "run");
      const { totals, failures, events, ...run } = await findPastRun(await store(), id);
      const details: RunDetails = {
        ...rowOf(run),
        ...{ note: run.note, maximumCost: run.maximumCost, byModel: totals, failures },
        events: events.slice(-MOST_EVENTS).map(({ at, kind, detail }) => ({ at, kind, detail })),
        pieces: await piecesOf(settings.store, id),
      };
      return context.json(details);
    })
    .get("/:id/calls", async (context) => {
      const { after, limit } = queryOf(context, pageQuery);
      const { id } = await findRun(await store(), checkedId(context.req.param("id"), "run"));
      const position = z.coerce
        .number()
        .int()
        .nonnegative()
        .nullable()
        .catch(null)
        .parse(after ?? null);
      const calls = await (await store()).runCalls(id, { limit: limit + 1, after: position });
      const totals = await (await store()).totals(id);
      const page = calls.slice(0, limit);
      const answer: Paged<RunCallRow> = {
        items: page.map(({ position, at, model, purpose, outcome, reason, cost, answer }) => ({
          ...{ position, at, model, purpose, outcome, reason, cost },
          reply: answer?.text.slice(0, LONGEST_REPLY) ?? null,
        })),
        total: sum(totals.map(({ calls }) => calls)),
        next: calls.length > limit ? String(page.at(-1)?.position) : null,
      };
      return context.json(answer);
    });
}

async function piecesOf(location: string, run: string): Promise<RunDetails["pieces"]> {
  const progress = await sharedProgress(location, run);
  return progress && { done: progress.pieces.done + progress.pieces.failed, total: progress.pieces.total };
}

function rowOf({ id, command, status, startedAt, finishedAt, summary }: PastRun): RunRow {
  const { calls, asked, failed } = summary;
  return {
    id,
    command: command.join(" "),
    status,
    startedAt,
    finishedAt,
    calls,
    asked,
    failed,
    ...costFields(summary),
  };
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
    throw new FabulaError("E_REQUEST", "That page of runs is not there: begin at the first.", { cause });
  }
}

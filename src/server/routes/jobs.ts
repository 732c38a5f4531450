import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import type { EvaluationPlan, EvaluationRequest, JobEvent, ResumeRequest } from "../../api/jobs.ts";
import { FabulaError } from "../../core/errors.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import { METHOD_NAMES } from "../../judge/methods/method.ts";
import { clientAddress } from "../http/client-address.ts";
import { jsonBody } from "../http/json-body.ts";
import { evaluationRequestSchema, isEnded } from "../jobs/job-record.ts";
import { runSettingsFor } from "../jobs/run-settings.ts";
import { checkJudges, checkLanguage } from "../judges.ts";
import { describedBook } from "../library/book-files.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const SIGN_OF_LIFE_MILLISECONDS = 15_000;
const limit = bodyLimit({ maxSize: 100_000 });

export function planRoutes(services: Services): Hono {
  return new Hono().post("/", limit, async (context) => {
    const request = await checkedRequest(await jsonBody(context, evaluationRequestSchema), services);
    return context.json(await planFor(request, services, clientAddress(context)));
  });
}

export function jobRoutes(services: Services): Hono {
  const { jobs } = services;
  return new Hono()
    .get("/", (context) => context.json(jobs.list()))
    .post("/", limit, async (context) => {
      const request = await checkedRequest(await jsonBody(context, evaluationRequestSchema), services);
      return context.json(await jobs.add(request, clientAddress(context)), 201);
    })
    .get("/:id", (context) => context.json(jobs.get(context.req.param("id"))))
    .post("/:id/pause", limit, async (context) => context.json(await jobs.pause(context.req.param("id"))))
    .post("/:id/cancel", limit, async (context) => context.json(await jobs.cancel(context.req.param("id"))))
    .post("/:id/resume", limit, async (context) => {
      const isEmpty = context.req.header("content-type") === undefined;
      const { maximumCost }: ResumeRequest = isEmpty ? {} : await jsonBody(context, resumeSchema);
      const { request } = jobs.get(context.req.param("id"));
      await checkedRequest(request, services);
      return context.json(await jobs.resume(context.req.param("id"), maximumCost));
    })
    .get("/:id/events", (context) => {
      const id = context.req.param("id");
      jobs.get(id);
      // Whatever stands between must pass every event on at once.
      context.header("x-accel-buffering", "no");
      return streamSSE(context, (stream) => tellEvents(services, id, stream));
    });
}

const resumeSchema = z.strictObject({
  maximumCost: z.number().nonnegative().nullable().exactOptional(),
}) satisfies z.ZodType<ResumeRequest>;

interface EventStream {
  writeSSE(message: { event: string; data: string }): Promise<void>;
  write(text: string): Promise<unknown>;
  onAbort(listener: () => void): void;
}

/** All events of a job, until it ends or the client disconnects. */
async function tellEvents({ jobs }: Services, id: string, stream: EventStream): Promise<void> {
  await new Promise<void>((resolve) => {
    const life = setInterval(() => void stream.write(": still here\n\n"), SIGN_OF_LIFE_MILLISECONDS);
    let stop = () => {};
    const end = () => {
      clearInterval(life);
      stop();
      resolve();
    };
    stream.onAbort(end);
    const tell = (event: JobEvent) => {
      const written = stream.writeSSE({ event: "job", data: JSON.stringify(event) });
      if (event.kind === "state" && isEnded(event.job)) void written.then(end);
    };
    stop = jobs.listen(id, tell);
  });
}

async function checkedRequest(request: EvaluationRequest, { books, settings }: Services): Promise<EvaluationRequest> {
  const { language } = describedBook(books.card(request.bookId));
  checkJudges(request.judges, settings);
  checkLanguage(request.judges, language);
  if (!METHOD_NAMES.some((name) => name === request.method)) {
    throw new FabulaError("E_METHOD", `There is no method "${request.method}": choose ${METHOD_NAMES.join(", ")}.`);
  }
  const known = topLevel(await loadRubric("long-story")).map(({ id }) => id);
  const unknown = request.aspects.find((aspect) => !known.includes(aspect));
  if (unknown !== undefined) {
    throw new FabulaError("E_ASPECT_UNKNOWN", `There is no aspect "${unknown}": choose among ${known.join(", ")}.`);
  }
  return request;
}

async function planFor(
  request: EvaluationRequest,
  { books, settings }: Services,
  client: string,
): Promise<EvaluationPlan> {
  const folder = books.folderOf(request.bookId);
  const own = runSettingsFor(request, null, { settings, folder, card: books.card(request.bookId) });
  const plan = await runTask("plan-book", { folder, request, settings: own }, { client });
  if (!plan) return { calls: 0, known: 0, inputTokens: 0, outputTokens: 0, cost: 0, mostCost: 0, obstacles: [] };
  const { calls, cached, inputTokens, outputTokens, expectedCost, maximumCost, obstacles } = plan;
  return { calls, known: cached, inputTokens, outputTokens, cost: expectedCost, mostCost: maximumCost, obstacles };
}

import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import type { JobEvent, ResumeRequest } from "../../api/jobs.ts";
import { clientAddress } from "../http/client-address.ts";
import { whoSent } from "../http/token.ts";
import { json, jsonIfSent, respond } from "../http/typed-route.ts";
import { evaluationRequestSchema, isEnded } from "../jobs/job-record.ts";
import { planEvaluation } from "../jobs/plan-evaluation.ts";
import { checkedRequest } from "../judges.ts";
import type { Services } from "../services.ts";

const SIGN_OF_LIFE_MILLISECONDS = 15_000;
const limit = bodyLimit({ maxSize: 100_000 });

export function planRoutes(services: Services) {
  return new Hono().post("/", limit, json(evaluationRequestSchema), async (context) => {
    const request = await checkedRequest(context.req.valid("json"), services);
    return respond(context, await planEvaluation(request, services, clientAddress(context)));
  });
}

export function jobRoutes(services: Services) {
  const { jobs } = services;
  return new Hono()
    .get("/", (context) => respond(context, jobs.list()))
    .post("/", limit, json(evaluationRequestSchema), async (context) => {
      const request = await checkedRequest(context.req.valid("json"), services);
      return respond(context, await jobs.add(request, clientAddress(context), whoSent(context)), 201);
    })
    .get("/:id", (context) => respond(context, jobs.get(context.req.param("id"))))
    .post("/:id/pause", limit, async (context) => respond(context, await jobs.pause(context.req.param("id"))))
    .post("/:id/cancel", limit, async (context) => respond(context, await jobs.cancel(context.req.param("id"))))
    .post("/:id/resume", limit, jsonIfSent(resumeSchema), async (context) => {
      const { maximumCost } = context.req.valid("json") ?? {};
      const { request } = jobs.get(context.req.param("id"));
      await checkedRequest(request, services);
      return respond(context, await jobs.resume(context.req.param("id"), maximumCost));
    })
    .get("/:id/events", (context) => {
      const id = context.req.param("id");
      jobs.get(id);
      // Proxies must pass every event on at once.
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

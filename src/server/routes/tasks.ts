import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { assetPath } from "../../core/assets.ts";
import { FabulaError } from "../../core/errors.ts";
import type { ProgressEvent } from "../../core/progress.ts";
import { checkInput } from "../../tasks/define/check.ts";
import { AS_DECLARED, wireSchema } from "../../tasks/define/wire.ts";
import { isTaskName, loadTask, type TaskName } from "../../tasks/registry.ts";
import { clientAddress } from "../http/client-address.ts";
import { problemOf } from "../http/problem.ts";
import { jsonBody } from "../http/typed-route.ts";
import type { Services } from "../services.ts";
import { SENT } from "../tasks/do-task.ts";
import { runTask } from "../threads/run-task.ts";

/** A long novel, written as JSON. */
const limit = bodyLimit({ maxSize: 50_000_000 });

/**
 * The API for programs: a task by its name, its options as JSON, its document as the answer. A client that accepts
 * `text/event-stream` receives progress events, and the document as the last event.
 */
export function taskRoutes({ settings }: Services): Hono {
  const books = join(settings.library, "books");
  return new Hono()
    .get("/openapi.json", async (context) =>
      context.body(await readFile(assetPath("openapi.json"), "utf8"), 200, {
        "content-type": "application/json",
      }),
    )
    .post("/tasks/:name", limit, async (context) => {
      const { name, sent } = await checkedTask(context);
      const abandon = context.req.raw.signal;
      const work = (onEvent?: (event: ProgressEvent) => void) =>
        runTask(
          "do-task",
          { name, sent, books },
          { client: clientAddress(context), abandon, ...(onEvent && { onEvent }) },
        );
      if (!context.req.header("accept")?.includes("text/event-stream")) return context.json(await work());
      context.header("x-accel-buffering", "no");
      return streamSSE(context, async (stream) => {
        const tell = (event: string, data: object) => stream.writeSSE({ event, data: JSON.stringify(data) });
        try {
          await tell("result", await work((event) => void tell("progress", event)));
        } catch (error) {
          await tell("problem", problemOf(error));
        }
      });
    });
}

/** The request body, checked: only options that the task accepts from another machine. */
async function checkedTask(context: Context): Promise<{ name: TaskName; sent: Record<string, unknown> }> {
  const name = context.req.param("name") ?? "";
  const task = isTaskName(name) ? await loadTask(name) : null;
  const input = task && wireSchema(task, SENT);
  if (!isTaskName(name) || !input) {
    throw new FabulaError("E_NOT_FOUND", `There is no task "${name}" here: /api/v1/openapi.json lists them.`);
  }
  const body = await jsonBody(context, z.record(z.string(), z.unknown()));
  return { name, sent: checkInput({ input }, body, { name: `The task "${name}"`, spell: AS_DECLARED }) };
}

import { join } from "node:path";
import { Hono } from "hono";
import { withUpload } from "../http/upload.ts";
import { QuestionShelf } from "../questions/question-shelf.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

export function questionRoutes({ settings, clock }: Services): Hono {
  const shelf = new QuestionShelf(join(settings.library, "questions"), clock);
  return new Hono()
    .get("/", async (context) => context.json(await shelf.list()))
    .post("/", (context) =>
      withUpload(context, { endings: ["jsonl", "ndjson", "jsonl.gz"] }, async ({ path, name }) => {
        const result = await runTask("score-answers", { path });
        return context.json(await shelf.add({ name, ...result }), 201);
      }),
    )
    .delete("/:id", async (context) => {
      await shelf.delete(context.req.param("id"));
      return context.body(null, 204);
    });
}

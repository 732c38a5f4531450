import { join } from "node:path";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { DecisionSent, RatingSent } from "../../api/ratings.ts";
import { FabulaError } from "../../core/errors.ts";
import { clientAddress } from "../http/client-address.ts";
import { jsonBody, queryOf } from "../http/json-body.ts";
import { withUpload } from "../http/upload.ts";
import { RatingStudies } from "../ratings/rating-studies.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const ENDINGS = { endings: ["csv", "tsv", "jsonl", "ndjson", "json", "csv.gz", "jsonl.gz"] };
const raterName = z.string().trim().min(1).max(80);
const fieldsSchema = z.object({
  raters: z
    .string()
    .transform((names) => [...new Set(names.split(",").map((name) => name.trim()))].filter((name) => name !== ""))
    .pipe(z.array(raterName).min(1).max(50)),
  perItem: z.union([z.literal("").transform(() => null), z.coerce.number().int().min(1).max(50)]).default(null),
  minimum: z.coerce.number().default(1),
  maximum: z.coerce.number().default(5),
});
const queueQuery = z.object({ rater: raterName });
const ratingBody = z.strictObject({
  rater: raterName,
  item: z.string().max(500),
  said: z.union([z.number(), z.literal("cannot judge")]).nullable(),
}) satisfies z.ZodType<RatingSent>;
const decisionBody = z.strictObject({
  item: z.string().max(500),
  score: z.number().nullable(),
}) satisfies z.ZodType<DecisionSent>;
const body = bodyLimit({ maxSize: 10_000 });

/** Several people rate the same items, each without the others and before any judge. */
export function ratingRoutes({ settings, clock }: Services): Hono {
  const studies = new RatingStudies(join(settings.library, "ratings"), clock);
  return new Hono()
    .get("/", async (context) => context.json(await studies.list()))
    .post("/", (context) =>
      withUpload(context, ENDINGS, async ({ path, name, fields }) => {
        const asked = fieldsSchema.safeParse(Object.fromEntries(fields));
        if (!asked.success || asked.data.minimum >= asked.data.maximum)
          throw new FabulaError(
            "E_REQUEST",
            "Name at least one rater, and a scale whose highest score is above its lowest.",
          );
        const { raters, perItem, minimum, maximum } = asked.data;
        const items = await runTask("read-items", { path }, { client: clientAddress(context) });
        return context.json(await studies.add({ name, raters, perItem, scale: { minimum, maximum } }, items), 201);
      }),
    )
    .get("/:id", async (context) => context.json(await studies.study(context.req.param("id"))))
    .get("/:id/queue", async (context) =>
      context.json(await studies.queue(context.req.param("id"), queryOf(context, queueQuery).rater)),
    )
    .put("/:id/ratings", body, async (context) =>
      context.json(await studies.rate(context.req.param("id"), await jsonBody(context, ratingBody))),
    )
    .put("/:id/decisions", body, async (context) => {
      await studies.decide(context.req.param("id"), await jsonBody(context, decisionBody));
      return context.body(null, 204);
    })
    .get("/:id/ratings.csv", async (context) =>
      context.body(await studies.csv(context.req.param("id")), 200, {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="ratings.csv"',
      }),
    );
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import {
  type DecisionSent,
  type ItemText,
  type LibraryStudyRequest,
  type LinkRevoked,
  RATED_KINDS,
  type RatingSent,
} from "../../api/ratings.ts";
import { FabulaError } from "../../core/errors.ts";
import { inTemporaryFolder } from "../../core/files.ts";
import { clientAddress } from "../http/client-address.ts";
import { isOwner, personOf, raterOf, raterToken } from "../http/token.ts";
import { json, query, respond, upload } from "../http/typed-route.ts";
import { withUpload } from "../http/upload.ts";
import { libraryChoices, libraryItems } from "../ratings/library-items.ts";
import { RatingStudies } from "../ratings/rating-studies.ts";
import type { ItemPlace } from "../ratings/read-items.ts";
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
const textQuery = z.object({ item: z.string().max(500), rater: raterName.optional() });
const libraryBody = z.strictObject({
  kind: z.enum(RATED_KINDS),
  name: z.string().trim().min(1).max(200),
  books: z.array(z.string().max(64)).max(10_000),
  run: z.string().max(64).nullable(),
  items: z.array(z.string().max(500)).max(10_000).default([]),
  most: z.number().int().positive().nullable(),
  raters: z.array(raterName).min(1).max(50),
  perItem: z.number().int().min(1).max(50).nullable(),
  minimum: z.number(),
  maximum: z.number(),
}) satisfies z.ZodType<LibraryStudyRequest>;
const choicesQuery = z.object({
  kind: z.enum(RATED_KINDS),
  run: z.string().max(64).nullable().default(null),
  search: z.string().max(200).default(""),
});
const linkBody = z.strictObject({ rater: raterName }) satisfies z.ZodType<LinkRevoked>;

function noScale(): FabulaError {
  return new FabulaError("E_REQUEST", "Name at least one rater, and a scale whose highest score is above its lowest.");
}

/** Several people rate the same items, each without the others and before any judge. */
export function ratingRoutes(services: Services) {
  const { settings, clock, books } = services;
  const studies = new RatingStudies(join(settings.library, "ratings"), clock);
  const tokenOf = (study: string) => (rater: string, link: number) =>
    raterToken(settings.token, { study, rater, link });
  /** Raters and invited people can only rate under their own name. */
  const ownName = (context: Context, name: string): string => {
    const own = raterOf(context)?.rater ?? personOf(context)?.name ?? name;
    if (own === name) return name;
    throw new FabulaError("E_FORBIDDEN", `This link is for rating by ${own}, and not by ${name}.`);
  };
  /** The name of somebody who rates in this study and may not see the others' ratings; undefined for everybody else. */
  const blindRater = async (context: Context, study: string): Promise<string | undefined> => {
    const invited = personOf(context)?.name;
    if (invited !== undefined && (await studies.hasRater(study, invited))) return invited;
    return raterOf(context)?.rater;
  };
  const ratingsOf = async (context: Context, study: string): Promise<string> => {
    if ((await blindRater(context, study)) === undefined) return studies.csv(study);
    throw new FabulaError("E_FORBIDDEN", "You rate in this study, and the others' ratings are not shown to you.");
  };
  const textAt = async ({ book, chapter }: ItemPlace) => {
    const { chapters } = await books.contents(book);
    const wanted = chapters.filter(({ index }) => chapter === null || index === chapter);
    return Promise.all(
      wanted.map(async ({ index }) => {
        const { title, text } = await books.chapter(book, index);
        return { title, text };
      }),
    );
  };
  return new Hono()
    .use(async (context, next) => {
      const rater = raterOf(context);
      if (rater && !(await studies.isOpen(rater))) {
        throw new FabulaError("E_FORBIDDEN", "This link was revoked: ask whoever sent it for the new one.");
      }
      await next();
    })
    .get("/library", query(choicesQuery), async (context) =>
      respond(context, await libraryChoices(context.req.valid("query"), services)),
    )
    .get("/", async (context) => respond(context, await studies.list()))
    .post("/", upload<{ [Field in keyof z.infer<typeof fieldsSchema>]: string }>(), (context) =>
      withUpload(context, ENDINGS, async ({ path, name, fields }) => {
        const asked = fieldsSchema.safeParse(Object.fromEntries(fields));
        if (!asked.success || asked.data.minimum >= asked.data.maximum) throw noScale();
        const { raters, perItem, minimum, maximum } = asked.data;
        const items = await runTask("read-items", { path }, { client: clientAddress(context) });
        return respond(context, await studies.add({ name, raters, perItem, scale: { minimum, maximum } }, items), 201);
      }),
    )
    .post("/library", bodyLimit({ maxSize: 1_000_000 }), json(libraryBody), async (context) => {
      const { kind, name, raters, perItem, minimum, maximum, ...asked } = context.req.valid("json");
      if (minimum >= maximum) throw noScale();
      const items = await libraryItems({ kind, ...asked }, services);
      return respond(context, await studies.add({ name, raters, perItem, scale: { minimum, maximum } }, items), 201);
    })
    .get("/:id", async (context) => {
      const id = context.req.param("id");
      const tokens = isOwner(context) ? tokenOf(id) : () => null;
      return respond(context, await studies.study(id, tokens, await blindRater(context, id)));
    })
    .get("/:id/queue", query(queueQuery), async (context) => {
      const { rater } = context.req.valid("query");
      return respond(context, await studies.queue(context.req.param("id"), ownName(context, rater)));
    })
    .get("/:id/text", query(textQuery), async (context) => {
      const { item, rater } = context.req.valid("query");
      const own = rater === undefined ? (raterOf(context)?.rater ?? null) : ownName(context, rater);
      const places = (await studies.places(context.req.param("id"), item, own)) ?? [];
      const [parts = [], second = null] = await Promise.all(places.map(textAt));
      return respond(context, { parts, second } satisfies ItemText);
    })
    .put("/:id/ratings", body, json(ratingBody), async (context) => {
      const sent = context.req.valid("json");
      ownName(context, sent.rater);
      return respond(context, await studies.rate(context.req.param("id"), sent));
    })
    .get("/:id/trust", async (context) => {
      const csv = await ratingsOf(context, context.req.param("id"));
      const answer = await inTemporaryFolder("ratings", async (folder) => {
        const path = join(folder, "ratings.csv");
        await writeFile(path, csv);
        const fields = { human: "rating", rater: "rater" };
        return runTask("trust-table", { path, name: "ratings.csv", fields }, { client: clientAddress(context) });
      });
      return respond(context, answer);
    })
    .put("/:id/decisions", body, json(decisionBody), async (context) => {
      await studies.decide(context.req.param("id"), context.req.valid("json"));
      return context.body(null, 204);
    })
    .put("/:id/links", body, json(linkBody), async (context) => {
      await studies.revoke(context.req.param("id"), context.req.valid("json").rater);
      return context.body(null, 204);
    })
    .get("/:id/ratings.csv", async (context) =>
      context.body(await ratingsOf(context, context.req.param("id")), 200, {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="ratings.csv"',
      }),
    );
}

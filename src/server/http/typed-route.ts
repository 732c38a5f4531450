import type { Context, MiddlewareHandler, TypedResponse } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import type { Paged } from "../../api/answers.ts";
import { FabulaError } from "../../core/errors.ts";

/**
 * What a route takes (`In`), what its handler gets of it (`Valid`, by `context.req.valid`), and what it answers: declared where
 * the route is, checked here, and known to the web app by the type of the routes (`page/api/client.ts`).
 */
type Takes<In extends object, Valid extends object> = MiddlewareHandler<
  // biome-ignore lint/suspicious/noExplicitAny: a middleware that fits every application is typed so in Hono.
  any,
  string,
  { in: In; out: Valid }
>;

/** Query parameters are text: numbers become strings, and empty values are left out. */
type QueryFields<Fields> = { [Name in keyof Fields]: string | number | null | undefined };
type SentQuery<Fields> =
  Record<never, never> extends QueryFields<Fields> ? { query?: QueryFields<Fields> } : { query: QueryFields<Fields> };

/** What is sent may be read-only; zod's types of arrays are not. */
type Sent<Value> = Value extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Sent<Value[Name]> }
    : Value;

export function json<In, Out>(schema: z.ZodType<Out, In>): Takes<{ json: Sent<In> }, { json: Out }> {
  return withJson(schema, () => true);
}

/** The JSON body of a request, or null if it has none. */
export function jsonIfSent<In, Out>(schema: z.ZodType<Out, In>): Takes<{ json?: Sent<In> }, { json: Out | null }> {
  return withJson(schema, (type) => type !== undefined);
}

/** A JSON body, or null for a file, which `withUpload` reads. */
export function jsonOrUpload<In, Out>(
  schema: z.ZodType<Out, In>,
): Takes<{ json?: Sent<In>; form?: { file: File } }, { json: Out | null }> {
  return withJson(schema, (type) => isJson(type));
}

export function query<In, Out extends object>(schema: z.ZodType<Out, In>): Takes<SentQuery<In>, { query: Out }> {
  return async (context, next) => {
    context.req.addValidatedData("query", checked(context.req.query(), schema, "The address"));
    await next();
  };
}

/** The fields of an upload, which `withUpload` reads as a stream. */
export function upload<Fields = Record<never, never>>(): Takes<{ form: Fields & { file: File } }, object> {
  return (_context, next) => next();
}

/** Answers with JSON. With Hono's own `context.json`, the client would believe that each optional field may be there and undefined. */
export function respond<Answer, Status extends ContentfulStatusCode = 200>(
  context: Context,
  value: Answer,
  status?: Status,
): Response & TypedResponse<Answer, Status, "json"> {
  return context.json(value, status) as Response & TypedResponse<Answer, Status, "json">;
}

/** The JSON body of a request, checked against the schema; otherwise one sentence that says what does not fit. */
export async function jsonBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  if (!isJson(context.req.header("content-type"))) {
    throw new FabulaError("E_REQUEST", "This request must carry JSON: set content-type: application/json.");
  }
  let document: unknown;
  try {
    document = JSON.parse(await context.req.text());
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw new FabulaError("E_REQUEST", "This request holds no readable JSON.", { cause });
    }
    throw cause;
  }
  return checked(document, schema, "The request");
}

function withJson<In extends object, Valid extends object>(
  schema: z.ZodType,
  isExpected: (type: string | undefined) => boolean,
): Takes<In, Valid> {
  return async (context, next) => {
    const body = isExpected(context.req.header("content-type")) ? await jsonBody(context, schema) : null;
    context.req.addValidatedData("json", body as object);
    await next();
  };
}

function isJson(type = ""): boolean {
  return /^application\/json\b/i.test(type);
}

function checked<T>(document: unknown, schema: z.ZodType<T>, what: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue && issue.path.length > 0 ? ` at "${issue.path.join(".")}"` : "";
  throw new FabulaError("E_REQUEST", `${what} is not as expected${where}: ${issue?.message ?? "check it"}.`);
}

const MOST = 200;
const USUAL = 50;

export const pageQuery = z.object({
  after: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(MOST).default(USUAL),
});

/** One page of a list in memory; the id of its last item is the cursor of the next. */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  { after, limit }: z.infer<typeof pageQuery>,
): Paged<Item> {
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const page = items.slice(start, start + limit);
  const isLast = start + limit >= items.length;
  return { items: page, total: items.length, next: isLast ? null : (page.at(-1)?.id ?? null) };
}

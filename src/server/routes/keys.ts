import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { KeyRequest } from "../../api/about.ts";
import { FabulaError } from "../../core/errors.ts";
import { CLOUD_PROVIDERS, type CloudProvider, KEY_VARIABLES } from "../../models/judge-name.ts";
import { jsonBody } from "../http/json-body.ts";
import type { Services } from "../services.ts";

const keySchema = z.strictObject({
  variable: z.string().max(100),
  key: z.string().trim().min(1).max(1000),
}) satisfies z.ZodType<KeyRequest>;

/** A provider's key, entered in the web app: for as long as the server runs, in memory only. */
export function keyRoutes({ useKey, forgetKey }: Services): Hono {
  return new Hono()
    .post("/", bodyLimit({ maxSize: 10_000 }), async (context) => {
      const { variable, key } = await jsonBody(context, keySchema);
      useKey(providerOf(variable), key);
      return context.body(null, 204);
    })
    .delete("/:variable", (context) => {
      forgetKey(providerOf(context.req.param("variable")));
      return context.body(null, 204);
    });
}

function providerOf(variable: string): CloudProvider {
  const provider = CLOUD_PROVIDERS.find((candidate) => KEY_VARIABLES[candidate] === variable);
  if (!provider) throw new FabulaError("E_REQUEST", `No provider takes its key from ${variable}.`);
  return provider;
}

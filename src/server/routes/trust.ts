import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { TRUST_CHECKS, type TrustPlanRequest } from "../../api/trust.ts";
import { clientAddress } from "../http/client-address.ts";
import { jsonBody } from "../http/json-body.ts";
import type { Services } from "../services.ts";
import { planTrust, trustPanels } from "../trust/trust-panels.ts";
import type { EvidenceBench } from "../votes/evidence-bench.ts";

const planBody = z.strictObject({
  name: z.string().max(500),
  check: z.enum(TRUST_CHECKS),
}) satisfies z.ZodType<TrustPlanRequest>;

/** What is known of the judges of an evaluation, and what it would take to know more. */
export function trustRoutes(services: Services, bench: EvidenceBench): Hono {
  const sources = { services, ...bench };
  return new Hono()
    .get("/:id/trust", async (context) => context.json(await trustPanels(context.req.param("id"), sources)))
    .post("/:id/trust/plans", bodyLimit({ maxSize: 10_000 }), async (context) => {
      const request = await jsonBody(context, planBody);
      return context.json(await planTrust(context.req.param("id"), request, sources, clientAddress(context)));
    });
}

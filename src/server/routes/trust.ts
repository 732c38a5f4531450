import { Hono } from "hono";
import type { Services } from "../services.ts";
import { trustPanels } from "../trust/trust-panels.ts";
import type { EvidenceBench } from "../votes/evidence-bench.ts";

/** What is known of the judges of an evaluation. */
export function trustRoutes(services: Services, bench: EvidenceBench): Hono {
  return new Hono().get("/:id/trust", async (context) =>
    context.json(await trustPanels(context.req.param("id"), { services, ...bench })),
  );
}

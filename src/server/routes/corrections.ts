import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { BookCorrections } from "../../api/corrections.ts";
import { chapterCorrectionsSchema } from "../../text/corrections/chapter-corrections.ts";
import { clientAddress } from "../http/client-address.ts";
import { jsonBody } from "../http/json-body.ts";
import { refuseWhileBusy, type Services } from "../services.ts";

const bodySchema = z.strictObject({ corrections: chapterCorrectionsSchema.max(5000) });

/** A person has the last word on where chapters begin. */
export function correctionRoutes(services: Services): Hono {
  const { books } = services;
  return new Hono()
    .get("/:id/corrections", async (context) => {
      const { id, corrections } = books.card(context.req.param("id"));
      const answer: BookCorrections = {
        found: await books.foundChapters(id, { client: clientAddress(context) }),
        corrections,
      };
      return context.json(answer);
    })
    .put("/:id/corrections", bodyLimit({ maxSize: 1_000_000 }), async (context) => {
      const { corrections } = await jsonBody(context, bodySchema);
      const { id } = books.card(context.req.param("id"));
      refuseWhileBusy(services, id);
      await books.correct(id, corrections, { client: clientAddress(context) });
      return context.body(null, 204);
    });
}

import { Hono } from "hono";
import { z } from "zod";
import type { EvaluationDetails } from "../../api.ts";
import { queryOf } from "../http/json-body.ts";
import { pageOf, pageQuery } from "../http/paging.ts";
import type { Services } from "../services.ts";

export function evaluationRoutes({ evaluations }: Services): Hono {
  return new Hono()
    .get("/", (context) => {
      const { book, ...page } = queryOf(context, pageQuery.extend({ book: z.string().max(64).optional() }));
      return context.json(pageOf(evaluations.list(book), page));
    })
    .get("/:id", async (context) => {
      const summary = evaluations.summary(context.req.param("id"));
      const details: EvaluationDetails = { ...summary, evaluation: await evaluations.evaluation(summary.id) };
      return context.json(details);
    })
    .delete("/:id", async (context) => {
      await evaluations.delete(context.req.param("id"));
      return context.body(null, 204);
    });
}

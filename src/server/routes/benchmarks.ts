import { Hono } from "hono";
import type { BenchmarkSummary } from "../../api/benchmarks.ts";
import { BenchmarkList } from "../benchmarks/benchmark-list.ts";
import type { Services } from "../services.ts";

export function benchmarkRoutes({ settings, evaluations }: Services): Hono {
  const benchmarks = new BenchmarkList(settings.benches, evaluations);
  return new Hono()
    .get("/", async (context) => {
      const summaries: BenchmarkSummary[] = (await benchmarks.list()).map(
        ({ id, name, judge, novels, writers, subject }) => ({
          id,
          name,
          judge,
          novels,
          writers,
          subject,
        }),
      );
      return context.json(summaries);
    })
    .get("/:id", async (context) => context.json(await benchmarks.get(context.req.param("id"))));
}

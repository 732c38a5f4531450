import { Hono } from "hono";
import type { BenchmarkSummary } from "../../api/benchmarks.ts";
import { BenchmarkShelf } from "../benchmarks/benchmark-shelf.ts";
import type { Services } from "../services.ts";

export function benchmarkRoutes({ settings, evaluations }: Services): Hono {
  const shelf = new BenchmarkShelf(settings.benches, evaluations);
  return new Hono()
    .get("/", async (context) => {
      const summaries: BenchmarkSummary[] = (await shelf.list()).map(
        ({ id, name, judge, novels, writers, subject }) => ({
          ...{ id, name, judge, novels, writers, subject },
        }),
      );
      return context.json(summaries);
    })
    .get("/:id", async (context) => context.json(await shelf.get(context.req.param("id"))));
}

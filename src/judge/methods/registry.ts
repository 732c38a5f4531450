import { aggregate } from "./aggregate.ts";
import { incremental } from "./incremental.ts";
import type { Method, MethodName } from "./method.ts";
import { onePass } from "./one-pass.ts";
import { summary } from "./summary.ts";

/** LongStoryEval's methods, each a value that can be listed, compared and replaced. */
export const METHODS: Readonly<Record<MethodName, Method>> = {
  "one-pass": onePass,
  aggregate,
  incremental,
  summary,
};

/** How many calls a book of S segments takes in R runs. The tests hold every method to it. */
export function plannedCalls(method: MethodName, segments: number, runs: number): number {
  switch (method) {
    case "one-pass":
      return runs;
    case "summary":
      return segments + runs;
    case "aggregate":
    case "incremental":
      return segments + segments * runs;
    default:
      return method satisfies never;
  }
}

import { groupBy } from "../../core/group-by.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { differingSettings } from "../../judge/settings.ts";

/** What an evaluation says of how it was made. */
export type Making = Pick<BookEvaluation, "judge" | "method" | "rubric" | "settings">;

/** Evaluations of one key were made in one way and may be put together. */
export function keyOf({ judge, method, rubric, settings }: Making): string {
  return settings?.hash ?? `${judge} · ${method} · ${rubric.id} ${rubric.version}`;
}

/**
 * For each way of judging, what sets it apart from the others of the same judge and method: "definitions off, temperature
 * 0"; null where there is no other. Evaluations made in different ways are shown beside each other, never pooled.
 */
export function waysOfJudging(evaluations: readonly Making[]): ReadonlyMap<string, string | null> {
  const ways = new Map([...groupBy(evaluations, keyOf)].map(([key, [first]]) => [key, first!]));
  const byJudge = groupBy([...ways], ([, { judge, method }]) => `${judge} · ${method}`);
  return new Map(
    [...byJudge.values()].flatMap((alike) => {
      const differences = differingSettings(alike.map(([, { settings }]) => settings));
      return alike.map(([key], at): [string, string | null] => [
        key,
        alike.length === 1 ? null : differences.map(({ name, values }) => `${name} ${values[at]}`).join(", "),
      ]);
    }),
  );
}

/** The judge, the method and what sets this way apart, as one name. */
export function wayOf(evaluation: Making, ways: ReturnType<typeof waysOfJudging>): string {
  const apart = ways.get(keyOf(evaluation)) ?? null;
  return `${evaluation.judge} · ${evaluation.method}${apart === null ? "" : ` · ${apart}`}`;
}

import { z } from "zod";
import { fromSafeText } from "./safe-text.ts";

const countsSchema = z.object({
  left: z.number(),
  right: z.number(),
  both: z.number(),
  same: z.number(),
});

/** One prompt that both runs were answered, with the beginnings of the two answers. */
export interface SharedPrompt {
  /** Of the request and the sample number: the same whichever model was asked. */
  readonly id: string;
  readonly purpose: string;
  readonly isSame: boolean;
  readonly left: ComparedAnswer;
  readonly right: ComparedAnswer;
}

export interface ComparedAnswer {
  readonly position: number;
  readonly model: string;
  readonly cost: number | null;
  readonly latencyMilliseconds: number;
  readonly reply: string;
}

/** Two runs by what they were asked. Of a prompt that a run asked several models, the first answer counts. */
export interface RunOverlap {
  readonly left: number;
  readonly right: number;
  readonly both: number;
  readonly same: number;
  /** Those with other replies first, in the order of the left run. */
  readonly rows: readonly SharedPrompt[];
}

const sideSchema = (side: "left" | "right") =>
  z
    .object({
      [`${side}_position`]: z.number(),
      [`${side}_model`]: z.string(),
      [`${side}_cost`]: z.number().nullable(),
      [`${side}_latency`]: z.number(),
      [`${side}_reply`]: z.string(),
    })
    .transform(
      (row): ComparedAnswer => ({
        position: Number(row[`${side}_position`]),
        model: fromSafeText(String(row[`${side}_model`])),
        cost: row[`${side}_cost`] === null ? null : Number(row[`${side}_cost`]),
        latencyMilliseconds: Number(row[`${side}_latency`]),
        reply: fromSafeText(String(row[`${side}_reply`])),
      }),
    );
const [leftSide, rightSide] = [sideSchema("left"), sideSchema("right")];
const promptSchema = z.object({
  id: z.string(),
  purpose: z.string(),
  same: z.union([z.boolean(), z.number()]).transform(Boolean),
});

export function readOverlap(counts: unknown, rows: readonly unknown[]): RunOverlap {
  return {
    ...countsSchema.parse(counts),
    rows: rows.map((row) => {
      const { id, purpose, same } = promptSchema.parse(row);
      return {
        id,
        purpose: fromSafeText(purpose),
        isSame: same,
        left: leftSide.parse(row),
        right: rightSide.parse(row),
      };
    }),
  };
}

/**
 * What both databases are asked, in words that both know. The database compares the replies, so that of two runs of any length
 * only what is shown leaves it.
 */
export function comparisonSql(tables: string, parameter: (number: number) => string): { counts: string; rows: string } {
  const side = (run: string) => `
    SELECT c.request_hash AS request, c.sample AS sample, min(u.position) AS position
    FROM ${tables}uses u JOIN ${tables}calls c ON c.key = u.key
    WHERE u.run_id = ${run} AND u.outcome <> 'failed' GROUP BY c.request_hash, c.sample`;
  const sides = `WITH left_side AS (${side(parameter(1))}), right_side AS (${side(parameter(2))})`;
  const both = `left_side l JOIN right_side r ON r.request = l.request AND r.sample = l.sample
    JOIN ${tables}uses lu ON lu.position = l.position JOIN ${tables}calls lc ON lc.key = lu.key
    JOIN ${tables}uses ru ON ru.position = r.position JOIN ${tables}calls rc ON rc.key = ru.key`;
  const shown = (
    name: string,
    short: string,
  ) => `${short}u.position AS ${name}_position, ${short}u.model AS ${name}_model,
      ${short}u.cost AS ${name}_cost, ${short}c.latency_milliseconds AS ${name}_latency,
      substr(${short}c.text, 1, ${parameter(3)}) AS ${name}_reply`;
  return {
    counts: `${sides}
      SELECT (SELECT count(*) FROM left_side) AS "left", (SELECT count(*) FROM right_side) AS "right", count(*) AS "both",
        CAST(coalesce(sum(CASE WHEN lc.text = rc.text THEN 1 ELSE 0 END), 0) AS BIGINT) AS "same" FROM ${both}`,
    rows: `${sides}
      SELECT l.request || ' ' || CAST(l.sample AS TEXT) AS id, lu.purpose AS purpose, lc.text = rc.text AS same,
        ${shown("left", "l")}, ${shown("right", "r")}
      FROM ${both} ORDER BY lc.text = rc.text, l.position LIMIT ${parameter(4)}`,
  };
}

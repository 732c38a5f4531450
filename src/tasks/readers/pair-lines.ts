import type { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { jsonLines } from "../../core/json-lines.ts";
import { onRatingScale } from "../../reader/predictor/rating-scale.ts";

/** The lines of a file of pairs, with ratings in stars. An empty file is refused. */
export async function* pairLines<Row>(
  path: string,
  schema: z.ZodType<Row>,
  scale: number | undefined,
): AsyncGenerator<Row> {
  let isEmpty = true;
  for await (const row of jsonLines(path, onRatingScale(schema, scale, path))) {
    isEmpty = false;
    yield row;
  }
  if (isEmpty) {
    const named = path === "-" ? "Standard input" : `"${path}"`;
    throw new FabulaError("E_EMPTY", `${named} holds no lines: give one pair per line.`);
  }
}

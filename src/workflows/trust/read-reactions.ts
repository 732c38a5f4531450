import { readFile } from "node:fs/promises";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import type { DamageReaction } from "../../stats/judge-health/damage.ts";

const reportSchema = z.object({
  judge: z.string(),
  books: z.array(
    z.object({
      rows: z.array(
        z.object({
          name: z.string(),
          harmless: z.boolean(),
          aspect: z.string(),
          reaction: z.enum(["right", "blind", "wrong", "not tried", "cannot be told"]),
        }),
      ),
    }),
  ),
});

/** How a judge took every damaged book of a stress test, by its overall score; what was not tried or cannot be told is left out. */
export async function readReactions(path: string): Promise<DamageReaction[]> {
  let document: unknown;
  try {
    document = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new FabulaError("E_STRESS_READ", `"${path}" could not be read as JSON: check the path.`, { cause });
  }
  const report = reportSchema.safeParse(document);
  if (!report.success) {
    throw new FabulaError(
      "E_STRESS_READ",
      `"${path}" is not a stress test: make one with \`fabula stress novel.epub --json > stress.json\`.`,
      { cause: report.error },
    );
  }
  const { judge, books } = report.data;
  return books.flatMap(({ rows }) =>
    rows.flatMap(({ name, harmless, aspect, reaction }): DamageReaction[] =>
      aspect !== "overall" || reaction === "not tried" || reaction === "cannot be told"
        ? []
        : [{ judge, damage: name, harmless, reaction }],
    ),
  );
}

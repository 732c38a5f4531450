import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { TextOverlap } from "../../../bench/contamination.ts";
import { writeWholeFile } from "../../../core/files.ts";
import { groupBy } from "../../../core/group-by.ts";
import { measuredOverlaps } from "../leaderboard/collect-site.ts";
import { writtenRows } from "./files.ts";

/**
 * How much each writer copies from the originals. It is stored because the originals are not published with the
 * benchmark.
 */
export const OVERLAPS_FILE = "overlaps.json";

const overlapsSchema = z.record(
  z.string(),
  z.object({ chapters: z.number().int(), copied: z.number(), longest: z.number(), passage: z.string() }),
);

export async function readOverlaps(folder: string): Promise<Map<string, TextOverlap>> {
  const source = await readFile(join(folder, OVERLAPS_FILE), "utf8").catch(() => "{}");
  return new Map(Object.entries(overlapsSchema.parse(JSON.parse(source))));
}

export async function measureOverlaps(folder: string, originals: string): Promise<void> {
  const known = await readOverlaps(folder);
  const byWriter = groupBy(await writtenRows(folder), ({ writer }) => writer);
  const open = [...byWriter].filter(
    ([writer, rows]) => known.get(writer)?.chapters !== rows.filter(({ text }) => text !== null).length,
  );
  if (open.length === 0) return;
  const measured = await measuredOverlaps(
    originals,
    open.flatMap(([, rows]) => rows),
  );
  for (const [writer, overlap] of measured) known.set(writer, overlap);
  await writeWholeFile(join(folder, OVERLAPS_FILE), `${JSON.stringify(Object.fromEntries(known), null, 1)}\n`);
}

import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { benchFiles, RENAMED, type WrittenRow, writtenChapterSchema } from "../../../bench/bench-folder.ts";
import { type FrozenJudge, WRITERS_FILE, type WriterCard, writerCardSchema } from "../../../bench/frozen.ts";
import { writeWholeFile } from "../../../core/files.ts";
import { readJsonLines } from "../../../core/json-lines.ts";

/** The file of a writer's scores by a judge, named after the judge's own files. */
export function writerScoresIn(folder: string, writer: string, { id, scores }: FrozenJudge, variant?: string): string {
  const plain = basename(benchFiles(folder).writerScores(writer, id, null, variant));
  const own = basename(benchFiles(folder).scores(id));
  return join(folder, plain.replace(own.replace(/\.jsonl$/, ""), scores.replace(/\.jsonl$/, "")));
}

/** The file of a judge's scores of the anchor texts, round by round. */
export function driftFileOf(folder: string, { scores }: FrozenJudge): string {
  return join(folder, scores.replace(/^scores\./, "drift."));
}

/** Everything that writers have written in a folder. */
export async function writtenRows(folder: string): Promise<WrittenRow[]> {
  const files = (await readdir(folder)).filter((name) => /^written\..*\.jsonl$/.test(name)).sort();
  const rows = await Promise.all(files.map((file) => readJsonLines(join(folder, file), writtenChapterSchema)));
  return rows.flat();
}

/** What a writer wrote from the synopses with changed names; empty if this was not asked for. */
export async function renamedRows(folder: string, writer: string): Promise<WrittenRow[]> {
  return readJsonLines(benchFiles(folder).written(writer, RENAMED), writtenChapterSchema).catch(() => []);
}

/** For each model, how many originals it recognised from a passage, out of those it answered about. */
export const RECOGNISED_FILE = "recognised.json";
const recognisedSchema = z.record(z.string(), z.object({ known: z.number().int(), asked: z.number().int() }));
export type Recognised = z.infer<typeof recognisedSchema>[string];

export async function readRecognised(folder: string): Promise<Map<string, Recognised>> {
  const source = await readFile(join(folder, RECOGNISED_FILE), "utf8").catch(() => "{}");
  return new Map(Object.entries(recognisedSchema.parse(JSON.parse(source))));
}

/** Adds these models' results to the stored ones. */
export async function keepRecognised(folder: string, found: ReadonlyMap<string, Recognised>): Promise<void> {
  if (found.size === 0) return;
  const all = new Map([...(await readRecognised(folder)), ...found]);
  await writeWholeFile(join(folder, RECOGNISED_FILE), `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`);
}

/** The stored facts about the writers; empty if there are none. */
export async function writerCards(folder: string): Promise<WriterCard[]> {
  const source = await readFile(join(folder, WRITERS_FILE), "utf8").catch(() => "[]");
  return z.array(writerCardSchema).parse(JSON.parse(source));
}

export async function writeCards(folder: string, cards: readonly WriterCard[]): Promise<void> {
  await writeWholeFile(join(folder, WRITERS_FILE), `${JSON.stringify(cards, null, 1)}\n`);
}

import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { jsonLines } from "../core/json-lines.ts";
import { verdictSchema } from "../core/verdict.ts";
import { synopsisSchema } from "./synopsis.ts";

/** A chapter that was chosen for the benchmark. */
export const chosenChapterSchema = z.object({
  novel: z.string(),
  writer: z.string(),
  title: z.string(),
  language: z.string().nullable(),
  chapter: z.number().int().positive(),
  words: z.number().int().nonnegative(),
  sha256: z.string(),
  text: z.string(),
});

export const synopsisRowSchema = z.object({
  novel: z.string(),
  chapter: z.number().int().positive(),
  language: z.string().nullable(),
  synopsis: synopsisSchema.nullable(),
  /** Share of the original's wording in the synopsis; null if there is no synopsis. */
  leak: z.number().nullable(),
  attempts: z.number().int(),
  reason: z.string().nullable(),
  /** The model that wrote the synopsis. */
  model: z.string().optional(),
});

export const scoreRowSchema = z.object({
  novel: z.string(),
  writer: z.string(),
  chapter: z.number().int().positive(),
  /** The judge, its version, the rubric, prompt and settings; absent if the file does not state them. */
  judge: z.string().optional(),
  judgeVersion: z.string().optional(),
  rubric: z.string().optional(),
  rubricHash: z.string().optional(),
  promptHash: z.string().optional(),
  settings: z.string().optional(),
  /** SHA-256 of the text that was scored. */
  textHash: z.string().optional(),
  words: z.number().int().nonnegative().nullable(),
  repeat: z.number().int().nonnegative().default(0),
  scores: z.record(z.string(), verdictSchema),
  /** The reasons by dimension, if the judge gave any. */
  reasons: z.record(z.string(), z.string()).optional(),
  /** The model named by the provider in the reply, which may be a more precise version. */
  stated: z.string().optional(),
});

export const writtenChapterSchema = z.object({
  novel: z.string(),
  writer: z.string(),
  chapter: z.number().int().positive(),
  language: z.string().nullable(),
  text: z.string().nullable(),
  cutOff: z.boolean(),
  reason: z.string().nullable(),
  /** Whether the writer declined. */
  refused: z.boolean().optional(),
  /** The model and what it was asked with: prompt, temperature, limit, words. */
  model: z.string().optional(),
  promptHash: z.string().optional(),
  settings: z.string().optional(),
  /** SHA-256 of the synopsis it was written from. */
  synopsisHash: z.string().optional(),
  inputTokens: z.number().int().nonnegative().optional(),
  outputTokens: z.number().int().nonnegative().optional(),
});

export const manifestSchema = z.object({
  format: z.literal(1),
  seed: z.number().int(),
  chaptersPerNovel: z.number().int().positive(),
  /** Novels by language. */
  languages: z.record(z.string(), z.number().int()).optional(),
  novels: z.array(
    z.object({
      novel: z.string(),
      file: z.string(),
      title: z.string(),
      author: z.string().nullable(),
      language: z.string().nullable(),
      genre: z.string().nullable().optional(),
      /** Year of publication, if the file or a list states it. */
      year: z.number().int().nullable().optional(),
      sha256: z.string(),
      chapters: z.array(z.object({ index: z.number().int(), title: z.string().nullable(), sha256: z.string() })),
    }),
  ),
  excluded: z.array(z.object({ file: z.string(), title: z.string().nullable(), reason: z.string() })),
});

export type ChosenChapter = z.infer<typeof chosenChapterSchema>;
export type SynopsisRow = z.infer<typeof synopsisRowSchema>;
export type ScoreRow = z.infer<typeof scoreRowSchema>;
export type WrittenRow = z.infer<typeof writtenChapterSchema>;
export type BenchManifest = z.infer<typeof manifestSchema>;

/** The variant written from synopses with changed names of people and places. */
export const RENAMED = "renamed";

/** The files by which each step of the benchmark passes its results to the next. */
export function benchFiles(folder: string) {
  return {
    manifest: join(folder, "manifest.json"),
    chapters: join(folder, "chapters.jsonl"),
    synopses: join(folder, "synopses.jsonl"),
    scores: (judge: string, rubric?: string | null) => join(folder, `scores.${judgeName(judge, rubric)}.jsonl`),
    anchorScores: (judge: string, rubric?: string | null) => join(folder, `anchors.${judgeName(judge, rubric)}.jsonl`),
    population: (judge: string, rubric?: string | null) => join(folder, `population.${judgeName(judge, rubric)}.json`),
    written: (writer: string, variant?: string) =>
      join(folder, `${variantName(variant)}written.${fileName(writer)}.jsonl`),
    writerScores: (writer: string, judge: string, rubric?: string | null, variant?: string) =>
      join(folder, `${variantName(variant)}scores.${judgeName(judge, rubric)}.${fileName(writer)}.jsonl`),
  };
}

/** Texts written from changed synopses check a writer and are not ranked, so their files have a prefix. */
function variantName(variant: string | undefined): string {
  return variant === undefined ? "" : `${variant}-`;
}

/**
 * The name of a rubric other than the folder's own is included, so that its population does not overwrite another
 * one.
 */
function judgeName(judge: string, rubric?: string | null): string {
  return rubric ? `${fileName(judge)}+${fileName(rubric)}` : fileName(judge);
}

/** A judge's or writer's name as part of a file name: letters of any script, without path separators. */
function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^\.+/, "");
}

/** How many chapters are examined in a folder without our manifest; the corpus may have millions. */
const LOOKED_AT = 500;
const HEAD = 64 * 1024;

/** Novels by language in a prepared folder, most frequent first; undetected languages count as "unknown". */
export async function folderLanguages(folder: string): Promise<ReadonlyMap<string, number>> {
  const counts = (await fromManifest(folder)) ?? (await fromChapters(folder));
  return new Map([...counts].sort((left, right) => right[1] - left[1] || left[0].localeCompare(right[0])));
}

/** The language that rubric, prompts and reports follow; null when no novel's language is known. */
export async function folderLanguage(folder: string): Promise<string | null> {
  for (const language of (await folderLanguages(folder)).keys()) if (language !== "unknown") return language;
  return null;
}

/** The dimensions of the benchmark in a language: Chinese for Chinese, English for all others. */
export function rubricFor(language: string | null): string {
  return language === "zh" ? "novel-bench-zh" : "novel-bench-en";
}

/** Reads the counts from the beginning of the manifest; the whole of it may be too long to parse. */
async function fromManifest(folder: string): Promise<Map<string, number> | null> {
  let head = "";
  try {
    for await (const chunk of createReadStream(benchFiles(folder).manifest, { encoding: "utf8", end: HEAD }))
      head += chunk;
  } catch {
    return null;
  }
  const [, found] = /"languages":(\{[^}]*\})/.exec(head) ?? [];
  return found === undefined ? null : new Map(Object.entries(JSON.parse(found) as Record<string, number>));
}

async function fromChapters(folder: string): Promise<Map<string, number>> {
  const { chapters } = benchFiles(folder);
  const novels = new Map<string, string>();
  if (!existsSync(chapters)) return new Map();
  let seen = 0;
  for await (const { novel, language } of jsonLines(chapters, chosenChapterSchema)) {
    novels.set(novel, language ?? "unknown");
    if (++seen >= LOOKED_AT) break;
  }
  const counts = new Map<string, number>();
  for (const language of novels.values()) counts.set(language, (counts.get(language) ?? 0) + 1);
  return counts;
}

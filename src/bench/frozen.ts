import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { contentHash } from "../core/hash.ts";
import type { Synopsis } from "./synopsis.ts";

const rubricSchema = z.object({ id: z.string(), version: z.number().int(), hash: z.string() });

const frozenChapterSchema = z.object({
  chapter: z.number().int().positive(),
  /** Hash of the original's text, which is not published. */
  sha256: z.string(),
  words: z.number().int().nonnegative().nullable(),
  /** Hash of the synopsis that writers are given. */
  synopsis: z.string(),
});

const frozenJudgeSchema = z.object({
  id: z.string(),
  version: z.string().optional(),
  rubric: rubricSchema,
  prompt: z.string().optional(),
  settings: z.string().optional(),
  /** The file of its scored human novels. */
  population: z.string(),
  /** The file of its scores of the novels' chapters, from which a panel is built. */
  scores: z.string(),
});

const changeSchema = z.object({
  version: z.number().int().positive(),
  date: z.string(),
  novels: z.number().int(),
  judges: z.array(z.string()),
  /** What is new since the previous version. */
  added: z.object({ novels: z.array(z.string()), judges: z.array(z.string()) }),
});

/**
 * A benchmark that does not change: which chapters are written, from which synopses, with which settings, and the
 * human novels and judges behind the percentiles. None of this changes within a version; texts and scores are added
 * beside it.
 */
export const frozenSchema = z.object({
  schema: z.literal("fabula-frozen-benchmark-1"),
  fabula: z.string(),
  title: z.string(),
  version: z.number().int().positive(),
  date: z.string(),
  language: z.string().nullable(),
  seed: z.number().int(),
  chaptersPerNovel: z.number().int().positive(),
  /** How often each chapter is scored. */
  repeats: z.number().int().positive(),
  synopsesBy: z.string().nullable(),
  rubric: rubricSchema,
  writing: z.object({
    maximumTokens: z.number().int(),
    temperature: z.number(),
    words: z.number().int(),
    prompt: z.string(),
  }),
  /** The novels that writers write, in the order in which they were sampled. */
  novels: z.array(
    z.object({
      novel: z.string(),
      title: z.string(),
      author: z.string().nullable(),
      genre: z.string().nullable(),
      year: z.number().int().nullable(),
      sha256: z.string(),
      chapters: z.array(frozenChapterSchema),
    }),
  ),
  judges: z.array(frozenJudgeSchema).min(1),
  /** SHA-256 of every file that must not change. */
  files: z.record(z.string(), z.string()),
  history: z.array(changeSchema).min(1),
});

export type FrozenBenchmark = z.infer<typeof frozenSchema>;
export type FrozenJudge = z.infer<typeof frozenJudgeSchema>;

/** Facts about a writer, besides its texts. */
export const writerCardSchema = z.object({
  writer: z.string(),
  model: z.string(),
  /** Its display name. */
  name: z.string().exactOptional(),
  maker: z.string().exactOptional(),
  /** When it was released. */
  date: z.string().exactOptional(),
  /** The last year its training data may hold. */
  cutOff: z.number().int().nullable(),
});

export type WriterCard = z.infer<typeof writerCardSchema>;

export const FROZEN_FILE = "benchmark.json";
export const WRITERS_FILE = "writers.json";
export const PROMPTS_FILE = "prompts.json";

export function synopsisHash(synopsis: Synopsis): string {
  return contentHash(synopsis).slice(0, 12);
}

export async function fileHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

/** The frozen benchmark in a folder; null if there is none. */
export async function frozenIn(folder: string): Promise<FrozenBenchmark | null> {
  const source = await readFile(join(folder, FROZEN_FILE), "utf8").catch(() => null);
  if (source === null) return null;
  try {
    return frozenSchema.parse(JSON.parse(source));
  } catch (cause) {
    throw new FabulaError(
      "E_FROZEN_READ",
      `"${join(folder, FROZEN_FILE)}" is not a frozen benchmark that this version can read: freeze it again with \`fabula bench freeze\`.`,
      { cause },
    );
  }
}

/**
 * Reads it and checks every file against its hash: if one has changed, it is no longer the benchmark that others
 * used.
 */
export async function readFrozen(folder: string): Promise<FrozenBenchmark> {
  const frozen = await frozenIn(folder);
  if (!frozen) {
    throw new FabulaError(
      "E_FROZEN_READ",
      `There is no frozen benchmark in ${folder}: make one with \`fabula bench freeze BENCH --out FOLDER\`.`,
    );
  }
  for (const [file, expected] of Object.entries(frozen.files)) {
    const found = await fileHash(join(folder, file)).catch(() => null);
    if (found === expected) continue;
    throw new FabulaError(
      "E_FROZEN_CHANGED",
      `${join(folder, file)} ${found === null ? "is missing" : "was changed"} since version ${frozen.version} was frozen: put the published file back, or freeze a new version.`,
    );
  }
  return frozen;
}

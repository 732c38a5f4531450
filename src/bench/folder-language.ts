import { createReadStream, existsSync } from "node:fs";
import { jsonLines } from "../core/json-lines.ts";
import { benchFiles, chosenChapterSchema } from "./bench-folder.ts";

/** Enough to see of a folder without a manifest of ours: the corpus may have millions of chapters. */
const LOOKED_AT = 500;
const HEAD = 64 * 1024;

/** Novels by language in a prepared folder, most frequent first; what could not be told counts as "unknown". */
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

/** The counts stand at the manifest's head: the whole of it may be too long to parse. */
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

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { assetPath } from "../core/assets.ts";
import { sha256 } from "../core/hash.ts";
import { fabulaVersion } from "../core/version.ts";

/** Raised when the stored form of shared work changes. */
const FORMAT = 5;
/** Files that decide the content of a call, and so the key under which its answer is stored, or what the jury says. */
const DECISIVE = ["prompts", "criteria", "models", "reference", "prices.yaml"];

/**
 * Workers take only pieces that were queued by the same version. Two versions whose prompts differ, or that cut a book at other
 * places, would ask different questions, and neither would find the answers that the other paid for. Only a release could say
 * whether its code changes that, so every release counts as a version of its own.
 */
export async function queueVersion(): Promise<string> {
  const parts: string[] = [];
  for (const name of DECISIVE)
    for (const file of await filesIn(assetPath(name))) parts.push(sha256(await readFile(file)));
  return `${FORMAT}-${fabulaVersion()}-${sha256(parts.join()).slice(0, 12)}`;
}

async function filesIn(path: string): Promise<string[]> {
  if (path.endsWith(".yaml")) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

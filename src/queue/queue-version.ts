import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { assetPath } from "../core/assets.ts";
import { sha256 } from "../core/hash.ts";
import { fabulaVersion } from "../core/version.ts";

/** Raised when what is written down about shared work changes its shape. */
const FORMAT = 5;
/** What decides how a call reads, and so by which key it is found again, or what the jury says. */
const DECISIVE = ["prompts", "criteria", "models", "reference", "prices.yaml"];

/**
 * Workers take only pieces that were queued by the same version. Two versions whose prompts differ, or that cut a book in
 * other places, would ask different questions: what one has paid for, the other would not find. Only a release knows whether its
 * code does, so every release is a version of its own.
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

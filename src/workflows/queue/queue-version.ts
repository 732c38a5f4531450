import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { assetPath } from "../../core/assets.ts";
import { sha256 } from "../../core/hash.ts";

/** Raised when what is written down about shared work changes its shape. */
const FORMAT = 1;
/** What decides how a call reads, and so by which key it is found again. */
const DECISIVE = ["prompts", "criteria", "prices.yaml"];

/**
 * Workers take only pieces that were queued by the same version. Two versions whose prompts differ would ask different
 * questions: what one has paid for, the other would not find.
 */
export async function queueVersion(): Promise<string> {
  const parts: string[] = [];
  for (const name of DECISIVE)
    for (const file of await filesIn(assetPath(name))) parts.push(sha256(await readFile(file)));
  return `${FORMAT}-${sha256(parts.join()).slice(0, 12)}`;
}

async function filesIn(path: string): Promise<string[]> {
  if (path.endsWith(".yaml")) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

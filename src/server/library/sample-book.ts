import { readFile } from "node:fs/promises";
import { assetPath } from "../../core/assets.ts";
import { sha256 } from "../../core/hash.ts";
import type { NewBook } from "./book-library.ts";

const SAMPLES = { en: "the-inspector-of-weights.md", zh: "the-lamp-at-mist-harbour.zh.md" } as const;

/** A story that ships with Fabula, as if it had been uploaded. */
export async function sampleBook(language: keyof typeof SAMPLES): Promise<NewBook> {
  const name = SAMPLES[language];
  const path = assetPath("examples", name);
  return { path, name, sha256: sha256(await readFile(path)) };
}

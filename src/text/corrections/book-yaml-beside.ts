import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BookYaml } from "./book-yaml.ts";

const NOTHING: BookYaml = { metadata: {}, corrections: [] };

/** Facts and corrections from the `book.yaml` beside a manuscript; most have none, and then nothing is loaded to read one. */
export async function bookYamlBeside(path: string, isFolder: boolean): Promise<BookYaml> {
  const yamlPath = join(isFolder ? path : dirname(path), "book.yaml");
  const source = await readFile(yamlPath, "utf8").catch(() => null);
  if (source === null) return NOTHING;
  const { parseBookYaml } = await import("./book-yaml.ts");
  return parseBookYaml(source, yamlPath, basename(path)) ?? NOTHING;
}

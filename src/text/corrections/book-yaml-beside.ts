import { basename, dirname, join } from "node:path";
import { kindOfPath, readLimited } from "../files/read-file.ts";
import type { BookYaml } from "./book-yaml.ts";

const NOTHING: BookYaml = { metadata: {}, corrections: [] };

/** Facts and corrections from the `book.yaml` beside a manuscript; most have none, and then nothing is loaded to read one. */
export async function bookYamlBeside(path: string, isFolder: boolean): Promise<BookYaml> {
  const yamlPath = join(isFolder ? path : dirname(path), "book.yaml");
  if ((await kindOfPath(yamlPath)) !== "file") return NOTHING;
  const source = new TextDecoder().decode(await readLimited(yamlPath));
  const { parseBookYaml } = await import("./book-yaml.ts");
  return parseBookYaml(source, yamlPath, basename(path)) ?? NOTHING;
}

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mapManuscript } from "../../src/prose/map/manuscript-map.ts";
import {
  novelFigures,
  type ReferenceNovels,
  referenceNovelsSchema,
  SHIPPED,
} from "../../src/prose/reference/reference-novels.ts";
import type { Book } from "../../src/text/book.ts";
import { readBook } from "../../src/text/read-book.ts";

/** The EPUBs of a folder, one at a time, by name. */
export async function* epubNovels(folder: string): AsyncGenerator<Book> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".epub"))
    .sort();
  if (files.length === 0) throw new Error(`No EPUB in ${folder}.`);
  for (const file of files) yield await readBook(join(folder, file));
}

/**
 * Maps published novels and keeps their figures, which reports show beside a manuscript's own. Figures, never text.
 *
 *   npx tsx training/prose/reference-novels.ts FOLDER_OF_EPUBS assets/reference/prose-novels.json
 */

const [folder, output] = process.argv.slice(2);
if (!folder || !output) throw new Error("Usage: npx tsx training/prose/reference-novels.ts FOLDER_OF_EPUBS OUTPUT");

const novels: ReferenceNovels["novels"] = [];
for await (const { title, author, words, chapters, language } of epubNovels(folder)) {
  novels.push({ title, author, words, figures: novelFigures(mapManuscript(chapters, { language })) });
  console.error(title);
}
const reference = referenceNovelsSchema.parse({
  id: SHIPPED,
  description: `${novels.length} published novels in English, in the public domain, most of them from 1800 to 1930`,
  novels,
});
writeFileSync(output, `${JSON.stringify(reference, null, 1)}\n`);
console.log(`${novels.length} novels mapped: ${output}`);

/**
 * Maps published novels and keeps their figures, which reports show beside a manuscript's own. Figures, never text.
 *
 *   npx tsx training/prose/reference-novels.ts FOLDER_OF_EPUBS assets/reference/prose-novels.json
 */
import { writeFileSync } from "node:fs";
import { mapManuscript } from "../../src/prose/map/manuscript-map.ts";
import {
  novelFigures,
  type ReferenceNovels,
  referenceNovelsSchema,
  SHIPPED,
} from "../../src/prose/reference/reference-novels.ts";
import { epubNovels } from "./epub-novels.ts";

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

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { readBook } from "../src/text/read-book.ts";

/**
 * Makes a novel with twenty planted faults out of a public-domain one, with its key:
 * `npx tsx evals/plant-faults.ts --novel jack-london_the-sea-wolf.epub --out FOLDER` writes planted-novel.md and .key.json.
 * Names are changed first, so that nobody recognises the book; what is planted stands in `evals/data/planted-novel.json`.
 */
const editSchema = z.union([
  z.object({ chapter: z.number(), find: z.string(), replace: z.string() }),
  z.object({ chapter: z.number(), after: z.string(), insert: z.string() }),
  z.object({ chapter: z.number(), after: z.string(), copyFrom: z.number(), startsWith: z.string() }),
  z.object({ swap: z.tuple([z.number(), z.number()]) }),
]);
const plantedSchema = z.object({
  title: z.string(),
  names: z.array(z.tuple([z.string(), z.string()])),
  faults: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      edits: z.array(editSchema),
      passages: z.array(z.string()),
      explanation: z.string(),
    }),
  ),
});

const { values } = parseArgs({ options: { novel: { type: "string" }, out: { type: "string", default: "." } } });
if (values.novel === undefined) throw new Error("Give the novel: --novel FILE.epub");
const data = await readFile(join(import.meta.dirname, "data", "planted-novel.json"), "utf8");
const { title, names, faults } = plantedSchema.parse(JSON.parse(data));
const { chapters } = await readBook(values.novel);
const renamed = (text: string) =>
  names.reduce((changed, [from, to]) => changed.replaceAll(new RegExp(`\\b${from}\\b`, "g"), to), text);
const texts = new Map(chapters.map(({ index, text }) => [index, renamed(text)]));
const change = (chapter: number, from: string, to: string) => {
  const text = texts.get(chapter)!;
  if (!text.includes(from)) throw new Error(`chapter ${chapter} has no "${from}": is it the right edition?`);
  texts.set(chapter, text.replaceAll(from, to));
};
for (const edit of faults.flatMap(({ edits }) => edits)) {
  if ("swap" in edit) {
    const [first, second] = edit.swap.map((chapter) => texts.get(chapter)!);
    texts.set(edit.swap[0], second!).set(edit.swap[1], first!);
  } else if ("find" in edit) change(edit.chapter, edit.find, edit.replace);
  else if ("insert" in edit) change(edit.chapter, edit.after, edit.after + edit.insert);
  else {
    const paragraphs = texts.get(edit.copyFrom)!.split("\n\n");
    const copied = paragraphs.find((paragraph) => paragraph.startsWith(edit.startsWith))!;
    change(edit.chapter, edit.after, `${edit.after}\n\n${copied}`);
  }
}
const body = [...texts].map(([index, text]) => `## Chapter ${index}\n\n${text}`).join("\n\n");
await writeFile(join(values.out, "planted-novel.md"), `# ${title}\n\n${body}\n`);
const key = faults.map(({ id, kind, passages, explanation }) => ({ id, kind, passages, explanation }));
await writeFile(join(values.out, "planted-novel.key.json"), `${JSON.stringify(key, null, 1)}\n`);

/**
 * The offline letters of novels, to be read line by line.
 *
 *   npx tsx evals/letters.ts FOLDER novel.epub novel.txt …
 *
 * Writes one Markdown file a novel into FOLDER: the letter, and the people it was written about. Prints how many findings of
 * each kind the letters hold.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { evaluationView } from "../src/report/evaluation-view.ts";
import { markdownReport } from "../src/report/markdown-report.ts";
import { evaluateWithJury } from "../src/tasks/books/evaluate-book.ts";
import { readBook } from "../src/text/read-book.ts";

const [folder, ...files] = process.argv.slice(2);
if (!folder || files.length === 0) throw new Error("Usage: npx tsx evals/letters.ts FOLDER FILE…");
await mkdir(folder, { recursive: true });

const kinds = new Map<string, number>();
for (const file of files) {
  const evaluation = await evaluateWithJury(await readBook(file));
  const [letter = ""] = markdownReport(evaluationView(evaluation)).split("## The manuscript map");
  const people = (evaluation.map?.characters ?? []).map(
    ({ name, mentions, aliases }) => `- ${name}, named ${mentions} times: ${aliases.join(", ")}`,
  );
  const out = join(folder, `${basename(file, extname(file))}.md`);
  await writeFile(out, [letter, "## People", "", ...people, ""].join("\n"));
  const findings = evaluation.letter?.findings ?? [];
  for (const { kind } of findings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  console.log(`${out}: ${evaluation.book.words} words, ${findings.length} findings`);
}
console.log([...kinds].map(([kind, count]) => `${kind} ${count}`).join(", "));

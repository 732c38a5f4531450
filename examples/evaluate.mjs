// Evaluates a book with the embedded jury (no key, no network) and writes a report.
//   node evaluate.mjs [BOOK]
import { writeFile } from "node:fs/promises";
import { evaluateBook, isScored, renderReport } from "fabula";

const book = process.argv[2] ?? "node_modules/fabula/assets/examples/the-inspector-of-weights.md";
const evaluation = await evaluateBook(book);
for (const { id, speaker, overall, scale } of evaluation.jury?.jurors ?? []) {
  const score = isScored(overall) ? `${overall.score.toFixed(1)} of ${scale.maximum}` : `unscored: ${overall.reason}`;
  console.log(`${id} (${speaker}): ${score}`);
}
await writeFile("report.html", await renderReport(evaluation, "html"));
console.log("The report is in report.html.");

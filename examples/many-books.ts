// Evaluates many books one after another and ranks them; one that cannot be read does not stop the others.
import { type BookInput, evaluateBooks, isScored } from "fabula";

const stories = "node_modules/fabula/assets/examples";
const books: BookInput[] = [`${stories}/the-inspector-of-weights.md`, `${stories}/outline.md`, "not-there.epub"];
const ranked: { title: string; score: number }[] = [];
for await (const book of evaluateBooks(books, { judge: "crowd" })) {
  if (book.kind === "failed") {
    console.error("not read:", book.error instanceof Error ? book.error.message : book.error);
    continue;
  }
  const { overall, book: about } = book.evaluation;
  if (isScored(overall)) ranked.push({ title: about.title, score: overall.score });
  else console.error("unscored:", about.title, overall.reason);
}
ranked.sort((left, right) => right.score - left.score);
for (const { title, score } of ranked) console.log(score.toFixed(1), title);

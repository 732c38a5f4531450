import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isScored } from "../../src/core/verdict.ts";
import { type Grader, loadGrader } from "../../src/jury/grader.ts";
import { readBook } from "../../src/text/read-book.ts";
import { defineEval } from "../part.ts";

const PIECES = [400, 1000, 5000];
const BOOKS = 20;

/** Cuts a text after every so many words, wherever that falls, and leaves out a last piece too short to count. */
function cut(text: string, words: number): string[] {
  const pieces: string[] = [];
  const word = /\S+\s*/g;
  let start = 0;
  let count = 0;
  while (word.exec(text) !== null) {
    count++;
    if (count < words) continue;
    pieces.push(text.slice(start, word.lastIndex));
    start = word.lastIndex;
    count = 0;
  }
  if (count > words / 2) pieces.push(text.slice(start));
  return pieces;
}

function meanScore(judge: Grader, pieces: readonly string[]): number {
  let sum = 0;
  let words = 0;
  for (const piece of pieces) {
    const verdicts = judge.score(piece);
    if (!isScored(verdicts.overall)) continue;
    sum += verdicts.overall.score * verdicts.words;
    words += verdicts.words;
  }
  return sum / words;
}

export default defineEval({
  id: "grader-length",
  title: "The embedded grader does not judge by length",
  data: { novels: "folder of novels as EPUB" },
  async run({ novels }, onProgress) {
    const judge = await loadGrader();
    const files = (await readdir(novels)).filter((name) => name.endsWith(".epub")).sort();
    const step = Math.max(1, Math.floor(files.length / BOOKS));
    const chosen = files.filter((_, position) => position % step === 0).slice(0, BOOKS);
    const spreads: number[] = [];
    for (const [done, file] of chosen.entries()) {
      onProgress({ stage: "Cutting novels", done, total: chosen.length, note: file });
      const text = (await readBook(join(novels, file))).chapters.map((chapter) => chapter.text).join("\n\n");
      const scores = [...PIECES.map((words) => meanScore(judge, cut(text, words))), meanScore(judge, [text])];
      spreads.push(Math.max(...scores) - Math.min(...scores));
    }
    const name = "a novel's overall score cut into pieces of 400, 1,000 and 5,000 words and whole, in points of 20";
    return [
      {
        id: "length-largest-move",
        name: `Largest move of ${name}`,
        value: Math.max(...spreads),
        interval: null,
        n: spreads.length,
        better: "lower",
        compare: { name: "limit", value: 0.5 },
      },
      {
        id: "length-mean-move",
        name: `Mean move of ${name}`,
        value: spreads.reduce((sum, spread) => sum + spread, 0) / spreads.length,
        interval: null,
        n: spreads.length,
        better: "lower",
      },
    ];
  },
});

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isScored } from "../src/core/verdict.ts";
import { JUROR_IDS } from "../src/jury/juror.ts";
import { loadJury } from "../src/jury/jury.ts";
import { readBook } from "../src/text/read-book.ts";
import { updateCard } from "../training/jury/save-juror.ts";

/** Whether a juror judges by length: novels cut into pieces and whole. `npx tsx evals/jury-length.ts --novels FOLDER [--books 5] [--write]`. */
const PIECES = [400, 1000, 5000];
const { values } = parseArgs({
  options: { novels: { type: "string" }, books: { type: "string" }, write: { type: "boolean" } },
});
if (values.novels === undefined)
  throw new Error("Give a folder of novels: npx tsx evals/jury-length.ts --novels FOLDER");
const files = (await readdir(values.novels)).filter((name) => name.endsWith(".epub")).sort();
const step = Math.max(1, Math.floor(files.length / Number(values.books ?? 5)));
const jury = await loadJury();
const moves = new Map(JUROR_IDS.map((juror) => [juror, [] as number[]]));
for (const file of files.filter((_, place) => place % step === 0)) {
  const { chapters } = await readBook(join(values.novels, file));
  const words = chapters
    .map(({ text }) => text)
    .join("\n\n")
    .split(/(?<=\s)(?=\S)/);
  const cut = (size: number) =>
    Array.from({ length: Math.floor(words.length / size) }, (_, at) =>
      words.slice(at * size, (at + 1) * size).join(""),
    );
  const scores = new Map(JUROR_IDS.map((juror) => [juror, [] as number[]]));
  for (const pieces of [...PIECES.map(cut), [words.join("")]]) {
    const opinions = pieces.map((piece) => jury.judge([jury.prepare(piece)]));
    for (const juror of JUROR_IDS) {
      const own = opinions.flatMap((all) => (isScored(all[juror].overall) ? [all[juror].overall.score] : []));
      scores.get(juror)!.push(own.reduce((sum, score) => sum + score, 0) / own.length);
    }
  }
  for (const juror of JUROR_IDS) {
    const { minimum, maximum } = jury.jurors[juror].scale;
    const own = scores.get(juror)!;
    moves.get(juror)!.push((100 * (Math.max(...own) - Math.min(...own))) / (maximum - minimum));
  }
}
for (const [juror, own] of moves) {
  const mean = own.reduce((sum, move) => sum + move, 0) / own.length;
  const line = `Cutting a novel into pieces of 400, 1,000 or 5,000 words, or judging it whole, moves its score by at most ${Math.max(...own).toFixed(1)}% of the scale over ${own.length} novels, ${mean.toFixed(1)}% on average.`;
  console.log(`${juror}: ${line}`);
  if (values.write && juror !== "grader") await updateCard(join("assets", "models", juror), "length", line);
}

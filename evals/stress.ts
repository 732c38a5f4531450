import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Verdict } from "../src/core/verdict.ts";
import { DAMAGES } from "../src/judge/stress/damages.ts";
import { type StressVerdict, stressBook } from "../src/judge/stress/stress-test.ts";
import { JUROR_IDS, type JurorId } from "../src/jury/juror.ts";
import { loadJury } from "../src/jury/jury.ts";
import type { Book } from "../src/text/book.ts";
import { readBook } from "../src/text/read-book.ts";
import { STRESS_TOLERANCE, type StressedBook, summarise } from "../src/workflows/trust/stress-books.ts";
import { updateCard } from "../training/jury/card.ts";

/**
 * How the three jurors react to damage: `npx tsx evals/stress.ts --novels FOLDER [--books 12] [--write]`. The shortest
 * novels of the folder are taken, so that it ends soon. With `--write`, each juror's table goes on its card.
 */
const { values } = parseArgs({
  options: { novels: { type: "string" }, books: { type: "string" }, write: { type: "boolean" } },
});
if (values.novels === undefined) throw new Error("Give a folder of novels: npx tsx evals/stress.ts --novels FOLDER");
const { novels } = values;
const files = (await readdir(novels)).filter((name) => name.endsWith(".epub")).sort();
const sizes = new Map(
  await Promise.all(files.map(async (name) => [name, (await stat(join(novels, name))).size] as const)),
);
const chosen = [...files]
  .sort((left, right) => sizes.get(left)! - sizes.get(right)!)
  .slice(0, Number(values.books ?? 12));

const jury = await loadJury();
const read = await Promise.all(chosen.map((name) => readBook(join(novels, name))));
const books: StressedBook[] = [];
for (const [place, book] of read.entries()) {
  process.stderr.write(`${book.title}\n`);
  const rows = await stressBook(book, {
    judge: async (version) => verdictsOf(version),
    damages: DAMAGES,
    seed: 1,
    strength: 1,
    donor: read[(place + 1) % read.length]!,
    tolerance: (juror) => {
      const { scale } = jury.jurors[juror as JurorId];
      return STRESS_TOLERANCE * (scale.maximum - scale.minimum);
    },
    signal: new AbortController().signal,
  });
  books.push({ file: chosen[place]!, title: book.title, rows });
}

const summary = summarise(books);
for (const juror of JUROR_IDS) {
  const table = [
    `| ${books.length} novels, damaged at full strength | mean move | right | no reaction | wrong way |`,
    "| --- | --- | --- | --- | --- |",
    ...summary
      .filter(({ aspect }) => aspect === juror)
      .map(({ name, harmless, counts, meanMove }) => {
        const move = meanMove === null ? "unscored" : meanMove.toFixed(2);
        return `| ${name}${harmless ? " (harmless)" : ""} | ${move} | ${counts.right} | ${counts.blind} | ${counts.wrong} |`;
      }),
  ].join("\n");
  console.log(`\n${juror}\n${table}`);
  // The grader's card stands with its weights.
  if (values.write) await updateCard(join("assets", "models", juror === "grader" ? "pocket" : juror), "stress", table);
}

function verdictsOf({ chapters }: Book): StressVerdict {
  const opinions = jury.judge(chapters.map(({ text }) => jury.prepare(text)));
  const by = <T>(value: (juror: JurorId) => T) => Object.fromEntries(JUROR_IDS.map((juror) => [juror, value(juror)]));
  return {
    aspects: by<Verdict>((juror) => opinions[juror].overall),
    pieces: by((juror) => opinions[juror].chapters),
  };
}

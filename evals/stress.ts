import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isScored, type Verdict } from "../src/core/verdict.ts";
import { DAMAGES } from "../src/judge/stress/damages.ts";
import { type StressVerdict, stressBook } from "../src/judge/stress/stress-test.ts";
import { JUROR_IDS, type JurorId } from "../src/jury/juror.ts";
import { loadJury } from "../src/jury/jury.ts";
import type { PreparedText } from "../src/jury/prepare-text.ts";
import { STRESS_NOISE } from "../src/tasks/trust/score-differences.ts";
import { type StressedBook, summarise } from "../src/tasks/trust/stress-books.ts";
import type { Book } from "../src/text/book.ts";
import { readBook } from "../src/text/read-book.ts";
import { updateCard } from "../training/jury/save-juror.ts";

/**
 * How the three jurors react to damage: `npx tsx evals/stress.ts --novels FOLDER [--books 12] [--write]`. It takes the shortest
 * novels of the folder, to save time: every other one measures the jurors' noise, the rest are damaged. With `--write`, each juror's
 * table goes on its card. It fails when a juror rates a scrambled novel above the novel, when more novels than are known move the
 * wrong way under other damage, and when the noise that the product uses is not the one measured.
 */
const FEWEST_CHAPTERS = 4;
/** How many novels a damage is known to move the wrong way; the cards say so. */
const KNOWN_WRONG: Readonly<Partial<Record<JurorId, Readonly<Record<string, number>>>>> = {
  editor: { "no-dialogue": 4 },
  grader: { paragraphs: 1, spliced: 2 },
};
const { values } = parseArgs({
  options: { novels: { type: "string" }, books: { type: "string" }, write: { type: "boolean" } },
});
if (values.novels === undefined) throw new Error("Give a folder of novels: npx tsx evals/stress.ts --novels FOLDER");
const wanted = Number(values.books ?? 12);
const jury = await loadJury();
const { calibration, tested } = await chooseNovels(values.novels);

const halves = calibration.map(({ chapters }) => {
  const prepared = chapters.map(({ text }) => jury.prepare(text));
  return [0, 1].map((rest) => scoresOf(prepared.filter((_, place) => place % 2 === rest)));
});
const noiseOf = (juror: JurorId) =>
  Math.max(
    ...halves.flatMap(([odd, even]) => {
      const [left, right] = [odd![juror], even![juror]];
      // A half without a score shows nothing of the noise.
      return left === undefined || right === undefined ? [] : Math.abs(left - right);
    }),
  );

const books: StressedBook[] = [];
for (const [place, book] of tested.entries()) {
  process.stderr.write(`${book.title}\n`);
  const rows = await stressBook(book, {
    judge: async (version) => verdictsOf(version),
    damages: DAMAGES,
    seed: 1,
    strength: 1,
    donor: tested[(place + 1) % tested.length]!,
    noise: (juror) => noiseOf(juror as JurorId),
    signal: new AbortController().signal,
  });
  books.push({ file: book.title, title: book.title, rows });
}

const summary = summarise(books);
const faults: string[] = [];
for (const juror of JUROR_IDS) {
  const noise = noiseOf(juror);
  const table = [
    `Noise: ±${noise.toFixed(2)} points, the most by which the scores of the odd and the even chapters of one novel differ, over ${calibration.length} novels. Damage was done to ${books.length} other novels.`,
    "",
    `| ${books.length} novels, damaged at full strength | mean move | furthest up | right | no reaction | wrong way |`,
    "| --- | --- | --- | --- | --- | --- |",
    ...summary
      .filter(({ aspect }) => aspect === juror)
      .map(({ damage, name, harmless, counts, meanMove }) => {
        const moves = movesOf(damage, juror);
        const move = meanMove === null ? "unscored" : meanMove.toFixed(2);
        const furthest = moves.length === 0 ? "unscored" : Math.max(...moves).toFixed(2);
        return `| ${name}${harmless ? " (harmless)" : ""} | ${move} | ${furthest} | ${counts.right} | ${counts.blind} | ${counts.wrong} |`;
      }),
  ].join("\n");
  console.log(`\n${juror}\n${table}`);
  if (values.write) await updateCard(join("assets", "models", juror), "stress", table);
  const above = movesOf("sentences-in-book", juror).filter((move) => move > 0).length;
  if (above > 0) faults.push(`the ${juror} rates ${above} scrambled novels above the novel`);
  for (const { damage, name, aspect, counts } of summary) {
    if (aspect === juror && counts.wrong > (KNOWN_WRONG[juror]?.[damage] ?? 0))
      faults.push(`the ${juror} moves ${counts.wrong} novels the wrong way: ${name}`);
  }
  if (Math.abs(noise - STRESS_NOISE[juror]) > 0.011)
    faults.push(
      `the ${juror}'s noise is ${noise.toFixed(2)}, and src/tasks/trust/score-differences.ts has ${STRESS_NOISE[juror]}`,
    );
}
if (faults.length > 0) throw new Error(faults.join("; "));

function movesOf(damage: string, juror: JurorId): number[] {
  return books.flatMap(({ rows }) =>
    rows.flatMap((row) => (row.damage === damage && row.aspect === juror && row.move !== null ? [row.move] : [])),
  );
}

/** The shortest novels with enough chapters, taken in turn for the two purposes. */
async function chooseNovels(folder: string): Promise<{ calibration: Book[]; tested: Book[] }> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".epub")).sort();
  const sizes = new Map(
    await Promise.all(files.map(async (name) => [name, (await stat(join(folder, name))).size] as const)),
  );
  const chosen: Book[] = [];
  for (const name of files.sort((left, right) => sizes.get(left)! - sizes.get(right)!)) {
    if (chosen.length === 2 * wanted) break;
    const book = await readBook(join(folder, name));
    if (book.chapters.length >= FEWEST_CHAPTERS) chosen.push(book);
  }
  return {
    calibration: chosen.filter((_, place) => place % 2 === 0),
    tested: chosen.filter((_, place) => place % 2 === 1),
  };
}

function scoresOf(chapters: readonly PreparedText[]): Partial<Record<JurorId, number>> {
  const opinions = jury.judge(chapters);
  return Object.fromEntries(
    JUROR_IDS.flatMap((juror) => {
      const { overall } = opinions[juror];
      return isScored(overall) ? [[juror, overall.score] as const] : [];
    }),
  );
}

function verdictsOf({ chapters }: Book): StressVerdict {
  const opinions = jury.judge(chapters.map(({ text }) => jury.prepare(text)));
  const by = <T>(value: (juror: JurorId) => T) => Object.fromEntries(JUROR_IDS.map((juror) => [juror, value(juror)]));
  return {
    aspects: by<Verdict>((juror) => opinions[juror].overall),
    parts: by((juror) => opinions[juror].chapters),
  };
}

/**
 * The reading corpus: files in every format and heading style, read by the built command, against what a reader would list.
 *
 *   npm run build && npx tsx evals/reading.ts [--epubs TABLE.tsv] [--keep FOLDER] [--list]
 *
 * The files are those of `test/support/reading-corpus.ts`: made in code, or typeset as PDF, each with the titles, first and last
 * sentences of its chapters, and files that must be refused by name. `--epubs` adds real ones from a table of counts (columns
 * file, title, author, chapter_files). The headline is "wrong in silence": read differently than a reader would, without a warning
 * and without saying that the chapters are a guess. Exits 1 where it is not 0. `--keep` writes the made files to a folder; `--list`
 * prints every file that was not read right.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { MadeBook } from "../test/support/made-books.ts";
import {
  answerSchema,
  type Judged,
  judge,
  readingCorpus,
  type Summary,
  type Verdict,
  wrong,
} from "../test/support/reading-corpus.ts";

const { values } = parseArgs({
  options: { epubs: { type: "string" }, keep: { type: "string" }, list: { type: "boolean", default: false } },
});

const AT_A_TIME = 40;

/** What the command says about each file: a summary, or the sentence it is refused with. */
function readByCommand(files: readonly string[]): Map<string, Summary | string> {
  const results = new Map<string, Summary | string>();
  for (let at = 0; at < files.length; at += AT_A_TIME) {
    const batch = files.slice(at, at + AT_A_TIME);
    const run = spawnSync(process.execPath, ["dist/cli/main.js", "read", "--json", ...batch], {
      encoding: "utf8",
      maxBuffer: 1e9,
    });
    const answer = run.stdout.trim() === "" ? { books: [] } : JSON.parse(run.stdout);
    const { books, failed } = answerSchema.parse(answer);
    // Files with one name in a folder are compared as editions of one book; here each stands alone.
    for (const book of books) {
      results.set(book.file, { ...book, warnings: book.warnings.filter((warning) => !/ differ: /.test(warning)) });
    }
    for (const { file, reason } of failed) results.set(file, reason);
    // Where nothing could be read, the command says so on its other stream, a line to a file.
    if (batch.some((file) => !results.has(file))) {
      for (const file of batch) {
        const line = run.stderr.split("\n").find((candidate) => candidate.includes(file));
        if (!results.has(file)) results.set(file, line?.trim() ?? `no answer: ${run.stderr.slice(0, 200)}`);
      }
    }
  }
  return results;
}

const counts: Record<Verdict, number> = {
  ...{ right: 0, "refused by name": 0, "wrong, and said so": 0, "WRONG IN SILENCE": 0 },
};

function note(file: string, { verdict, what }: Judged): void {
  counts[verdict]++;
  const isShown = verdict === "WRONG IN SILENCE" || (values.list && verdict === "wrong, and said so");
  if (isShown) console.log(`${verdict}  ${file}: ${what}`);
}

interface ReadLibrary {
  readBook(path: string): Promise<{ chapters: readonly { text: string }[] }>;
}

async function checkMade(folder: string, books: readonly MadeBook[]): Promise<void> {
  for (const { file, bytes } of books) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), bytes);
  }
  const results = readByCommand(books.map(({ file }) => join(folder, file)));
  const { readBook }: ReadLibrary = await import(pathToFileURL(resolve("dist/index.js")).href);
  const typeset: { off: number; isRight: boolean }[] = [];
  for (const made of books) {
    const path = join(folder, made.file);
    const answer = results.get(path);
    const isRead = answer !== undefined && typeof answer !== "string";
    const { chapters } = isRead && made.refusal === undefined ? await readBook(path) : { chapters: [] };
    const judged = judge(
      made,
      answer,
      chapters.map(({ text }) => text),
    );
    note(made.file, judged);
    if (made.words !== undefined) {
      const off = isRead ? Math.abs(answer.words / made.words - 1) : 1;
      typeset.push({ off, isRight: judged.verdict === "right" });
    }
  }
  const right = typeset.filter(({ isRight }) => isRight).length;
  const most = Math.max(...typeset.map(({ off }) => off));
  console.log(`typeset PDFs: ${right} of ${typeset.length} right; words off by at most ${(100 * most).toFixed(2)} %`);
}

/** The table counts chapters and title pages of parts; 0 stands for stories and novels in one piece, which it does not count. */
function checkEpubs(table: string): void {
  const rows = readFileSync(table, "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))
    .filter(([, , , listed]) => listed !== "0");
  const files = rows.map(([file = ""]) => join(dirname(table), file));
  const results = readByCommand(files);
  for (const [index, [name = "", , , listed = ""]] of rows.entries()) {
    const result = results.get(files[index]!);
    if (!result || typeof result === "string") note(name, { verdict: "wrong, and said so", what: String(result) });
    else {
      const counted = result.chapters.filter(({ kind }) => kind === "chapter" || kind === "part").length;
      // The table counts files: where one file declares several chapters, a reader lists more.
      const { chapter = 0, part = 0, division = 0 } = result.pages;
      const isInOneFile = counted > Number(listed) && chapter + part + division === Number(listed);
      if (counted === Number(listed) || isInOneFile) note(name, { verdict: "right", what: "" });
      else note(name, wrong(result, `${counted} chapters and parts against ${listed}`));
    }
  }
}

const folder = values.keep ?? mkdtempSync(join(tmpdir(), "fabula-reading-"));
const made = readingCorpus();
await checkMade(folder, made);
if (values.epubs) checkEpubs(values.epubs);
if (!values.keep) rmSync(folder, { recursive: true });
const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
console.log(`wrong in silence: ${counts["WRONG IN SILENCE"]} of ${total} files`);
console.log(
  `read right: ${counts.right}, refused by name: ${counts["refused by name"]}, wrong and said so: ${counts["wrong, and said so"]}`,
);
process.exitCode = counts["WRONG IN SILENCE"] > 0 ? 1 : 0;

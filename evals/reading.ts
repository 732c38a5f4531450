/**
 * The reading corpus: files in every format and heading style, read by the built command, against what a reader would list.
 *
 *   npm run build && npx tsx evals/reading.ts [--epubs TABLE.tsv] [--keep FOLDER] [--list]
 *
 * The made files are written by `test/support/made-books.ts`: chapters with their titles, first and last sentences, and files that
 * must be refused by name. `--epubs` adds real ones from a table of counts (columns file, title, author, chapter_files). The headline
 * is "wrong in silence": read differently than a reader would, without a warning and without saying that the chapters are a guess.
 * Exits 1 where it is not 0. `--keep` writes the made files to a folder; `--list` prints every file that was not read right.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { headingKey } from "../src/text/chapters/titles.ts";
import { type MadeBook, madeBooks } from "../test/support/made-books.ts";

const { values } = parseArgs({
  options: { epubs: { type: "string" }, keep: { type: "string" }, list: { type: "boolean", default: false } },
});

const summarySchema = z.object({
  file: z.string(),
  chapters: z.array(z.object({ kind: z.string(), title: z.string().nullable() })),
  warnings: z.array(z.string()),
  pages: z.record(z.string(), z.number()).default({}),
  recognised: z.object({ certainty: z.string() }).optional(),
});
const answerSchema = z.object({
  books: z.array(summarySchema),
  failed: z.array(z.object({ file: z.string(), reason: z.string() })).default([]),
});
type Summary = z.infer<typeof summarySchema>;

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

type Verdict = "right" | "refused by name" | "wrong, and said so" | "WRONG IN SILENCE";
const counts: Record<Verdict, number> = {
  ...{ right: 0, "refused by name": 0, "wrong, and said so": 0, "WRONG IN SILENCE": 0 },
};

function note(file: string, verdict: Verdict, what: string): void {
  counts[verdict]++;
  const isShown = verdict === "WRONG IN SILENCE" || (values.list && verdict === "wrong, and said so");
  if (isShown) console.log(`${verdict}  ${file}: ${what}`);
}

function wrong(file: string, summary: Summary, what: string): void {
  const isSaid = summary.warnings.length > 0 || summary.recognised?.certainty === "guess";
  note(file, isSaid ? "wrong, and said so" : "WRONG IN SILENCE", what);
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
  for (const made of books) {
    const path = join(folder, made.file);
    const result = results.get(path);
    if (made.refusal !== undefined) {
      if (typeof result === "string" && result.includes(made.refusal)) note(made.file, "refused by name", "");
      else
        note(made.file, "WRONG IN SILENCE", typeof result === "string" ? `refused with “${result}”` : "read as a book");
      continue;
    }
    if (result === undefined || typeof result === "string") {
      note(made.file, "wrong, and said so", `refused: ${result}`);
      continue;
    }
    const found = result.chapters.filter(({ kind }) => kind !== "part").map(({ title }) => headingKey(title ?? ""));
    const wanted = made.chapters.map(({ title }) => headingKey(title ?? ""));
    if (found.join("|") !== wanted.join("|")) {
      wrong(
        made.file,
        result,
        `${found.length} chapters (${found.slice(0, 4).join(", ")}) where a reader lists ${wanted.length}`,
      );
      continue;
    }
    const { chapters } = await readBook(path);
    const at = made.chapters.findIndex(
      ({ first, last }, index) =>
        !headingKey(chapters[index]?.text ?? "").startsWith(headingKey(first)) ||
        !headingKey(chapters[index]?.text ?? "").endsWith(headingKey(last)),
    );
    if (at < 0) note(made.file, "right", "");
    else wrong(made.file, result, `chapter ${at + 1} begins or ends with other words`);
  }
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
    if (!result || typeof result === "string") note(name, "wrong, and said so", String(result));
    else {
      const counted = result.chapters.filter(({ kind }) => kind === "chapter" || kind === "part").length;
      // The table counts files: where one file declares several chapters, a reader lists more.
      const { chapter = 0, part = 0, division = 0 } = result.pages;
      const isInOneFile = counted > Number(listed) && chapter + part + division === Number(listed);
      if (counted === Number(listed) || isInOneFile) note(name, "right", "");
      else wrong(name, result, `${counted} chapters and parts against ${listed}`);
    }
  }
}

const folder = values.keep ?? mkdtempSync(join(tmpdir(), "fabula-reading-"));
const made = madeBooks();
await checkMade(folder, made);
if (values.epubs) checkEpubs(values.epubs);
if (!values.keep) rmSync(folder, { recursive: true });
const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
console.log(`wrong in silence: ${counts["WRONG IN SILENCE"]} of ${total} files`);
console.log(
  `read right: ${counts.right}, refused by name: ${counts["refused by name"]}, wrong and said so: ${counts["wrong, and said so"]}`,
);
process.exitCode = counts["WRONG IN SILENCE"] > 0 ? 1 : 0;

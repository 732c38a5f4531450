/**
 * How much processor time `fabula qa score` takes: one file, seven files, and fifty systems × 4,000 questions with the table as
 * HTML. Answers are made up from a seeded vocabulary; real ones can be given.
 *
 *   npx tsx benchmarks/question-table.ts [--in predictions.jsonl …]
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { randomInteger, seededRandom } from "../src/core/random.ts";

/** The program says at its end what it took of the processor: a busy machine changes that less than the time of day. */
const SAY_AT_EXIT = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write("\\ncpu " + (user + system) / 1e6);
})`;

const { values } = parseArgs({ options: { in: { type: "string", multiple: true, default: [] } } });
const command = fileURLToPath(new URL(join("..", "dist", "cli", "main.js"), import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "fabula-question-table-"));
const random = seededRandom(1);
const WORDS =
  "the a of to in his her mother father ship house letter king dies leaves marries finds loses town river night gold war brother sister friend doctor ran runs running happy happily old young because after before she he they was".split(
    " ",
  );
const sentence = (length: number) => Array.from({ length }, () => WORDS[randomInteger(random, WORDS.length)]).join(" ");
const questions = Array.from({ length: 4000 }, (_, at) => ({
  document_id: `book-${Math.floor(at / 28)}`,
  question: `${sentence(8)}?`,
  answers: [sentence(6), sentence(9)],
}));

try {
  const made = Array.from({ length: 50 }, (_, system) => {
    const path = join(folder, `system-${system}.jsonl`);
    const rows = questions.map((row) => ({
      ...row,
      model: `system-${system}`,
      prediction: sentence(4 + (system % 9)),
    }));
    writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    return path;
  });
  const real = values.in.length > 0 ? values.in : made;
  const table = join(folder, "table.html");
  report("one file", real.slice(0, 1), []);
  report(`${Math.min(7, real.length)} files`, real.slice(0, 7), []);
  report("50 systems × 4,000 questions, table as HTML", made, ["--out", table]);
  console.log(`the table is ${(statSync(table).size / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(name: string, files: readonly string[], more: readonly string[]): void {
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(SAY_AT_EXIT)}`,
      command,
      "qa",
      "score",
      ...files,
      ...more,
      "--json",
    ],
    { encoding: "utf8", maxBuffer: 1e9 },
  );
  const elapsed = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(stderr.slice(-500));
  const processor = Number(/cpu ([\d.]+)$/.exec(stderr)?.[1]);
  console.log(`${name}: ${processor.toFixed(2)} s of processor time, ${elapsed.toFixed(2)} s in all`);
}

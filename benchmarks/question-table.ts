/**
 * How much processor time `fabula qa score` takes: one file, seven files, and fifty systems × 4,000 questions with the table as
 * HTML; and how long the web app takes to compare these fifty systems, from opening the page to the table, every difference and the
 * first questions. Answers are made up from a seeded vocabulary; real ones can be given.
 *
 *   npx tsx benchmarks/question-table.ts [--in predictions.jsonl …] [--page]
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { QuestionResult } from "../src/api/questions.ts";
import { randomInteger, seededRandom } from "../src/core/random.ts";
import { serveFabula } from "../test/e2e/serve-fabula.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { openPage } from "../test/support/open-page.ts";

/** The program says at its end what it took of the processor: a busy machine changes that less than the time of day. */
const SAY_AT_EXIT = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write("\\ncpu " + (user + system) / 1e6);
})`;

const { values } = parseArgs({
  options: { in: { type: "string", multiple: true, default: [] }, page: { type: "boolean", default: false } },
});
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
  if (values.page) await inWebApp(made);
  else {
    const real = values.in.length > 0 ? values.in : made;
    const table = join(folder, "table.html");
    report("one file", real.slice(0, 1), []);
    report(`${Math.min(7, real.length)} files`, real.slice(0, 7), []);
    report("50 systems × 4,000 questions, table as HTML", made, ["--out", table]);
    console.log(`the table is ${(statSync(table).size / 1e6).toFixed(1)} MB`);
  }
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

/** The files are scored one by one as they are added; the comparison is made when somebody opens it. */
async function inWebApp(files: readonly string[]): Promise<void> {
  const server = await serveFabula(folder);
  const browser = await launchChromium();
  try {
    let path = "/api/questions";
    let run: QuestionResult | null = null;
    const adding = performance.now();
    for (const file of files) {
      const added = await server.upload(path, { name: `${file.split("/").at(-1)}`, content: readFileSync(file) });
      run = (await added.json()) as QuestionResult;
      path = `/api/questions/${run.id}/files`;
    }
    console.log(`50 files of 4,000 answers added and scored: ${seconds(adding)} s`);
    const open = await openPage(browser, `${server.url}/#/questions`);
    const [start, before] = [performance.now(), processorSeconds(server.pid)];
    const processorSince = () => (processorSeconds(server.pid) - before).toFixed(2);
    await open.page.goto(`${server.url}/#/questions/${run!.id}`);
    await open.page
      .getByRole("region", { name: "Differences between systems" })
      .last()
      .getByRole("row")
      .nth(49)
      .waitFor();
    const compared = `${seconds(start)} s, ${processorSince()} s of the server's processor time`;
    await open.page.locator(".question-list summary").first().waitFor();
    console.log(
      `50 systems × 4,000 questions compared in the web app: ${compared}; with the first questions ${seconds(start)} s, ${processorSince()} s`,
    );
    await open.close();
  } finally {
    await browser.close();
    await server.stop("SIGINT");
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(2);
}

/** Of a process and those that it started, also of those that have ended; only where there is /proc. */
function processorSeconds(pid: number): number {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)!.split(" ");
        const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
        const ended = Number(name) === pid ? endedUser! + endedSystem! : 0;
        return [{ pid: Number(name), parent: Number(fields[1]), ticks: user! + system! + ended }];
      } catch {
        return [];
      }
    });
  const own = stats.filter((one) => one.pid === pid || one.parent === pid);
  return own.reduce((sum, { ticks }) => sum + ticks, 0) / 100;
}

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assetPath } from "../../../core/assets.ts";
import { FabulaError } from "../../../core/errors.ts";
import { makeTemporaryFolder, writeWholeFile } from "../../../core/files.ts";
import { differencesInWords, type EvaluationSettings } from "../../../judge/settings.ts";
import { evaluationView } from "../../../report/evaluation-view.ts";
import { htmlReport } from "../../../report/html-report.ts";
import { terminalReport } from "../../../report/terminal-report.ts";
import { evaluateTask } from "../../../tasks/books/evaluate.ts";
import { evaluateBook } from "../../../tasks/books/evaluate-book.ts";
import type { EvaluatedBook } from "../../../tasks/books/evaluate-books.ts";
import { hasGaps, parseLimits } from "../../../tasks/books/quality-gate.ts";
import { readEvaluations, savedSettings } from "../../../tasks/books/read-evaluations.ts";
import { tableEnding } from "../../../tasks/tables.ts";
import { type FoundBooks, findBooks } from "../../../text/files/find-books.ts";
import { readStream } from "../../../text/files/read-file.ts";
import { defineCommand, type Flags, type FlagValues } from "../../command.ts";
import { evaluationOutput, type Gate, openGate } from "../../output/evaluation-output.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showFreePlan, showPlan } from "../../output/show-plan.ts";
import { checkedEnding, jsonDocument } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

/** Flags of `evaluate` for unattended use: limits that fail a build, and how failures are reported. */
const AUTOMATION_FLAGS = {
  "fail-below": {
    type: "string",
    group: "In scripts",
    value: "NAME=N",
    repeats: true,
    help: "exit 1 when a figure is below this (for a score, its whole range): overall, an aspect, or crowd, editor, grader; several with commas",
  },
  "fail-above": {
    type: "string",
    group: "In scripts",
    value: "NAME=N",
    repeats: true,
    help: "exit 1 when a figure is above this, such as edits-per-1000-words=40",
  },
  baseline: {
    type: "string",
    group: "In scripts",
    value: "FILE",
    help: "exit 1 when a score is worse than in this earlier evaluation by more than the judge's error",
  },
  strict: {
    type: "boolean",
    group: "In scripts",
    help: "with --fail-below, --fail-above and --baseline: compare scores directly, even where the judge's error is larger than the distance",
  },
  "fail-on-injection": {
    type: "boolean",
    group: "In scripts",
    help: "exit 1 when a passage of the book addresses the judge: its scores may be manipulated",
  },
  "require-calibration": {
    type: "boolean",
    group: "In scripts",
    help: "exit 1 when a score is not on people's scale (--calibration), or the calibration's pinned texts do not show that the judge is still the same",
  },
  tolerate: {
    type: "string",
    group: "In scripts",
    value: "SHARE",
    help: "exit 0 even if up to this share is unscored, such as 2% (on average over the books) [0%]",
  },
  junit: { type: "string", group: "In scripts", value: "FILE", help: "write every check as JUnit XML" },
  quiet: { type: "boolean", group: "In scripts", help: "print nothing but failures" },
} as const satisfies Flags;

type AutomationFlags = FlagValues<typeof AUTOMATION_FLAGS>;

async function gateOf(flags: AutomationFlags): Promise<Gate> {
  return openGate({
    limits: [...parseLimits(flags["fail-below"], "below"), ...parseLimits(flags["fail-above"], "above")],
    baseline: flags.baseline === undefined ? [] : await readEvaluations(flags.baseline),
    failOnInjection: flags["fail-on-injection"],
    requireCalibration: flags["require-calibration"],
    strict: flags.strict,
    junit: flags.junit,
  });
}

/** `2%` or `0.02` → 0.02. */
function toleratedShare(given: string | undefined): number {
  if (given === undefined) return 0;
  const [, number, percent] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(given) ?? [];
  const share = Number(number) / (percent === "%" ? 100 : 1);
  if (number !== undefined && share <= 1) return share;
  throw new FabulaError("E_USAGE", `--tolerate ${given} is not a share: give one from 0% to 100%, such as 2%.`);
}

export const evaluateCommand = taskCommand(evaluateTask, {
  flags: {
    out: {
      type: "string",
      value: "FILE",
      help: "write the report: .html, .md, .json, or .docx for the manuscript with comments; for several books a folder/; .csv, .jsonl or .parquet for any number",
    },
    ...AUTOMATION_FLAGS,
  },
  rules: [
    {
      flags: ["detach"],
      when: ({ against }) => against !== undefined,
      sentence: "--against compares two drafts in this process: leave --detach out.",
    },
  ],
  common: ["judge", "out", "aspects", "against", "as", "panel", "method", "runs", "max-cost", "dry-run"],
  shares: true,
  examples: [
    "fabula evaluate novel.epub --out report.html",
    "fabula evaluate novel.docx --out notes.docx",
    "fabula evaluate drafts/*.md --json",
    "fabula evaluate chapter.md --judge editor",
    "fabula evaluate novel.epub --aspects plot,characters",
    "fabula evaluate novel.epub --judge openai:gpt-4.1 --method aggregate --max-cost 5",
    "fabula evaluate novel.epub --judge openai:gpt-4o --preset paper --prompts published-prompts/",
    "fabula evaluate draft-2.docx --against draft-1.docx",
    "fabula evaluate draft-2.docx --judge openai:gpt-4.1 --against RUN",
    "fabula evaluate plan.md --outline --panel openai:gpt-4.1,anthropic:claude-sonnet-4-5 --dry-run",
    "fabula evaluate novel.epub --as ada --out report.html",
    "fabula evaluate novel.epub --like earlier.json",
    "fabula evaluate novel.epub --judge openai:gpt-4.1 --method summary --runs 3 --calibration people.json",
    "fabula evaluate --in books.jsonl --judge ollama:llama3.1 --out evaluations.jsonl",
    "fabula evaluate drafts/*.md --out scores.csv",
    "fabula evaluate submissions/*.docx --judge openai:gpt-4.1 --mask-injection --fail-on-injection",
    "fabula evaluate draft.md --fail-below editor=5 --fail-above edits-per-1000-words=40 --quiet --junit checks.xml",
  ],
  async begin({ input, flags, terminal: loud }) {
    const terminal = flags.quiet ? { ...loud, progress: () => {} } : loud;
    const saved = input.like === undefined ? undefined : await savedSettings(input.like);
    // On the command line, a book is always a path.
    const books = await bookOperands(input.books.map(String));
    checkOperands(books.files, input.in, flags.out);
    const isBatch = books.files.length + books.failed.length > 1;
    const gate = await gateOf(flags);
    const output = evaluationOutput(
      {
        files: [...books.files, ...books.failed.map(({ file }) => file)],
        out: flags.out,
        json: flags.json,
        several: isBatch || input.in !== undefined,
        quiet: flags.quiet,
        tolerated: toleratedShare(flags.tolerate),
        gate,
      },
      terminal,
    );
    for (const failed of books.failed) output.onFailed(failed);
    return {
      input: { ...input, books: [...books.files] },
      services: {
        onProgress: terminal.progress,
        async onItem(item) {
          const book = item as EvaluatedBook;
          if (book.kind === "evaluated") {
            if (saved) terminal.note(againInWords(saved, book.evaluation.settings));
            await output.show(book.evaluation);
          } else if (isBatch) output.onFailed(book.failed);
          else throw book.error;
        },
      },
      async finish({ plan, plannedWork, run, isQueued, pinned }) {
        for (const evaluation of pinned) gate.onPinned(evaluation);
        if (plan || isQueued) {
          const planned =
            plannedWork !== null
              ? showFreePlan(plannedWork, { ...flags, terminal })
              : plan
                ? showPlan(plan, flags.json, terminal)
                : 0;
          return output.listFailed() || planned;
        }
        if (run && !flags.quiet) terminal.note(runInWords(run));
        return output.finish();
      },
      async close() {
        await output.abandon();
        await books.close();
      },
    };
  },
});

function againInWords(saved: EvaluationSettings, settings: EvaluationSettings | undefined): string {
  if (settings?.hash === saved.hash) return `Judged with the same settings as before (${saved.hash}).`;
  return `Judged as before, except for: ${differencesInWords([saved, settings])}.`;
}

function checkOperands(operands: readonly string[], summaries: string | undefined, out: string | undefined): void {
  const wrong = (message: string) => new FabulaError("E_USAGE", message);
  if (operands.length === 0 && summaries === undefined)
    throw wrong("Give at least one book: `fabula evaluate novel.epub`.");
  if (!out || out.endsWith("/") || tableEnding(out) !== null) return;
  if (operands.length > 1 || summaries !== undefined) {
    throw wrong(
      "With several books, --out names a folder and ends in a slash (--out reports/) or is a .csv, .jsonl or .parquet file.",
    );
  }
  checkedEnding(out, ["html", "md", "json", "docx"]);
}

/**
 * The books that a command's arguments stand for, and a function that removes the copy of standard input afterwards.
 */
interface BookOperands extends FoundBooks {
  close(): Promise<void>;
}

/** A folder stands for the books in it; `-` is copied to a file, so that every method can read it more than once. */
async function bookOperands(operands: readonly string[]): Promise<BookOperands> {
  const { files, failed } = await findBooks(operands);
  const at = files.indexOf("-");
  if (at < 0) return { files, failed, close: async () => {} };
  const bytes = await readStream(process.stdin, "standard input");
  if (bytes.length === 0) throw new FabulaError("E_EMPTY", "Standard input is empty: there is nothing to read.");
  const folder = await makeTemporaryFolder("stdin");
  const copy = join(folder, "standard input");
  await writeFile(copy, bytes);
  return {
    files: files.map((file, index) => (index === at ? copy : file)),
    failed,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export const demoCommand = defineCommand({
  summary: "Evaluate the story that ships with Fabula and write a report: no key, no network, no cost.",
  operands: "",
  flags: {
    out: { type: "string", value: "FILE", default: "fabula-report.html", help: "where the HTML report goes" },
  },
  examples: ["fabula demo", "fabula demo --out try.html"],
  async run({ flags, terminal, signal }) {
    const story = assetPath("examples", "the-inspector-of-weights.md");
    const evaluation = await evaluateBook(story, { onProgress: terminal.progress, signal });
    terminal.endProgress();
    const view = evaluationView(evaluation);
    await writeWholeFile(flags.out, await htmlReport(view));
    if (flags.json) terminal.print(jsonDocument("demo", { report: flags.out, evaluations: [evaluation] }));
    else {
      terminal.print(terminalReport(view, { colours: terminal.colours, width: terminal.width }));
      terminal.print(`The report is in ${flags.out}: open it in a browser. Next: \`fabula evaluate YOUR-BOOK.epub\`.`);
    }
    return hasGaps(evaluation) ? 3 : 0;
  },
});

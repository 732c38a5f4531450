import { join } from "node:path";
import { openJsonLines } from "../../core/json-lines.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { evaluationView } from "../../report/evaluation-view.ts";
import { htmlReport } from "../../report/html-report.ts";
import { markdownReport } from "../../report/markdown-report.ts";
import { terminalReport } from "../../report/terminal-report.ts";
import { hasGaps } from "../../workflows/books/evaluate-book.ts";
import type { FailedBook } from "../../workflows/books/failed-book.ts";
import { writeNotesDocx } from "../../workflows/books/notes/write-notes-docx.ts";
import type { ExitCode } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { notesInWords } from "./notes-wording.ts";
import { reportNames } from "./report-names.ts";
import { writeReport } from "./write-report.ts";

export interface EvaluationOutput {
  show(evaluation: BookEvaluation): Promise<void>;
  /** Keeps a book that could not be judged, to be listed at the end. */
  onFailed(failed: FailedBook): void;
  /** All were shown; lists what failed, and gives the exit code. */
  finish(): Promise<ExitCode>;
  /** Not everything was judged: a JSONL file is not written rather than left incomplete. */
  abandon(): Promise<void>;
  /** Lists what failed, and gives the exit code for it. */
  listFailed(): ExitCode;
}

interface OutputOptions {
  /** The books, where they are named one by one. */
  readonly files: readonly string[];
  readonly out: string | undefined;
  readonly json: boolean;
  readonly several: boolean;
}

/** Where evaluations go: each is printed and written as soon as it is ready; only a single JSON document waits for all. */
export function evaluationOutput({ files, out, json, several }: OutputOptions, terminal: Terminal): EvaluationOutput {
  const lines = out?.endsWith(".jsonl") ? openJsonLines(out) : null;
  const nameOf = reportNames(files);
  const evaluations: BookEvaluation[] = [];
  const reasons = new Map<string, string>();
  const failedBooks = () => files.flatMap((file) => (reasons.has(file) ? [{ file, reason: reasons.get(file)! }] : []));
  let anyGaps = false;
  const listFailed = (): ExitCode => {
    const failed = failedBooks();
    if (failed.length === 0) return 0;
    terminal.note(`${failed.length} of ${files.length} books could not be judged:`);
    for (const { file, reason } of failed) terminal.note(`  ${file}: ${reason}`);
    return failed.length < files.length ? 3 : 1;
  };
  return {
    async show(evaluation) {
      terminal.endProgress();
      anyGaps ||= hasGaps(evaluation);
      if (json) evaluations.push(evaluation);
      await lines?.write(evaluation);
      const view = evaluationView(evaluation);
      if (!json) terminal.print(terminalReport(view, { colours: terminal.colours, width: terminal.width }));
      if (!out || lines) return;
      const path = out.endsWith("/") ? join(out, `${nameOf(evaluation.book.file)}.html`) : out;
      if (path.toLowerCase().endsWith(".docx")) {
        terminal.note(notesInWords(await writeNotesDocx(evaluation, path), path));
        return;
      }
      await writeReport(path, {
        html: () => htmlReport(view),
        md: () => markdownReport(view),
        json: () => asJson(evaluation),
      });
      if (!json) terminal.note(`The report is in ${path}.`);
    },
    onFailed: ({ file, reason }) => reasons.set(file, reason),
    async finish() {
      await lines?.finish();
      const failed = failedBooks();
      if (json)
        terminal.print(asJson(several ? { evaluations, ...(failed.length > 0 && { failed }) } : evaluations[0]));
      return listFailed() || (anyGaps ? 3 : 0);
    },
    abandon: async () => lines?.abandon(),
    listFailed,
  };
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

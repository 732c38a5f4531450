import { basename, extname, join } from "node:path";
import { openJsonLines } from "../core/json-lines.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { evaluationView } from "../report/evaluation-view.ts";
import { htmlReport } from "../report/html-report.ts";
import { markdownReport } from "../report/markdown-report.ts";
import { terminalReport } from "../report/terminal-report.ts";
import { hasGaps } from "../workflows/books/evaluate-book.ts";
import type { Terminal } from "./terminal.ts";
import { writeReport } from "./write-report.ts";

export interface EvaluationOutput {
  show(evaluation: BookEvaluation): Promise<void>;
  /** All were shown; gives the exit code. */
  finish(): Promise<0 | 3>;
  /** Nothing was judged, or not all: a file of lines is left away rather than left unfinished. */
  abandon(): Promise<void>;
}

/** Where evaluations go: each is printed and written when it comes, however many there are; only one JSON document waits for all. */
export function evaluationOutput(
  { out, json, several }: { readonly out: string | undefined; readonly json: boolean; readonly several: boolean },
  terminal: Terminal,
): EvaluationOutput {
  const lines = out?.endsWith(".jsonl") ? openJsonLines(out) : null;
  const evaluations: BookEvaluation[] = [];
  let anyGaps = false;
  return {
    async show(evaluation) {
      terminal.endProgress();
      anyGaps ||= hasGaps(evaluation);
      if (json) evaluations.push(evaluation);
      await lines?.write(evaluation);
      const view = evaluationView(evaluation);
      if (!json) terminal.print(terminalReport(view, { colours: terminal.colours, width: terminal.width }));
      if (!out || lines) return;
      const { file } = evaluation.book;
      const path = out.endsWith("/") ? join(out, `${basename(file, extname(file))}.html`) : out;
      await writeReport(path, {
        html: () => htmlReport(view),
        md: () => markdownReport(view),
        json: () => asJson(evaluation),
      });
      if (!json) terminal.note(`The report is in ${path}.`);
    },
    async finish() {
      await lines?.finish();
      if (json) terminal.print(asJson(several ? { evaluations } : evaluations[0]));
      return anyGaps ? 3 : 0;
    },
    abandon: async () => lines?.abandon(),
  };
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

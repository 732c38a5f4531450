import { basename, extname, join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { evaluationView } from "../../report/evaluation-view.ts";
import { htmlReport } from "../../report/html-report.ts";
import { markdownReport } from "../../report/markdown-report.ts";
import { terminalReport } from "../../report/terminal-report.ts";
import { evaluateBook, hasGaps } from "../../workflows/evaluate-book.ts";
import { defineCommand } from "../command.ts";
import { checkedEnding, writeReport } from "../write-report.ts";

export default defineCommand({
  summary: "Judges books aspect by aspect, with evidence; without a key or a network by default.",
  operands: "FILE...",
  flags: {
    judge: { type: "string", value: "NAME", default: "pocket", help: "who judges: pocket, or a language model" },
    aspects: {
      type: "string",
      value: "A,B",
      help: "only these aspects: plot, characters, writing, world, themes, emotion, enjoyment, expectation",
    },
    out: {
      type: "string",
      value: "FILE",
      help: "write the report: .html, .md or .json; with several books, a folder/",
    },
    title: { type: "string", value: "TEXT", help: "the book's title, over what the file says" },
    author: { type: "string", value: "NAME", help: "the author, over what the file says" },
    language: { type: "string", value: "CODE", help: "the language's two-letter code, over what the text shows" },
    seed: { type: "number", value: "N", default: 1, integer: true, help: "for the intervals" },
  },
  examples: [
    "fabula evaluate novel.epub --out report.html",
    "fabula evaluate drafts/*.md --json",
    "fabula evaluate novel.epub --aspects plot,characters",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0)
      throw new FabulaError("E_USAGE", "Give at least one book: `fabula evaluate novel.epub`.");
    if (flags.out && operands.length > 1 && !flags.out.endsWith("/")) {
      throw new FabulaError("E_USAGE", "With several books, --out names a folder and ends in a slash: --out reports/");
    }
    if (flags.out && !flags.out.endsWith("/")) checkedEnding(flags.out, ["html", "md", "json"]);
    const evaluations: BookEvaluation[] = [];
    for (const file of operands) {
      const evaluation = await evaluateBook(file, {
        judge: flags.judge,
        ...(flags.aspects ? { aspects: flags.aspects.split(",").map((aspect) => aspect.trim()) } : {}),
        metadata: {
          ...(flags.title && { title: flags.title }),
          ...(flags.author && { author: flags.author }),
          ...(flags.language && { language: flags.language }),
        },
        seed: flags.seed,
        onProgress: terminal.progress,
        signal,
      });
      terminal.endProgress();
      evaluations.push(evaluation);
      const view = evaluationView(evaluation);
      if (!flags.json) terminal.print(terminalReport(view, { colours: terminal.colours, width: terminal.width }));
      if (!flags.out) continue;
      const path = flags.out.endsWith("/") ? join(flags.out, `${basename(file, extname(file))}.html`) : flags.out;
      await writeReport(path, {
        html: () => htmlReport(view),
        md: () => markdownReport(view),
        json: () => document(evaluation),
      });
      if (!flags.json) terminal.note(`The report is in ${path}.`);
    }
    if (flags.json) terminal.print(document(evaluations.length === 1 ? evaluations[0] : { evaluations }));
    return evaluations.some(hasGaps) ? 3 : 0;
  },
});

function document(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

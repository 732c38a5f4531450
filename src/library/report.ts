import { FabulaError } from "../core/errors.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { notesDocx } from "../report/docx/notes-docx.ts";
import { evaluationView } from "../report/evaluation-view.ts";
import { htmlReport } from "../report/html-report.ts";
import { markdownReport } from "../report/markdown-report.ts";
import { terminalReport } from "../report/terminal-report.ts";
import { bytesOf, openBook } from "../tasks/books/open-book.ts";
import type { BookInput } from "../tasks/define/shared-fields.ts";

export type ReportForm = "html" | "markdown" | "text" | "json" | "docx";

/** A Word document is bytes; every other form is text. */
export type Rendered<Form extends ReportForm> = Form extends "docx" ? Uint8Array : string;

export interface ReportOptions {
  /** For `docx`: the manuscript to write the notes into. */
  readonly manuscript?: BookInput;
  /** For `text`: the maximum width of a line, and whether to use colours. */
  readonly width?: number;
  readonly colours?: boolean;
}

const WIDTH = 100;

/** An evaluation as a report: one HTML file, Markdown, plain text, JSON, or the manuscript with its notes as Word comments. */
export async function renderReport<Form extends ReportForm>(
  evaluation: BookEvaluation,
  form: Form,
  options: ReportOptions = {},
): Promise<Rendered<Form>> {
  return (await render(evaluation, form, options)) as Rendered<Form>;
}

async function render(
  evaluation: BookEvaluation,
  form: ReportForm,
  options: ReportOptions,
): Promise<string | Uint8Array> {
  switch (form) {
    case "html":
      return htmlReport(evaluationView(evaluation));
    case "markdown":
      return markdownReport(evaluationView(evaluation));
    case "text":
      return terminalReport(evaluationView(evaluation), {
        colours: options.colours ?? false,
        width: options.width ?? WIDTH,
      });
    case "json":
      return `${JSON.stringify(evaluation, null, 2)}\n`;
    case "docx":
      return withNotes(evaluation, options.manuscript);
    default:
      form satisfies never;
      throw new FabulaError("E_USAGE", `There is no report "${form}": choose html, markdown, text, json or docx.`);
  }
}

async function withNotes(evaluation: BookEvaluation, manuscript: BookInput | undefined): Promise<Uint8Array> {
  if (manuscript === undefined) {
    throw new FabulaError("E_USAGE", "A .docx with notes needs the manuscript: give it as `manuscript`.");
  }
  const book = await openBook(manuscript);
  const isFile = typeof manuscript === "string" || !("chapters" in manuscript);
  const own = isFile && book.source.format === "docx" ? await bytesOf(manuscript) : null;
  return notesDocx(evaluation, book, own).bytes;
}

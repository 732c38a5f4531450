import type { BookEvaluation } from "../../judge/evaluation.ts";
import { evaluationView } from "../../report/evaluation-view.ts";
import { htmlReport } from "../../report/html-report.ts";
import { markdownReport } from "../../report/markdown-report.ts";
import { printPdf } from "./print-pdf.ts";

export const EXPORT_FORMATS = ["html", "markdown", "json", "pdf", "docx"] as const;
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportedFile {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly extension: string;
}

export interface ExportServices {
  readonly findBrowser: () => string | null;
  /** The manuscript with its notes as comments. */
  readonly notesDocument: () => Promise<Uint8Array>;
}

/** A manuscript with its line notes as comments, for download. */
export async function exportedDocument(bytes: Promise<Uint8Array>): Promise<ExportedFile> {
  return { body: new Uint8Array(await bytes), type: DOCX, extension: "docx" };
}

/** A report for download, as `fabula evaluate --out` writes it. */
export async function exportEvaluation(
  evaluation: BookEvaluation,
  format: ExportFormat,
  { findBrowser, notesDocument }: ExportServices,
): Promise<ExportedFile> {
  const view = evaluationView(evaluation);
  switch (format) {
    case "html":
      return { body: htmlReport(view), type: "text/html; charset=utf-8", extension: "html" };
    case "markdown":
      return { body: markdownReport(view), type: "text/markdown; charset=utf-8", extension: "md" };
    case "json":
      return { body: `${JSON.stringify(evaluation, null, 2)}\n`, type: "application/json", extension: "json" };
    case "pdf":
      return { body: await printPdf(htmlReport(view), findBrowser()), type: "application/pdf", extension: "pdf" };
    case "docx":
      return exportedDocument(notesDocument());
    default:
      return format satisfies never;
  }
}

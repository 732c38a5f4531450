import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FabulaError } from "../../core/errors.ts";
import { makeTemporaryFolder } from "../../core/files.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { evaluationView } from "../../report/evaluation-view.ts";
import { htmlReport } from "../../report/html-report.ts";
import { type FindingMarks, markedLetter } from "../../report/letter/marked-letter.ts";
import { letterFile, markdownReport } from "../../report/markdown-report.ts";

const PATIENCE_MILLISECONDS = 60_000;

/**
 * Has an installed browser print a report to PDF: no shell, its own folder and browser profile, no network.
 * The page holds no scripts and forbids them.
 */
async function printPdf(html: string, browser: string | null): Promise<Uint8Array<ArrayBuffer>> {
  if (browser === null) {
    throw new FabulaError(
      "E_NO_BROWSER",
      "There is no Chromium or Chrome on this machine to make a PDF with: export HTML, open it and print it from your browser.",
    );
  }
  const folder = await makeTemporaryFolder("print");
  try {
    const [page, pdf] = [join(folder, "report.html"), join(folder, "report.pdf")];
    await writeFile(page, html, { mode: 0o600 });
    await run(browser, [
      "--headless=new",
      // The sandbox of Chromium does not work for the superuser, and a container often has no other user.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--no-first-run",
      "--disable-extensions",
      "--disable-background-networking",
      "--disable-dev-shm-usage",
      "--proxy-server=127.0.0.1:9",
      `--user-data-dir=${join(folder, "profile")}`,
      "--no-pdf-header-footer",
      `--print-to-pdf=${pdf}`,
      pathToFileURL(page).href,
    ]);
    return new Uint8Array(await readFile(pdf));
  } catch (cause) {
    throw new FabulaError(
      "E_PRINT",
      "The browser on this machine did not make a PDF: export HTML, open it and print it from your browser.",
      { cause },
    );
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function run(command: string, words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: "ignore", timeout: PATIENCE_MILLISECONDS, killSignal: "SIGKILL" });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`the browser ended with ${code}`))));
  });
}

export const LETTER_FORMATS = ["pdf", "html", "markdown"] as const;

/** The letter alone, with the writer's marks on its findings; the judgement and the counts are in the report. */
export async function exportLetter(
  evaluation: BookEvaluation,
  marks: FindingMarks,
  format: (typeof LETTER_FORMATS)[number],
  findBrowser: () => string | null,
): Promise<ExportedFile> {
  const view = evaluationView(evaluation);
  const letter = view.letter && markedLetter(view.letter, marks);
  if (!letter) throw new FabulaError("E_NOT_FOUND", "This reading has no letter: have the book read again.");
  if (format === "markdown")
    return { body: letterFile(view, letter), type: "text/markdown; charset=utf-8", extension: "md" };
  const html = await htmlReport({ ...view, letter }, "letter");
  return format === "html"
    ? { body: html, type: "text/html; charset=utf-8", extension: "html" }
    : { body: await printPdf(html, findBrowser()), type: "application/pdf", extension: "pdf" };
}

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
      return { body: await htmlReport(view), type: "text/html; charset=utf-8", extension: "html" };
    case "markdown":
      return { body: markdownReport(view), type: "text/markdown; charset=utf-8", extension: "md" };
    case "json":
      return { body: `${JSON.stringify(evaluation, null, 2)}\n`, type: "application/json", extension: "json" };
    case "pdf":
      return { body: await printPdf(await htmlReport(view), findBrowser()), type: "application/pdf", extension: "pdf" };
    case "docx":
      return exportedDocument(notesDocument());
    default:
      return format satisfies never;
  }
}

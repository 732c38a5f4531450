import { extname } from "node:path";
import type { SectionedReport } from "../../api/evaluations.ts";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files.ts";
import { asDocument, type DocumentKind } from "../../report/documents.ts";
import { reportHtml, reportMarkdown } from "../../report/report-forms.ts";
import type { Terminal } from "../terminal.ts";

/** The formats of a report, by file extension; each is generated only when requested. */
type ReportForms = Readonly<Record<string, () => string | Promise<string>>>;

/** Writes a report in the format of its file name. */
export async function writeReport(path: string, forms: ReportForms): Promise<void> {
  const form = forms[checkedEnding(path, Object.keys(forms))]!;
  await writeWholeFile(path, await form());
}

/** Refuses an `--out` that could not be written, before any work is done. */
export function checkedReport<Input>(input: Input, { out }: { readonly out: string | undefined }): Input {
  if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
  return input;
}

/** Writes a report made of sections to `--out`, if it is given. */
export async function writeSections(
  out: string | undefined,
  report: SectionedReport,
  { terminal, document }: { readonly terminal: Terminal; readonly document: () => string },
): Promise<void> {
  if (out === undefined) return;
  await writeReport(out, {
    html: () => reportHtml(report),
    md: () => reportMarkdown(report),
    json: () => `${document()}\n`,
  });
  terminal.note(`Wrote ${out}`);
}

/** The extension of a report's name, if it can be written; checked before the work, so that none is wasted. */
export function checkedEnding(path: string, endings: readonly string[]): string {
  const ending = extname(path).slice(1).toLowerCase();
  if (endings.includes(ending)) return ending;
  const known = endings.map((name) => `.${name}`);
  throw new FabulaError("E_USAGE", `--out ${path}: end the file's name with ${known.join(", ")}.`);
}

/** A document for other programs, as `--json` prints it. */
export function jsonDocument(kind: DocumentKind, body: object): string {
  return JSON.stringify(asDocument(kind, body), null, 2);
}

import type { Format } from "./format.ts";

export interface FormatEntry {
  readonly name: string;
  readonly extensions: readonly string[];
  /** Formats load when a file needs them, so that a plain text does not pay for a PDF reader. */
  load(): Promise<{ format: Format }>;
}

/** Every format Fabula reads, one line each. */
export const FORMATS: readonly FormatEntry[] = [
  { name: "text", extensions: ["txt", "text", ""], load: () => import("./plain-text/plain-text.ts") },
  { name: "markdown", extensions: ["md", "markdown", "mdown"], load: () => import("./markdown.ts") },
  { name: "html", extensions: ["html", "htm", "xhtml"], load: () => import("./html.ts") },
  { name: "epub", extensions: ["epub"], load: () => import("./epub/epub.ts") },
  { name: "docx", extensions: ["docx"], load: () => import("./docx/docx.ts") },
  { name: "novelwriter", extensions: ["nwd"], load: () => import("./novel-writer.ts") },
  { name: "odt", extensions: ["odt", "ott"], load: () => import("./odt.ts") },
  { name: "rtf", extensions: ["rtf"], load: () => import("./rtf.ts") },
  { name: "fb2", extensions: ["fb2", "fbz"], load: () => import("./fb2.ts") },
  { name: "mobi", extensions: ["mobi", "azw", "azw3", "prc"], load: () => import("./mobi.ts") },
  { name: "pdf", extensions: ["pdf"], load: () => import("./pdf.ts") },
  { name: "json", extensions: ["json"], load: () => import("./long-story-json.ts") },
];

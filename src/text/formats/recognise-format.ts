import { extname } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { isZip, openArchive } from "../files/archive.ts";
import type { Format } from "./format.ts";

interface FormatEntry {
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

/** A kind of file that Fabula does not read, what it is called, and what to give instead. */
interface RefusedFormat {
  readonly extensions: readonly string[];
  /** With its article: "a Pages document". */
  readonly name: string;
  readonly instead: string;
}

const AS_DOCX = "save or export it as DOCX, ODT, RTF or EPUB";

/** Files that would be misread as text, or that hold nothing to read. One line each. */
const REFUSED = {
  fountain: {
    extensions: ["fountain", "spmd"],
    name: "a screenplay in Fountain",
    instead: "Fabula reads prose, and its criteria are made for stories, not scripts. Give the story or novel",
  },
  screenplay: {
    extensions: ["fdx", "fadein", "celtx", "highland", "trelby"],
    name: "a screenplay",
    instead: "Fabula reads prose, and its criteria are made for stories, not scripts. Give the story or novel",
  },
  oldOffice: {
    extensions: ["doc", "dot", "xls", "ppt"],
    name: "a document of Word 97–2003",
    instead: "open it in Word or LibreOffice and save it as DOCX",
  },
  pages: { extensions: ["pages"], name: "a Pages document", instead: "export it from Pages as Word (DOCX) or EPUB" },
  googleDocs: {
    extensions: ["gdoc"],
    name: "a link to a Google document",
    instead: "download it from Google Docs as DOCX or EPUB",
  },
  wordPerfect: {
    extensions: ["wpd", "wp", "wp5", "wp6"],
    name: "a WordPerfect document",
    instead: "open it in LibreOffice and save it as ODT or DOCX",
  },
  works: {
    extensions: ["wps", "abw", "sxw", "hwp", "hwpx", "pdb", "one", "onetoc2", "fodt"],
    name: "a document of another program",
    instead: AS_DOCX,
  },
  spreadsheet: {
    extensions: ["xlsx", "xlsm", "ods", "csv", "tsv", "numbers", "pptx", "odp", "key", "odg"],
    name: "a spreadsheet, presentation or drawing",
    instead: "give the text of the story: DOCX, ODT, EPUB or plain text",
  },
  layout: {
    extensions: ["indd", "idml", "qxp", "qxd", "sla", "afpub", "vellum", "atticus"],
    name: "a layout file",
    instead: "export it as EPUB, DOCX or PDF",
  },
  tex: {
    extensions: ["tex", "latex", "ltx"],
    name: "a LaTeX source",
    instead: "give the PDF made from it, or convert it with `pandoc novel.tex -o novel.epub`",
  },
  markup: {
    extensions: ["rst", "adoc", "asciidoc", "org", "textile", "mediawiki", "typ", "opml"],
    name: "a text in a markup language that Fabula does not know",
    instead: "convert it with pandoc to Markdown, DOCX or EPUB",
  },
  kindle: {
    extensions: ["kfx", "kpf", "azw4", "tpz", "azw1"],
    name: "a Kindle book in a format of Amazon's own",
    instead: "give the EPUB of this book, or its manuscript",
  },
  reader: {
    extensions: ["lit", "lrf", "djvu", "chm", "oeb", "ibooks", "iba", "prc2", "snb"],
    name: "an e-book in a format that Fabula does not read",
    instead: "convert it to EPUB, with Calibre for instance",
  },
  comic: { extensions: ["cbz", "cbr", "cb7"], name: "a comic book of pictures", instead: "Fabula reads text" },
  archive: {
    extensions: ["zip", "rar", "7z", "gz", "tgz", "tar", "xz", "bz2"],
    name: "an archive",
    instead: "unpack it and give the book file or the folder of chapters in it",
  },
  media: {
    extensions: [
      "png",
      "jpg",
      "jpeg",
      "gif",
      "webp",
      "heic",
      "tif",
      "tiff",
      "bmp",
      "svg",
      "mp3",
      "m4a",
      "m4b",
      "wav",
      "ogg",
      "flac",
      "mp4",
      "mov",
      "mkv",
      "avi",
    ],
    name: "a picture, a recording or a film",
    instead: "give the text of the story",
  },
  subtitles: { extensions: ["srt", "vtt", "ass"], name: "a file of subtitles", instead: "give the text of the story" },
  program: {
    extensions: [
      "js",
      "mjs",
      "ts",
      "py",
      "rb",
      "java",
      "c",
      "cpp",
      "h",
      "go",
      "rs",
      "cs",
      "php",
      "sh",
      "css",
      "scss",
      "exe",
      "dll",
      "so",
      "bin",
      "iso",
      "dmg",
      "apk",
      "sqlite",
      "db",
      "yaml",
      "yml",
      "toml",
      "ini",
      "lock",
      "log",
      "sql",
      "bib",
    ],
    name: "a program or its data, not a book",
    instead: "give the text of the story",
  },
  scrivener: {
    extensions: ["scrivx"],
    name: "the index of a Scrivener project",
    instead: "give the whole project folder, the one whose name ends in .scriv",
  },
  zippedScrivener: {
    extensions: [],
    name: "a packed Scrivener project",
    instead: "unpack it and give the folder whose name ends in .scriv",
  },
  xml: { extensions: [], name: "an XML file that is neither HTML nor FB2", instead: "export it as EPUB, HTML or DOCX" },
} satisfies Record<string, RefusedFormat>;

type RefusedName = keyof typeof REFUSED;

function refuse(kind: RefusedName, file: string): FabulaError {
  const { name, instead } = REFUSED[kind];
  return new FabulaError("E_FORMAT", `${file} is ${name}: ${instead}.`);
}

/** The kind of file that a name's ending stands for, where Fabula does not read it. */
function refusedByExtension(extension: string): RefusedName | null {
  const found = Object.entries<RefusedFormat>(REFUSED).find(([, { extensions }]) => extensions.includes(extension));
  return found ? (found[0] as RefusedName) : null;
}

/** The kind of a file by its first bytes. */
function refusedByBytes(bytes: Uint8Array): RefusedName | null {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1] ?? null;
}

const SIGNATURES: readonly (readonly [string, RefusedName])[] = [
  ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "oldOffice"],
  ["\xffWPC", "wordPerfect"],
  ["TPZ", "kindle"],
  ["\xeaDRMION\xee", "kindle"],
  ["CONT\x02\x00", "kindle"],
  ["ITOLITLS", "reader"],
  ["AT&TFORM", "reader"],
  ["Rar!", "archive"],
  ["7z\xbc\xaf", "archive"],
  ["\x1f\x8b", "archive"],
  ["\x89PNG", "media"],
  ["\xff\xd8\xff", "media"],
  ["GIF8", "media"],
  ["ID3", "media"],
  ["SQLite format 3", "program"],
  ["\x7fELF", "program"],
];

/** What an archive holds that is no book of a known kind. */
function refusedArchive(names: readonly string[]): RefusedName | null {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/\.scrivx$/i)) return "zippedScrivener";
  if (has(/^Index\/Document\.iwa$|^index\.xml(?:\.gz)?$|^Index\.zip$/i)) return "pages";
  if (has(/^(?:xl|ppt)\//i)) return "spreadsheet";
  if (has(/^designmap\.xml$/i)) return "layout";
  if (
    names.length > 0 &&
    names.every((name) => /\.(?:jpe?g|png|gif|webp|xml)$|\/$/i.test(name)) &&
    has(/\.(?:jpe?g|png|webp)$/i)
  )
    return "comic";
  return has(/\.(?:txt|text|md|markdown|html?|docx|odt|rtf|epub|pdf)$/i) && !has(/^META-INF\/|^mimetype$|\.opf$/i)
    ? "archive"
    : null;
}

/**
 * What a file is: by its first bytes where they tell, else by its name, else plain text. What Fabula does not read is refused by its
 * name, with what to give instead: a file read as something it is not would be judged for its codes.
 */
export function recogniseFormat(bytes: Uint8Array, name: string): string {
  const extension = extname(name).slice(1).toLowerCase();
  if (isZip(bytes)) return zipFormat(bytes, name, extension);
  const start = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  if (start.startsWith("%PDF-")) return "pdf";
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(start)) return "rtf";
  if (/^(?:BOOK|TEXt)(?:MOBI|REAd)/.test(start.slice(60, 68))) return "mobi";
  if (/<FictionBook[\s>]/.test(start)) return "fb2";
  const refused = refusedByBytes(bytes) ?? refusedByExtension(extension);
  if (refused) throw refuse(refused, name);
  const byName = extension === "" ? undefined : FORMATS.find(({ extensions }) => extensions.includes(extension));
  if (byName) return byName.name;
  // Standard input has no name that tells.
  if (/^[^\w<]*(?:<!doctype html|<html)/i.test(start) || /^[^\w<]*<\?xml[\s\S]*<html[\s>]/i.test(start)) return "html";
  if (/^[^\w<]*<\?xml/.test(start)) throw refuse("xml", name);
  if (/^\s*(?:%.*\n\s*)*\\documentclass/.test(start)) throw refuse("tex", name);
  if (isMarkdown(start)) return "markdown";
  return /^[^\w{]*\{[\s\S]*"chaps"\s*:/.test(start) ? "json" : "text";
}

/** Front matter, or headings with hashes: no plain text has them. */
function isMarkdown(start: string): boolean {
  return /^\W{0,3}---\r?\n\w+:/.test(start) || /^#{1,6} +\S.*\r?\n\s*\S/m.test(start);
}

function zipFormat(bytes: Uint8Array, name: string, extension: string): string {
  const archive = openArchive(bytes, name, (entry) => entry === "mimetype");
  const { names } = archive;
  if (names.includes("word/document.xml")) return "docx";
  if (names.includes("META-INF/container.xml")) return "epub";
  const type = Buffer.from(archive.bytes("mimetype") ?? []).toString("latin1");
  if (names.includes("content.xml")) {
    if (type.includes("opendocument") && !type.includes("opendocument.text")) throw refuse("spreadsheet", name);
    return "odt";
  }
  if (names.some((entry) => /\.fb2$/i.test(entry))) return "fb2";
  // Its own reader says what a broken EPUB lacks.
  if (extension === "epub") return "epub";
  const refused = refusedArchive(names);
  if (refused) throw refuse(refused, name);
  return "epub";
}

/** Endings of files that may be one chapter of a book kept in a folder. */
export const CHAPTER_EXTENSIONS: readonly string[] = [
  "txt",
  "text",
  "md",
  "markdown",
  "html",
  "htm",
  "xhtml",
  "docx",
  "odt",
  "rtf",
];

export function formatNamed(name: string): FormatEntry {
  const entry = FORMATS.find((format) => format.name === name);
  if (!entry) {
    const names = FORMATS.map((format) => format.name).join(", ");
    throw new FabulaError("E_FORMAT", `There is no format "${name}": choose ${names}.`);
  }
  return entry;
}

import { extname } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { isZip, openArchive } from "../files/archive.ts";
import type { Manuscript } from "../manuscript.ts";
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

/** A kind of file that Fabula does not read: its extensions, its name (with an article), and what to give instead. */
type RefusedFormat = readonly [endings: string, name: string, instead: string];

const AS_DOCX = "save or export it as DOCX, ODT, RTF or EPUB";
const NO_SCRIPTS = "Fabula reads prose, and its criteria are made for stories, not scripts. Give the story or novel";
const STORY_TEXT = "give the text of the story";

/** Files that would be misread as text, or that contain nothing to read. */
const REFUSED = {
  fountain: ["fountain spmd", "a screenplay in Fountain", NO_SCRIPTS],
  screenplay: ["fdx fadein celtx highland trelby", "a screenplay", NO_SCRIPTS],
  oldOffice: ["doc dot xls ppt", "a document of Word 97–2003", "open it in Word or LibreOffice and save it as DOCX"],
  pages: ["pages", "a Pages document", "export it from Pages as Word (DOCX) or EPUB"],
  googleDocs: ["gdoc", "a link to a Google document", "download it from Google Docs as DOCX or EPUB"],
  wordPerfect: ["wpd wp wp5 wp6", "a WordPerfect document", "open it in LibreOffice and save it as ODT or DOCX"],
  works: ["wps abw sxw hwp hwpx pdb one onetoc2 fodt", "a document of another program", AS_DOCX],
  spreadsheet: [
    "xlsx xlsm ods csv tsv numbers pptx odp key odg",
    "a spreadsheet, presentation or drawing",
    "give the text of the story: DOCX, ODT, EPUB or plain text",
  ],
  layout: ["indd idml qxp qxd sla afpub vellum atticus", "a layout file", "export it as EPUB, DOCX or PDF"],
  tex: [
    "tex latex ltx",
    "a LaTeX source",
    "give the PDF made from it, or convert it with `pandoc novel.tex -o novel.epub`",
  ],
  markup: [
    "rst adoc asciidoc org textile mediawiki typ opml",
    "a text in a markup language that Fabula does not know",
    "convert it with pandoc to Markdown, DOCX or EPUB",
  ],
  kindle: [
    "kfx kpf azw4 tpz azw1",
    "a Kindle book in a format of Amazon's own",
    "give the EPUB of this book, or its manuscript",
  ],
  reader: [
    "lit lrf djvu chm oeb ibooks iba prc2 snb",
    "an e-book in a format that Fabula does not read",
    "convert it to EPUB, with Calibre for instance",
  ],
  comic: ["cbz cbr cb7", "a comic book of pictures", "Fabula reads text"],
  archive: [
    "zip rar 7z gz tgz tar xz bz2",
    "an archive",
    "unpack it and give the book file or the folder of chapters in it",
  ],
  media: [
    "png jpg jpeg gif webp heic tif tiff bmp svg mp3 m4a m4b wav ogg flac mp4 mov mkv avi",
    "a picture, a recording or a film",
    STORY_TEXT,
  ],
  subtitles: ["srt vtt ass", "a file of subtitles", STORY_TEXT],
  program: [
    "js mjs ts py rb java c cpp h go rs cs php sh css scss exe dll so bin iso dmg apk sqlite db yaml yml toml ini lock log sql bib",
    "a program or its data, not a book",
    STORY_TEXT,
  ],
  scrivener: [
    "scrivx",
    "the index of a Scrivener project",
    "give the whole project folder, the one whose name ends in .scriv",
  ],
  zippedScrivener: ["", "a packed Scrivener project", "unpack it and give the folder whose name ends in .scriv"],
  xml: ["", "an XML file that is neither HTML nor FB2", "export it as EPUB, HTML or DOCX"],
} satisfies Record<string, RefusedFormat>;

type RefusedName = keyof typeof REFUSED;

function refuse(kind: RefusedName, file: string): FabulaError {
  const [, name, instead] = REFUSED[kind];
  return new FabulaError("E_FORMAT", `${file} is ${name}: ${instead}.`);
}

/** The kind of file that a name's extension means, if Fabula does not read it. */
function refusedByExtension(extension: string): RefusedName | null {
  if (extension === "") return null;
  const found = Object.entries<RefusedFormat>(REFUSED).find(([, [endings]]) => endings.split(" ").includes(extension));
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

/** The kind of an archive that is not a book in a known format. */
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

/** Reads a file in the named format, or in the one that is recognised. */
export async function readManuscript(
  { bytes, name }: { readonly bytes: Uint8Array; readonly name: string },
  named?: string,
): Promise<{ readonly format: string; readonly manuscript: Manuscript }> {
  const entry = formatNamed(named ?? recogniseFormat(bytes, name));
  const { format } = await entry.load();
  return { format: entry.name, manuscript: await format.read({ bytes, name }) };
}

/**
 * The format of a file: by its first bytes if they show it, else by its name, else plain text. A format that Fabula does not read
 * is refused by name, with what to give instead: read as text, its code would be judged as prose.
 */
function recogniseFormat(bytes: Uint8Array, name: string): string {
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
  // Standard input has no name that shows its format.
  if (/^[^\w<]*(?:<!doctype html|<html)/i.test(start) || /^[^\w<]*<\?xml[\s\S]*<html[\s>]/i.test(start)) return "html";
  if (/^[^\w<]*<\?xml/.test(start)) throw refuse("xml", name);
  if (/^\s*(?:%.*\n\s*)*\\documentclass/.test(start)) throw refuse("tex", name);
  if (isMarkdown(start)) return "markdown";
  return /^[^\w{]*\{[\s\S]*"chaps"\s*:/.test(start) ? "json" : "text";
}

/** Front matter, or headings with hashes, which no plain text has. */
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

/** Extensions of files that may be one chapter of a book in a folder. */
export const CHAPTER_EXTENSIONS: readonly string[] = "txt text md markdown html htm xhtml docx odt rtf".split(" ");

export function formatNamed(name: string): FormatEntry {
  const entry = FORMATS.find((format) => format.name === name);
  if (!entry) {
    const names = FORMATS.map((format) => format.name).join(", ");
    throw new FabulaError("E_FORMAT", `There is no format "${name}": choose ${names}.`);
  }
  return entry;
}

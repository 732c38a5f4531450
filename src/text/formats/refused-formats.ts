import { FabulaError } from "../../core/errors.ts";

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

export type RefusedName = keyof typeof REFUSED;

export function refuse(kind: RefusedName, file: string): FabulaError {
  const { name, instead } = REFUSED[kind];
  return new FabulaError("E_FORMAT", `${file} is ${name}: ${instead}.`);
}

/** The kind of file that a name's ending stands for, where Fabula does not read it. */
export function refusedByExtension(extension: string): RefusedName | null {
  const found = Object.entries<RefusedFormat>(REFUSED).find(([, { extensions }]) => extensions.includes(extension));
  return found ? (found[0] as RefusedName) : null;
}

/** The kind of a file by its first bytes. */
export function refusedByBytes(bytes: Uint8Array): RefusedName | null {
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
export function refusedArchive(names: readonly string[]): RefusedName | null {
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

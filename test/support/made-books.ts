import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { docx, fb2, html, markdown, mobi, odt, pdf, plainText, rtf, type Written } from "./manuscripts.ts";
import { epubOf } from "./small-files.ts";

/** A file of the reading corpus, with what a reader would list. */
export interface MadeBook {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly chapters: readonly { readonly title: string | null; readonly first: string; readonly last: string }[];
  /** A part of the sentence that it must be refused with. */
  readonly refusal?: string;
  /** How many words it has, give or take one in a hundred. */
  readonly words?: number;
}

/** The paragraphs of a story of our own, with a sentence at either end that no other chapter has. */
const STORY = readFileSync("assets/examples/the-inspector-of-weights.md", "utf8")
  .split(/\n{2,}/)
  .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
  .filter((paragraph) => paragraph.length > 80 && !/^[#>*-]/.test(paragraph));
export const NAMES = [
  "Fog",
  "The Ferry",
  "A Blue Door",
  "Salt",
  "The Long Way Home",
  "Eleven Letters",
  "Ice",
  "Morning",
  "Dust",
  "Rain",
];
export const WORDS = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
export const ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"];
const GERMAN = [
  "Erstes",
  "Zweites",
  "Drittes",
  "Viertes",
  "Fünftes",
  "Sechstes",
  "Siebtes",
  "Achtes",
  "Neuntes",
  "Zehntes",
];
const VOICES = ["Anna", "Karl", "Marta", "Anna", "Karl", "Marta", "Anna", "Karl", "Marta", "Anna"];
const COUNT = 10;

export function chapterText(at: number): string[] {
  const from = (at * 7) % STORY.length;
  const chosen = Array.from({ length: 6 }, (_value, offset) => STORY[(from + offset) % STORY.length]!);
  return [
    `On day ${at + 1} the clerk counted ${at + 3} boats in the harbour.`,
    ...chosen,
    `Nobody spoke of it again for ${at + 2} years.`,
  ];
}

interface Style {
  readonly paragraphs: readonly Written[];
  readonly titles: readonly (string | null)[];
  /** Formats that cannot hold this style, or in which no reader could tell. */
  readonly without?: readonly string[];
}

const chaptersWith = (
  headings: readonly Omit<Written, "startsPage">[],
  before: (at: number) => readonly Written[] = () => [],
) =>
  headings.flatMap((heading, at): Written[] => [...before(at), heading, ...chapterText(at).map((text) => ({ text }))]);
const styled = (titles: readonly string[], setting: Omit<Written, "text">): Style => ({
  paragraphs: chaptersWith(titles.map((text) => ({ text, ...setting }))),
  titles,
});
const numbered = (label: (at: number) => string) => Array.from({ length: COUNT }, (_value, at) => label(at));

/** How writers set their headings. */
const STYLES: Readonly<Record<string, Style>> = {
  "chapter-and-number": styled(
    numbered((at) => `Chapter ${at + 1}`),
    { level: 1 },
  ),
  "chapter-number-and-title": styled(
    numbered((at) => `Chapter ${at + 1}: ${NAMES[at]}`),
    { level: 1 },
  ),
  "chapter-in-words": styled(
    numbered((at) => `CHAPTER ${WORDS[at]!.toUpperCase()}`),
    { level: 2 },
  ),
  "titles-only": { ...styled(NAMES, { level: 1 }), without: ["txt"] },
  "roman-numbers": styled(ROMAN, { level: 2 }),
  "bare-numbers": styled(
    numbered((at) => String(at + 1)),
    { level: 1 },
  ),
  "german-ordinals": {
    ...styled(
      numbered((at) => `${GERMAN[at]} Kapitel`),
      { level: 1 },
    ),
    // The made PDFs have the letters of ASCII only.
    without: ["pdf"],
  },
  "numbers-in-bold": styled(
    numbered((at) => `Chapter ${at + 1}`),
    { isBold: true },
  ),
  "titles-in-bold": { ...styled(NAMES, { isBold: true }), without: ["txt", "pdf"] },
  "centred-names": { ...styled(VOICES, { isCentred: true }), without: ["txt", "md", "html", "fb2", "mobi", "pdf"] },
  "parts-with-titles": {
    paragraphs: chaptersWith(
      NAMES.map((text) => ({ text, level: 2 })),
      (at) => (at % 5 === 0 ? [{ text: at === 0 ? "Part One" : "Part Two", level: 1 }] : []),
    ),
    titles: NAMES,
    without: ["txt", "pdf"],
  },
  "parts-that-count-again": {
    paragraphs: chaptersWith(
      NAMES.map((_name, at) => ({ text: `Chapter ${(at % 5) + 1}`, level: 2 })),
      (at) => (at % 5 === 0 ? [{ text: `PART ${ROMAN[at / 5]}`, level: 1 }] : []),
    ),
    titles: NAMES.map((_name, at) => `Chapter ${(at % 5) + 1}`),
  },
  "prologue-and-epilogue": styled(["Prologue", ...numbered((at) => `Chapter ${at + 1}`).slice(0, 8), "Epilogue"], {
    level: 1,
  }),
  "title-above-all": {
    paragraphs: [
      { text: "The Clerk of the Harbour", level: 1 },
      ...chaptersWith(NAMES.map((text) => ({ text, level: 2 }))),
    ],
    titles: NAMES,
    without: ["txt", "pdf"],
  },
  "list-of-characters": {
    paragraphs: [
      { text: "Dramatis Personae", level: 1 },
      { text: "Anna, a widow." },
      { text: "Karl, her son." },
      ...chaptersWith(numbered((at) => `Chapter ${at + 1}`).map((text) => ({ text, level: 1 }))),
    ],
    titles: numbered((at) => `Chapter ${at + 1}`),
  },
  "new-pages-only": {
    paragraphs: NAMES.flatMap((_name, at) =>
      chapterText(at).map((text, index) => ({ text, startsPage: at > 0 && index === 0 })),
    ),
    titles: NAMES.map(() => null),
    without: ["txt", "md", "html", "fb2", "pdf", "epub-page", "epub-pages", "epub-declared"],
  },
};

const page = (content: string, type = "") =>
  `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>x</title></head><body${type ? ` epub:type="${type}"` : ""}>${content}</body></html>`;
const body = (paragraphs: readonly Written[]) =>
  /<body>\n([\s\S]*)\n<\/body>/.exec(new TextDecoder().decode(html(paragraphs)))![1]!;
const isHeading = ({ level, isBold, isCentred }: Written) => Boolean(level || isBold || isCentred);

/** The paragraphs cut before each heading, as programs cut a book into pages. */
function pagesOf(paragraphs: readonly Written[]): Written[][] {
  const pages: Written[][] = [];
  for (const paragraph of paragraphs) {
    if (pages.length === 0 || isHeading(paragraph)) pages.push([]);
    pages.at(-1)!.push(paragraph);
  }
  return pages;
}

const ncx = (points: readonly (readonly [string, string])[]) =>
  `<ncx><navMap>${points.map(([title, src]) => `<navPoint><navLabel><text>${title}</text></navLabel><content src="${src}"/></navPoint>`).join("")}</navMap></ncx>`;

/** All in one page, with the navigation pointing into it: what pandoc makes of a file with one first heading. */
function epubInOnePage(paragraphs: readonly Written[]): Uint8Array {
  const pages = pagesOf(paragraphs);
  const content = pages.map((own, at) => `<section id="s${at}">${body(own)}</section>`).join("");
  return epubOf(
    { "all.xhtml": page(content, "bodymatter") },
    { "toc.ncx": ncx(pages.map(([first], at) => [first!.text, `all.xhtml#s${at}`])) },
    "The Clerk",
  );
}

/** A page to each heading, which nothing declares. */
function epubInPages(paragraphs: readonly Written[]): Uint8Array {
  const pages = pagesOf(paragraphs);
  return epubOf(
    Object.fromEntries(pages.map((own, at) => [`p${at}.xhtml`, page(body(own))])),
    { "toc.ncx": ncx(pages.map(([first], at) => [first!.text, `p${at}.xhtml`])) },
    "The Clerk",
  );
}

/** A page to each heading, each saying what it is. */
function epubDeclared(paragraphs: readonly Written[]): Uint8Array {
  const declared = (own: readonly Written[]) => {
    const [first] = own;
    if (own.length === 1) return "part";
    return /^(?:prologue|epilogue)$/i.test(first!.text)
      ? first!.text.toLowerCase()
      : /^dramatis/i.test(first!.text)
        ? "z3998:dramatis-personae"
        : "chapter";
  };
  return epubOf(
    Object.fromEntries(
      pagesOf(paragraphs).map((own, at) => [
        `p${at}.xhtml`,
        page(`<section epub:type="${declared(own)}">${body(own)}</section>`),
      ]),
    ),
    {},
    "The Clerk",
  );
}

const FORMATS: Readonly<Record<string, (paragraphs: readonly Written[]) => Uint8Array>> = {
  ...{ txt: plainText, md: markdown, html, docx, odt, rtf, fb2, mobi, pdf },
  ...{ "epub-page": epubInOnePage, "epub-pages": epubInPages, "epub-declared": epubDeclared },
};

const zip = (...names: readonly string[]) => zipSync(Object.fromEntries(names.map((name) => [name, strToU8("x")])));
const binary = (text: string) => strToU8(text, true);
const TEXT = strToU8("It was a dark night, and nobody had come to the harbour for a week.");

const REFUSED: readonly (readonly [string, Uint8Array, string])[] = [
  ["script.fountain", TEXT, "a screenplay in Fountain"],
  ["script.fdx", TEXT, "a screenplay"],
  ["script.celtx", TEXT, "a screenplay"],
  ["word-97.doc", binary("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1x"), "Word 97"],
  ["named-wrongly.docx", binary("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1x"), "Word 97"],
  ["novel.pages", zip("Index/Document.iwa"), "Pages"],
  ["link.gdoc", TEXT, "Google"],
  ["novel.wpd", binary("\xffWPCx"), "WordPerfect"],
  ["novel.wps", TEXT, "another program"],
  ["novel.abw", TEXT, "another program"],
  ["novel.hwp", TEXT, "another program"],
  ["novel.fodt", TEXT, "another program"],
  ["table.xlsx", zip("xl/workbook.xml"), "a spreadsheet"],
  ["slides.pptx", zip("ppt/presentation.xml"), "a spreadsheet, presentation"],
  ["table.csv", TEXT, "a spreadsheet"],
  ["book.indd", TEXT, "a layout file"],
  ["book.idml", zip("designmap.xml"), "a layout file"],
  ["book.vellum", TEXT, "a layout file"],
  ["novel.tex", TEXT, "a LaTeX source"],
  ["novel.rst", TEXT, "a markup language"],
  ["novel.adoc", TEXT, "a markup language"],
  ["novel.org", TEXT, "a markup language"],
  ["book.kfx", TEXT, "a Kindle book"],
  ["book.azw4", TEXT, "a Kindle book"],
  ["book.lit", binary("ITOLITLSx"), "an e-book"],
  ["book.djvu", binary("AT&TFORMx"), "an e-book"],
  ["comic.cbz", zip("1.jpg", "2.jpg"), "a comic"],
  ["chapters.zip", zip("1.md", "2.md"), "an archive"],
  ["no-book-inside.epub", zip("1.md", "2.md"), "a broken EPUB"],
  ["scrivener.zip", zip("N.scriv/N.scrivx"), "Scrivener"],
  ["novel.rar", binary("Rar!x"), "an archive"],
  ["novel.tar.gz", binary("\x1f\x8bx"), "an archive"],
  ["page.png", binary("\x89PNGx"), "a picture"],
  ["page.jpg", binary("\xff\xd8\xffx"), "a picture"],
  ["read-aloud.mp3", binary("ID3x"), "a picture, a recording"],
  ["film.srt", TEXT, "subtitles"],
  ["program.py", TEXT, "a program"],
  ["data.sqlite", binary("SQLite format 3\0"), "a program"],
  ["index.scrivx", TEXT, "the index of a Scrivener project"],
  ["tei.xml", strToU8('<?xml version="1.0"?><TEI><text>Once.</text></TEI>'), "neither HTML nor FB2"],
];

/** Every format with every style of headings that it can hold, and what must be refused. */
export function madeBooks(): readonly MadeBook[] {
  const books = Object.entries(STYLES).flatMap(([style, { paragraphs, titles, without = [] }]) =>
    Object.entries(FORMATS)
      .filter(([format]) => !without.includes(format))
      .map(([format, write]): MadeBook => {
        const chapters = titles.map((title, at) => {
          const text = chapterText(at);
          return { title, first: text[0]!, last: text.at(-1)! };
        });
        return { file: `${format}/${style}.${format.split("-")[0]}`, bytes: write(paragraphs), chapters };
      }),
  );
  return [
    ...books,
    ...REFUSED.map(([file, bytes, refusal]) => ({ file: `refused/${file}`, bytes, chapters: [], refusal })),
  ];
}

import { strToU8, zipSync } from "fflate";
import { epubOf } from "../support/small-files.ts";
import { type LayoutCase, paragraphs, utf8 } from "./layout-case.ts";

const body = (count: number, seed: number) =>
  paragraphs(count, seed)
    .map((text) => `<p>${text}</p>`)
    .join("");
const page = (content: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${content}</body></html>`;
const TITLES = ["Fog", "Wind", "Snow", "Sun"];
const ncx = (points: readonly (readonly [string, string])[]) =>
  `<ncx><navMap>${points.map(([title, src]) => `<navPoint><navLabel><text>${title}</text></navLabel><content src="${src}"/></navPoint>`).join("")}</navMap></ncx>`;

/** A Word file whose style ids and names are those of another language's Word. */
function docx(
  styles: Readonly<Record<string, string>>,
  content: readonly (readonly [string | null, string])[],
): Uint8Array {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const defined = Object.entries(styles).map(
    ([id, name]) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`,
  );
  const written = content.map(
    ([style, text]) =>
      `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ""}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`,
  );
  return zipSync({
    "[Content_Types].xml": strToU8("<Types/>"),
    "word/styles.xml": strToU8(`<w:styles ${w}>${defined.join("")}</w:styles>`),
    "word/document.xml": strToU8(`<w:document ${w}><w:body>${written.join("")}</w:body></w:document>`),
  });
}

const chaptersOf = (style: string) =>
  TITLES.flatMap((title, at): [string | null, string][] => [
    [style, title],
    ...paragraphs(5, at).map((text): [null, string] => [null, text]),
  ]);

/** EPUB, HTML and Word files as other programs write them. */
export const MARKED_FILES: Readonly<Record<string, LayoutCase>> = {
  "an EPUB 2 that names its chapters in the NCX alone": {
    file: "ncx.epub",
    bytes: epubOf(
      Object.fromEntries(TITLES.map((_title, at) => [`p${at}.html`, page(`<div class="chap">${body(6, at)}</div>`)])),
      { "toc.ncx": ncx(TITLES.map((title, at) => [title, `p${at}.html`])) },
    ),
    chapters: TITLES,
  },
  "an EPUB 2 in one file, with places in the NCX": {
    file: "places.epub",
    bytes: epubOf(
      {
        "all.html": page(
          TITLES.map((title, at) => `<p class="c1" id="c${at}"><b>${title}</b></p>${body(6, at)}`).join(""),
        ),
      },
      { "toc.ncx": ncx(TITLES.map((title, at) => [title, `all.html#c${at}`])) },
    ),
    chapters: TITLES,
  },
  "an EPUB cut into files in the middle of chapters": {
    file: "cut.epub",
    bytes: epubOf(
      {
        "s0.html": page(`<h2>Chapter 1</h2>${body(5, 0)}`),
        "s1.html": page(`${body(5, 1)}<h2>Chapter 2</h2>${body(4, 2)}`),
        "s2.html": page(body(5, 3)),
        "s3.html": page(`<h2>Chapter 3</h2>${body(6, 4)}`),
      },
      {
        "toc.ncx": ncx([
          ["Chapter 1", "s0.html"],
          ["Chapter 2", "s1.html#c2"],
          ["Chapter 3", "s3.html"],
        ]),
      },
    ),
    chapters: ["Chapter 1", "Chapter 2", "Chapter 3"],
  },
  "an EPUB cut by a converter, without headings inside the pieces": {
    file: "calibre.epub",
    bytes: epubOf(
      {
        "index_split_000.html": page(`<p class="calibre1">The Lamp</p><p class="calibre1">A. Writer</p>`),
        "index_split_001.html": page(`<h1 class="calibre2">PART ONE</h1>`),
        "index_split_002.html": page(`<h2 class="calibre3">1</h2>${body(5, 0)}`),
        "index_split_003.html": page(body(5, 1)),
        "index_split_004.html": page(`<h2 class="calibre3">2</h2>${body(5, 2)}`),
        "index_split_005.html": page(`<h1 class="calibre2">PART TWO</h1>`),
        "index_split_006.html": page(`<h2 class="calibre3">3</h2>${body(5, 3)}`),
        "index_split_007.html": page(`<h2 class="calibre3">4</h2>${body(5, 4)}`),
      },
      {
        "toc.ncx": ncx([
          ["PART ONE", "index_split_001.html"],
          ["1", "index_split_002.html"],
          ["2", "index_split_004.html"],
          ["PART TWO", "index_split_005.html"],
          ["3", "index_split_006.html"],
          ["4", "index_split_007.html"],
        ]),
      },
    ),
    chapters: ["1", "2", "3", "4"],
    parts: ["PART ONE", "PART ONE", "PART TWO", "PART TWO"],
  },
  "an EPUB whose headings are paragraphs in bold": {
    file: "bold.epub",
    bytes: epubOf(
      Object.fromEntries(
        TITLES.map((title, at) => [
          `p${at}.html`,
          page(`<p class="center"><b>CHAPTER ${at + 1}</b></p><p class="center"><b>${title}</b></p>${body(6, at)}`),
        ]),
      ),
    ),
    chapters: TITLES.map((title, at) => `CHAPTER ${at + 1}: ${title}`),
  },
  "an EPUB with a cover, a dedication and an afterword around its chapters": {
    file: "around.epub",
    bytes: epubOf(
      {
        "cover.html": page('<img src="c.jpg" alt="Cover"/>'),
        "title.html": page("<h1>Rain</h1><p>A. Writer</p>"),
        "copyright.html": page("<p>Copyright © 2020 by A. Writer. All rights reserved.</p>"),
        "dedication.html": page("<p>For Mary</p>"),
        ...Object.fromEntries(TITLES.map((title, at) => [`p${at}.html`, page(`<h2>${title}</h2>${body(6, at)}`)])),
        "about.html": page("<h2>About the Author</h2><p>A. Writer lives by the sea and keeps bees.</p>"),
      },
      {
        "toc.ncx": ncx([
          ["Cover", "cover.html"],
          ["Title Page", "title.html"],
          ["Copyright", "copyright.html"],
          ["Dedication", "dedication.html"],
          ...TITLES.map((title, at): [string, string] => [title, `p${at}.html`]),
          ["About the Author", "about.html"],
        ]),
      },
    ),
    chapters: TITLES,
    excludes: ["All rights reserved", "keeps bees"],
  },
  "a story downloaded from an archive of fan works": {
    file: "archive.html",
    bytes: utf8(
      `<!DOCTYPE html><html><head><title>The Lamp - A_Writer - Fandom</title></head><body><div id="preface"><p class="message"><b>Posted originally on the <a href="http://archive.example/">Archive</a> at http://archive.example/works/1.</b></p><div class="meta"><dl class="tags"><dt>Rating:</dt><dd>General Audiences</dd><dt>Words:</dt><dd>1,234</dd><dt>Chapters:</dt><dd>4/4</dd></dl><h1>The Lamp</h1><div class="byline">by <a rel="author" href="#">A_Writer</a></div><p>Summary</p><blockquote class="userstuff"><p>A lamp at a door.</p></blockquote></div></div><div id="chapters" class="userstuff">${TITLES.map(
        (title, at) =>
          `<div class="meta group"><h2 class="heading">Chapter ${at + 1}: ${title}</h2></div><div class="userstuff">${body(6, at)}</div>`,
      ).join(
        "",
      )}</div><div id="afterword"><div class="meta"><p>End Notes</p><blockquote class="userstuff"><p>Thanks for reading!</p></blockquote></div><p class="message">Please drop by the Archive and comment to let the creator know if you enjoyed their work!</p></div></body></html>`,
    ),
    chapters: TITLES.map((title, at) => `Chapter ${at + 1}: ${title}`),
    title: "The Lamp",
    author: "A_Writer",
    excludes: ["drop by the Archive", "General Audiences"],
  },
  "chapters saved from a site for serials": {
    file: "serial.html",
    bytes: utf8(
      `<html><head><title>The Lamp</title></head><body><h1>The Lamp</h1><p>by A. Writer</p>${TITLES.map(
        (title, at) =>
          `<div class="chapter"><h2>${at + 1} | ${title}</h2>${body(6, at)}<p>Vote</p><p>Comment</p></div>`,
      ).join("")}</body></html>`,
    ),
    chapters: TITLES.map((title, at) => `${at + 1} | ${title}`),
  },
  "a page with a linked table of contents and anchors": {
    file: "linked.html",
    bytes: utf8(
      page(
        `<h1>The Lamp</h1><table>${TITLES.map((title, at) => `<tr><td>${at + 1}.</td><td><a href="#c${at}">${title}</a></td><td>${at * 20 + 3}</td></tr>`).join("")}</table>${TITLES.map((title, at) => `<hr/><h3><a id="c${at}"></a>${title}</h3>${body(6, at)}`).join("")}`,
      ),
    ),
    chapters: TITLES,
  },
  "a Word file with German styles": {
    file: "deutsch.docx",
    bytes: docx({ berschrift1: "heading 1", Standard: "Normal" }, chaptersOf("berschrift1")),
    chapters: TITLES,
  },
  "a Word file of a program that translates the names too": {
    file: "titre.docx",
    bytes: docx({ Titre1: "Titre 1" }, chaptersOf("Titre1")),
    chapters: TITLES,
  },
  "a Word file with Russian styles": {
    file: "russian.docx",
    bytes: docx({ "1": "Заголовок 1" }, chaptersOf("1")),
    chapters: TITLES,
  },
  "a Word file with Chinese styles": {
    file: "chinese.docx",
    bytes: docx({ a1: "标题 1" }, chaptersOf("a1")),
    chapters: TITLES,
  },
  "a Word file without styles, headings centred in capitals": {
    file: "plain.docx",
    bytes: docx(
      {},
      TITLES.flatMap((title, at): [null, string][] => [
        [null, `CHAPTER ${["ONE", "TWO", "THREE", "FOUR"][at]}`],
        [null, title],
        ...paragraphs(5, at).map((text): [null, string] => [null, text]),
      ]),
    ),
    chapters: TITLES.map((title, at) => `CHAPTER ${["ONE", "TWO", "THREE", "FOUR"][at]}: ${title}`),
  },
};

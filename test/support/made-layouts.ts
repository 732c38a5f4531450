import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { chapterText, type MadeBook, NAMES, ROMAN, WORDS } from "./made-books.ts";
import { docx, fb2, html, mobi, odt, rtf, type Written } from "./manuscripts.ts";
import { epubOf } from "./small-files.ts";

/** Files as programs, sites and habits make them, each with what a reader would list. */

const COUNT = 8;
const AT = Array.from({ length: COUNT }, (_value, at) => at);
const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const utf8 = (text: string) => strToU8(text);

function made(file: string, bytes: Uint8Array, titles: readonly (string | null)[], from = 0): MadeBook {
  const chapters = titles.map((title, at) => {
    const text = chapterText(at + from);
    return { title, first: text[0]!, last: text.at(-1)! };
  });
  return { file, bytes, chapters };
}

/** The title of a chapter's first scene is of its text. */
function startingWith(line: string, book: MadeBook): MadeBook {
  return { ...book, chapters: book.chapters.map((chapter) => ({ ...chapter, first: `${line} ${chapter.first}` })) };
}

const prose = (at: number): Written[] => chapterText(at).map((text) => ({ text }));
const titled = (label: (at: number) => string) => AT.map(label);
const chapterN = titled((at) => `Chapter ${at + 1}`);
const names = NAMES.slice(0, COUNT);
const DATES = titled((at) => `${at + 3} March 1889`);
/** Prologue, interlude and epilogue around numbered chapters. */
const framed = ["Prologue", "Chapter 1", "Chapter 2", "Chapter 3", "Interlude", "Chapter 4", "Chapter 5", "Epilogue"];
const headed = (titles: readonly string[], setting: Omit<Written, "text">): Written[] =>
  titles.flatMap((text, at) => [{ text, ...setting }, ...prose(at)]);

// Word processors

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A Word file from raw paragraphs, with the parts that Word and its imitators add. */
function rawDocx(body: string, parts: Readonly<Record<string, string>> = {}, styles = ""): Uint8Array {
  return zipSync({
    "[Content_Types].xml": utf8("<Types/>"),
    "word/styles.xml": utf8(
      `<w:styles ${W}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style><w:style w:type="paragraph" w:styleId="Subtitle"><w:name w:val="Subtitle"/></w:style>${styles}</w:styles>`,
    ),
    "word/document.xml": utf8(`<w:document ${W}><w:body>${body}</w:body></w:document>`),
    ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [`word/${name}`, utf8(text)])),
  });
}
const run = (text: string, properties = "") =>
  `<w:r>${properties ? `<w:rPr>${properties}</w:rPr>` : ""}<w:t xml:space="preserve">${xml(text)}</w:t></w:r>`;
const p = (content: string, properties = "") =>
  `<w:p>${properties ? `<w:pPr>${properties}</w:pPr>` : ""}${content}</w:p>`;
const CENTRE = '<w:jc w:val="center"/>';
const PAGE_BREAK = '<w:r><w:br w:type="page"/></w:r>';
const EMPTY = p("");
const proseXml = (at: number) =>
  chapterText(at)
    .map((text) => p(run(text), '<w:ind w:firstLine="720"/>'))
    .join("");

const SHUNN_PAGE = `${p(run("A. Writer"))}${p(run("12 Harbour Road"))}${p(run("Laide"))}${p(run("a.writer@example.org"))}${p(run("about 9,000 words"))}${EMPTY.repeat(8)}${p(run("THE CLERK OF THE HARBOUR"), CENTRE)}${EMPTY}${p(run("by A. Writer"), CENTRE)}`;

const DOCX: readonly MadeBook[] = [
  made(
    "docx/shunn-page-breaks.docx",
    rawDocx(`${SHUNN_PAGE}${AT.map((at) => p(PAGE_BREAK) + proseXml(at)).join("")}`),
    AT.map(() => null),
  ),
  made(
    "docx/shunn-chapters.docx",
    rawDocx(
      `${SHUNN_PAGE}${AT.map((at) => p(PAGE_BREAK) + EMPTY.repeat(6) + p(run(`Chapter ${WORDS[at]}`), CENTRE) + EMPTY + proseXml(at)).join("")}${p(run("END"), CENTRE)}`,
    ),
    titled((at) => `Chapter ${WORDS[at]}`),
  ),
  made(
    "docx/shunn-numbers.docx",
    rawDocx(
      `${SHUNN_PAGE}${AT.map((at) => p(PAGE_BREAK) + EMPTY.repeat(6) + p(run(String(at + 1)), CENTRE) + EMPTY + proseXml(at)).join("")}${p(run("# # #"), CENTRE)}`,
    ),
    titled((at) => String(at + 1)),
  ),
  made(
    "docx/word-title-page.docx",
    rawDocx(
      `${p(run("The Clerk of the Harbour"), '<w:pStyle w:val="Title"/>')}${p(run("A Novel"), '<w:pStyle w:val="Subtitle"/>')}${p(run("A. Writer"), CENTRE)}${AT.map((at) => p(run(chapterN[at]!), '<w:pStyle w:val="Heading1"/><w:pageBreakBefore/>') + proseXml(at)).join("")}`,
    ),
    chapterN,
  ),
  made(
    "docx/title-style-for-chapters.docx",
    rawDocx(AT.map((at) => p(run(names[at]!), '<w:pStyle w:val="Title"/>') + proseXml(at)).join("")),
    names,
  ),
  made(
    "docx/google-docs.docx",
    // Google writes styles with its own ids, sizes on every run, and an empty heading now and then.
    rawDocx(
      `${p("", '<w:pStyle w:val="Heading1"/>')}${AT.map(
        (at) =>
          p(
            `<w:bookmarkStart w:id="${at}" w:name="_abc${at}"/>${run(chapterN[at]!, '<w:sz w:val="40"/>')}`,
            '<w:pStyle w:val="Heading1"/>',
          ) +
          p("", '<w:pStyle w:val="Heading1"/>') +
          chapterText(at)
            .map((text) => p(run(text, '<w:rFonts w:ascii="Arial"/><w:sz w:val="22"/>'), '<w:spacing w:after="240"/>'))
            .join(""),
      ).join("")}`,
    ),
    chapterN,
  ),
  made(
    "docx/google-docs-large-bold.docx",
    rawDocx(AT.map((at) => p(run(names[at]!, '<w:b/><w:sz w:val="36"/>')) + proseXml(at)).join("")),
    names,
  ),
  made(
    "docx/pages-export.docx",
    // Pages exports its styles under their own names, each based on nothing.
    rawDocx(
      AT.map((at) => p(run(chapterN[at]!), '<w:pStyle w:val="ChapterName"/>') + proseXml(at)).join(""),
      {},
      '<w:style w:type="paragraph" w:customStyle="1" w:styleId="ChapterName"><w:name w:val="Chapter Name"/><w:pPr><w:pageBreakBefore/><w:jc w:val="center"/></w:pPr></w:style>',
    ),
    chapterN,
  ),
  made(
    "docx/own-chapter-style.docx",
    rawDocx(
      AT.map((at) => p(run(names[at]!), '<w:pStyle w:val="Kap"/>') + proseXml(at)).join(""),
      {},
      '<w:style w:type="paragraph" w:customStyle="1" w:styleId="Kap"><w:name w:val="My Chapter"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>',
    ),
    names,
  ),
  made(
    "docx/libreoffice-export.docx",
    rawDocx(
      AT.map(
        (at) =>
          p(
            `<w:r><w:rPr></w:rPr><w:t>Chapter</w:t></w:r><w:r><w:rPr></w:rPr><w:t xml:space="preserve"> ${at + 1}</w:t></w:r>`,
            `<w:pStyle w:val="Heading1"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:bidi w:val="0"/><w:rPr></w:rPr>`,
          ) + proseXml(at),
      ).join(""),
    ),
    chapterN,
  ),
  made(
    "docx/tracked-changes.docx",
    rawDocx(
      AT.map(
        (at) =>
          p(
            `<w:ins w:id="1" w:author="Editor">${run("Chapter ")}</w:ins><w:del w:id="2" w:author="Editor"><w:r><w:delText>Part </w:delText></w:r></w:del>${run(String(at + 1))}`,
            '<w:pStyle w:val="Heading1"/>',
          ) +
          proseXml(at) +
          `<w:p><w:pPr><w:rPr><w:del w:id="3" w:author="Editor"/></w:rPr></w:pPr><w:del w:id="4" w:author="Editor"><w:r><w:delText>A paragraph that the editor took out.</w:delText></w:r></w:del></w:p>`,
      ).join(""),
    ),
    chapterN,
  ),
  made(
    "docx/comments-and-notes.docx",
    rawDocx(
      AT.map(
        (at) =>
          p(run(chapterN[at]!), '<w:pStyle w:val="Heading1"/>') +
          chapterText(at)
            .map((text, index) =>
              p(
                index === 2
                  ? `<w:commentRangeStart w:id="${at}"/>${run(text)}<w:commentRangeEnd w:id="${at}"/><w:r><w:commentReference w:id="${at}"/></w:r><w:r><w:footnoteReference w:id="${at + 1}"/></w:r>`
                  : run(text),
              ),
            )
            .join(""),
      ).join(""),
      {
        "comments.xml": `<w:comments ${W}>${AT.map((at) => `<w:comment w:id="${at}" w:author="Fabula">${p(run("Slow here."))}</w:comment>`).join("")}</w:comments>`,
        "footnotes.xml": `<w:footnotes ${W}><w:footnote w:type="separator" w:id="-1">${p("<w:r><w:separator/></w:r>")}</w:footnote>${AT.map((at) => `<w:footnote w:id="${at + 1}">${p(run("A note of the clerk’s own."))}</w:footnote>`).join("")}</w:footnotes>`,
      },
    ),
    chapterN,
  ),
  made(
    "docx/text-boxes.docx",
    rawDocx(
      AT.map((at) => {
        const box = `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>${p(run("A sign on the wall: NO FISHING"))}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${p(run("A sign on the wall: NO FISHING"))}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
        const [first = "", ...others] = chapterText(at);
        return (
          p(run(chapterN[at]!), '<w:pStyle w:val="Heading1"/>') +
          p(run(first)) +
          p(box + run(others[0]!)) +
          others
            .slice(1)
            .map((text) => p(run(text)))
            .join("")
        );
      }).join(""),
    ),
    chapterN,
  ),
  made(
    "docx/contents-field.docx",
    rawDocx(
      `${p(run("Contents"), '<w:pStyle w:val="TOCHeading"/>')}${AT.map((at) => p(`<w:hyperlink w:anchor="_Toc${at}">${run(names[at]!)}<w:r><w:tab/></w:r>${run(String(at * 9 + 3))}</w:hyperlink>`, '<w:pStyle w:val="TOC1"/>')).join("")}${AT.map((at) => p(run(names[at]!), '<w:pStyle w:val="Heading1"/>') + proseXml(at)).join("")}`,
      {},
      '<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style><w:style w:type="paragraph" w:styleId="TOCHeading"><w:name w:val="TOC Heading"/></w:style>',
    ),
    names,
  ),
  made(
    "docx/label-and-title-lines.docx",
    rawDocx(
      AT.map(
        (at) => p(run(`CHAPTER ${WORDS[at]!.toUpperCase()}`), CENTRE) + p(run(names[at]!), CENTRE) + proseXml(at),
      ).join(""),
    ),
    titled((at) => `CHAPTER ${WORDS[at]!.toUpperCase()}: ${names[at]}`),
  ),
  made(
    "docx/names-and-places.docx",
    rawDocx(
      AT.map(
        (at) =>
          p(run(["ANNA", "KARL"][at % 2]!, "<w:b/>"), CENTRE) +
          p(run("Laide, in the winter", "<w:i/>"), CENTRE) +
          proseXml(at),
      ).join(""),
    ),
    titled((at) => `${["ANNA", "KARL"][at % 2]!}: Laide, in the winter`),
  ),
  made(
    "docx/scenes-inside-chapters.docx",
    rawDocx(
      AT.map(
        (at) =>
          p(run(chapterN[at]!), '<w:pStyle w:val="Heading1"/>') +
          chapterText(at)
            .map((text, index) => (index === 3 ? p(run("* * *"), CENTRE) : "") + p(run(text)))
            .join(""),
      ).join(""),
    ),
    chapterN,
  ),
  made(
    "docx/years-as-headings.docx",
    docx(
      headed(
        titled((at) => String(1914 + 3 * at)),
        { level: 1 },
      ),
    ),
    titled((at) => String(1914 + 3 * at)),
  ),
];

// EPUBs as programs make them

const PAGE = (content: string, body = "") =>
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title></title></head><body${body}>${content}</body></html>`;
const inner = (at: number, paragraph = "<p>") =>
  chapterText(at)
    .map((text) => `${paragraph}${xml(text)}</p>`)
    .join("");
type Point = readonly [title: string, src: string, inner?: readonly Point[]];
const ncxPoints = (points: readonly Point[]): string =>
  points
    .map(
      ([title, src, within = []]) =>
        `<navPoint><navLabel><text>${xml(title)}</text></navLabel><content src="${src}"/>${ncxPoints(within)}</navPoint>`,
    )
    .join("");
const navList = (points: readonly Point[]): string =>
  `<ol>${points.map(([title, src, within = []]) => `<li><a href="${src}">${xml(title)}</a>${within.length > 0 ? navList(within) : ""}</li>`).join("")}</ol>`;

/** With a navigation document, as EPUB 3 has it, and the older table beside it where asked. */
function epub3(pages: Readonly<Record<string, string>>, points: readonly Point[], hasNcx = false): Uint8Array {
  const names3 = Object.keys(pages);
  return zipSync({
    mimetype: utf8("application/epub+zip"),
    "META-INF/container.xml": utf8(
      '<container><rootfiles><rootfile full-path="EPUB/content.opf"/></rootfiles></container>',
    ),
    "EPUB/content.opf": utf8(
      `<package version="3.0"><metadata><dc:title>The Clerk</dc:title><dc:creator>A. Writer</dc:creator></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${hasNcx ? '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' : ""}${names3.map((name, at) => `<item id="i${at}" href="${name}" media-type="application/xhtml+xml"/>`).join("")}</manifest><spine${hasNcx ? ' toc="ncx"' : ""}>${names3.map((_name, at) => `<itemref idref="i${at}"/>`).join("")}</spine></package>`,
    ),
    "EPUB/nav.xhtml": utf8(PAGE(`<nav epub:type="toc"><h1>The Clerk</h1>${navList(points)}</nav>`)),
    ...(hasNcx && { "EPUB/toc.ncx": utf8(`<ncx><navMap>${ncxPoints(points)}</navMap></ncx>`) }),
    ...Object.fromEntries(Object.entries(pages).map(([name, text]) => [`EPUB/${name}`, utf8(text)])),
  });
}

/** Sigil: a file to a chapter, headings in them, an NCX made from the headings. */
function sigil(paragraphs: readonly Written[]): Uint8Array {
  const pages: Written[][] = [];
  for (const one of paragraphs) {
    if (one.level || pages.length === 0) pages.push([]);
    pages.at(-1)!.push(one);
  }
  const content = pages.map((own) =>
    own.map(({ text, level }) => (level ? `<h${level}>${xml(text)}</h${level}>` : `<p>${xml(text)}</p>`)).join("\n"),
  );
  const points: Point[] = pages.map((own, at) => [own[0]!.text, `Section${at}.xhtml`]);
  return epubOf(
    Object.fromEntries(content.map((text, at) => [`Section${at}.xhtml`, PAGE(text)])),
    { "toc.ncx": `<ncx><navMap>${ncxPoints(points)}</navMap></ncx>` },
    "The Clerk",
  );
}

const section = (depth: number, id: string, title: string, content: string) =>
  `<section id="${id}" class="level${depth}"><h${depth}>${xml(title)}</h${depth}>${content}</section>`;
const EPUBS: readonly MadeBook[] = [
  made(
    "epub/pandoc-3-nested.epub",
    epub3(
      {
        "text/title_page.xhtml": PAGE(
          '<section epub:type="titlepage"><h1>The Clerk</h1><p>A. Writer</p></section>',
          ' epub:type="frontmatter"',
        ),
        "text/ch001.xhtml": PAGE(
          section(
            1,
            "part-one",
            "The Harbour",
            AT.slice(0, 4)
              .map((at) => section(2, `c${at}`, names[at]!, inner(at)))
              .join(""),
          ),
          ' epub:type="bodymatter"',
        ),
        "text/ch002.xhtml": PAGE(
          section(
            1,
            "part-two",
            "The Sea",
            AT.slice(4)
              .map((at) => section(2, `c${at}`, names[at]!, inner(at)))
              .join(""),
          ),
          ' epub:type="bodymatter"',
        ),
      },
      [
        [
          "The Harbour",
          "text/ch001.xhtml",
          AT.slice(0, 4).map((at) => [names[at]!, `text/ch001.xhtml#c${at}`] as const),
        ],
        ["The Sea", "text/ch002.xhtml", AT.slice(4).map((at) => [names[at]!, `text/ch002.xhtml#c${at}`] as const)],
      ],
      true,
    ),
    names,
  ),
  made(
    "epub/pandoc-3-flat.epub",
    epub3(
      Object.fromEntries(
        AT.map((at) => [
          `text/ch00${at + 1}.xhtml`,
          PAGE(section(1, `c${at}`, names[at]!, inner(at)), ' epub:type="bodymatter"'),
        ]),
      ),
      AT.map((at) => [names[at]!, `text/ch00${at + 1}.xhtml`] as const),
      true,
    ),
    names,
  ),
  made(
    "epub/pandoc-2-one-page.epub",
    epubOf(
      {
        "ch001.xhtml": PAGE(
          `<div id="book" class="section level1"><h1>The Clerk of the Harbour</h1>${AT.map((at) => `<div id="c${at}" class="section level2"><h2>${chapterN[at]}</h2>${inner(at)}</div>`).join("")}</div>`,
        ),
      },
      {
        "toc.ncx": `<ncx><navMap>${ncxPoints([["The Clerk of the Harbour", "ch001.xhtml", AT.map((at) => [chapterN[at]!, `ch001.xhtml#c${at}`] as const)]])}</navMap></ncx>`,
      },
      "The Clerk of the Harbour",
    ),
    chapterN,
  ),
  made(
    "epub/vellum.epub",
    epub3(
      {
        "title-page.xhtml": PAGE(
          '<div class="titlepage" epub:type="titlepage"><p class="title">The Clerk</p><p class="author">A. Writer</p></div>',
        ),
        "copyright.xhtml": PAGE(
          '<div epub:type="copyright-page"><p>Copyright © 2020 by A. Writer</p><p>All rights reserved.</p></div>',
        ),
        "toc.xhtml": PAGE(
          `<div><h1>Contents</h1>${AT.map((at) => `<p class="toc"><a href="chapter-${at}.xhtml">${at + 1}. ${names[at]}</a></p>`).join("")}</div>`,
        ),
        ...Object.fromEntries(
          AT.map((at) => [
            `chapter-${at}.xhtml`,
            PAGE(
              `<div class="chapter" epub:type="chapter"><div class="heading"><p class="element-number case-upper">${at + 1}</p><h1 class="element-title">${names[at]}</h1></div><div class="text">${inner(at, '<p class="subsq">')}</div></div>`,
            ),
          ]),
        ),
        "about-the-author.xhtml": PAGE("<div><h1>About the Author</h1><p>A. Writer keeps bees on an island.</p></div>"),
        "also-by.xhtml": PAGE("<div><h1>Also by A. Writer</h1><p>The Other Clerk</p></div>"),
      },
      [
        ["Title Page", "title-page.xhtml"],
        ["Copyright", "copyright.xhtml"],
        ...AT.map((at) => [`${at + 1}. ${names[at]}`, `chapter-${at}.xhtml`] as const),
        ["About the Author", "about-the-author.xhtml"],
        ["Also by A. Writer", "also-by.xhtml"],
      ],
      true,
    ),
    titled((at) => `${at + 1}: ${names[at]}`),
  ),
  made(
    "epub/calibre-from-docx.epub",
    epubOf(
      Object.fromEntries(
        AT.map((at) => [
          `index_split_00${at}.html`,
          PAGE(
            `<h1 class="block_" id="id_Toc${at}"><span class="text_">${chapterN[at]}</span></h1>${inner(at, '<p class="block_1">')}`,
            ' class="calibre"',
          ),
        ]),
      ),
      {
        "toc.ncx": `<ncx><navMap>${ncxPoints(AT.map((at) => [chapterN[at]!, `index_split_00${at}.html#id_Toc${at}`] as const))}</navMap></ncx>`,
      },
    ),
    chapterN,
  ),
  made(
    "epub/calibre-bold-paragraphs.epub",
    epubOf(
      Object.fromEntries(
        AT.map((at) => [
          `index_split_00${at}.html`,
          PAGE(
            `<p class="calibre3"><b class="calibre4">${names[at]}</b></p>${inner(at, '<p class="calibre1">')}`,
            ' class="calibre"',
          ),
        ]),
      ),
      { "toc.ncx": `<ncx><navMap>${ncxPoints([["Start", "index_split_000.html"]])}</navMap></ncx>` },
    ),
    names,
  ),
  made(
    "epub/scrivener-compile.epub",
    epub3(
      {
        "cover.xhtml": PAGE('<div><img src="cover.jpg" alt="cover"/></div>'),
        "contents.xhtml": PAGE(
          `<h1>Contents</h1>${AT.map((at) => `<p><a href="body${at}.xhtml">${chapterN[at]}</a></p>`).join("")}`,
        ),
        ...Object.fromEntries(
          AT.map((at) => [
            `body${at}.xhtml`,
            PAGE(`<h2 class="centered">${chapterN[at]}</h2><h2>${names[at]}</h2>${inner(at)}`),
          ]),
        ),
      },
      AT.map((at) => [chapterN[at]!, `body${at}.xhtml`] as const),
      true,
    ),
    titled((at) => `${chapterN[at]}: ${names[at]}`),
  ),
  made(
    "epub/frames-declared.epub",
    epub3(
      Object.fromEntries(
        framed.map((title, at) => [
          `t${at}.xhtml`,
          PAGE(
            `<section epub:type="${/^(?:Prologue|Epilogue)$/.test(title) ? title.toLowerCase() : "chapter"}"><h1>${title}</h1>${inner(at)}</section>`,
          ),
        ]),
      ),
      framed.map((title, at) => [title, `t${at}.xhtml`] as const),
    ),
    framed,
  ),
  made(
    "epub/no-headings-but-navigation.epub",
    epub3(
      Object.fromEntries(AT.map((at) => [`f${at}.xhtml`, PAGE(inner(at))])),
      AT.map((at) => [names[at]!, `f${at}.xhtml`] as const),
    ),
    names,
  ),
  startingWith(
    "Morning",
    made(
      "epub/scenes-in-navigation.epub",
      epub3(
        Object.fromEntries(
          AT.map((at) => [
            `f${at}.xhtml`,
            PAGE(
              `<h1>${chapterN[at]}</h1>${chapterText(at)
                .map(
                  (text, index) =>
                    `${index === 0 || index === 4 ? `<h2 id="s${index}">${index === 0 ? "Morning" : "Evening"}</h2>` : ""}<p>${xml(text)}</p>`,
                )
                .join("")}`,
            ),
          ]),
        ),
        AT.map(
          (at) =>
            [
              chapterN[at]!,
              `f${at}.xhtml`,
              [
                ["Morning", `f${at}.xhtml#s0`],
                ["Evening", `f${at}.xhtml#s4`],
              ],
            ] as const,
        ),
      ),
      chapterN,
    ),
  ),
  made(
    "epub/pictures-as-headings.epub",
    epub3(
      Object.fromEntries(
        AT.map((at) => [`f${at}.xhtml`, PAGE(`<h1><img src="c${at}.png" alt="${chapterN[at]}"/></h1>${inner(at)}`)]),
      ),
      AT.map((at) => [chapterN[at]!, `f${at}.xhtml`] as const),
    ),
    chapterN,
  ),
];

// Markdown

const md = (write: (at: number) => string) =>
  utf8(AT.map((at) => `${write(at)}\n\n${chapterText(at).join("\n\n")}\n`).join("\n"));
const MARKDOWN: readonly MadeBook[] = [
  made(
    "md/setext-chapters.md",
    md((at) => `Chapter ${at + 1}\n=========`),
    chapterN,
  ),
  made(
    "md/setext-titles.md",
    md((at) => `${names[at]}\n---------`),
    names,
  ),
  made(
    "md/bold-chapters.md",
    md((at) => `**Chapter ${WORDS[at]}**`),
    titled((at) => `Chapter ${WORDS[at]}`),
  ),
  made(
    "md/bold-titles.md",
    md((at) => `**${names[at]}**`),
    names,
  ),
  made(
    "md/plain-chapters.md",
    md((at) => `CHAPTER ${at + 1}`),
    titled((at) => `CHAPTER ${at + 1}`),
  ),
  made(
    "md/front-matter.md",
    utf8(`---\ntitle: The Clerk\nauthor: A. Writer\n---\n\n${new TextDecoder().decode(md((at) => `## ${names[at]}`))}`),
    names,
  ),
  made(
    "md/trailing-marks.md",
    md((at) => `## Chapter ${at + 1} ##`),
    chapterN,
  ),
  made(
    "md/anchors.md",
    md((at) => `## ${names[at]} {#c${at} .chapter}`),
    names,
  ),
  made(
    "md/contents-list.md",
    utf8(
      `# The Clerk\n\n${AT.map((at) => `- [${names[at]}](#c${at})`).join("\n")}\n\n${new TextDecoder().decode(md((at) => `## ${names[at]}`))}`,
    ),
    names,
  ),
  made(
    "md/windows-line-ends.md",
    utf8(new TextDecoder().decode(md((at) => `# ${names[at]}`)).replaceAll("\n", "\r\n")),
    names,
  ),
  made(
    "md/rules-between-chapters.md",
    utf8(AT.map((at) => `## ${names[at]}\n\n${chapterText(at).join("\n\n")}`).join("\n\n---\n\n")),
    names,
  ),
  made(
    "md/scene-headings.md",
    md((at) => `# ${chapterN[at]}\n\n## ${["Dawn", "Dusk"][at % 2]}`),
    titled((at) => `${chapterN[at]}: ${["Dawn", "Dusk"][at % 2]}`),
  ),
];

// Plain text

const text = (heading: (at: number) => string, { wrap = true, gap = "\n\n\n" } = {}) =>
  AT.map((at) => {
    const paragraphs = chapterText(at).map((one) => (wrap ? one.replace(/(.{55,70}) /g, "$1\n") : one));
    return `${heading(at)}${gap.slice(1)}${paragraphs.join("\n\n")}`;
  }).join("\n\n\n\n");
/** Western letters with the marks that Windows has between 0x80 and 0x9f. */
function windows1252(content: string): Uint8Array {
  const signs = new Map([
    ["“", 0x93],
    ["”", 0x94],
    ["‘", 0x91],
    ["’", 0x92],
    ["—", 0x97],
    ["–", 0x96],
    ["…", 0x85],
  ]);
  return Uint8Array.from([...content], (sign) => signs.get(sign) ?? sign.charCodeAt(0) & 0xff);
}
function utf16(content: string, isBig: boolean, hasMark: boolean): Uint8Array {
  const bytes = new Uint8Array((content.length + (hasMark ? 1 : 0)) * 2);
  const view = new DataView(bytes.buffer);
  const all = hasMark ? `\ufeff${content}` : content;
  for (let at = 0; at < all.length; at++) view.setUint16(at * 2, all.charCodeAt(at), !isBig);
  return bytes;
}
const curly = (content: string) =>
  content
    .replace(/(^|\s)"/g, "$1“")
    .replaceAll('"', "”")
    .replaceAll("'", "’");
const plainChapters = text((at) => `Chapter ${at + 1}`);
/** Numbers in words that begin with the Turkish İ, or join ten and more to the first number. */
const ORDINALS: Readonly<Record<string, readonly string[]>> = {
  turkish: ["BİRİNCİ", "İKİNCİ", "ÜÇÜNCÜ", "DÖRDÜNCÜ", "BEŞİNCİ"].map((ordinal) => `${ordinal} BÖLÜM`),
  arabic: [
    "الأول",
    "الثاني",
    "الثالث",
    "الرابع",
    "الخامس",
    "السادس",
    "السابع",
    "الثامن",
    "التاسع",
    "العاشر",
    "الحادي عشر",
    "الثاني عشر",
  ].map((ordinal) => `الفصل ${ordinal}`),
};

const TEXTS: readonly MadeBook[] = [
  made(
    "txt/windows-1252.txt",
    windows1252(curly(text((at) => `Chapter ${at + 1} — Café ${names[at]}`))),
    titled((at) => `Chapter ${at + 1} — Café ${names[at]}`),
  ),
  ...Object.entries(ORDINALS).map(([language, titles]) =>
    made(
      `txt/ordinals-${language}.txt`,
      utf8(titles.map((title, at) => `${title}\n\n${chapterText(at).join("\n\n")}`).join("\n\n\n")),
      titles,
    ),
  ),
  made("txt/utf-16-le.txt", utf16(plainChapters, false, true), chapterN),
  made("txt/utf-16-be.txt", utf16(plainChapters, true, true), chapterN),
  made("txt/utf-16-no-mark.txt", utf16(plainChapters, false, false), chapterN),
  made("txt/old-mac-line-ends.txt", utf8(plainChapters.replaceAll("\n", "\r")), chapterN),
  made("txt/windows-line-ends.txt", utf8(`\ufeff${plainChapters.replaceAll("\n", "\r\n")}`), chapterN),
  made("txt/one-line-paragraphs.txt", utf8(text((at) => `Chapter ${at + 1}`, { wrap: false, gap: "\n\n" })), chapterN),
  made(
    "txt/no-blank-lines.txt",
    utf8(AT.map((at) => `Chapter ${at + 1}\n${chapterText(at).join("\n")}`).join("\n")),
    chapterN,
  ),
  made(
    "txt/indented.txt",
    utf8(
      AT.map(
        (at) =>
          `CHAPTER ${ROMAN[at]}\n\n${chapterText(at)
            .map((one) => `    ${one.replace(/(.{55,66}) /g, "$1\n")}`)
            .join("\n")}`,
      ).join("\n\n\n"),
    ),
    titled((at) => `CHAPTER ${ROMAN[at]}`),
  ),
  made(
    "txt/capital-titles.txt",
    utf8(text((at) => names[at]!.toUpperCase())),
    titled((at) => names[at]!.toUpperCase()),
  ),
  made(
    "txt/numbers-alone.txt",
    utf8(text((at) => String(at + 1))),
    titled((at) => String(at + 1)),
  ),
  made(
    "txt/numbers-with-dots.txt",
    utf8(text((at) => `${at + 1}. ${names[at]}`)),
    titled((at) => `${at + 1}. ${names[at]}`),
  ),
  made("txt/roman-alone.txt", utf8(text((at) => ROMAN[at]!)), ROMAN.slice(0, COUNT)),
  made("txt/underlined.txt", utf8(text((at) => `Chapter ${at + 1}\n---------`)), chapterN),
  made("txt/framed-by-signs.txt", utf8(text((at) => `*** Chapter ${at + 1} ***`)), chapterN),
  made(
    "txt/dashes-around.txt",
    utf8(text((at) => `- Chapter ${at + 1} -`)),
    titled((at) => `- Chapter ${at + 1} -`),
  ),
  made("txt/dates.txt", utf8(text((at) => DATES[at]!)), DATES),
  made(
    "txt/frames.txt",
    utf8(framed.map((title, at) => `${title}\n\n${chapterText(at).join("\n\n")}`).join("\n\n\n\n")),
    framed,
  ),
  made(
    "txt/parts.txt",
    utf8(
      AT.map(
        (at) =>
          `${at % 4 === 0 ? `PART ${at === 0 ? "ONE" : "TWO"}\n\n\n\n` : ""}Chapter ${at + 1}\n\n${chapterText(at).join("\n\n")}`,
      ).join("\n\n\n\n"),
    ),
    chapterN,
  ),
  made("txt/markdown-marks.txt", utf8(text((at) => `# Chapter ${at + 1}`)), chapterN),
  made(
    "txt/contents-above.txt",
    utf8(
      `THE CLERK\n\nby A. Writer\n\n\nCONTENTS\n\n${AT.map((at) => `  ${at + 1}. ${names[at]}`).join("\n")}\n\n\n\n${text((at) => `${at + 1}. ${names[at]}`)}`,
    ),
    titled((at) => `${at + 1}. ${names[at]}`),
  ),
  made(
    "txt/royal-road.txt",
    utf8(
      AT.map(
        (at) =>
          `Chapter ${at + 1}: ${names[at]}\n\n${chapterText(at).join("\n\n")}\n\nA note from A. Writer\n\nThanks for reading! Please rate and follow.\n\nPrevious Chapter\n\nNext Chapter`,
      ).join("\n\n"),
    ),
    titled((at) => `Chapter ${at + 1}: ${names[at]}`),
  ),
  made(
    "txt/serial-with-notes.txt",
    utf8(
      AT.map(
        (at) =>
          `Chapter ${at + 1}: ${names[at]}\n\n${chapterText(at).join("\n\n")}\n\nAuthor's Note: thanks for reading!\n\nNext Chapter`,
      ).join("\n\n"),
    ),
    titled((at) => `Chapter ${at + 1}: ${names[at]}`),
  ),
  made(
    "txt/wattpad.txt",
    utf8(
      AT.map(
        (at) =>
          `${at + 1} | ${names[at]}\n\n${12 + at}.${at}K ${300 + at} ${20 + at}\n\nby awriter\n\n${chapterText(at).join("\n\n")}\n\nContinue reading next part`,
      ).join("\n\n"),
    ),
    titled((at) => `${at + 1} | ${names[at]}`),
  ),
];

// Rich text

/** Western letters as \'xx in code page 1252, as Word writes them. */
const codePage = (content: string) =>
  content
    .replace(/[\\{}]/g, "\\$&")
    .replace(/[^ -~]/g, (sign) => `\\'${windows1252(sign)[0]!.toString(16).padStart(2, "0")}`);
const latin1 = (content: string) => strToU8(content, true);
/** Russian letters in code page 1251. */
const cyrillic = (content: string) =>
  content.replace(/[А-яЁё]/g, (sign) => {
    const unit = sign === "Ё" ? 0xa8 : sign === "ё" ? 0xb8 : sign.charCodeAt(0) - 0x410 + 0xc0;
    return `\\'${unit.toString(16)}`;
  });
const RICH: readonly MadeBook[] = [
  made(
    "rtf/word-code-page.rtf",
    latin1(
      `{\\rtf1\\adeflang1025\\ansi\\ansicpg1252\\uc1\\deff0{\\fonttbl{\\f0\\froman\\fcharset0 Times;}}{\\stylesheet{\\ql \\fs24 Normal;}{\\s1\\ql\\sb240\\keepn\\outlinelevel0 heading 1;}}{\\*\\rsidtbl\\rsid1}{\\info{\\title Caf\\'e9}{\\author A. Writer}}\\paperw12240\n${AT.map(
        (at) =>
          `{\\rtlch\\fcs1 \\af0 \\ltrch\\fcs0 \\s1\\outlinelevel0 ${codePage(`Chapter ${at + 1} — Café`)}\\par }${chapterText(
            at,
          )
            .map(
              (one) =>
                `\\pard\\plain \\ltrpar\\ql\\fi720 {\\rtlch\\fcs1 \\af0 \\ltrch\\fcs0 ${codePage(curly(one))}}{\\par }`,
            )
            .join("\n")}\\pard\\plain`,
      ).join("\n")}}`,
    ),
    titled((at) => `Chapter ${at + 1} — Café`),
  ),
  made(
    "rtf/textedit.rtf",
    latin1(
      `{\\rtf1\\ansi\\ansicpg1252\\cocoartf2639\n\\cocoatextscaling0\\cocoaplatform0{\\fonttbl\\f0\\fswiss\\fcharset0 Helvetica;\\f1\\fswiss\\fcharset0 Helvetica-Bold;}\n{\\colortbl;\\red255\\green255\\blue255;}\n\\pard\\tx560\\pardirnatural\\partightenfactor0\n${AT.map(
        (at) =>
          `\\f1\\b\\fs36 \\cf0 ${chapterN[at]}\\\n\n\\f0\\b0\\fs24 \\\n${chapterText(at)
            .map((one) => `${codePage(curly(one))}\\\n`)
            .join("\\\n")}\\\n`,
      ).join("")}}`,
    ),
    chapterN,
  ),
  made(
    "rtf/scrivener.rtf",
    latin1(
      `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fnil\\fcharset0 Palatino;}}{\\info{\\title The Clerk}}\\viewkind4\\paperw11905\n${AT.map(
        (at) =>
          `${at > 0 ? "\\page\n" : ""}\\pard\\plain\\qc\\sl480\\slmult1\\ltrch\\loch {\\f0\\fs24\\b0 Chapter ${WORDS[at]}}\\par\\pard\\plain\\qc {\\f0\\fs24 }\\par\n${chapterText(
            at,
          )
            .map(
              (one) =>
                `\\pard\\plain\\fi360\\sl480\\slmult1\\ltrch\\loch {\\f0\\fs24\\b0\\i0 ${codePage(curly(one))}}\\par`,
            )
            .join("\n")}`,
      ).join("\n")}}`,
    ),
    titled((at) => `Chapter ${WORDS[at]}`),
  ),
  made(
    "rtf/unicode-escapes.rtf",
    latin1(
      `{\\rtf1\\ansi\\uc1{\\fonttbl{\\f0 Arial;}}\n${AT.map(
        (at) =>
          `{\\b ${`Chapter ${at + 1}`}}\\par\\par ${chapterText(at)
            .map((one) => curly(one).replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0)}\\'3f`))
            .join("\\par\\par\n")}\\par\\par`,
      ).join("\n")}}`,
    ),
    chapterN,
  ),
  made(
    "rtf/russian.rtf",
    latin1(
      `{\\rtf1\\ansi\\ansicpg1251\\deff0{\\fonttbl{\\f0\\froman\\fcharset204 Times;}}\\f0\n${AT.map(
        (at) =>
          `\\pard\\qc {\\b ${cyrillic(`Глава ${at + 1}`)}}\\par\\pard ${chapterText(at)
            .map((one) => `${codePage(curly(one))}\\par`)
            .join("\n")}`,
      ).join("\n")}}`,
    ),
    titled((at) => `Глава ${at + 1}`),
  ),
  made(
    "rtf/libreoffice.rtf",
    latin1(
      `{\\rtf1\\ansi\\deff3\\adeflang1025\n{\\fonttbl{\\f0\\froman\\fprq2\\fcharset0 Times;}}{\\stylesheet{\\s0\\snext0 Normal;}{\\s1\\sbasedon15\\snext16\\outlinelevel0\\sb240\\keepn Heading 1;}{\\s15\\sbasedon0 Heading;}{\\s16\\sbasedon0 Body Text;}}{\\*\\generator LibreOffice/7.4}{\\info{\\author A. Writer}}\n${AT.map(
        (at) =>
          `\\pard\\plain \\s1\\outlinelevel0\\ilvl0\\keepn{\\rtlch\\ltrch\\loch ${names[at]}}\n\\par ${chapterText(at)
            .map((one) => `\\pard\\plain \\s16{\\rtlch\\ltrch\\loch ${codePage(curly(one))}}\n\\par `)
            .join("")}`,
      ).join("")}}`,
    ),
    names,
  ),
];

// OpenDocument

const ODF = ["office", "style", "text", "fo", "table"].map((name) => `xmlns:${name}="${name}"`).join(" ");
function rawOdt(body: string, styles = ""): Uint8Array {
  return zipSync({
    mimetype: utf8("application/vnd.oasis.opendocument.text"),
    "META-INF/manifest.xml": utf8("<manifest/>"),
    "content.xml": utf8(
      `<office:document-content ${ODF}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ),
  });
}
const odtHeading = (title: string) => `<text:h text:style-name="Heading_20_1" text:outline-level="1">${title}</text:h>`;
const odtProse = (at: number) =>
  chapterText(at).map((one) => `<text:p text:style-name="Text_20_body">${xml(one)}</text:p>`);
const ODTS: readonly MadeBook[] = [
  made(
    "odt/tracked-changes.odt",
    rawOdt(
      `<text:tracked-changes>${AT.map((at) => `<text:changed-region text:id="ct${at}"><text:deletion><office:change-info/><text:p>A paragraph that the editor took out.</text:p></text:deletion></text:changed-region>`).join("")}</text:tracked-changes>${AT.map((at) => odtHeading(chapterN[at]!) + odtProse(at).join(`<text:p><text:change text:change-id="ct${at}"/></text:p>`)).join("")}`,
    ),
    chapterN,
  ),
  made(
    "odt/lists.odt",
    rawOdt(
      AT.map((at) => {
        const [first, ...others] = odtProse(at);
        return `${odtHeading(chapterN[at]!)}${first}<text:list><text:list-item><text:p>One boat.</text:p></text:list-item><text:list-item><text:p>Two nets.</text:p></text:list-item></text:list>${others.join("")}`;
      }).join(""),
    ),
    chapterN,
  ),
  made(
    "odt/heading-in-list.odt",
    rawOdt(
      AT.map(
        (at) =>
          `<text:list text:style-name="Outline"><text:list-item>${odtHeading(names[at]!)}</text:list-item></text:list>${odtProse(at).join("")}`,
      ).join(""),
    ),
    names,
  ),
  made(
    "odt/notes-and-comments.odt",
    rawOdt(
      AT.map((at) => {
        const [first, second, ...others] = chapterText(at);
        return `${odtHeading(chapterN[at]!)}<text:p>${first}</text:p><text:p>${xml(second!)}<office:annotation><dc:creator>Editor</dc:creator><text:p>Slow here.</text:p></office:annotation><text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>A note of the clerk’s own.</text:p></text:note-body></text:note></text:p>${others.map((one) => `<text:p>${xml(one)}</text:p>`).join("")}`;
      }).join(""),
    ),
    chapterN,
  ),
  made(
    "odt/contents.odt",
    rawOdt(
      `<text:table-of-content><text:index-body><text:index-title><text:p>Contents</text:p></text:index-title>${AT.map((at) => `<text:p>${names[at]}<text:tab/>${at * 9 + 3}</text:p>`).join("")}</text:index-body></text:table-of-content>${AT.map((at) => odtHeading(names[at]!) + odtProse(at).join("")).join("")}`,
    ),
    names,
  ),
  made(
    "odt/page-breaks.odt",
    rawOdt(
      AT.map((at) =>
        odtProse(at)
          .join("")
          .replace('text:style-name="Text_20_body"', at === 0 ? 'text:style-name="P2"' : 'text:style-name="P1"'),
      ).join(""),
      '<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>',
    ),
    AT.map(() => null),
  ),
  made(
    "odt/centred.odt",
    odt(
      headed(
        titled((at) => `Chapter ${WORDS[at]}`),
        { isCentred: true },
      ),
    ),
    titled((at) => `Chapter ${WORDS[at]}`),
  ),
];

// FictionBook and Kindle

const fb2Text = new TextDecoder().decode(fb2(headed(names, { level: 1 })));
const FB2S: readonly MadeBook[] = [
  made("fb2/packed.fb2.zip", zipSync({ "book.fb2": utf8(fb2Text) }), names),
  made("fb2/packed.fbz", zipSync({ "book.fb2": utf8(fb2Text) }), names),
  made(
    "fb2/with-title-and-epigraph.fb2",
    utf8(
      fb2Text.replace(
        "<body>",
        "<body><title><p>The Clerk</p></title><epigraph><p>Count what you love.</p><text-author>A fisherman</text-author></epigraph>",
      ),
    ),
    names,
  ),
  made(
    "fb2/with-notes.fb2",
    utf8(
      fb2Text.replace(
        "</body>",
        '</body><body name="notes"><title><p>Notes</p></title><section id="n1"><title><p>1</p></title><p>A note of the clerk’s own.</p></section></body>',
      ),
    ),
    names,
  ),
  made(
    "fb2/windows-1251.fb2",
    latin1(
      fb2Text
        .replace('encoding="UTF-8"', 'encoding="windows-1251"')
        .replaceAll("’", "\x92")
        .replaceAll("“", "\x93")
        .replaceAll("”", "\x94")
        .replaceAll("—", "\x97"),
    ),
    names,
  ),
];
const MOBIS: readonly MadeBook[] = [
  made("mobi/no-headings-bold.mobi", mobi(headed(chapterN, { isBold: true })), chapterN),
  made(
    "mobi/page-breaks.mobi",
    mobi(AT.flatMap((at) => prose(at).map((one, index) => ({ ...one, startsPage: at > 0 && index === 0 })))),
    AT.map(() => null),
  ),
  made("mobi/named-azw3.azw3", mobi(headed(names, { level: 2 })), names),
  made(
    "mobi/plain-numbers.mobi",
    mobi(
      headed(
        titled((at) => String(at + 1)),
        { isBold: true },
      ),
    ),
    titled((at) => String(at + 1)),
  ),
];

// Web pages

const web = (body: string) =>
  utf8(
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The Clerk</title></head><body>${body}</body></html>`,
  );
const HTMLS: readonly MadeBook[] = [
  made(
    "html/word-filtered.html",
    web(
      AT.map(
        (at) =>
          `<p class=MsoNormal align=center style='text-align:center'><b><span style='font-size:16.0pt'>${chapterN[at]}</span></b></p>${chapterText(
            at,
          )
            .map((one) => `<p class=MsoNormal style='text-indent:.5in'>${xml(one)}</p>`)
            .join("\n")}`,
      ).join(""),
    ),
    chapterN,
  ),
  made(
    "html/google-docs.html",
    web(
      AT.map(
        (at) =>
          `<h1 class="c${at}" id="h.${at}"><span class="c4">${names[at]}</span></h1>${chapterText(at)
            .map((one) => `<p class="c1"><span class="c0">${xml(one)}</span></p>`)
            .join("")}<p class="c1 c3"><span class="c0"></span></p>`,
      ).join(""),
    ),
    names,
  ),
  made(
    "html/divs-and-breaks.html",
    web(
      AT.map(
        (at) =>
          `<div class="chapter"><div class="chapter-title">Chapter ${at + 1}</div>${chapterText(at)
            .map((one) => `${xml(one)}<br><br>`)
            .join("\n")}</div>`,
      ).join(""),
    ),
    chapterN,
  ),
  made(
    "html/navigation-bars.html",
    web(
      `<nav><a href="/">Home</a><a href="/about">About</a></nav>${AT.map(
        (at) =>
          `<h2>${chapterN[at]}</h2>${chapterText(at)
            .map((one) => `<p>${xml(one)}</p>`)
            .join("")}`,
      ).join("")}<footer>© A. Writer</footer>`,
    ),
    chapterN,
  ),
  made("html/whole-in-pre.html", web(`<pre>${xml(plainChapters)}</pre>`), chapterN),
];

// Chinese

const HAN = readFileSync("assets/examples/the-lamp-at-mist-harbour.zh.md", "utf8")
  .split(/\n{2,}/)
  .map((one) => one.trim())
  .filter((one) => one.length > 30 && !/^[-#>]/.test(one));
const DIGITS = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
const hanText = (at: number) => [
  `第${DIGITS[at]}天，港口里来了${DIGITS[at]}条船。`,
  ...HAN.slice(0, 8),
  `后来再也没有人提起第${DIGITS[at]}天的事。`,
];
function han(file: string, bytes: Uint8Array, titles: readonly string[]): MadeBook {
  const chapters = titles.map((title, at) => ({ title, first: hanText(at)[0]!, last: hanText(at).at(-1)! }));
  return { file, bytes, chapters };
}
const hanTitles = (unit: string) => AT.map((at) => `第${DIGITS[at]}${unit} 灯火`);
const CHINESE: readonly MadeBook[] = [
  han(
    "zh/lines.txt",
    utf8(
      AT.map(
        (at) =>
          `${hanTitles("章")[at]}\n\n${hanText(at)
            .map((one) => `　　${one}`)
            .join("\n")}`,
      ).join("\n\n"),
    ),
    hanTitles("章"),
  ),
  han(
    "zh/utf-16.txt",
    utf16(
      AT.map(
        (at) =>
          `${hanTitles("回")[at]}\r\n${hanText(at)
            .map((one) => `　　${one}`)
            .join("\r\n")}`,
      ).join("\r\n"),
      false,
      true,
    ),
    hanTitles("回"),
  ),
  han(
    "zh/headings.md",
    utf8(AT.map((at) => `## ${hanTitles("章")[at]}\n\n${hanText(at).join("\n\n")}`).join("\n\n")),
    hanTitles("章"),
  ),
  han(
    "zh/word.docx",
    docx(
      AT.flatMap((at): Written[] => [
        { text: hanTitles("章")[at]!, level: 1 },
        ...hanText(at).map((one) => ({ text: one })),
      ]),
    ),
    hanTitles("章"),
  ),
  han(
    "zh/pages.epub",
    sigil(
      AT.flatMap((at): Written[] => [
        { text: hanTitles("章")[at]!, level: 2 },
        ...hanText(at).map((one) => ({ text: one })),
      ]),
    ),
    hanTitles("章"),
  ),
];

// Frames, dates, names and parts in every format that can head them

const WRITERS: Readonly<Record<string, (paragraphs: readonly Written[]) => Uint8Array>> = {
  docx,
  odt,
  rtf,
  fb2,
  mobi,
  html,
  md: (paragraphs) =>
    utf8(paragraphs.map(({ text, level }) => (level ? `${"#".repeat(level)} ${text}` : text)).join("\n\n")),
  epub: (paragraphs) => sigil(paragraphs),
};
const WITH_PARTS = names.flatMap((text, at): Written[] => [
  ...(at % 4 === 0 ? [{ text: at === 0 ? "Part One: The Harbour" : "Part Two: The Sea", level: 1 }] : []),
  { text: `Chapter ${at + 1}: ${text}`, level: 2 },
  ...prose(at),
]);
const EVERYWHERE: readonly MadeBook[] = Object.entries(WRITERS).flatMap(([format, write]) => [
  made(`${format}/framed.${format}`, write(headed(framed, { level: 1 })), framed),
  made(`${format}/dates.${format}`, write(headed(DATES, { level: 1 })), DATES),
  made(
    `${format}/voices.${format}`,
    write(
      headed(
        titled((at) => ["Anna", "Karl", "Marta"][at % 3]!),
        { level: 1 },
      ),
    ),
    titled((at) => ["Anna", "Karl", "Marta"][at % 3]!),
  ),
  made(
    `${format}/parts-named.${format}`,
    write(WITH_PARTS),
    titled((at) => `Chapter ${at + 1}: ${names[at]}`),
  ),
  made(`${format}/roman.${format}`, write(headed(ROMAN.slice(0, COUNT), { level: 2 })), ROMAN.slice(0, COUNT)),
]);

export function madeLayouts(): readonly MadeBook[] {
  return [
    ...DOCX,
    ...EVERYWHERE,
    ...EPUBS,
    ...MARKDOWN,
    ...TEXTS,
    ...RICH,
    ...ODTS,
    ...FB2S,
    ...MOBIS,
    ...HTMLS,
    ...CHINESE,
  ];
}

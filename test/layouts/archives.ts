import { epubOf } from "../support/small-files.ts";
import { type LayoutCase, paragraphs } from "./layout-case.ts";

const TITLES = ["Fog", "Wind", "Snow", "Sun"];
const body = (count: number, seed: number) =>
  paragraphs(count, seed)
    .map((text) => `<p>${text}</p>`)
    .join("");
const page = (content: string) => `<html><body>${content}</body></html>`;
const chapter = (title: string, seed: number) =>
  `<section epub:type="chapter"><h2>${title}</h2>${body(4, seed)}</section>`;
const point = (title: string, src: string, inner = "") =>
  `<navPoint><navLabel><text>${title}</text></navLabel><content src="${src}"/>${inner}</navPoint>`;
const ncx = (points: string) => ({ "toc.ncx": `<ncx><navMap>${points}</navMap></ncx>` });
const plainPages = () =>
  Object.fromEntries(TITLES.map((title, at) => [`p${at}.html`, page(`<h2>${title}</h2>${body(4, at)}`)]));

/** EPUBs whose marks, guide or navigation say something about a page that is not so, or not of the whole page. */
export const ARCHIVES: Readonly<Record<string, LayoutCase>> = {
  "a title page, a dedication and all chapters in one file": {
    file: "one-file.epub",
    bytes: epubOf({
      "all.xhtml": page(
        `<section epub:type="titlepage"><h1>Rain</h1></section><section epub:type="dedication"><p>For Mary</p></section>${TITLES.map(chapter).join("")}`,
      ),
    }),
    chapters: TITLES,
    excludes: ["For Mary"],
  },
  "a dedication in the file of the first chapter": {
    file: "first-file.epub",
    bytes: epubOf({
      "p0.xhtml": page(`<section epub:type="dedication"><p>For Mary</p></section>${chapter("Fog", 0)}`),
      ...Object.fromEntries(TITLES.slice(1).map((title, at) => [`p${at + 1}.xhtml`, page(chapter(title, at + 1))])),
    }),
    chapters: TITLES,
  },
  "footnotes inside each chapter's section": {
    file: "footnotes.epub",
    bytes: epubOf(
      Object.fromEntries(
        TITLES.map((title, at) => [
          `p${at}.xhtml`,
          page(
            `<section epub:type="chapter"><h2>${title}</h2>${body(4, at)}<section epub:type="footnotes"><p>The widow was right about ${title}.</p></section></section>`,
          ),
        ]),
      ),
    ),
    chapters: TITLES,
    contains: ["The widow was right about Snow."],
  },
  "a guide whose contents are a place in the book's one page": {
    file: "guide.epub",
    bytes: epubOf(
      {
        "all.html": page(
          `<div id="toc">${TITLES.map((title, at) => `<p><a href="#c${at}">${title}</a></p>`).join("")}</div>${TITLES.map((title, at) => `<h2 id="c${at}">${title}</h2>${body(4, at)}`).join("")}`,
        ),
      },
      { ...ncx(TITLES.map((title, at) => point(title, `all.html#c${at}`)).join("")), guide: "toc all.html#toc" },
    ),
    chapters: TITLES,
  },
  "a guide that calls the first chapter the cover": {
    file: "cover.epub",
    bytes: epubOf(plainPages(), { guide: "cover p0.html" }),
    chapters: TITLES,
  },
  "a page outside the reading order": {
    file: "aside.epub",
    bytes: epubOf(
      { ...plainPages(), "aside.html": page(`<h2>The Widow's Note</h2>${body(3, 9)}`) },
      { aside: "aside.html" },
    ),
    chapters: TITLES,
    removedStory: "page outside the story (OPS/aside.html)",
  },
  "every page outside the reading order": {
    file: "asides.epub",
    bytes: epubOf(plainPages(), { aside: Object.keys(plainPages()).join(" ") }),
    chapters: TITLES,
  },
  "an appendix": {
    file: "appendix.epub",
    bytes: epubOf({
      ...Object.fromEntries(TITLES.map((title, at) => [`p${at}.xhtml`, page(chapter(title, at))])),
      "appendix.xhtml": page('<section epub:type="appendix"><h2>Appendix</h2><p>What the widow kept.</p></section>'),
    }),
    chapters: [...TITLES, "Appendix"],
    contains: ["What the widow kept."],
  },
  "the book's title above every chapter": {
    file: "title.epub",
    bytes: epubOf(
      Object.fromEntries(
        TITLES.map((title, at) => [`p${at}.html`, page(`<h1>Rain</h1><h2>${title}</h2>${body(4, at)}`)]),
      ),
    ),
    chapters: TITLES,
  },
  "scenes of one name in every chapter, listed in the navigation": {
    file: "scenes.epub",
    bytes: epubOf(
      Object.fromEntries(
        TITLES.map((title, at) => [
          `p${at}.html`,
          page(
            `<h2>${title}</h2><p id="m"><b>Morning</b></p>${body(3, at)}<p id="e"><b>Evening</b></p>${body(3, at + 5)}`,
          ),
        ]),
      ),
      ncx(
        TITLES.map((title, at) =>
          point(title, `p${at}.html`, point("Morning", `p${at}.html#m`) + point("Evening", `p${at}.html#e`)),
        ).join(""),
      ),
    ),
    chapters: TITLES,
  },
  "parts that have names only, each with a page of its own": {
    file: "named-parts.epub",
    bytes: epubOf(
      Object.fromEntries(
        ["The Sea", "The Land"].flatMap((part, half) => [
          [`s${half}.html`, page(`<h1>${part}</h1>`)],
          ...TITLES.slice(0, 3).map((title, at) => [
            `s${half}-${at}.html`,
            page(`<h2>${title} ${half}</h2>${body(4, half * 10 + at)}`),
          ]),
        ]),
      ),
      ncx(
        ["The Sea", "The Land"]
          .map((part, half) =>
            point(
              part,
              `s${half}.html`,
              TITLES.slice(0, 3)
                .map((title, at) => point(`${title} ${half}`, `s${half}-${at}.html`))
                .join(""),
            ),
          )
          .join(""),
      ),
    ),
    chapters: ["Fog 0", "Wind 0", "Snow 0", "Fog 1", "Wind 1", "Snow 1"],
    parts: ["The Sea", "The Sea", "The Sea", "The Land", "The Land", "The Land"],
  },
  "titles that only their class tells": {
    file: "class.epub",
    bytes: epubOf(
      Object.fromEntries(
        TITLES.map((title, at) => [`p${at}.html`, page(`<div class="chapter-title">${title}</div>${body(4, at)}`)]),
      ),
    ),
    chapters: TITLES,
  },
  "a publisher's pages at the end": {
    file: "promotion.epub",
    bytes: epubOf({ ...plainPages(), "also.html": page("<h2>Also by A. Writer</h2><p>The Reef</p><p>The Boat</p>") }),
    chapters: TITLES,
    excludes: ["The Reef"],
  },
};

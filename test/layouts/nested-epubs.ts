import { epubOf } from "../support/small-files.ts";
import { type LayoutCase, paragraphs } from "./layout-case.ts";

const TITLES = ["Fog", "Wind", "Snow", "Sun", "Hail", "Ice", "Rain", "Storm", "Mist", "Dew"];
const ROMAN = ["I", "II", "III", "IV", "V", "VI"];
const body = (count: number, seed: number) =>
  paragraphs(count, seed)
    .map((text) => `<p>${text}</p>`)
    .join("");
const page = (content: string, type = "bodymatter") =>
  `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body epub:type="${type}">${content}</body></html>`;
const ncx = (points: readonly (readonly [string, string])[]) =>
  `<ncx><navMap>${points.map(([title, src]) => `<navPoint><navLabel><text>${title}</text></navLabel><content src="${src}"/></navPoint>`).join("")}</navMap></ncx>`;
const level = (depth: number, id: string, title: string, content: string) =>
  `<section id="${id}" class="level${depth}"><h${depth}>${title}</h${depth}>${content}</section>`;
const below = (depth: number, titles: readonly string[]) =>
  titles.map((title, at) => level(depth, `c${at}`, title, body(4, TITLES.indexOf(title) + at))).join("");

/** A chapter in numbered or titled sections, as publishers of classics mark them. */
const framed = (heading: string, inner: readonly string[], seed: number) =>
  page(
    `<section epub:type="chapter"><h2>${heading}</h2>${inner
      .map((title, at) => `<section epub:type="z3998:subchapter"><h3>${title}</h3>${body(3, seed + at)}</section>`)
      .join("")}</section>`,
  );
const framedBook = (headings: readonly string[], innerOf: (at: number) => readonly string[]) =>
  epubOf(Object.fromEntries(headings.map((heading, at) => [`p${at}.xhtml`, framed(heading, innerOf(at), 10 * at)])));

/** EPUBs whose headings, declared sections and pages nest: which of them are the chapters? */
export const NESTED_EPUBS: Readonly<Record<string, LayoutCase>> = {
  "an EPUB of one page, its chapters below the book's title": {
    file: "one-page.epub",
    bytes: epubOf(
      { "ch001.xhtml": page(level(1, "book", "Rain", below(2, TITLES))) },
      {
        "toc.ncx": ncx([["Rain", "ch001.xhtml"], ...TITLES.map((title, at) => [title, `ch001.xhtml#c${at}`] as const)]),
      },
    ),
    chapters: TITLES,
  },
  "an EPUB of one page, with numbered chapters and without navigation": {
    file: "numbered.epub",
    bytes: epubOf({
      "ch001.xhtml": page(
        level(
          1,
          "book",
          "Rain",
          below(
            2,
            TITLES.map((_title, at) => `Chapter ${at + 1}`),
          ),
        ),
      ),
    }),
    chapters: TITLES.map((_title, at) => `Chapter ${at + 1}`),
  },
  "an EPUB with a page for each part, its chapters two levels down": {
    file: "parts.epub",
    bytes: epubOf(
      {
        "ch001.xhtml": page(level(1, "p1", "The Harbour", below(3, TITLES.slice(0, 5)))),
        "ch002.xhtml": page(level(1, "p2", "The Sea", below(3, TITLES.slice(5)))),
      },
      {
        "toc.ncx": ncx([
          ["The Harbour", "ch001.xhtml"],
          ...TITLES.slice(0, 5).map((title, at) => [title, `ch001.xhtml#c${at}`] as const),
          ["The Sea", "ch002.xhtml"],
          ...TITLES.slice(5).map((title, at) => [title, `ch002.xhtml#c${at}`] as const),
        ]),
      },
    ),
    chapters: TITLES,
    parts: [...Array(5).fill("The Harbour"), ...Array(5).fill("The Sea")],
  },
  "an EPUB whose numbered chapters have numbered sections": {
    file: "sections.epub",
    bytes: framedBook(ROMAN, () => ROMAN.slice(0, 4)),
    chapters: ROMAN,
  },
  "an EPUB whose chapters are called so and have sections that count on": {
    file: "called.epub",
    bytes: framedBook(
      ROMAN.map((roman) => `Chapter ${roman}`),
      (at) => ROMAN.slice(at, at + 2),
    ),
    chapters: ROMAN.map((roman) => `Chapter ${roman}`),
  },
  "an EPUB whose numbered chapters have titled sections": {
    file: "titled.epub",
    bytes: framedBook(["I", "II", "III", "I", "II", "III"], (at) => TITLES.slice(at, at + 3)),
    chapters: ["I", "II", "III", "I", "II", "III"],
    warning: "begins again without the title of a part",
  },
  "an EPUB of books, each with numbered chapters": {
    file: "books.epub",
    bytes: framedBook(
      ROMAN.map((roman) => `Book ${roman}`),
      () => ROMAN.slice(0, 3),
    ),
    chapters: ROMAN.flatMap(() => ROMAN.slice(0, 3)),
    parts: ROMAN.flatMap((roman) => Array(3).fill(`Book ${roman}`)),
  },
  "an EPUB of a novel in one piece": {
    file: "one-piece.epub",
    bytes: epubOf({ "novel.xhtml": page(body(220, 0)) }),
    chapters: [null],
    warning: "not divided into chapters",
  },
  "an EPUB that declares a prologue and lists the characters": {
    file: "persons.epub",
    bytes: epubOf({
      "persons.xhtml": page("<h2>Dramatis Personae</h2><p>Anna, a widow.</p><p>Karl, her son.</p>"),
      "prologue.xhtml": page(`<section epub:type="prologue"><h2>Prologue</h2>${body(2, 50)}</section>`),
      ...Object.fromEntries(
        TITLES.slice(0, 4).map((title, at) => [
          `p${at}.xhtml`,
          page(`<section epub:type="chapter"><h2>${title}</h2>${body(4, at)}</section>`),
        ]),
      ),
      "epilogue.xhtml": page(`<section epub:type="epilogue"><h2>Epilogue</h2>${body(2, 60)}</section>`),
    }),
    chapters: ["Prologue", ...TITLES.slice(0, 4), "Epilogue"],
    excludes: ["a widow"],
  },
};

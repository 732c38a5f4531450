import { strToU8, zipSync } from "fflate";
import { type Kinds, numbered, SENTENCE } from "./made-text.ts";

const CONTAINER =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>';

function epub(
  pages: Readonly<Record<string, string>>,
  navigation = "",
  spine = Object.keys(pages),
  folder = "",
): Uint8Array {
  const names = Object.keys(pages);
  const items = names
    .map((name, at) => `<item id="p${at}" href="${name}" media-type="application/xhtml+xml"/>`)
    .join("");
  const order = spine.map((name) => `<itemref idref="p${names.indexOf(name)}"/>`).join("");
  const nav = '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>';
  const files: Record<string, Uint8Array> = {
    "META-INF/container.xml": strToU8(CONTAINER.replace("a.opf", `${folder}a.opf`)),
    [`${folder}a.opf`]: strToU8(
      `<package><metadata/><manifest>${items}${nav}</manifest><spine>${order}</spine></package>`,
    ),
    [`${folder}nav.xhtml`]: strToU8(`<html><body><nav epub:type="toc"><ol>${navigation}</ol></nav></body></html>`),
  };
  for (const [name, text] of Object.entries(pages)) files[name] = strToU8(text);
  return zipSync(files);
}

function page(body: string): string {
  return `<html><body>${body}</body></html>`;
}

export const EPUBS: Kinds = {
  "one page listed 20,000 times": () =>
    epub({ "a.xhtml": page(`<p>${SENTENCE.repeat(17_000)}</p>`) }, "", new Array<string>(20_000).fill("a.xhtml")),
  "5,000 pages": () =>
    epub(
      Object.fromEntries(
        Array.from({ length: 5000 }, (_, at) => [`${at}.xhtml`, page(`<h2>${at}</h2><p>${SENTENCE}</p>`)]),
      ),
    ),
  "30,000 places in one page": () =>
    epub(
      { "a.xhtml": page(numbered(30_000, (at) => `<p id="a${at}">rain</p>`)) },
      numbered(30_000, (at) => `<li><a href="a.xhtml#a${at}">a${at}</a></li>`),
    ),
  "5,000 pages without headings": () =>
    epub(
      Object.fromEntries(
        Array.from({ length: 5000 }, (_, at) => [`${at}.xhtml`, page(`<p>${SENTENCE.repeat(12)}</p>`)]),
      ),
    ),
  "lists in the navigation": () => epub({ "a.xhtml": page(`<p>${SENTENCE}</p>`) }, "<ol><li>".repeat(110_000)),
  "pages of a repeated letter": () =>
    epub(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [`${at}.xhtml`, page(`<p>${"a ".repeat(2_400_000)}</p>`)]),
      ),
    ),
  "one page of short paragraphs": () => epub({ "a.xhtml": page("<p>a</p>".repeat(250_000)) }),
  "one page of page numbers": () => epub({ "a.xhtml": page(`<p>a</p>${'<i class="pagenum">1</i>'.repeat(200_000)}`) }),
  "a declared chapter with a title of many lines": () =>
    epub({ "a.xhtml": page(`<section epub:type="chapter"><h2>${"a<br/>".repeat(200_000)}</h2><p>a</p></section>`) }),
  "sections at the deepest": () =>
    epub({
      "a.xhtml": page(
        `${'<section epub:type="part">'.repeat(4900)}${'<section epub:type="chapter"><p>a</p></section>'.repeat(10_000)}${"</section>".repeat(4900)}`,
      ),
    }),
  "epilogues after a long chapter": () =>
    epub({
      "a.xhtml": page(
        `<section epub:type="chapter"><h2>a</h2><p>${SENTENCE.repeat(9000)}</p></section>${'<section epub:type="epilogue"><p>a</p></section>'.repeat(10_000)}`,
      ),
    }),
  "a page in 30,000 folders": () => {
    const folder = "a/".repeat(30_000);
    const pages = Array.from({ length: 5000 }, (_, at) => [`${at}.xhtml`, page("<p>rain</p>")]);
    return epub(Object.fromEntries(pages), "", undefined, folder);
  },
  "5,000 prologues": () =>
    epub(
      Object.fromEntries(
        Array.from({ length: 5000 }, (_, at) => [
          `${at}.xhtml`,
          page(
            `<section epub:type="${at === 2500 ? "chapter" : "prologue"}"><h2>${at}</h2><p>${SENTENCE}</p></section>`,
          ),
        ]),
      ),
    ),
};

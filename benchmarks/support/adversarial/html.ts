import { strToU8 } from "fflate";
import { counted, filled, type Kinds, numbered, SENTENCE } from "./made-text.ts";

export const HTML: Kinds = {
  "open divs": () => filled("<div>"),
  "nested spans": () => strToU8(`${"<span>".repeat(76_000)}a${"</span>".repeat(76_000)}`),
  "nested divs within the limit": () => filled(`${"<div>".repeat(4000)}a${"</div>".repeat(4000)}`),
  "open paragraphs": () => filled("<p>a"),
  "open bold": () => filled("<b>a"),
  "closing tags alone": () => filled("</div>"),
  "line breaks": () => filled("<br>"),
  rules: () => filled("<hr>"),
  "headings without text": () => filled("<h2></h2>"),
  "headings without prose": () => counted((number) => `<h2>Chapter ${number}</h2>`),
  "headings with a word": () => counted((number) => `<h2>Rain ${number}</h2><p>rain</p>`),
  "open headings": () => filled("<h2>a"),
  "open comment": () => filled("<!-- a"),
  "open attribute": () => filled("a", '<p class="'),
  "many attributes": () => counted((number) => `${number === 1 ? "<p " : ""}a${number}="b" `),
  "many anchors": () => counted((number) => `<a id="a${number}">a</a>`),
  "many sections": () => filled('<section epub:type="chapter"><h2>a</h2><p>rain</p></section>'),
  "sections in sections": () => filled('<section epub:type="chapter"><h2>a</h2><p>rain</p>'),
  "page numbers": () => filled('<span class="pagenum">1</span>a'),
  "one removed element": () => filled("a ", '<p>b</p><div class="footnote-ref">'),
  "preformatted lines": () => filled("a\n", "<pre>", "</pre>"),
  tables: () => filled("<tr><td>a</td></tr>", "<table>", "</table>"),
  "numeric entities": () => filled("&#120;"),
  "unknown entities": () => filled("&rain;"),
  "open entities": () => filled("&"),
  "open tag": () => filled("a", "<"),
  scripts: () => filled("<script>a</script>"),
  "one long heading": () => filled("rain ", "<h2>", "</h2><p>rain</p><h2>a</h2><p>rain</p>"),
  "a heading of equal signs": () => filled("=", "<h2>a", "b</h2><p>rain</p><h2>a</h2><p>rain</p>"),
  "a heading of dots": () => filled(".", "<h2>a", "b</h2><p>rain</p><h2>a</h2><p>rain</p>"),
  "a heading of brackets": () => filled("a[", "<h2>", "</h2><p>rain</p><h2>a</h2><p>rain</p>"),
  "long headings": () => filled(`<h2>${"rain [".repeat(300)}</h2><p>a</p>`),
  "a heading of many lines": () => filled("a<br>", "<h2>", "</h2><p>rain</p><h2>a</h2><p>rain</p>"),
  "a long name over every chapter": () =>
    strToU8(`<h1>${"rain ".repeat(90_000)}</h1>${numbered(20_000, (at) => `<h2>${at + 1}</h2><p>rain</p>`)}`),
  "sections at the deepest": () => {
    const chapters = '<section epub:type="chapter"><p>a</p></section>'.repeat(10_000);
    return strToU8(`${'<section epub:type="part">'.repeat(4900)}${chapters}${"</section>".repeat(4900)}`);
  },
  "epilogues after a long chapter": () =>
    strToU8(
      `<section epub:type="chapter"><h2>a</h2><p>${SENTENCE.repeat(9000)}</p></section>${'<section epub:type="epilogue"><p>a</p></section>'.repeat(10_000)}`,
    ),
  "bold lines": () => counted((number) => `<p><b>Rain ${number}</b></p><p>a</p>`),
  "classes of titles": () => filled('<p class="chapter-title">Rain</p><p>a</p>'),
  "two line breaks": () => filled("a<br><br>"),
};

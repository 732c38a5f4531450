import { strToU8, zipSync } from "fflate";
import { randomInteger, seededRandom } from "../../src/core/random.ts";

/** Kinds of files by what they are made of. */
type Kinds = Readonly<Record<string, () => Uint8Array>>;

const SIZE = 1_000_000;

/** A megabyte of UTF-8, whatever it is made of. */
function filled(unit: string, before = "", after = ""): Uint8Array {
  const times = Math.ceil((SIZE - before.length - after.length) / strToU8(unit).length);
  return strToU8(`${before}${unit.repeat(times)}${after}`);
}

function counted(line: (number: number) => string): Uint8Array {
  const lines: string[] = [];
  for (let size = 0, number = 1; size < SIZE; number++) {
    const text = line(number);
    lines.push(text);
    size += Buffer.byteLength(text);
  }
  return strToU8(lines.join(""));
}

function noise(alphabet: string, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const signs = [...alphabet];
  let text = "";
  while (text.length < SIZE) text += signs[randomInteger(random, signs.length)];
  return strToU8(text);
}

const SENTENCE = "The rain came down on the harbour, and nobody minded it. ";
const HAN = "他走进屋里，看见桌上放着一封信。";

/** So many pieces in a row, from number 0 on. */
function numbered(count: number, text: (number: number) => string): string {
  return Array.from({ length: count }, (_, at) => text(at)).join("");
}

/** Text that is the same in every format that holds it as it is. */
const TEXTS: Kinds = {
  "unbroken letters": () => filled("a"),
  "unbroken random letters": () => noise("abcdefghijklmnopqrstuvwxyz", 1),
  "unbroken capitals": () => filled("ABCDEFGH"),
  "combining marks": () => filled("\u0301", "e"),
  "letters with many marks": () => filled(`e${"\u0301".repeat(200)} `),
  newlines: () => filled("\n"),
  "spaces and newlines": () => filled("   \n"),
  spaces: () => filled(" ", "a", "b"),
  tabs: () => filled("\t", "a", "b"),
  "carriage returns": () => filled(`${SENTENCE}\r\r`),
  "form feeds": () => filled("\f"),
  quotes: () => filled('"'),
  "opening quotes": () => filled("“"),
  apostrophes: () => filled("'"),
  hashes: () => filled("#"),
  "lines of hashes": () => filled("# #\n"),
  digits: () => filled("7"),
  "lines of digits": () => counted((number) => `${number}\n`),
  "roman numerals": () => filled("I\n\nV\n\nX\n\n"),
  "roman I unbroken": () => filled("I"),
  "the word chapter": () => filled("CHAPTER "),
  "chapter lines": () => filled("CHAPTER\n\n"),
  "chapter one again and again": () => filled("CHAPTER I\n\n"),
  "100,000 chapters": () => counted((number) => `CHAPTER ${number}\n\n`),
  "chapters of a word": () => counted((number) => `CHAPTER ${number}\n\nrain\n\n`),
  "chapters of a sentence": () => counted((number) => `CHAPTER ${number}\n\n${SENTENCE}\n\n`),
  "chapters counting down": () => counted((number) => `CHAPTER ${60_000 - number}\n\nrain\n\n`),
  "contents without end": () =>
    counted((number) => `${number === 1 ? "CONTENTS\n\n" : ""}${number}. The Rain .... ${number}\n`),
  "contents again and again": () => filled("CONTENTS\n\nCHAPTER I\nCHAPTER II\nCHAPTER III\nCHAPTER IV\n\n"),
  "parts again and again": () => counted((number) => `PART ${number}\n\nCHAPTER 1\n\nrain\n\n`),
  "capital lines": () => filled("THE RAIN CAME DOWN\n\nrain\n\n"),
  "named headings": () => filled("PROLOGUE\n\nrain\n\nNOTE\n\nrain\n\n"),
  "page numbers": () => counted((number) => `the rain came down on the harbour and\n\n- ${number} -\n\nthe wind `),
  "page numbers without text": () => counted((number) => `- ${number} -\n`),
  "dashed headings": () => counted((number) => `- ${number} -\n\n${SENTENCE.repeat(16)}\n\n`),
  "numbers in every setting": () => {
    const signs = [..."-–—~·.*=|"];
    return counted(
      (number) => `${signs[number % 9]} ${1 + Math.floor(number / 81)} ${signs[Math.floor(number / 9) % 9]}\n\n`,
    );
  },
  "headlines after a chapter": () =>
    filled(`GALE STRIKES\n\n\n${SENTENCE.repeat(16)}\n\n\n\n`, "CHAPTER I\n\nrain\n\nCHAPTER II\n\nrain\n\n\n\n"),
  "excerpts from other books": () => filled("An excerpt from The Rain\n\nrain\n\n"),
  "the end": () => filled("THE END\n\n"),
  brackets: () => filled("["),
  "nested brackets": () => strToU8("[(".repeat(250_000) + ")]".repeat(250_000)),
  "illustrations unclosed": () => filled("[Illustration: "),
  underscores: () => filled("_"),
  "words in underscores": () => filled("_a "),
  hyphens: () => filled("-"),
  "broken words": () => filled("rain-\n"),
  dots: () => filled("."),
  "spaced dots": () => filled(". "),
  "dotted lines": () => filled(`rain ${". ".repeat(70)}x\n`),
  asterisks: () => filled("*"),
  "lines of asterisks": () => filled("* * *\n"),
  emoji: () => filled("😀"),
  "emoji with joiners": () => filled("👩‍👩‍👧‍👦"),
  "joiners alone": () => filled("\u200d"),
  "right to left": () => filled("שלום עולם، مرحبا بالعالم. "),
  "right-to-left marks": () => filled("\u202e\u202d"),
  "one-line novel": () => filled(SENTENCE),
  "one word a line": () => filled("rain\n"),
  "repeated sentence": () => filled(`${SENTENCE}\n\n`),
  "repeated paragraph": () => filled(`${SENTENCE.repeat(20)}\n\n`),
  "questions and exclamations": () => filled("?!"),
  abbreviations: () => filled("Mr. Dr. St. "),
  base64: () => noise("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 2),
  "base64 in lines": () => counted((number) => `${"QUJDREVGRw".repeat(7)}${number}\n`),
  "signs at random": () => noise("abc \n.*-=_[](){}0123456789IVX#", 3),
  "every sign at random": () => {
    const random = seededRandom(4);
    let text = "";
    while (text.length < SIZE / 3) text += String.fromCharCode(0x20 + randomInteger(random, 0xd000));
    return strToU8(text);
  },
  "Han unbroken": () => filled("天"),
  "Han in one line": () => filled(HAN),
  "Han headings in one line": () => counted((number) => `第${number}回 风雨 归来 ${HAN}`),
  "Han headings without text": () => counted((number) => `第${number}章\n`),
  "Han numerals": () => filled("一二三四五六七八九十"),
  "Han ordinals unbroken": () => filled("第一"),
  "Han chapter one again": () => filled("第一回 "),
  "Han jumps": () => counted((number) => `第${number * 3}章\n${HAN}\n`),
  "Han numerals inline": () => counted((number) => `${HAN}${number}、风雨 `),
  "Han book names": () => filled("《"),
  "Han contents": () => filled("目录 "),
  "Hangul and kana": () => filled("그날은 비가 왔다。その日は雨だった。"),
  "Thai without spaces": () => filled("ฝนตกหนักในวันนั้น"),
  links: () => filled("http://www.example.com "),
  "html tags": () => filled("<p>"),
  entities: () => filled("&amp;&lt;&#x10FFFF;&nbsp;"),
  "the end before a last chapter": () => filled("THE END\n", "CHAPTER I\n\nrain\n\n", "\nCHAPTER II\n\nrain\n"),
  "notes after the last chapter": () =>
    filled("NOTE\n\na\n\n", `CHAPTER I\n\nrain\n\nCHAPTER II\n\n${SENTENCE.repeat(15_000)}\n\n`),
  "lists of chapters between prose": () => filled(`I\n\nII\n\nIII\n\nIV\n\n${"a ".repeat(26)}\n\n`),
  "numbers in every setting in a list": () => {
    const signs = [..."-–—~·.*=|"];
    const numbers = (at: number) => signs.flatMap((one) => signs.map((other) => `${one} ${at} ${other}\n\n`)).join("");
    return strToU8([1, 2, 3].map((at) => `${numbers(at)}${"a\n".repeat(SIZE / 6)}`).join(""));
  },
  "letters and broken lines": () => strToU8(`${"a".repeat(SIZE)} -\n${`${"a".repeat(40)}-\n`.repeat(20)}`),
  "words broken at every line": () =>
    filled(
      "the rain came down on the harbour and nobody inter-\nested in it came down on the long pier be-\n",
      "",
      "\n\na\n\n",
    ),
  "dots up to a letter": () => strToU8(`a${" .".repeat(SIZE / 2)}yi\na\n\nb\n`),
  "headings glued to headings": () => filled(`CHAPTER ONE ${"THE LONG RAIN ".repeat(4)}\n`, "", "\n\na\n".repeat(300)),
  "decorated lines": () => counted((number) => `${number} ${"-".repeat(150)}x\n\n`),
  "stanzas again and again": () => counted((number) => `${(number % 5) + 1}\n\n${"a ".repeat(65)}\n\n`),
  "Han contents in one line": () => counted((number) => `${number === 1 ? "目录 " : ""}第${number}回 风 `),
  "Han signs at random": () => noise("第章回节卷一二十百上下　 \n。、：《》（）", 6),
  "heading words at random": () => {
    const random = seededRandom(7);
    const words = [
      "CHAPTER",
      "PART",
      "I",
      "II",
      "3",
      "THE END",
      "NOTE",
      "CONTENTS",
      "PROLOGUE",
      "rain",
      "\n",
      "\n\n",
      "\n\n\n",
    ];
    return counted(() => `${words[randomInteger(random, words.length)]} `);
  },
};

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

const EPUBS: Kinds = {
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

const HTML: Kinds = {
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

function docx(body: string): Uint8Array {
  return zipSync({
    "[Content_Types].xml": strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    "_rels/.rels": strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    "word/document.xml": strToU8(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
  });
}

function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

function heading(text: string): string {
  return `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

const DOCX: Kinds = {
  "empty paragraphs": () => docx("<w:p/>".repeat(800_000)),
  "empty runs": () => docx("<w:p><w:r/></w:p>".repeat(290_000)),
  "paragraphs of a letter": () => docx("<w:p><w:r><w:t>a</w:t></w:r></w:p>".repeat(140_000)),
  "runs of a letter": () => docx(`<w:p>${"<w:r><w:t>a</w:t></w:r>".repeat(200_000)}</w:p>`),
  "headings of a word": () =>
    docx('<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Rain</w:t></w:r></w:p>'.repeat(60_000)),
  "tables in tables": () => docx("<w:tbl><w:tr><w:tc>".repeat(50_000)),
  "line breaks": () => docx(`<w:p><w:r>${"<w:br/>".repeat(600_000)}</w:r></w:p>`),
  "one long heading": () =>
    docx(`${heading("rain [".repeat(150_000))}${paragraph("rain")}${heading("a")}${paragraph("rain")}`),
  "a heading of equal signs": () =>
    docx(`${heading(`a${"=".repeat(900_000)}b`)}${paragraph("rain")}${heading("a")}${paragraph("rain")}`),
  "chapters of a word": () =>
    docx(Array.from({ length: 25_000 }, (_, at) => `${heading(`Chapter ${at + 1}`)}${paragraph("rain")}`).join("")),
  "bold lines": () =>
    docx(
      Array.from(
        { length: 25_000 },
        (_, at) => `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Rain ${at}</w:t></w:r></w:p>${paragraph("rain")}`,
      ).join(""),
    ),
  "footnote signs": () => docx(`<w:p>${'<w:r><w:footnoteReference w:id="1"/></w:r>'.repeat(60_000)}</w:p>`),
};

const MARKDOWN: Kinds = {
  "quotes in quotes": () => filled("> "),
  "lists in lists": () => counted((number) => `${" ".repeat(number % 400)}- a\n`),
  emphasis: () => filled("*a_ "),
  "open emphasis": () => filled("**a "),
  "open links": () => filled("[a]("),
  "open images": () => filled("![a"),
  "link definitions": () => counted((number) => `[a${number}]: b\n`),
  "link references": () => filled("[a][b]"),
  backticks: () => counted((number) => `${"`".repeat(number % 200)} a `),
  tables: () => filled("|a|b|\n|-|-|\n|c|d|\n\n"),
  "wide table": () => filled("|a", "", `\n${"|-".repeat(1000)}\n`),
  "html comments": () => filled("<!-- a "),
  "open tags": () => filled("<a "),
  "underlined headings": () => filled("rain\n===\n\n"),
  "headings of all levels": () => counted((number) => `${"#".repeat(1 + (number % 6))} ${number}\n\nrain\n\n`),
  autolinks: () => filled("<http://a"),
  "angle brackets": () => filled("<"),
  escapes: () => filled("\\"),
  "mail addresses": () => filled("a@b.c"),
  "front matter unclosed": () => filled("a: b\n", "---\n"),
  "quotes to the limit": () => filled(`${"> ".repeat(20)}a\n`),
  "lists to the limit": () => filled(`${"- ".repeat(20)}a\n`),
  "quotes to the limit apart": () => filled(`${"> ".repeat(20)}a\n\n`),
  "definitions and brackets": () => strToU8(numbered(25_000, (at) => `[a${at}]: b\n`) + "x [y]\n\n".repeat(90_000)),
  "a heading of asterisks": () => filled("*", "# a ", " b"),
  "a heading of signs": () => filled("=", "# a ", " b\n\nrain\n\n# c\n\nrain"),
  "numbered points": () => counted((number) => `${number}. rain\n\n`),
  "points with paragraphs": () => filled("- rain\n\n  rain\n"),
  "code fences": () => filled("```\na\n```\n"),
  "tags in lines": () => filled("<i>a</i> b\n\n"),
};

/** Bytes that are text in no single encoding, or in none. */
const BYTES: Kinds = {
  "bytes at random": () => {
    const random = seededRandom(5);
    return new Uint8Array(SIZE).map(() => 1 + randomInteger(random, 255));
  },
  "mixed encodings": () => {
    const utf8 = strToU8("Il pleuvait à l’aube. ");
    const latin = Buffer.from("Il pleuvait à l'aube. ", "latin1");
    return Buffer.concat(Array.from({ length: SIZE / 45 }, (_, at) => (at % 2 === 0 ? utf8 : latin)));
  },
  "NUL between letters": () => filled("r\0a\0i\0n\0 \0"),
  "NUL between words": () => filled("rain\0and\0wind\0"),
  "half a surrogate": () => Buffer.from("\ud800a".repeat(SIZE / 4), "utf16le"),
  "overlong sequences": () => new Uint8Array(SIZE).fill(0xc0),
  "continuation bytes": () => new Uint8Array(SIZE).fill(0x80),
};

export interface AdversarialFile {
  /** What it is made of, with the ending of its format. */
  readonly name: string;
  make(): Uint8Array;
}

/** Every kind, in every format that it can stand in. */
export function adversarialFiles(): AdversarialFile[] {
  const named = (kinds: Kinds, ending: string) =>
    Object.entries(kinds).map(([name, make]) => ({ name: `${name}.${ending}`, make }));
  return [
    ...["txt", "md", "html"].flatMap((ending) => named(TEXTS, ending)),
    ...["txt", "html"].flatMap((ending) => named(BYTES, ending)),
    ...named(MARKDOWN, "md"),
    ...named(HTML, "html"),
    ...named(EPUBS, "epub"),
    ...named(DOCX, "docx"),
  ];
}

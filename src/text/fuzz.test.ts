import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { inputs } from "../../test/support/inputs.ts";
import { fb2, mobi, odt, rtf } from "../../test/support/manuscripts.ts";
import { docxOf, epubOf, PROSE, pdfOf } from "../../test/support/small-files.ts";
import { FabulaError } from "../core/errors.ts";
import { randomInteger, seededRandom } from "../core/random.ts";
import { readBookFromBytes } from "./read-book.ts";

const PAGE = `<html><body><section epub:type="chapter"><h2>One</h2><p>${PROSE}</p></section></body></html>`;
const WRITTEN = [{ text: "One", level: 1 }, { text: PROSE }, { text: "Two", level: 1 }, { text: PROSE, isBold: true }];
const WHOLE: Readonly<Record<string, Uint8Array>> = {
  "book.txt": strToU8(`CHAPTER I\n\n${PROSE}\n\nCHAPTER II\n\n${PROSE}\n`),
  "book.md": strToU8(`---\ntitle: x\n---\n# One\n\n${PROSE}\n\n# Two\n\n${PROSE}`),
  "book.html": strToU8(`<html><body><h2>One</h2><p>${PROSE}</p><h2>Two</h2><p>${PROSE}</p></body></html>`),
  "book.epub": epubOf({ "a.xhtml": PAGE, "b.xhtml": PAGE }),
  "book.docx": docxOf([{ style: "Heading1", text: "One" }, { text: PROSE }]),
  "book.odt": odt(WRITTEN),
  "book.rtf": rtf(WRITTEN),
  "book.fb2": fb2(WRITTEN),
  "book.mobi": mobi(WRITTEN),
  "book.pdf": pdfOf([[{ text: PROSE }]]),
  "book.json": strToU8(JSON.stringify({ chaps: [{ title: "One", content: [PROSE] }] })),
};
const NAMES = Object.keys(WHOLE);

/** Reads the bytes, and accepts only a book or one clear sentence as the result. */
async function readOrRefuse(bytes: Uint8Array, name: string): Promise<"book" | "refused"> {
  try {
    const book = await readBookFromBytes(bytes, name);
    expect(book.chapters.length).toBeGreaterThan(0);
    expect(book.words).toBe(book.chapters.reduce((sum, { words }) => sum + words, 0));
    return "book";
  } catch (error) {
    if (!(error instanceof FabulaError)) throw error;
    // Damage to a file must never lead to an internal error.
    if (error.code === "E_UNEXPECTED") throw error.cause;
    expect(error.message).toMatch(/^[^\n]+$/);
    return "refused";
  }
}

describe("any bytes", () => {
  it.each(NAMES)("named %s end in a book or one clear sentence", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        await readOrRefuse(bytes, name);
      }),
      { numRuns: inputs(60) },
    );
  });

  it.each(NAMES)("that were %s before they were damaged end in a book or one clear sentence too", async (name) => {
    const whole = WHOLE[name]!;
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(whole.length), async (changes, cut) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        await readOrRefuse(bytes, name);
        await readOrRefuse(whole.subarray(0, cut), name);
      }),
      { numRuns: inputs(40) },
    );
  });

  it.each(NAMES)("whole as %s are a book", async (name) => expect(await readOrRefuse(WHOLE[name]!, name)).toBe("book"));
});

describe("a megabyte of noise", () => {
  const random = seededRandom(11);
  const noise = (alphabet: string) =>
    strToU8(Array.from({ length: 1_000_000 }, () => alphabet[randomInteger(random, alphabet.length)]).join(""));
  const samples: Readonly<Record<string, Uint8Array>> = {
    "bytes.txt": new Uint8Array(1_000_000).map(() => 1 + randomInteger(random, 255)),
    "signs.txt": noise("abc \n.*-=_[](){}0123456789IVX#第一回章"),
    "rules.txt": noise("-=*_ \n"),
    "marks.md": noise("*_`#[]()<>!&\\ \nab|:-"),
    "nested.md": strToU8(`${"> ".repeat(20_000)}\n${"[".repeat(50_000)}\n${"*a_ ".repeat(50_000)}`),
    "tags.html": noise("<>/pdivh2 abc=\"'&;!-"),
    "deep.html": strToU8("<div>".repeat(200_000)),
    "entities.html": strToU8("&amp;&lt;&#x10FFFF;&#99999999;".repeat(30_000)),
    "codes.rtf": strToU8(`{\\rtf1 ${new TextDecoder().decode(noise("{}\\\\abpu's19 -*;\n"))}`),
    "deep.rtf": strToU8(`{\\rtf1 ${"{\\b".repeat(250_000)}`),
    "signs.rtf": strToU8(`{\\rtf1 ${"\\'e9\\u233?".repeat(100_000)}`),
    "styles.rtf": strToU8(
      `{\\rtf1{\\stylesheet${"{\\s1\\sbasedon1 a;}".repeat(50_000)}}${"\\s1 a\\par".repeat(10_000)}}`,
    ),
    "sections.fb2": strToU8(
      `<FictionBook><body>${"<section><title><p>a</p></title>".repeat(900)}${"<p>a</p>".repeat(120_000)}`,
    ),
    "tags.fb2": strToU8(`<FictionBook><body>${new TextDecoder().decode(noise("<>/psectionv abc=\"'&;"))}`),
    "numbers.json": strToU8(`[${"[".repeat(900_000)}`),
    "noise.pdf": new Uint8Array([
      ...strToU8("%PDF-1.7\n"),
      ...new Uint8Array(1_000_000).map(() => randomInteger(random, 256)),
    ]),
  };
  it.each(Object.keys(samples))("as %s takes less than five seconds", async (name) => {
    const started = process.cpuUsage();
    await readOrRefuse(samples[name]!, name);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});

describe("hostile archives", () => {
  it("may not name a path outside themselves", async () => {
    for (const path of ["../evil.xhtml", "a/../../evil.xhtml", "/etc/passwd", "C:/evil.xhtml", "a\\..\\evil.xhtml"]) {
      const entries = { "META-INF/container.xml": strToU8("<x/>"), [path]: strToU8("x") };
      await expect(readBookFromBytes(zipSync(entries), "x.epub")).rejects.toThrow(/leads out of the archive/);
    }
  });

  it("may not reach outside through a link", async () => {
    const container = '<container><rootfiles><rootfile full-path="../../etc/passwd"/></rootfiles></container>';
    const file = zipSync({ "META-INF/container.xml": strToU8(container) });
    await expect(readBookFromBytes(file, "x.epub")).rejects.toThrow(/package document/);
  });

  it("do not have their entities expanded", async () => {
    const laughs = `<!DOCTYPE html [<!ENTITY a "ha">${"bcdefghij"
      .split("")
      .map((name, index) => `<!ENTITY ${name} "${`&${"abcdefghij"[index]};`.repeat(10)}">`)
      .join("")}]><html><body><p>${PROSE} &j;</p><p>${PROSE}</p></body></html>`;
    const book = await readBookFromBytes(epubOf({ "a.xhtml": laughs }), "x.epub");
    expect(book.chapters[0]?.text.length).toBeLessThan(4000);
    const docx = zipSync({ "word/document.xml": strToU8('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>') });
    await expect(readBookFromBytes(docx, "x.docx")).rejects.toThrow(/declares entities/);
  });

  it("are refused by the size they declare, and cut at it if they lie", async () => {
    const bomb = zipSync({ "META-INF/container.xml": new Uint8Array(8_000_000) }, { level: 9 });
    await expect(readBookFromBytes(bomb, "bomb.epub")).rejects.toThrow(/more than a book can be/);
    // The same bomb that declares a hundred bytes, in both of its directories.
    const view = new DataView(bomb.buffer, bomb.byteOffset, bomb.byteLength);
    for (let at = 0; at < bomb.length - 4; at++) {
      const signature = view.getUint32(at, true);
      if (signature === 0x04034b50) view.setUint32(at + 22, 100, true);
      if (signature === 0x02014b50) view.setUint32(at + 24, 100, true);
    }
    const before = process.memoryUsage().arrayBuffers;
    await expect(readBookFromBytes(bomb, "liar.epub")).rejects.toThrow(FabulaError);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000);
  });
});

import { strToU8, zipSync } from "fflate";
import { pdfOf } from "./small-files.ts";

/** A paragraph as a writer sets it, for files of any format. */
export interface Written {
  readonly text: string;
  /** 1–6 for a heading. */
  readonly level?: number;
  readonly style?: "Title" | "Author";
  readonly isCentred?: boolean;
  readonly isBold?: boolean;
  readonly startsPage?: boolean;
}

const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function docx(paragraphs: readonly Written[]): Uint8Array {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const body = paragraphs.map(({ text, level, style, isCentred, isBold, startsPage }) => {
    const name = level ? `Heading${level}` : style;
    const properties = `${name ? `<w:pStyle w:val="${name}"/>` : ""}${isCentred ? '<w:jc w:val="center"/>' : ""}`;
    const page = startsPage ? '<w:r><w:br w:type="page"/></w:r>' : "";
    const run = `<w:r>${isBold ? "<w:rPr><w:b/></w:rPr>" : ""}<w:t xml:space="preserve">${xml(text)}</w:t></w:r>`;
    return `<w:p><w:pPr>${properties}</w:pPr>${page}${run}</w:p>`;
  });
  const styles = [
    ...[1, 2, 3].map((level) => [`Heading${level}`, `heading ${level}`] as const),
    ...[["Title", "Title"] as const, ["Author", "Author"] as const],
  ].map(([id, name]) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`);
  return zipSync({
    "[Content_Types].xml": strToU8("<Types/>"),
    "word/styles.xml": strToU8(`<w:styles ${w}>${styles.join("")}</w:styles>`),
    "word/document.xml": strToU8(`<w:document ${w}><w:body>${body.join("")}</w:body></w:document>`),
  });
}

export function odt(paragraphs: readonly Written[]): Uint8Array {
  const namespaces = ["office", "style", "text", "fo"].map((name) => `xmlns:${name}="${name}"`).join(" ");
  const styles = new Map<string, string>();
  const body = paragraphs.map(({ text, level, style, isCentred, isBold, startsPage }) => {
    if (level)
      return `<text:h text:style-name="Heading_20_${level}" text:outline-level="${level}">${xml(text)}</text:h>`;
    const page = startsPage ? ' fo:break-before="page"' : "";
    const paragraph = `<style:paragraph-properties${isCentred ? ' fo:text-align="center"' : ""}${page}/>`;
    const setting = `${paragraph}${isBold ? '<style:text-properties fo:font-weight="bold"/>' : ""}`;
    if (!styles.has(setting)) styles.set(setting, `P${styles.size + 1}`);
    return `<text:p text:style-name="${style ?? styles.get(setting)!}">${xml(text)}</text:p>`;
  });
  const automatic = [...styles].map(
    ([setting, name]) => `<style:style style:name="${name}" style:family="paragraph">${setting}</style:style>`,
  );
  return zipSync({
    mimetype: strToU8("application/vnd.oasis.opendocument.text"),
    "META-INF/manifest.xml": strToU8("<manifest/>"),
    "content.xml": strToU8(
      `<office:document-content ${namespaces}><office:automatic-styles>${automatic.join("")}</office:automatic-styles><office:body><office:text>${body.join("")}</office:text></office:body></office:document-content>`,
    ),
  });
}

/** Letters beyond ASCII as \u with a question mark, as Word writes them. */
const rtfText = (text: string) =>
  text
    .replace(/[\\{}]/g, "\\$&")
    .replace(
      /[^ -~]/g,
      (sign) => `\\u${sign.charCodeAt(0) > 32767 ? sign.charCodeAt(0) - 65536 : sign.charCodeAt(0)}?`,
    );

export function rtf(paragraphs: readonly Written[]): Uint8Array {
  const styles =
    "{\\stylesheet{\\s0 Normal;}{\\s1\\sbasedon0 heading 1;}{\\s2\\sbasedon0 heading 2;}{\\s9 Title;}{\\s10 Author;}}";
  const number = { Title: 9, Author: 10 } as const;
  const body = paragraphs.map(({ text, level, style, isCentred, isBold, startsPage }) => {
    const named = level ?? (style ? number[style] : 0);
    const setting = `\\pard\\plain\\s${named}${isCentred ? "\\qc" : "\\ql"}${startsPage ? "\\pagebb" : ""}`;
    return `${setting} ${isBold ? `{\\b ${rtfText(text)}}` : rtfText(text)}\\par`;
  });
  const head = "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\froman\\fcharset0 Times New Roman;}}";
  const around = `{\\info{\\title }}{\\header\\pard A running head \\chpgn\\par}{\\*\\generator A program;}`;
  return strToU8(`${head}${styles}${around}\n${body.join("\n")}\n}`, true);
}

/** Headings nest as sections. */
export function fb2(paragraphs: readonly Written[], title = "Rain", author = ["A.", "Writer"]): Uint8Array {
  const open: number[] = [];
  const body: string[] = [];
  const closeTo = (level: number) => {
    while (open.length > 0 && open.at(-1)! >= level) {
      body.push("</section>");
      open.pop();
    }
  };
  for (const { text, level, isBold } of paragraphs) {
    if (level) {
      closeTo(level);
      open.push(level);
      body.push(`<section><title><p>${xml(text)}</p></title>`);
    } else body.push(isBold ? `<p><strong>${xml(text)}</strong></p>` : `<p>${xml(text)}</p>`);
  }
  closeTo(0);
  const inner = body[0]?.startsWith("<section>") ? body.join("") : `<section>${body.join("")}</section>`;
  return strToU8(
    `<?xml version="1.0" encoding="UTF-8"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><genre>prose</genre><author><first-name>${author[0]}</first-name><last-name>${author[1]}</last-name></author><book-title>${xml(title)}</book-title><lang>en</lang></title-info></description><body>${inner}</body><binary id="cover.png" content-type="image/png">iVBORw0KGgo=</binary></FictionBook>`,
  );
}

/** A MOBI 6 book, its text not packed. */
export function mobi(paragraphs: readonly Written[], title = "Rain", author = "A. Writer"): Uint8Array {
  const html = `<html><body>${paragraphs
    .map(({ text, level, isBold, startsPage }) => {
      const inner = isBold ? `<b>${xml(text)}</b>` : xml(text);
      return `${startsPage ? "<mbp:pagebreak/>" : ""}${level ? `<h${level}>${inner}</h${level}>` : `<p>${inner}</p>`}`;
    })
    .join("")}</body></html>`;
  const bytes = strToU8(html);
  const texts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 4096) texts.push(bytes.subarray(at, at + 4096));
  const name = strToU8(title);
  const facts = [[100, strToU8(author)] as const, [503, name] as const];
  const extended = new Uint8Array(12 + facts.reduce((sum, [, value]) => sum + 8 + value.length, 0));
  const extendedView = new DataView(extended.buffer);
  extended.set(strToU8("EXTH"));
  extendedView.setUint32(4, extended.length);
  extendedView.setUint32(8, facts.length);
  let place = 12;
  for (const [kind, value] of facts) {
    extendedView.setUint32(place, kind);
    extendedView.setUint32(place + 4, 8 + value.length);
    extended.set(value, place + 8);
    place += 8 + value.length;
  }
  const header = new Uint8Array(16 + 232 + extended.length + name.length);
  const view = new DataView(header.buffer);
  view.setUint16(0, 1);
  view.setUint32(4, bytes.length);
  view.setUint16(8, texts.length);
  view.setUint16(10, 4096);
  header.set(strToU8("MOBI"), 16);
  view.setUint32(20, 232);
  view.setUint32(28, 65_001);
  view.setUint32(36, 6);
  view.setUint32(0x54, 248 + extended.length);
  view.setUint32(0x58, name.length);
  view.setUint32(0x80, 0x40);
  header.set(extended, 248);
  header.set(name, 248 + extended.length);
  const records = [header, ...texts];
  const file = new Uint8Array(78 + 8 * records.length + records.reduce((sum, record) => sum + record.length, 0));
  const fileView = new DataView(file.buffer);
  file.set(strToU8("BOOKMOBI"), 60);
  fileView.setUint16(76, records.length);
  let at = 78 + 8 * records.length;
  for (const [index, record] of records.entries()) {
    fileView.setUint32(78 + 8 * index, at);
    file.set(record, at);
    at += record.length;
  }
  return file;
}

export function markdown(paragraphs: readonly Written[]): Uint8Array {
  return strToU8(
    paragraphs
      .map(({ text, level, isBold }) => (level ? `${"#".repeat(level)} ${text}` : isBold ? `**${text}**` : text))
      .join("\n\n"),
  );
}

export function html(paragraphs: readonly Written[], title = "Rain"): Uint8Array {
  const body = paragraphs.map(({ text, level, isBold, isCentred }) => {
    if (level) return `<h${level}>${xml(text)}</h${level}>`;
    const inner = isBold ? `<b>${xml(text)}</b>` : xml(text);
    return `<p${isCentred ? ' class="center"' : ""}>${inner}</p>`;
  });
  return strToU8(
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${xml(title)}</title></head><body>\n${body.join("\n")}\n</body></html>`,
  );
}

/** Hard-wrapped, with more space above headings than above paragraphs. */
export function plainText(paragraphs: readonly Written[]): Uint8Array {
  return strToU8(
    paragraphs
      .map(({ text, level, isCentred, isBold }) =>
        level || isCentred || isBold ? `\n\n\n${text}\n` : text.replace(/(.{55,70}) /g, "$1\n"),
      )
      .join("\n\n"),
  );
}

/** Set on pages of forty lines, headings larger than the text. */
export function pdf(paragraphs: readonly Written[]): Uint8Array {
  const pages: { size?: number; text: string }[][] = [[]];
  const add = (line: { size?: number; text: string }) => {
    if (pages.at(-1)!.length >= 40) pages.push([]);
    pages.at(-1)!.push(line);
  };
  for (const { text, level, isBold, isCentred } of paragraphs) {
    const plain = text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/[—–]/g, "-");
    if (level || isBold || isCentred) {
      if (pages.at(-1)!.length > 0) pages.push([]);
      add({ size: 20, text: plain });
    } else for (const line of `   ${plain}`.match(/.{1,88}(?:\s|$)/g) ?? []) add({ text: line.trimEnd() });
  }
  return pdfOf(pages);
}

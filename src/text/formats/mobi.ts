import { FabulaError } from "../../core/errors.ts";
import { htmlToBlocks } from "../clean/html-blocks.ts";
import { checkProduced } from "../files/read-file.ts";
import type { Block, Manuscript, Metadata } from "../manuscript.ts";
import { type Format, type FormatInput, statedMetadata } from "./format.ts";

/**
 * MOBI and AZW3 without copy protection. The text is HTML in records of 4 KB, packed by PalmDOC. No maintained library reads them
 * in memory (the only one writes the pictures to disk), and reading the text alone takes little code.
 */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const book = withMobiErrors(name, () => readMobi(bytes, name));
    const blocks: Block[] = [];
    const pages = book.html.split(PAGE_START).filter((page) => page.trim() !== "");
    const lists = pages.filter(isListOfLinks);
    const pagesRead = pages.filter((page) => !lists.includes(page)).map((page) => htmlToBlocks(page, { where: name }));
    for (const blocksOfPage of pagesRead) {
      if (blocks.length > 0) blocks.push({ kind: "break", isPage: true });
      for (const block of blocksOfPage.blocks) blocks.push(block);
    }
    return {
      ...{ blocks, metadata: book.metadata, encoding: book.encoding, warnings: [] },
      removed: [
        ...lists.map((page) => ({ rule: "table of contents", where: name, text: plain(page).slice(0, 4000) })),
        ...pagesRead.flatMap(({ removed }) => removed),
      ],
    };
  },
};

/** MOBI's mark for a new page; in AZW3 every page is a document of its own. */
const PAGE_START = /<mbp:pagebreak\s*\/?>(?:<\/mbp:pagebreak>)?|(?=<html[\s>])/i;

/** The table of contents that programs put at the front or the end: most of the text on such a page is links. */
function isListOfLinks(page: string): boolean {
  const links = [...page.matchAll(/<a\s[^>]*>([^<]{0,200})/gi)].map((match) => match[1] ?? "");
  return links.length >= 3 && links.join("").length > plain(page).length / 2;
}

function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const UNCOMPRESSED = 1;
const PALMDOC = 2;
const HUFFMAN = 17_480;
const UTF8 = 65_001;

function readMobi(bytes: Uint8Array, name: string): { html: string; metadata: Metadata; encoding: string } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const records = recordsOf(view, bytes);
  const header = records(0);
  const head = new DataView(header.buffer, header.byteOffset, header.length);
  const compression = head.getUint16(0);
  if (head.getUint16(12) !== 0) throw refused(name, "is copy-protected (DRM)");
  if (compression === HUFFMAN) throw refused(name, "is packed by a method that only Amazon's programs write");
  if (compression !== UNCOMPRESSED && compression !== PALMDOC) throw new RangeError("unknown compression");
  const count = head.getUint16(8);
  const headerLength = head.getUint32(20);
  const isUtf8 = head.getUint32(28) === UTF8;
  const version = head.getUint32(36);
  const flags = headerLength >= 0xe4 && version >= 5 ? head.getUint16(0xf2) : 0;
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let index = 1; index <= count; index++) {
    const record = withoutTrailers(records(index), flags);
    const part = compression === PALMDOC ? unpacked(record) : record;
    size += part.length;
    checkProduced(size, name);
    parts.push(part);
  }
  const encoding = isUtf8 ? "UTF-8" : "windows-1252";
  // The parts are joined first: a character may begin in one record and end in the next.
  const text = new TextDecoder(encoding).decode(Buffer.concat(parts)).replaceAll("\0", "");
  const metadata = readMetadata(header, head, headerLength, encoding);
  return { html: version >= 8 ? withoutStyles(text) : text, metadata, encoding };
}

/** The style sheets and drawings of an AZW3 follow its pages. */
function withoutStyles(text: string): string {
  const end = text.lastIndexOf("</html>");
  const last = Math.max(end, text.lastIndexOf("</p>"), text.lastIndexOf("</div>"));
  return last < 0 ? text : text.slice(0, text.indexOf(">", last) + 1);
}

/** The records of a Palm database, whose offsets are in its header. */
function recordsOf(view: DataView, bytes: Uint8Array): (index: number) => Uint8Array {
  const count = view.getUint16(76);
  return (index) => {
    if (index >= count) throw new RangeError("a record is missing");
    const from = view.getUint32(78 + 8 * index);
    const to = index + 1 < count ? view.getUint32(78 + 8 * (index + 1)) : bytes.length;
    if (to < from || to > bytes.length) throw new RangeError("a record is cut");
    return bytes.subarray(from, to);
  };
}

/** A record may end with data about itself, whose size is in its last bytes, and with the rest of a cut character. */
function withoutTrailers(record: Uint8Array, flags: number): Uint8Array {
  let end = record.length;
  for (let bit = flags >> 1; bit > 0; bit >>= 1) {
    if ((bit & 1) === 0) continue;
    let size = 0;
    for (let at = Math.max(0, end - 4); at < end; at++) {
      const byte = record[at]!;
      if ((byte & 0x80) !== 0) size = 0;
      size = (size << 7) | (byte & 0x7f);
    }
    end -= Math.min(end, size);
  }
  if ((flags & 1) !== 0 && end > 0) end -= Math.min(end, (record[end - 1]! & 3) + 1);
  return record.subarray(0, end);
}

/** A record unpacks to 4,096 bytes; one that grows far beyond that is damaged. */
const LARGEST_RECORD = 65_536;

/** PalmDOC: a byte represents itself, a run of plain bytes, a space and a letter, or an earlier passage. */
function unpacked(record: Uint8Array): Uint8Array {
  const result = new Uint8Array(LARGEST_RECORD);
  let size = 0;
  const add = (byte: number) => {
    if (size >= LARGEST_RECORD) throw new RangeError("a record is larger than it may be");
    result[size++] = byte;
  };
  for (let at = 0; at < record.length; ) {
    const byte = record[at++]!;
    if (byte === 0 || (byte >= 9 && byte < 0x80)) add(byte);
    else if (byte < 9) for (let run = 0; run < byte && at < record.length; run++) add(record[at++]!);
    else if (byte >= 0xc0) {
      add(32);
      add(byte ^ 0x80);
    } else {
      const pair = (byte << 8) | (record[at++] ?? 0);
      const distance = (pair >> 3) & 0x7ff;
      if (distance === 0 || distance > size) throw new RangeError("a passage refers to missing content");
      for (let run = (pair & 7) + 3; run > 0; run--) add(result[size - distance]!);
    }
  }
  return result.slice(0, size);
}

const EXTENDED = 0x40;
const AUTHOR = 100;
const DESCRIPTION = 103;
const SUBJECT = 105;
const TITLE = 503;
const LANGUAGE = 524;

function readMetadata(header: Uint8Array, head: DataView, headerLength: number, encoding: string): Metadata {
  const decode = (from: number, length: number) =>
    new TextDecoder(encoding).decode(header.subarray(from, from + length)).trim();
  const facts = new Map<number, string[]>();
  const at = 16 + headerLength;
  if ((head.getUint32(0x80) & EXTENDED) !== 0 && decode(at, 4) === "EXTH") {
    let next = at + 12;
    for (let left = head.getUint32(at + 8); left > 0 && next + 8 <= header.length; left--) {
      const length = head.getUint32(next + 4);
      if (length < 8) break;
      const kind = head.getUint32(next);
      facts.set(kind, [...(facts.get(kind) ?? []).slice(0, 20), decode(next + 8, length - 8)]);
      next += length;
    }
  }
  const fullName = decode(head.getUint32(0x54), Math.min(1000, head.getUint32(0x58)));
  const title = facts.get(TITLE)?.[0] || fullName;
  const author = facts.get(AUTHOR)?.join(", ");
  const language = facts.get(LANGUAGE)?.[0];
  const premise = plain(facts.get(DESCRIPTION)?.[0] ?? "");
  const genres = facts.get(SUBJECT)?.filter(Boolean);
  return statedMetadata({ title, author, language, genres, premise });
}

function refused(name: string, why: string): FabulaError {
  return new FabulaError(
    "E_MOBI",
    `${name} ${why}, so it cannot be read: give the EPUB of this book, or its manuscript.`,
  );
}

function withMobiErrors<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new FabulaError("E_MOBI", `${file} is a damaged MOBI or AZW3 book: export it again, or give its EPUB.`, {
      cause,
    });
  }
}

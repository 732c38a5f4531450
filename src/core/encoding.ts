import { isAscii, isUtf8, transcode } from "node:buffer";
import { analyse } from "chardet";
import { FabulaError } from "./errors.ts";

/** A text whose words are parted by NULs was written by a faulty program; what it lost cannot be known. */
export function nulWarning(nuls: number | undefined): string[] {
  if (!nuls) return [];
  return [
    `The file holds ${nuls.toLocaleString("en-GB")} NUL bytes between its words, read as line ends: check the text.`,
  ];
}

/** Sentences about a file that reports repeat word for word. */
export function undecodableWarning(undecodable: number, encoding: string): string[] {
  if (undecodable === 0) return [];
  const bytes = undecodable === 1 ? "1 byte does" : `${undecodable.toLocaleString("en-GB")} bytes do`;
  return [`${bytes} not decode as ${encoding} and became the replacement character.`];
}

export interface DecodedText {
  readonly text: string;
  /** The encoding's usual name: UTF-8, UTF-16LE, GB18030, … */
  readonly encoding: string;
  /** Bytes (in the legacy encodings: characters) that stand for nothing in this encoding and were replaced by U+FFFD. */
  readonly undecodable: number;
  /** NULs between the words, which became line ends. */
  readonly nuls?: number;
}

/** Bytes to text: a byte-order mark decides, then valid UTF-8, then the statistics of the bytes. Never fatal for text. */
export function decodeText(bytes: Uint8Array, name: string): DecodedText {
  const marked = byteOrderMark(bytes);
  if (marked) return decodeAs(bytes, marked);
  const wide = unmarkedUtf16(bytes);
  if (wide) return decodeAs(bytes, wide);
  const separated = withoutNuls(bytes);
  if (separated !== null) return { ...decodeText(separated.bytes, name), nuls: separated.count };
  if (looksBinary(bytes)) {
    throw new FabulaError(
      "E_BINARY",
      `${name} is not a text: it holds bytes that no text has. Give a TXT, Markdown, HTML, EPUB, DOCX or PDF file.`,
    );
  }
  if (isUtf8(bytes)) return { text: validUtf8(bytes), encoding: "UTF-8", undecodable: 0 };
  const damage = utf8Damage(bytes);
  // A few broken bytes among many good sequences: damaged UTF-8, not another encoding.
  if (damage.good > 20 * damage.bad) {
    return { text: UTF8.decode(bytes), encoding: "UTF-8", undecodable: damage.bad };
  }
  return decodeAs(bytes, legacyEncoding(bytes));
}

/** A declaration inside the file (HTML's charset, XML's encoding) is believed unless the bytes contradict it. */
export function decodeDeclared(bytes: Uint8Array, declared: string | null, name: string): DecodedText {
  if (declared === null || byteOrderMark(bytes) || isUtf8(bytes)) return decodeText(bytes, name);
  const encoding = labelOf(declared);
  if (encoding === null || encoding === "UTF-8") return decodeText(bytes, name);
  const decoded = decodeAs(bytes, encoding);
  return decoded.undecodable === 0 ? decoded : decodeText(bytes, name);
}

/** Text in which NULs stand where spaces or line ends belong: they are put back as line ends, and counted. */
function withoutNuls(bytes: Uint8Array): { bytes: Uint8Array; count: number } | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (!holdsNul(sample) || !isNulSeparated(sample) || !isUtf8(bytes)) return null;
  let count = 0;
  const text = bytes.map((byte) => {
    if (byte !== 0) return byte;
    count++;
    return 10;
  });
  return looksBinary(text) ? null : { bytes: text, count };
}

/** Twice as fast as a decoder that must look for damage. */
function validUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return isAscii(bytes) ? buffer.toString("latin1") : transcode(buffer, "utf8", "utf16le").toString("utf16le");
}

const UTF8 = new TextDecoder("utf-8");
const SAMPLE_BYTES = 65_536;

function decodeAs(bytes: Uint8Array, encoding: string): DecodedText {
  const decoded = new TextDecoder(encoding).decode(bytes);
  const text = encoding === "windows-1252" ? decoded.replace(/[\x80-\x9f]/g, windowsSign) : decoded;
  const undecodable = encoding === "UTF-8" ? utf8Damage(bytes).bad : countReplacements(text);
  return { text, encoding, undecodable };
}

/** Some versions of Node decode windows-1252 as Latin-1, which leaves control characters where quotes and dashes belong. */
function windowsSign(control: string): string {
  return WINDOWS_SIGNS[control.charCodeAt(0) - 0x80] ?? control;
}

const WINDOWS_SIGNS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function countReplacements(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) count++;
  return count;
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "UTF-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "UTF-16LE";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "UTF-16BE";
  return null;
}

/**
 * UTF-16 without a mark. No 8-bit text holds a NUL; in UTF-16 the high byte of every line end and space is one, and so is a
 * byte of 一. Of the two orders only the right one gives letters of the scripts that books are written in.
 */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, Math.min(bytes.length, SAMPLE_BYTES) & ~1);
  if (!holdsNul(sample)) return null;
  const little = shareOfLetters(sample, "UTF-16LE");
  const big = shareOfLetters(sample, "UTF-16BE");
  if (Math.max(little, big) < LETTERS_OF_A_TEXT || isNulSeparated(sample)) return null;
  return little >= big ? "UTF-16LE" : "UTF-16BE";
}

/** Ten times as fast as the array's own search. */
function holdsNul(sample: Uint8Array): boolean {
  return Buffer.from(sample.buffer, sample.byteOffset, sample.length).includes(0);
}

/** English words with NULs between them: read by twos its letters fall among the Han signs. No Chinese file is ASCII throughout. */
function isNulSeparated(sample: Uint8Array): boolean {
  let nul = 0;
  let ascii = 0;
  for (const byte of sample) {
    if (byte === 0) nul++;
    else if (byte < 0x80) ascii++;
  }
  return nul + ascii > sample.length * 0.98 && nul < sample.length * 0.4;
}

const LETTERS_OF_A_TEXT = 0.97;
/** European letters, punctuation, kana and Han, full-width signs; not the rest, which noise and the wrong order hit. */
const BOOKISH =
  /[\t\n\f\r\x20-\x7e\u00a0-\u052f\u1e00-\u1fff\u2010-\u203b\u25a0-\u2606\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/g;

function shareOfLetters(sample: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(sample);
  return text === "" ? 0 : (text.match(BOOKISH)?.length ?? 0) / text.length;
}

/** A NUL or many control characters: pictures, programs, archives, not prose. */
function looksBinary(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  let control = 0;
  for (let position = 0; position < length; position++) {
    const byte = bytes[position]!;
    if (byte >= 32 || byte === 10 || byte === 13) continue;
    if (byte === 0) return true;
    if (byte !== 9 && byte !== 12 && byte !== 26 && byte !== 27) control++;
  }
  return control > Math.max(2, length * 0.005);
}

/** How many multi-byte sequences of UTF-8 are whole, and how many bytes belong to none. */
function utf8Damage(bytes: Uint8Array): { good: number; bad: number } {
  let good = 0;
  let bad = 0;
  let position = 0;
  while (position < bytes.length) {
    const lead = bytes[position]!;
    if (lead < 0x80) {
      position++;
      continue;
    }
    const length =
      lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
    let valid = length > 0 && position + length <= bytes.length;
    for (let next = 1; valid && next < length; next++) valid = (bytes[position + next]! & 0xc0) === 0x80;
    if (valid) good++;
    else bad++;
    position += valid ? length : 1;
  }
  return { good, bad };
}

/** Encodings that books come in, as the WHATWG names them. A subset's name stands for its superset. */
const LABELS: Readonly<Record<string, string>> = {
  "utf-8": "UTF-8",
  utf8: "UTF-8",
  "us-ascii": "UTF-8",
  ascii: "UTF-8",
  "utf-16le": "UTF-16LE",
  "utf-16be": "UTF-16BE",
  "iso-8859-1": "windows-1252",
  latin1: "windows-1252",
  "windows-1252": "windows-1252",
  "iso-8859-15": "ISO-8859-15",
  gb18030: "GB18030",
  gbk: "GB18030",
  gb2312: "GB18030",
  big5: "Big5",
  shift_jis: "Shift_JIS",
  "x-sjis": "Shift_JIS",
  "euc-jp": "EUC-JP",
  "euc-kr": "EUC-KR",
  "iso-8859-2": "ISO-8859-2",
  "windows-1250": "windows-1250",
  "windows-1251": "windows-1251",
  "koi8-r": "KOI8-R",
};

function labelOf(name: string): string | null {
  return LABELS[name.trim().toLowerCase()] ?? null;
}

function legacyEncoding(bytes: Uint8Array): string {
  for (const { name } of analyse(sampleAround(bytes))) {
    const label = labelOf(name);
    if (label !== null && label !== "UTF-8" && !label.startsWith("UTF-16")) return label;
  }
  return "windows-1252";
}

/** The stretch where the first unusual byte stands: an English file may begin with pages of ASCII. */
function sampleAround(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = Math.max(0, first - 1024);
  return bytes.subarray(start, start + SAMPLE_BYTES);
}

/** The encoding that an XML declaration or a `<meta>` claims, from the first kilobytes. */
export function declaredEncoding(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 2048)).toString("latin1");
  return /encoding=["']([\w-]+)["']/.exec(start)?.[1] ?? /charset=["']?([\w-]+)/i.exec(start)?.[1] ?? null;
}

import { isUtf8 } from "node:buffer";
import { analyse } from "chardet";
import { FabulaError } from "../core/errors.ts";

export interface DecodedText {
  readonly text: string;
  /** The encoding's usual name: UTF-8, UTF-16LE, GB18030, … */
  readonly encoding: string;
  /** Bytes (in the legacy encodings: characters) that stand for nothing in this encoding and were replaced by U+FFFD. */
  readonly undecodable: number;
}

/** Bytes to text: a byte-order mark decides, then valid UTF-8, then the statistics of the bytes. Never fatal for text. */
export function decodeText(bytes: Uint8Array, name: string): DecodedText {
  const marked = byteOrderMark(bytes);
  if (marked) return decodeAs(bytes, marked);
  const wide = unmarkedUtf16(bytes);
  if (wide) return decodeAs(bytes, wide);
  if (looksBinary(bytes)) {
    throw new FabulaError(
      "E_BINARY",
      `${name} is not a text: it holds bytes that no text has. Give a TXT, Markdown, HTML, EPUB, DOCX or PDF file.`,
    );
  }
  if (isUtf8(bytes)) return { text: UTF8.decode(bytes), encoding: "UTF-8", undecodable: 0 };
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

/** UTF-16 without a mark: text has line ends and spaces, whose high byte is zero, always on the same side. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  const length = Math.min(bytes.length, SAMPLE_BYTES) & ~1;
  let little = 0;
  let big = 0;
  for (let position = 0; position < length; position += 2) {
    const even = bytes[position];
    const odd = bytes[position + 1];
    if (odd === 0 && isPlain(even)) little++;
    else if (even === 0 && isPlain(odd)) big++;
  }
  const pairs = length / 2;
  if (little > pairs * 0.02 && big === 0 && decodesAsUtf16(bytes, "UTF-16LE")) return "UTF-16LE";
  if (big > pairs * 0.02 && little === 0 && decodesAsUtf16(bytes, "UTF-16BE")) return "UTF-16BE";
  return null;
}

function isPlain(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 10 || byte === 13 || (byte >= 32 && byte < 127));
}

/** Noise decodes to letters of every script at once; a text keeps to letters that are assigned and not private. */
function decodesAsUtf16(bytes: Uint8Array, encoding: string): boolean {
  const sample = new TextDecoder(encoding).decode(bytes.subarray(0, SAMPLE_BYTES & ~1));
  const strange = sample
    .match(/[\p{Cc}\p{Co}\p{Cn}\p{Cs}\uFFFD]/gu)
    ?.filter((character) => !"\r\n\t\f".includes(character));
  return (strange?.length ?? 0) < sample.length * 0.01;
}

/** A NUL or many control characters: pictures, programs, archives, not prose. */
function looksBinary(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  let control = 0;
  for (let position = 0; position < length; position++) {
    const byte = bytes[position]!;
    if (byte === 0) return true;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 26 && byte !== 27) control++;
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

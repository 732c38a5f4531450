import { readFileSync } from "node:fs";
import { assetPath } from "../../core/assets.ts";

/** What the quotation marks and stops of one edition are in another. */
const MARKS = "「“ 」” 『‘ 』’ ﹁“ ﹂” ，, ．. ：: ；; ？? ！!";

let folding: Uint16Array | null = null;

/**
 * A text as all its editions have it: without the space and line ends that each sets in its own way, and in Chinese with
 * simplified characters for traditional ones. Only for comparing: as text to read it would be wrong.
 */
export function comparable(text: string): string {
  if (text.length > units.length) units = new Uint16Array(text.length);
  const length = takeVisible(text, units);
  if (hasHan(units, length)) {
    folding ??= readFolding();
    for (let at = 0; at < length; at++) units[at] = folding[units[at]!]!;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString("utf16le");
}

/** Room for the longest text so far. */
let units = new Uint16Array(1 << 16);

function takeVisible(text: string, into: Uint16Array): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!isSpace(unit)) into[length++] = unit;
  }
  return length;
}

function hasHan(of: Uint16Array, length: number): boolean {
  for (let at = 0; at < length; at++) if (of[at]! >= 0x4e00 && of[at]! <= 0x9fff) return true;
  return false;
}

/** As `\s` in a pattern has it. */
function isSpace(unit: number): boolean {
  if (unit < 0xa0) return unit === 32 || (unit >= 9 && unit <= 13);
  if (unit >= 0x2000 && unit <= 0x205f)
    return unit <= 0x200a || unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f;
  return unit === 0xa0 || unit === 0x1680 || unit === 0x3000 || unit === 0xfeff;
}

function readFolding(): Uint16Array {
  const table = Uint16Array.from({ length: 65_536 }, (_, unit) => unit);
  for (const pair of `${MARKS} ${readFileSync(assetPath("chinese", "simplified.txt"), "utf8")}`.split(/\s+/)) {
    if (pair.length === 2) table[pair.charCodeAt(0)] = pair.charCodeAt(1);
  }
  return table;
}

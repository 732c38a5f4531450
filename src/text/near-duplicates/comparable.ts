import { readFileSync } from "node:fs";
import { assetPath } from "../../core/assets.ts";

/** What the quotation marks and stops of one edition are in another. */
const MARKS = "「“ 」” 『‘ 』’ ﹁“ ﹂” ，, ．. ：: ；; ？? ！!";
const HAN = /[\u4e00-\u9fff]/;

let folding: Uint16Array | null = null;

/**
 * A text as all its editions have it: without the space and line ends that each sets in its own way, and in Chinese with
 * simplified characters for traditional ones. Only for comparing: as text to read it would be wrong.
 */
export function comparable(text: string): string {
  const plain = text.replace(/\s+/gu, "");
  if (!HAN.test(plain)) return plain;
  folding ??= readFolding();
  const parts: string[] = [];
  const units = new Uint16Array(CHUNK);
  for (let start = 0; start < plain.length; start += CHUNK) {
    const length = Math.min(CHUNK, plain.length - start);
    for (let at = 0; at < length; at++) units[at] = folding[plain.charCodeAt(start + at)]!;
    parts.push(String.fromCharCode(...units.subarray(0, length)));
  }
  return parts.join("");
}

/** As many arguments as a call may safely have. */
const CHUNK = 8192;

function readFolding(): Uint16Array {
  const table = Uint16Array.from({ length: 65_536 }, (_, unit) => unit);
  for (const pair of `${MARKS} ${readFileSync(assetPath("chinese", "simplified.txt"), "utf8")}`.split(/\s+/)) {
    if (pair.length === 2) table[pair.charCodeAt(0)] = pair.charCodeAt(1);
  }
  return table;
}

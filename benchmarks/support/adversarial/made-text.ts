import { strToU8 } from "fflate";
import { randomInteger, seededRandom } from "../../../src/core/random.ts";

/** Kinds of files by what they are made of. */
export type Kinds = Readonly<Record<string, () => Uint8Array>>;

export const SIZE = 1_000_000;

/** A megabyte of UTF-8, whatever it is made of. */
export function filled(unit: string, before = "", after = ""): Uint8Array {
  const times = Math.ceil((SIZE - before.length - after.length) / strToU8(unit).length);
  return strToU8(`${before}${unit.repeat(times)}${after}`);
}

export function counted(line: (number: number) => string): Uint8Array {
  const lines: string[] = [];
  for (let size = 0, number = 1; size < SIZE; number++) {
    const text = line(number);
    lines.push(text);
    size += Buffer.byteLength(text);
  }
  return strToU8(lines.join(""));
}

export function noise(alphabet: string, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const signs = [...alphabet];
  let text = "";
  while (text.length < SIZE) text += signs[randomInteger(random, signs.length)];
  return strToU8(text);
}

export const SENTENCE = "The rain came down on the harbour, and nobody minded it. ";
export const HAN = "他走进屋里，看见桌上放着一封信。";

/** So many pieces in a row, from number 0 on. */
export function numbered(count: number, text: (number: number) => string): string {
  return Array.from({ length: count }, (_, at) => text(at)).join("");
}

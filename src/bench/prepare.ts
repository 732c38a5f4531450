import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { type Random, randomInteger } from "../core/random.ts";

/** A random run of consecutive chapters: first position and length. Null if the book has too few. */
export function chooseConsecutive(
  chapters: number,
  wanted: number,
  random: Random,
): { first: number; count: number } | null {
  if (chapters < wanted) return null;
  return { first: randomInteger(random, chapters - wanted + 1), count: wanted };
}

/** The texts of a corpus on disk, read back by their number: a hundred thousand novels would fill the memory. */
export class TextSpool {
  readonly #path: string;
  readonly #file: number;
  #starts: Float64Array = new Float64Array(1024);
  #count = 0;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "w+");
  }

  add(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    if (this.#count + 1 >= this.#starts.length) {
      const grown = new Float64Array(this.#starts.length * 2);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    const start = this.#starts[this.#count]!;
    writeSync(this.#file, bytes, 0, bytes.length, start);
    this.#starts[++this.#count] = start + bytes.length;
  }

  at(index: number): string {
    const start = this.#starts[index]!;
    const bytes = Buffer.allocUnsafe(this.#starts[index + 1]! - start);
    readSync(this.#file, bytes, 0, bytes.length, start);
    return bytes.toString("utf8");
  }

  remove(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}

import { unzipSync, zipSync } from "fflate";
import { type Random, randomInteger } from "../../src/core/random.ts";
import { mutate } from "./mutate.ts";

/** An archive with one of its files damaged: damage to the packed bytes almost never reaches the parsers behind. */
export function repacked(bytes: Uint8Array, random: Random): Uint8Array {
  const entries = unzipSync(bytes);
  const names = Object.keys(entries);
  const [name, other] = [names[randomInteger(random, names.length)]!, names[randomInteger(random, names.length)]!];
  return zipSync({ ...entries, [name]: mutate(entries[name]!, random, entries[other]!) }, { level: 1 });
}

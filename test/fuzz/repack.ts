import { unzipSync, zipSync } from "fflate";
import { type Random, randomInteger } from "../../src/core/random.ts";
import { mutate } from "./mutate.ts";

/** An archive with one of its files damaged: damage to the packed bytes almost never reaches the parsers behind. Null where it cannot be opened. */
export function repacked(bytes: Uint8Array, random: Random): Uint8Array | null {
  const entries = entriesOf(bytes);
  const names = Object.keys(entries);
  if (names.length === 0) return null;
  const [name, other] = [names[randomInteger(random, names.length)]!, names[randomInteger(random, names.length)]!];
  return zipSync({ ...entries, [name]: mutate(entries[name]!, random, entries[other]!) }, { level: 1 });
}

const LARGEST = 1_000_000;

/** None of an archive that was damaged itself, and none that claims to be large: packing it would take longer than parsing. */
function entriesOf(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter: ({ originalSize }) => originalSize < LARGEST });
  } catch {
    return {};
  }
}

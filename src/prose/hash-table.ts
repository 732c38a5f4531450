import { HashIndex } from "./hash-index.ts";

/** What is known of a few hashes: a map to read from, as quick as a {@link HashIndex}. */
export class HashTable<T> {
  private readonly index: HashIndex;
  private readonly values: readonly T[];

  constructor(entries: Iterable<readonly [hash: number, value: T]>) {
    const list = [...entries];
    this.index = new HashIndex(Uint32Array.from(list, ([hash]) => hash));
    this.values = list.map(([, value]) => value);
  }

  get(hash: number): T | undefined {
    const position = this.index.find(hash);
    return position === -1 ? undefined : this.values[position];
  }
}

/** Words of a block and the places where they stand, by hash. Its memory is used again for the next block. */
export class PlacesByWord {
  /** Word number plus one; 0 is an empty slot. */
  private slots = new Int32Array(1024);
  private hashes = new Uint32Array(256);
  /** How many places each word has. */
  private counts = new Int32Array(256);
  private lastPlace = new Int32Array(256);
  private wordCount = 0;
  private noteWords = new Int32Array(1024);
  private notePlaces = new Int32Array(1024);
  private noteCount = 0;

  clear(): void {
    this.slots.fill(0);
    this.wordCount = 0;
    this.noteCount = 0;
  }

  /** Places come in order; one that a word has already is not noted again. */
  note(hash: number, place: number): void {
    const word = this.numberOf(hash);
    if (this.lastPlace[word] === place) return;
    this.lastPlace[word] = place;
    this.counts[word] = this.counts[word]! + 1;
    if (this.noteCount === this.noteWords.length) {
      this.noteWords = enlarged(this.noteWords);
      this.notePlaces = enlarged(this.notePlaces);
    }
    this.noteWords[this.noteCount] = word;
    this.notePlaces[this.noteCount++] = place;
  }

  /** The places of each word, in the order in which words were first noted. */
  forEach(visit: (places: Int32Array) => void): void {
    const { wordCount, counts } = this;
    const ends = new Int32Array(wordCount);
    for (let word = 0, end = 0; word < wordCount; word++) ends[word] = end += counts[word]!;
    const next = new Int32Array(wordCount);
    for (let word = 0; word < wordCount; word++) next[word] = ends[word]! - counts[word]!;
    const sorted = new Int32Array(this.noteCount);
    for (let note = 0; note < this.noteCount; note++) {
      const word = this.noteWords[note]!;
      sorted[next[word]!] = this.notePlaces[note]!;
      next[word] = next[word]! + 1;
    }
    for (let word = 0; word < wordCount; word++) {
      if (counts[word]! > 1) visit(sorted.subarray(ends[word]! - counts[word]!, ends[word]));
    }
  }

  private numberOf(hash: number): number {
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let held = this.slots[slot]!; held !== 0; held = this.slots[slot]!) {
      if (this.hashes[held - 1] === hash) return held - 1;
      slot = (slot + 1) & mask;
    }
    if (this.wordCount * 2 >= this.slots.length) {
      this.spread();
      return this.numberOf(hash);
    }
    const word = this.wordCount++;
    this.slots[slot] = word + 1;
    this.hashes[word] = hash;
    this.counts[word] = 0;
    this.lastPlace[word] = -1;
    return word;
  }

  /** Twice the room. */
  private spread(): void {
    const words = this.slots.length;
    this.slots = new Int32Array(2 * words);
    this.hashes = enlarged(this.hashes, words);
    this.counts = enlarged(this.counts, words);
    this.lastPlace = enlarged(this.lastPlace, words);
    const mask = this.slots.length - 1;
    for (let word = 0; word < this.wordCount; word++) {
      let slot = this.hashes[word]! & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = word + 1;
    }
  }
}

function enlarged<A extends Int32Array | Uint32Array>(from: A, length = 2 * from.length): A {
  const into = new (from.constructor as new (length: number) => A)(length);
  into.set(from);
  return into;
}

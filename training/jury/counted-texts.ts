import { hashRuns } from "../../src/jury/character-runs.ts";
import { type PreparedText, prepareText } from "../../src/jury/prepare-text.ts";
import type { SentenceHashes } from "../../src/jury/sentence-hashes.ts";
import { windowBorders } from "../../src/jury/window-features.ts";
import { HashIndex } from "../../src/prose/hashing.ts";
import type { ScannedProse } from "../../src/prose/scanned-prose.ts";
import { STYLE_FEATURES } from "../../src/prose/style-features.ts";

/** Texts cut into windows, with the n-grams of each window counted. Every fold is built from here without reading again. */
export interface CountedTexts {
  /** The n-grams that occur in enough texts to be worth a column: words and pairs first, then runs of characters. */
  readonly hashes: Uint32Array;
  readonly wordColumns: number;
  /** Text `t` has the windows from `firstWindow[t]` up to `firstWindow[t + 1]`. */
  readonly firstWindow: Uint32Array;
  readonly windowWords: Float64Array;
  /** Window `w` has the columns from `firstEntry[w]` up to `firstEntry[w + 1]`, each once, with 1 + ln of its count. */
  readonly firstEntry: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
  /** `style[window * STYLE_FEATURES.length + feature]`: the square root of its rate per word. */
  readonly style: Float32Array;
  /** Words of prose in each text. */
  readonly words: readonly number[];
}

export interface CountingOptions {
  /** Words in a window. */
  readonly window: number;
  /** An n-gram of fewer texts is left out. */
  readonly minimumTexts: number;
  /** Read only about so many words from the beginning. */
  readonly firstWords?: number;
  /** Every sentence counts as a text of its own, in the order of the texts. */
  readonly bySentence?: boolean;
}

interface ReadText extends PreparedText {
  /** How many of its sentences count. */
  readonly sentences: number;
  /** The runs of characters as hashes, as words and pairs are. */
  readonly runs: SentenceHashes;
}

export function countTexts(texts: readonly string[], options: CountingOptions, known?: CountedTexts): CountedTexts {
  const read = texts.map((text): ReadText => {
    const prepared = prepareText(text);
    return {
      ...prepared,
      sentences: sentencesWithin(prepared.prose, options.firstWords),
      runs: hashRuns(prepared.counts.characters),
    };
  });
  const [words, characters] = known
    ? [known.hashes.subarray(0, known.wordColumns), known.hashes.subarray(known.wordColumns)]
    : [
        frequentHashes(read, ({ counts }) => counts.words, options.minimumTexts),
        frequentHashes(read, ({ runs }) => runs, options.minimumTexts),
      ];
  return countWindows(read, words, characters, options);
}

function sentencesWithin(prose: ScannedProse, firstWords = Number.POSITIVE_INFINITY): number {
  let seen = 0;
  let sentences = 0;
  while (sentences < prose.sentenceCount && seen < firstWords) seen += prose.words[sentences++]!;
  return sentences;
}

function frequentHashes(
  read: readonly ReadText[],
  runsOf: (text: ReadText) => SentenceHashes,
  minimum: number,
): Uint32Array {
  const texts = new Map<number, number>();
  for (const one of read) {
    for (const hash of new Set(runsOf(one).hashes)) texts.set(hash, (texts.get(hash) ?? 0) + 1);
  }
  const frequent = [...texts].flatMap(([hash, count]) => (count >= minimum ? [hash] : []));
  return Uint32Array.from(frequent).sort();
}

function countWindows(
  read: readonly ReadText[],
  wordHashes: Uint32Array,
  characterHashes: Uint32Array,
  { window, bySentence = false }: CountingOptions,
): CountedTexts {
  const blocks = [
    { index: new HashIndex(wordHashes), offset: 0, runsOf: ({ counts }: ReadText) => counts.words },
    {
      index: new HashIndex(characterHashes),
      offset: wordHashes.length,
      runsOf: ({ runs }: ReadText) => runs,
    },
  ];
  const total = wordHashes.length + characterHashes.length;
  const counts = new Uint32Array(total);
  const touched = new Uint32Array(total);
  const entries = { columns: new Uint32Array(1 << 22), values: new Float32Array(1 << 22), count: 0 };
  const firstWindow = [0];
  const firstEntry = [0];
  const windowWords: number[] = [];
  const style: number[] = [];
  for (const one of read) {
    const borders = bySentence
      ? Uint32Array.from({ length: one.sentences + 1 }, (_, at) => at)
      : windowBorders(one.prose.words.subarray(0, one.sentences), window);
    for (let at = 0; at + 1 < borders.length; at++) {
      const [from, to] = [borders[at]!, borders[at + 1]!];
      let present = 0;
      for (const { index, offset, runsOf } of blocks) {
        const { hashes, first } = runsOf(one);
        for (let entry = first[from]!; entry < first[to]!; entry++) {
          const position = index.find(hashes[entry]!);
          if (position === -1) continue;
          const column = offset + position;
          if (counts[column] === 0) touched[present++] = column;
          counts[column] = counts[column]! + 1;
        }
      }
      if (entries.count + present > entries.columns.length) grow(entries, entries.count + present);
      for (let i = 0; i < present; i++) {
        const column = touched[i]!;
        entries.columns[entries.count] = column;
        entries.values[entries.count++] = 1 + Math.log(counts[column]!);
        counts[column] = 0;
      }
      firstEntry.push(entries.count);
      const words = one.prose.words.subarray(from, to).reduce((sum, count) => sum + count, 0);
      windowWords.push(words);
      style.push(...styleRates(one, from, to, words));
      if (bySentence) firstWindow.push(windowWords.length);
    }
    if (!bySentence) firstWindow.push(windowWords.length);
  }
  return {
    hashes: Uint32Array.from([...wordHashes, ...characterHashes]),
    wordColumns: wordHashes.length,
    firstWindow: Uint32Array.from(firstWindow),
    windowWords: Float64Array.from(windowWords),
    firstEntry: Uint32Array.from(firstEntry),
    columns: entries.columns.subarray(0, entries.count),
    values: entries.values.subarray(0, entries.count),
    style: Float32Array.from(style),
    words: read.map(({ prose }) => prose.wordCount),
  };
}

function styleRates({ counts }: ReadText, from: number, to: number, words: number): Float64Array {
  const width = STYLE_FEATURES.length;
  const sums = new Float64Array(width);
  for (let at = from * width; at < to * width; at++) sums[at % width] = sums[at % width]! + counts.style[at]!;
  return sums.map((sum) => Math.sqrt(sum / Math.max(words, 1)));
}

function grow(entries: { columns: Uint32Array; values: Float32Array }, needed: number): void {
  const capacity = Math.max(needed, Math.ceil(entries.columns.length * 1.5));
  const columns = new Uint32Array(capacity);
  const values = new Float32Array(capacity);
  columns.set(entries.columns);
  values.set(entries.values);
  entries.columns = columns;
  entries.values = values;
}

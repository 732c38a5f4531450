import { ngramBuffer, sentenceNgrams } from "../../src/jury/sentence-hashes.ts";
import { NAME, scanProse } from "../../src/prose/scan-prose.ts";
import { FUNCTION_WORD, LETTERS, type ScannedProse } from "../../src/prose/scanned-prose.ts";
import { countStyle } from "../../src/prose/style-features.ts";
import type { JudgedChapter } from "./judged-chapters.ts";

/** The chapters scanned once; every fold counts from here. */
export interface Corpus {
  readonly chapters: readonly JudgedChapter[];
  readonly prose: readonly ScannedProse[];
  /** By chapter: style counts in which every content word is of the commonest band of rarity. */
  readonly style: readonly Float32Array[];
  readonly ngrams: Occurrences;
  /** Content words: those whose rarity counts. */
  readonly words: Occurrences;
}

/** Where each of a set of hashes occurs. */
export interface Occurrences {
  readonly hashes: Uint32Array;
  /** By chapter: positions in `hashes`, each once. */
  readonly byChapter: readonly Uint32Array[];
  /** By chapter: positions in `hashes` as they follow each other, and where each sentence begins among them. */
  readonly sequences: readonly Sequence[];
}

interface Sequence {
  readonly positions: Uint32Array;
  readonly firstOf: Uint32Array;
}

const COMMONEST = () => 0;

/** A chapter too short to be scored is too short to learn from. */
export function buildCorpus(chapters: readonly JudgedChapter[], minimumWords: number): Corpus {
  const scanned = chapters
    .map((chapter) => ({ chapter, prose: scanProse(chapter.text) }))
    .filter(({ prose }) => prose.wordCount >= minimumWords);
  const prose = scanned.map((one) => one.prose);
  return {
    chapters: scanned.map((one) => one.chapter),
    prose,
    style: prose.map((one) => countStyle(one, COMMONEST)),
    ngrams: collect(prose, eachNgram),
    words: collect(prose, eachContentWord),
  };
}

type Visitor = (prose: ScannedProse, sentence: number, visit: (hash: number) => void) => void;

function collect(texts: readonly ScannedProse[], each: (prose: ScannedProse) => Visitor): Occurrences {
  const known = new Map<number, number>();
  const sequences = texts.map((prose) => {
    const visitSentence = each(prose);
    const positions: number[] = [];
    const firstOf = [0];
    for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
      visitSentence(prose, sentence, (hash) => {
        let position = known.get(hash);
        if (position === undefined) {
          position = known.size;
          known.set(hash, position);
        }
        positions.push(position);
      });
      firstOf.push(positions.length);
    }
    return { positions: Uint32Array.from(positions), firstOf: Uint32Array.from(firstOf) };
  });
  return {
    hashes: Uint32Array.from(known.keys()),
    byChapter: sequences.map(({ positions }) => Uint32Array.from(new Set(positions))),
    sequences,
  };
}

function eachNgram(whole: ScannedProse): Visitor {
  const buffer = ngramBuffer(whole);
  return (prose, sentence, visit) => {
    const count = sentenceNgrams(prose, sentence, buffer);
    for (let i = 0; i < count; i++) visit(buffer[i]!);
  };
}

function eachContentWord(): Visitor {
  return (prose, sentence, visit) => {
    for (let token = prose.firstToken[sentence]!; token < prose.firstToken[sentence + 1]!; token++) {
      const traits = prose.traits[token]!;
      if ((traits & LETTERS) > 0 && !(traits & FUNCTION_WORD) && prose.tokens[token] !== NAME) {
        visit(prose.tokens[token]!);
      }
    }
  };
}

/** For each hash, in how many distinct groups (writers, stories) of the chosen chapters it occurs. */
export function groupCounts(
  occurrences: Occurrences,
  chosen: readonly number[],
  groupOf: (chapter: number) => string,
): Uint32Array {
  const ordered = [...chosen].sort((left, right) => compare(groupOf(left), groupOf(right)) || left - right);
  const counts = new Uint32Array(occurrences.hashes.length);
  const last = new Int32Array(occurrences.hashes.length).fill(-1);
  let group = -1;
  let name: string | null = null;
  for (const chapter of ordered) {
    if (groupOf(chapter) !== name) {
      name = groupOf(chapter);
      group++;
    }
    for (const position of occurrences.byChapter[chapter]!) {
      if (last[position] === group) continue;
      last[position] = group;
      counts[position] = counts[position]! + 1;
    }
  }
  return counts;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

import { ngramBuffer, sentenceNgrams } from "../ngrams.ts";
import { NAME, scanProse } from "../scan-prose.ts";
import { FUNCTION_WORD, LETTERS, type ScannedProse } from "../scanned-prose.ts";
import type { JudgedChapter } from "./judged-chapters.ts";
import { type TrainingWindow, trainingWindows } from "./window-set.ts";

/** The chapters scanned once; every fold counts from here. */
export interface Corpus {
  readonly chapters: readonly JudgedChapter[];
  readonly prose: readonly ScannedProse[];
  readonly windows: readonly TrainingWindow[];
  readonly ngrams: Occurrences;
  readonly words: Occurrences;
}

/** Which of a set of hashes occur in which chapter. */
export interface Occurrences {
  readonly hashes: Uint32Array;
  /** By chapter: positions in `hashes`, each once. */
  readonly byChapter: readonly Uint32Array[];
}

/** A chapter too short to be scored is too short to learn from. */
export function buildCorpus(chapters: readonly JudgedChapter[], minimumWords: number): Corpus {
  const scanned = chapters
    .map((chapter) => ({ chapter, prose: scanProse(chapter.text) }))
    .filter(({ prose }) => prose.wordCount >= minimumWords);
  const prose = scanned.map((one) => one.prose);
  return {
    chapters: scanned.map((one) => one.chapter),
    prose,
    windows: trainingWindows(prose.map(({ words }) => words)),
    ngrams: collect(prose, eachNgram),
    words: collect(prose, eachContentWord),
  };
}

type Visitor = (prose: ScannedProse, visit: (hash: number) => void) => void;

function collect(texts: readonly ScannedProse[], each: Visitor): Occurrences {
  const positions = new Map<number, number>();
  const lastChapter: number[] = [];
  const byChapter = texts.map((prose, chapter) => {
    const found: number[] = [];
    each(prose, (hash) => {
      let position = positions.get(hash);
      if (position === undefined) {
        position = positions.size;
        positions.set(hash, position);
        lastChapter.push(-1);
      }
      if (lastChapter[position] === chapter) return;
      lastChapter[position] = chapter;
      found.push(position);
    });
    return Uint32Array.from(found);
  });
  return { hashes: Uint32Array.from(positions.keys()), byChapter };
}

function eachNgram(prose: ScannedProse, visit: (hash: number) => void): void {
  const buffer = ngramBuffer(prose);
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    const count = sentenceNgrams(prose, sentence, buffer);
    for (let i = 0; i < count; i++) visit(buffer[i]!);
  }
}

function eachContentWord(prose: ScannedProse, visit: (hash: number) => void): void {
  for (let token = 0; token < prose.tokens.length; token++) {
    const traits = prose.traits[token]!;
    if ((traits & LETTERS) > 0 && !(traits & FUNCTION_WORD) && prose.tokens[token] !== NAME)
      visit(prose.tokens[token]!);
  }
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

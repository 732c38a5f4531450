import { deflateRawSync } from "node:zlib";
import { lowerCaseOf } from "../../prose/character-kinds.ts";
import { EMPTY_HASH, extended, finished } from "../../prose/hashing.ts";
import { LETTERS } from "../../prose/scanned-prose.ts";
import { sumBy } from "../../stats/distribution.ts";
import type { PreparedText } from "../prepare-text.ts";

/** Nothing else of a prepared text is needed. */
type Prose = Pick<PreparedText, "text" | "prose">;

export interface Repetition {
  /** The part of the words that stand in sentences not said before. */
  readonly newWords: number;
  /** How many different sentences there are, whatever their capitals, marks and numbers. */
  readonly sentences: number;
  /** Length after compression, as a part of the length before. */
  readonly compressed: number;
}

/**
 * Below `newWords` or `compressed` a text is refused, below `caveat` new words its score gets a caveat. Published novels, their chapters,
 * readers' stories and professionals' prose stay far above: `evals/cohesion.ts` prints how far.
 */
export const REPETITION_LIMITS = { newWords: 0.5, compressed: 0.2, caveat: 0.75 } as const;

const SPACE = 0x20;

/** Every juror asks about the same chapters. */
const remembered = new WeakMap<readonly Prose[], Repetition>();

/**
 * Two measures, since each misses something: sentences that differ in a word are all new but compress well, and a chapter repeated
 * after another lies too far back for the compressor.
 */
export function measureRepetition(chapters: readonly Prose[]): Repetition {
  const known = remembered.get(chapters);
  if (known !== undefined) return known;
  const seen = new Set<number>();
  let newWords = 0;
  for (const chapter of chapters) {
    const { words, sentenceCount } = chapter.prose;
    for (let sentence = 0; sentence < sentenceCount; sentence++) {
      const before = seen.size;
      if (words[sentence]! > 0) seen.add(hashOf(chapter, sentence));
      if (seen.size > before) newWords += words[sentence]!;
    }
  }
  const all = sumBy(chapters, ({ prose }) => prose.wordCount);
  const bytes = Buffer.from(chapters.map(({ text }) => text).join("\n"));
  const repetition = {
    newWords: all === 0 ? 1 : newWords / all,
    sentences: seen.size,
    compressed: bytes.length === 0 ? 1 : deflateRawSync(bytes, { level: 1 }).length / bytes.length,
  };
  remembered.set(chapters, repetition);
  return repetition;
}

/** Only words count: "It rained!" and "It rained 12." are the same sentence as "it rained." */
function hashOf({ text, prose }: Prose, sentence: number): number {
  let hash = EMPTY_HASH;
  for (let token = prose.firstToken[sentence]!; token < prose.firstToken[sentence + 1]!; token++) {
    if ((prose.traits[token]! & LETTERS) === 0) continue;
    const end = prose.tokenEnds[token]!;
    for (let at = prose.tokenStarts[token]!; at < end; at++) hash = extended(hash, lowerCaseOf(text.charCodeAt(at)));
    hash = extended(hash, SPACE);
  }
  return finished(hash);
}

/** Why a text that repeats itself is refused, or null. */
export function reasonRepetitive(chapters: readonly Prose[]): string | null {
  const { newWords, sentences, compressed } = measureRepetition(chapters);
  if (newWords < REPETITION_LIMITS.newWords) {
    return sentences === 1
      ? "the text is one sentence repeated again and again"
      : `the text repeats itself: only ${Math.max(1, Math.round(100 * newWords))}% of its words are in sentences that were not said before`;
  }
  if (compressed < REPETITION_LIMITS.compressed) {
    return "the text repeats itself: its sentences say the same words again and again, with small changes";
  }
  return null;
}

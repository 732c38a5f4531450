import { FUNCTION_WORD, type ScannedProse } from "../../prose/scanned-prose.ts";
import { sumBy } from "../../stats/distribution.ts";
import { detectLanguage } from "../../text/language.ts";
import type { PreparedText } from "../prepare-text.ts";

/** Small grammatical words are 40–60% of English prose and under 20% of anything else. */
export const MINIMUM_FUNCTION_WORDS = 0.25;
/** A passage ends at the end of a paragraph once it has this many words, and at the end of any sentence once it has the second. */
const SHORTEST_PASSAGE = 40;
const LONGEST_PASSAGE = 250;
/** Fewer words than this, such as what is left at the end of a chapter, do not show their language. */
const ENOUGH_TO_TELL = 30;

/**
 * The foreign part from which a text is refused, and from which its score gets a caveat. The largest in the 80 reference novels is
 * under 1%, in readers' stories 6% (a log), in judged chapters 29% (word salad): `evals/cohesion.ts` prints it.
 */
export const FOREIGN_LIMITS = { refused: 1 / 3, caveat: 0.1 } as const;

/** The part of a book that is in another language, in words, and which language that mostly is. */
export interface ForeignPart {
  readonly part: number;
  /** In words: "about 40% of it looks like French". */
  readonly inWords: string;
}

/** Every juror asks about the same chapters. */
const remembered = new WeakMap<readonly PreparedText[], ForeignPart>();

/**
 * Looks passage by passage: in a book that is half French, the English half has enough small words for the whole. A passage with few
 * of them counts only where another language is recognised, because a list or a log has few as well.
 */
export function foreignPart(chapters: readonly PreparedText[]): ForeignPart {
  const known = remembered.get(chapters);
  if (known !== undefined) return known;
  const words = new Map<string, number>();
  for (const { text, prose } of chapters) {
    for (const passage of poorPassages(prose)) {
      const language = detectLanguage(text.slice(passage.start, passage.end));
      if (language !== null && language !== "en") words.set(language, (words.get(language) ?? 0) + passage.words);
    }
  }
  const all = sumBy(chapters, ({ prose }) => prose.wordCount);
  const [most] = [...words].sort(([, left], [, right]) => right - left);
  const part = all === 0 ? 0 : sumBy([...words.values()], (count) => count) / all;
  const inWords =
    most === undefined ? "" : `about ${Math.round(100 * part)}% of it looks like ${languageName(most[0])}`;
  const found = { part, inWords };
  remembered.set(chapters, found);
  return found;
}

/** The passages that have fewer small English words than English has. */
function* poorPassages(prose: ScannedProse) {
  let first = 0;
  let words = 0;
  let functionWords = 0;
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    words += prose.words[sentence]!;
    for (let token = prose.firstToken[sentence]!; token < prose.firstToken[sentence + 1]!; token++)
      if (prose.traits[token]! & FUNCTION_WORD) functionWords++;
    const isLast = sentence + 1 === prose.sentenceCount;
    const endsParagraph = isLast || prose.opensParagraph[sentence + 1] === 1;
    if (words < (endsParagraph ? SHORTEST_PASSAGE : LONGEST_PASSAGE) && !isLast) continue;
    if (words >= ENOUGH_TO_TELL && functionWords < MINIMUM_FUNCTION_WORDS * words)
      yield { start: prose.starts[first]!, end: prose.ends[sentence]!, words };
    first = sentence + 1;
    words = 0;
    functionWords = 0;
  }
}

export function languageName(code: string): string {
  return new Intl.DisplayNames("en", { type: "language", fallback: "code" }).of(code) ?? code;
}

import { memoised } from "./memoised.ts";
import { isAscii } from "./other-scripts.ts";

/** ASCII punctuation, as Python's `string.punctuation` lists it. Curly quotes and dashes are not in it and stay. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

const ARTICLES = /\b(?:a|an|the)\b/g;
/** The same with letters in Python's sense, so that the "a" at the end of "Éa" is no article: slower, and rarely needed. */
const ARTICLES_AMONG_ALL_LETTERS = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

/**
 * The words of an answer as SQuAD and HotpotQA compare them, in this order: lower case; punctuation deleted (so "don't"
 * becomes "dont"); the articles a, an and the deleted; split at white space. Two metrics ask for them in turn.
 */
export const answerWords = memoised(normalisedWords);

function normalisedWords(answer: string): readonly string[] {
  const bare = answer.toLowerCase().replace(PUNCTUATION, "");
  return bare
    .replace(isAscii(bare) ? ARTICLES : ARTICLES_AMONG_ALL_LETTERS, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** ASCII punctuation, as Python's `string.punctuation` lists it. Curly quotes and dashes are not in it and stay. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** A word character in Python's sense, so that the articles inside "théâtre" or "façade" are none. */
const ARTICLES = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

/**
 * The words of an answer as SQuAD and HotpotQA compare them, in this order: lower case; punctuation deleted (so "don't"
 * becomes "dont"); the articles a, an and the deleted; split at white space.
 */
export function answerWords(answer: string): string[] {
  return answer
    .toLowerCase()
    .replace(PUNCTUATION, "")
    .replace(ARTICLES, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

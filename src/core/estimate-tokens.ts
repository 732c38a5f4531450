const LATIN_PER_TOKEN = 3.6;

/** An accent splits its word into more pieces: with two tokens for each, no language of the test comes out below o200k_base. */
const TOKENS_PER_ACCENT = 2;

/**
 * About how many tokens a text will take. Tokenisers differ by a fifth and more, so the estimate errs upwards: one token for 3.6 plain
 * Latin letters, two for a letter with an accent, one for every Chinese, Japanese or Korean character, one for two letters of other
 * scripts. Good enough to plan a budget; what was really used comes with the reply.
 *
 * @example
 * ```ts
 * estimateTokens("It was a dark and stormy night."); // 9
 * ```
 */
export function estimateTokens(text: string): number {
  // One byte for each character: all of it is ASCII.
  if (Buffer.byteLength(text) === text.length) return Math.ceil(text.length / LATIN_PER_TOKEN);
  let latin = 0;
  let accented = 0;
  let ideographs = 0;
  let others = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) latin++;
    else if (unit < 0x250) accented++;
    else if (unit >= 0x2e80) ideographs++;
    else others++;
  }
  return Math.ceil(latin / LATIN_PER_TOKEN + accented * TOKENS_PER_ACCENT + ideographs * 1.1 + others / 2);
}

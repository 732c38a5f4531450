import type { Block } from "../manuscript.ts";
import { countWords } from "../words.ts";

const PROSE_PARAGRAPH_WORDS = 30;
const FEWEST_SENTENCE_WORDS = 3;
const SENTENCE_END = /[.!?…。！？」』]["”’'»)）]*$/u;
/** What imprints say, and no story. */
const IMPRINT =
  /copyright|©|all rights reserved|\bisbn\b|printed (?:in|by)|published (?:by|in)|first published|project gutenberg|transcrib|版权所有|版權所有/i;

/** The words of a stretch that read as a story: long paragraphs, and short ones that are sentences, as in a dialogue. */
export function storyWords(blocks: readonly Block[]): number {
  let words = 0;
  for (const block of blocks) {
    // Lines set one under another are a title page, a dedication or verse.
    if (block.kind !== "paragraph" || block.text.includes("\n") || IMPRINT.test(block.text)) continue;
    const count = countWords(block.text);
    if (count >= PROSE_PARAGRAPH_WORDS || (count >= FEWEST_SENTENCE_WORDS && SENTENCE_END.test(block.text)))
      words += count;
  }
  return words;
}

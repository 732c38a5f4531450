import type { Removal } from "../../book.ts";
import type { Block, SectionStart } from "../../manuscript.ts";
import { countWords } from "../../words.ts";
import { excerpt, textOf } from "../block-text.ts";

/** Fewer words than this are a title page, an imprint, a dedication. */
const FEWEST_STORY_WORDS = 40;

/** What is taken out, with its length; `mayBeStory` where nothing proves that it is none. */
export function removalOf(rule: string, where: string, text: string, doubtfulWords: number): Removal {
  const mayBeStory = doubtfulWords > FEWEST_STORY_WORDS;
  return { rule, where, text: excerpt(text), words: countWords(text), ...(mayBeStory && { mayBeStory }) };
}

/** A page that the file itself says is not the story's. */
export function outsideStory({ where, isDoubtful }: SectionStart, blocks: readonly Block[]): readonly Removal[] {
  const text = textOf(blocks);
  return blocks.every(({ kind }) => kind !== "paragraph")
    ? []
    : [removalOf("page outside the story", where, text, isDoubtful ? countWords(text) : 0)];
}

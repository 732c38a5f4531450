import { readFile } from "node:fs/promises";
import { assetPath } from "../../src/core/assets.ts";
import { type Outline, parseOutline } from "../../src/judge/subjects.ts";
import type { PromptLanguage } from "../../src/prompts/load-prompt.ts";
import type { PastReview } from "../../src/reader/predictor/story.ts";
import type { Book } from "../../src/text/book.ts";
import { readBook } from "../../src/text/read-book.ts";
import { countWords } from "../../src/text/words.ts";

/** What the examples of one language are made from. */
export interface ExampleMaterial {
  /** The bundled files it is taken from. */
  readonly files: readonly [story: string, outline: string];
  readonly book: Book;
  readonly outline: Outline;
  /** What one reader said of other stories. */
  readonly reviews: readonly PastReview[];
}

const FILES = {
  en: { story: "the-inspector-of-weights.md", outline: "outline.md" },
  zh: { story: "the-lamp-at-mist-harbour.zh.md", outline: "outline.zh.md" },
} as const;
const CHAPTERS = 2;
const PARAGRAPHS = 8;

const REVIEWS: Readonly<Record<PromptLanguage, readonly PastReview[]>> = {
  en: [
    {
      title: "The Winter Light",
      genres: ["Literary fiction"],
      plot_summary: "A lighthouse keeper hides a deserter through one winter and is betrayed by her brother.",
      rating: 5,
      review: "Slow, but I never wanted it to end. The brother is drawn without a word too many.",
    },
    {
      title: "Clockwise",
      genres: ["Mystery"],
      plot_summary: "A detective finds that every clue was planted by his own younger self.",
      rating: 2,
      review: "All cleverness. I did not care for a single person in it.",
    },
  ],
  zh: [
    {
      title: "冬天的光",
      genres: ["文学小说"],
      plot_summary: "守灯塔的女人藏了一个逃兵过冬，被自己的兄弟告发。",
      rating: 5,
      review: "慢，却舍不得读完。那个兄弟写得一字不多。",
    },
  ],
};

/** The opening of the bundled story: long enough to have two segments, short enough to be read on a screen. */
export async function exampleMaterial(language: PromptLanguage): Promise<ExampleMaterial> {
  const { story, outline } = FILES[language];
  const whole = await readBook(assetPath("examples", story));
  const chapters = whole.chapters.slice(0, CHAPTERS).map((chapter) => {
    const text = chapter.text.split("\n\n").slice(0, PARAGRAPHS).join("\n\n");
    return { ...chapter, text, words: countWords(text) };
  });
  const plan = await readFile(assetPath("examples", outline), "utf8");
  return {
    files: [story, outline],
    book: { ...whole, chapters, words: chapters.reduce((sum, { words }) => sum + words, 0) },
    outline: parseOutline(plan, outline),
    reviews: REVIEWS[language],
  };
}

import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import type { PastReview, Story } from "../predictor/story.ts";
import { fromStars, type ScoreScale } from "./score-scale.ts";

const WORDS = {
  en: {
    story: "Story",
    review: "Review",
    score: "Score",
    genres: "Genres",
    premise: "Premise",
    characters: "Characters",
  },
  zh: { story: "故事", review: "评论", score: "分数", genres: "类型", premise: "前提", characters: "人物" },
} as const satisfies Record<PromptLanguage, unknown>;

/** A story as a judge is shown it: never its title, which may be famous. */
export function storyText(story: Story, language: PromptLanguage): string {
  const words = WORDS[language];
  return [
    story.genres.length > 0 && `${words.genres}: ${story.genres.join(", ")}`,
    story.premise && `${words.premise}: ${story.premise}`,
    story.plot_summary,
    story.characters && `${words.characters}: ${story.characters}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** One earlier review in a prompt; without its words when only the stars are to be shown (PerSE's ablation). */
export function pastReviewText(
  past: PastReview,
  position: number,
  options: { readonly scale: ScoreScale; readonly language: PromptLanguage; readonly withWords: boolean },
): string {
  const words = WORDS[options.language];
  const story =
    past.plot_summary ?? past.premise ?? (past.genres.length > 0 ? `${words.genres}: ${past.genres.join(", ")}` : "–");
  return [
    `${words.story} ${position}`,
    story,
    options.withWords && past.review && `${words.review}: ${past.review}`,
    past.rating !== undefined && `${words.score}: ${fromStars(past.rating, options.scale)}`,
  ]
    .filter(Boolean)
    .join("\n");
}

import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import type { PastReview, Story } from "../predictor/story.ts";
import type { PastComparison } from "../profile/past-comparison.ts";
import { fromStars, type ScoreScale } from "./score-scale.ts";

const WORDS = {
  en: {
    story: "Story",
    review: "Review",
    score: "Score",
    genres: "Genres",
    premise: "Premise",
    characters: "Characters",
    choice: "Choice",
    sides: { left: "the first", right: "the second", tie: "neither" },
    overall: "overall",
    preferred: "Preferred",
    between: ["First story", "Second story"],
  },
  zh: {
    story: "故事",
    review: "评论",
    score: "分数",
    genres: "类型",
    premise: "前提",
    characters: "人物",
    choice: "选择",
    sides: { left: "第一篇", right: "第二篇", tie: "不分高下" },
    overall: "总体",
    preferred: "更喜欢",
    between: ["第一篇", "第二篇"],
  },
} as const satisfies Record<PromptLanguage, unknown>;

/** Why a judge is not asked about a story of which only the title is known. */
export const NOTHING_TO_SHOW = "nothing is known about the story: add its genres, premise or plot summary";

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

/** The premise that both stories share, if they do, and the texts of both without it. */
export function pairTexts(
  left: Story,
  right: Story,
  language: PromptLanguage,
): readonly [premise: string | undefined, string, string] {
  const premise = left.premise === right.premise ? left.premise : undefined;
  const text = (story: Story) => storyText(premise === undefined ? story : { ...story, premise: undefined }, language);
  return [premise, text(left), text(right)];
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

/** An earlier choice between two stories in a prompt, aspect by aspect. */
export function pastComparisonText(
  { left, right, preferred }: PastComparison,
  position: number,
  { language, nameOf }: { readonly language: PromptLanguage; readonly nameOf: (aspect: string) => string },
): string {
  const words = WORDS[language];
  const choices = Object.entries(preferred).map(
    ([aspect, side]) => `${aspect === "overall" ? words.overall : nameOf(aspect)}: ${words.sides[side]}`,
  );
  return [
    `${words.choice} ${position}`,
    `${words.between[0]}:\n${storyText(left, language)}`,
    `${words.between[1]}:\n${storyText(right, language)}`,
    `${words.preferred}: ${choices.join("; ")}`,
  ].join("\n");
}

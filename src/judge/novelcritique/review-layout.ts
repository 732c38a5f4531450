import type { Rubric } from "../../criteria/rubric.ts";
import type { ChatMessage } from "../../models/chat-model.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { renderPart, renderPrompt } from "../../prompts/render-prompt.ts";
import { readVerdicts } from "../replies/read-verdicts.ts";

/** A review by aspects, in the form that the trained model learns and writes. */
export interface WrittenReview {
  /** By aspect id, what is said about it. */
  readonly aspects: Readonly<Record<string, string>>;
  readonly assessment: string;
  /** 1.0–5.0; null if none could be read. */
  readonly score: number | null;
}

/** The names of aspects that the model was trained with; other aspects keep their own names. */
const TRAINED_NAMES: Readonly<Record<string, string>> = {
  plot: "Plot and Structure",
  characters: "Characters",
  writing: "Writing and Language",
  world: "World-Building and Setting",
  themes: "Themes",
  emotion: "Emotional Impact",
  enjoyment: "Enjoyment and Engagement",
  expectation: "Expectation Fulfillment",
};

interface NamedAspect {
  readonly id: string;
  readonly name: string;
}

/** What is shown of a book. */
export interface ShownStory {
  readonly title: string;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly plot: string;
  readonly characters: string | null;
  readonly excerpt: string | null;
}

const MOST_GENRES = 3;

/** How a trained model is asked and how it answers. The same form is used in training and in use. */
export interface ReviewForm {
  /** Changes with any character of the form. */
  readonly hash: string;
  /** The system message and the question about these aspects. */
  question(story: ShownStory, aspects: readonly NamedAspect[]): ChatMessage[];
  answer(review: WrittenReview & { readonly score: number }, aspects: readonly NamedAspect[]): string;
  /** The beginning of an answer that the model continues with a score: one critique, repeated as the assessment. */
  beginning(critique: string, aspect: NamedAspect): string;
}

export async function loadReviewForm(prompts: PromptSource): Promise<ReviewForm> {
  const template = await prompts("novel-critique", "en");
  const written = (values: Readonly<Record<string, string>>) => renderPart(template, "answer", values);
  const named = ({ id, name }: NamedAspect) =>
    renderPart(template, "aspect", { aspect: TRAINED_NAMES[id] ?? name }).trim();
  const headed = (one: NamedAspect, critique: string) => `${named(one).split("\n")[0]}\n${critique.trim()}`;
  return {
    hash: template.hash,
    question: ({ genres, ...story }, aspects) =>
      renderPrompt(template, {
        ...story,
        genres: genres.slice(0, MOST_GENRES).join(", "),
        aspects: aspects.map(named).join("\n\n"),
      }),
    answer: ({ aspects: critiques, assessment, score }, aspects) =>
      written({
        review: aspects.flatMap((one) => (critiques[one.id] ? [headed(one, critiques[one.id]!)] : [])).join("\n\n"),
        conclusion: assessment.trim(),
        score: score.toFixed(1),
      }),
    beginning: (critique, one) =>
      written({ review: headed(one, critique), conclusion: critique.trim(), score: SCORE_PLACE }).replace(
        new RegExp(`:?\\s*${SCORE_PLACE}[\\s\\S]*$`),
        "",
      ),
  };
}

const SCORE_PLACE = "\u0000";

/** The scale that the prompts request. */
export const REVIEW_SCALE = { minimum: 1, maximum: 5 };

/**
 * Reads a reply with the reader used for all replies. `rubric` holds the requested aspects. A review has one score,
 * at its end, so the only score in a reply is the review's wherever it appears.
 */
export function readReview(reply: string, rubric: Rubric): WrittenReview {
  const { aspects, overall, critiques, assessment } = readVerdicts(reply, rubric, REVIEW_SCALE);
  const [only, ...others] = Object.values(aspects).filter((verdict) => verdict.kind === "scored");
  const given = overall.kind === "unscored" && others.length === 0 ? only : overall;
  const written = rubric.criteria.flatMap(({ id }) => (critiques[id] ? [[id, critiques[id]] as const] : []));
  return {
    aspects: Object.fromEntries(written),
    assessment: assessment ?? "",
    score: given?.kind === "scored" ? given.score : null,
  };
}

const PRAISE =
  /\b(?:liked|(?:I|we) (?:really )?like|lov(?:e|ed|ely)|enjoy(?:ed|able)?|admired?|delight(?:s|ed|ful)?|excellent|superb|brilliant|wonderful|great|good|strong|vivid|gripping|engaging|compelling|moving|believable|memorable|beautiful(?:ly)?)\b/gi;
const BLAME =
  /\b(?:dislik(?:e|ed)|hat(?:e|ed)|bor(?:ed|ing)|drags?|dragged|flat|weak|thin|dull|slow|poor(?:ly)?|bad|clumsy|confus(?:ed|ing)|predictable|shallow|stiff|rushed|disappoint(?:ed|ing)|lacks?|fails?|wooden|clich[eé]d?)\b/gi;
const DENIED =
  /\b(?:not?|never|hardly|(?:did|do|does|was|is|are|were|could|would)n[’']t|less|nothing)(?:\s+\p{L}+){0,2}\s*$/iu;

/**
 * Whether a prose critique is filed as a strength. If its words only praise or only blame, they decide ("I liked the
 * plot" is no weakness, whatever the score beside it); if they do both or neither, `scoredWell` does.
 */
export function isPraise(critique: string, scoredWell: boolean): boolean {
  let praise = 0;
  let blame = 0;
  for (const [pattern, worth] of [
    [PRAISE, 1],
    [BLAME, -1],
  ] as const) {
    for (const { index } of critique.matchAll(pattern)) {
      if (DENIED.test(critique.slice(Math.max(0, index - 40), index)) === worth > 0) blame++;
      else praise++;
    }
  }
  return praise > 0 === blame > 0 ? scoredWell : praise > 0;
}

import { FabulaError } from "../../core/errors.ts";
import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import type { PromptLanguage } from "../../prompts/load-prompt.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";

/** How a judge is asked: with a rubric, which suits any model, or in the form that a model trained on readers' reviews learnt. */
export const PROTOCOLS = ["rubric", "novelcritique"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** How a book is cut and what of it is shown, where LongStoryEval does it in another way than Fabula. */
export interface Presentation {
  /** Several passages from all of the book, or the first 500 words of one chapter. */
  readonly excerpts: "spread" | "one chapter";
  /** How many genres are named; all of them when null. */
  readonly genres: number | null;
  /** What a judge of a segment is told of those before it. */
  readonly before: "plot and characters" | "plot";
  /** Whether a short last segment joins the one before it. */
  readonly rest: "joined" | "apart";
}

export const OWN_PRESENTATION: Presentation = {
  excerpts: "spread",
  genres: null,
  before: "plot and characters",
  rest: "joined",
};
/** As the authors' scripts do it. */
export const PAPER_PRESENTATION: Presentation = { excerpts: "one chapter", genres: 3, before: "plot", rest: "apart" };

/** What to judge and how to ask: the same for every method. */
export interface Judging {
  readonly rubric: Rubric;
  /** The aspects asked for, in the rubric's order. */
  readonly criteria: readonly Criterion[];
  /** Whether the prompt explains each aspect (LongStoryEval's ablation: small models need it, large ones hardly). */
  readonly definitions: boolean;
  readonly language: PromptLanguage;
  readonly temperature: number;
  /** `rubric` unless given; the other serves judgements from a summary alone. */
  readonly protocol?: Protocol;
  /** Fabula's own unless given. */
  readonly presentation?: Presentation;
  /** Prompts of the user's own; those that ship, unless given. */
  readonly prompts?: PromptSource;
}

/** The aspects by id, with sub-aspects on request; all top-level ones when none is named. */
export function selectCriteria(rubric: Rubric, ids: readonly string[] | null): Criterion[] {
  if (ids === null) return topLevel(rubric);
  const unknown = ids.find((id) => !rubric.criteria.some((criterion) => criterion.id === id));
  if (unknown !== undefined) {
    const known = rubric.criteria.map(({ id }) => id).join(", ");
    throw new FabulaError(
      "E_ASPECT_UNKNOWN",
      `The rubric "${rubric.id}" has no aspect "${unknown}": choose from ${known}.`,
    );
  }
  return rubric.criteria.filter(({ id }) => ids.includes(id));
}

/** `1. Plot and structure (plot): What happens …` */
export function criteriaText({ criteria, definitions }: Pick<Judging, "criteria" | "definitions">): string {
  return criteria
    .map(({ id, name, definition }, position) => {
      const label = `${position + 1}. ${name} (${id})`;
      return definitions ? `${label}: ${definition.trim()}` : label;
    })
    .join("\n");
}

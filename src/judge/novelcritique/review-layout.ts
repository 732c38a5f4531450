import type { Rubric } from "../../criteria/rubric.ts";
import { readVerdicts } from "../reading/read-verdicts.ts";

/** A review by aspects as the trained model writes it and as it is trained to write it. */
export interface WrittenReview {
  /** Name of the aspect → what is said of it. */
  readonly aspects: Readonly<Record<string, string>>;
  readonly assessment: string;
  /** 1.0–5.0; null when none could be read. */
  readonly score: number | null;
}

const REVIEW = "## Review";
const ASSESSMENT = "## Overall assessment";
const SCORE = "## Score";

export function aspectHeading(name: string): string {
  return `### ${name}`;
}

export function writeReview({ aspects, assessment, score }: WrittenReview & { readonly score: number }): string {
  const critiques = Object.entries(aspects).map(([name, critique]) => `${aspectHeading(name)}\n${critique.trim()}`);
  return [REVIEW, ...critiques, writeConclusion(assessment, score)].join("\n");
}

export function writeConclusion(assessment: string, score: number): string {
  return [ASSESSMENT, assessment.trim(), SCORE, score.toFixed(1)].join("\n");
}

/** The scale that the prompts ask for. */
export const REVIEW_SCALE = { minimum: 1, maximum: 5 };

/**
 * Reads a reply with the reader that reads all replies. `rubric` holds the aspects asked for. A review has one score, the
 * last thing in it, so the only score of a reply is the review's wherever it stands.
 */
export function readReview(reply: string, rubric: Rubric): WrittenReview {
  const { aspects, overall, critiques, assessment } = readVerdicts(reply, rubric, REVIEW_SCALE);
  const [only, ...others] = Object.values(aspects).filter((verdict) => verdict.kind === "scored");
  const given = overall.kind === "unscored" && others.length === 0 ? only : overall;
  const written = rubric.criteria.flatMap(({ id, name }) => (critiques[id] ? [[name, critiques[id]] as const] : []));
  return {
    aspects: Object.fromEntries(written),
    assessment: assessment ?? "",
    score: given?.kind === "scored" ? given.score : null,
  };
}

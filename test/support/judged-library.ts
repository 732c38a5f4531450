import { seededRandom } from "../../src/core/random.ts";
import { scored } from "../../src/core/verdict.ts";
import type { AspectResult, BookEvaluation } from "../../src/judge/evaluation.ts";
import { sampleEvaluation } from "../fixtures/sample-evaluation.ts";

export const JUDGED_ASPECTS = [
  ["plot", "Plot and structure"],
  ["characters", "Characters"],
  ["writing", "Writing and language"],
  ["world", "World-building and setting"],
] as const;

/** Three judges of the same books: two that follow what the books are worth, and one whose scores are chance. */
export const SOUND_JUDGES = ["careful", "strict"] as const;
export const FAULTY_JUDGE = "erratic";

/** What an aspect of a made book is worth, from 0 to 100. */
export function worth(book: number, aspect: string): number {
  const place = aspect === "overall" ? 0 : 1 + JUDGED_ASPECTS.findIndex(([id]) => id === aspect);
  return 20 + ((book * 37 + place * 23) % 61);
}

/** How a judge would evaluate a made book, three times over; the faulty one gives something else each time. */
export function madeEvaluation(judge: string, book: number, title: string): BookEvaluation {
  const random = seededRandom(book * 97 + judge.length * 7 + 1);
  const noise = (size: number) => (random() - 0.5) * size;
  const give = (aspect: string) => {
    if (judge === FAULTY_JUDGE) return 5 + 90 * random();
    return worth(book, aspect) - (judge === "strict" ? 8 : 0) + noise(4);
  };
  const aspects = JUDGED_ASPECTS.map(([id, name]): AspectResult => {
    const score = give(id);
    return {
      id,
      name,
      verdict: scored(score, [score - 3, score + 3]),
      percentile: null,
      course: [],
      strengths: [{ text: `Something good about ${name}.`, evidence: [] }],
      weaknesses: [{ text: `Something weak about ${name}.`, evidence: [] }],
      evidence: [],
    };
  });
  const scores = [0, 1, 2].map(() => give("overall"));
  const mean = (scores[0]! + scores[1]! + scores[2]!) / 3;
  const made = sampleEvaluation({
    judge,
    method: "aggregate",
    runs: 3,
    scale: { minimum: 0, maximum: 100 },
    population: null,
    aspects,
    overall: scored(mean),
    overallPercentile: null,
    overallCourse: [],
    notes: [],
    repeats: { scores, standardDeviation: 1, unscored: 0 },
  });
  return { ...made, book: { ...made.book, title, words: 3000 + 500 * book, warnings: [] } };
}

import type { PocketJudge } from "../../jury/pocket-judge.ts";
import type { ChapterScorer } from "./chapter-scorer.ts";

/** The judge that ships inside, as a scorer of chapters. It is deterministic: a repeat gives the same scores. */
export function pocketScorer(judge: PocketJudge): ChapterScorer {
  return {
    id: judge.id,
    version: judge.version,
    rubric: judge.rubric,
    score: async (text) => judge.score(text).criteria,
  };
}

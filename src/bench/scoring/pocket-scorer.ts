import type { Juror } from "../../jury/juror.ts";
import type { PocketJudge } from "../../jury/pocket-judge.ts";
import { prepareText } from "../../jury/prepare-text.ts";
import type { ChapterScorer } from "./chapter-scorer.ts";

/** The embedded grader as a scorer of chapters. It is deterministic: a repeat gives the same scores. */
export function pocketScorer(judge: PocketJudge, grader: Juror): ChapterScorer {
  return {
    id: judge.id,
    version: judge.version,
    rubric: judge.rubric,
    speaker: grader.speaker,
    caveat: (text) => grader.judge([prepareText(text)]).caveat,
    score: async (text) => judge.score(text).criteria,
  };
}

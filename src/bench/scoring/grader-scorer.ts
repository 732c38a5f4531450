import type { Grader } from "../../jury/grader.ts";
import type { Juror, Opinion } from "../../jury/juror.ts";
import { prepareText } from "../../jury/prepare-text.ts";
import type { ChapterScorer } from "./chapter-scorer.ts";

/** The embedded grader as a scorer of chapters. It is deterministic: a repeat gives the same scores. */
export function graderScorer(judge: Grader, grader: Juror): ChapterScorer {
  // A text is scored and then asked for its caveat: one reading serves both.
  let last: { readonly text: string; readonly opinion: Opinion } | null = null;
  const opinionOf = (text: string): Opinion => {
    if (last?.text !== text) last = { text, opinion: grader.judge([prepareText(text)]) };
    return last.opinion;
  };
  return {
    id: judge.id,
    version: judge.version,
    rubric: judge.rubric,
    speaker: grader.speaker,
    isDeterministic: true,
    caveat: (text) => opinionOf(text).caveat,
    score: async (text) => opinionOf(text).criteria,
  };
}

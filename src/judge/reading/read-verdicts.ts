import { scored, unscored, type Verdict } from "../../core/verdict.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { splitReasoning } from "../../models/split-reasoning.ts";
import { readJsonScores } from "./read-json-scores.ts";
import { readMarkdown } from "./read-markdown.ts";
import type { ScoreReading, WrittenScores } from "./written-score.ts";

/** What a saved reply says, aspect by aspect, with scores as they were written. */
export interface ReadReply {
  readonly aspects: Readonly<Record<string, Verdict>>;
  readonly overall: Verdict;
  readonly critiques: Readonly<Record<string, string>>;
  readonly assessment: string | null;
}

/**
 * Reads the verdicts out of a reply of any model: JSON, JSON in prose, or prose with labels in English or Chinese. Scores
 * stay as written (`3.5/5` is 3.5). What is missing, contradictory, a range or outside its own scale is unscored with the
 * reason: a reply is never read wrongly in silence.
 */
export function readVerdicts(reply: string, rubric: Rubric): ReadReply {
  const written = readWritten(reply, rubric);
  const aspects: Record<string, Verdict> = {};
  const critiques: Record<string, string> = {};
  for (const { id, parent } of rubric.criteria) {
    const marks = written.marksOf(id);
    if (parent === undefined || marks.length > 0) {
      aspects[id] = settle(
        marks,
        rubric,
        written.mentions(id) ? "it is discussed without a score" : "it is not mentioned",
      );
    }
    const critique = written.critiqueOf(id);
    if (critique) critiques[id] = critique;
  }
  const overall = settle(written.overallMarks(), rubric, "the reply gives no overall score");
  return { aspects, overall, critiques, assessment: written.assessment() };
}

/**
 * JSON counts together with whatever scores the prose around it gives: a verdict that a judge merely quotes then
 * contradicts the judge's own, and a contradiction is unscored.
 */
function readWritten(reply: string, rubric: Rubric): WrittenScores {
  const { scores: json, rest } = readJsonScores(splitReasoning(reply).answer, rubric);
  const around = readMarkdown(rest, rubric);
  if (!json) return around;
  return {
    mentions: (id) => json.mentions(id) || around.mentions(id),
    marksOf: (id) => [...json.marksOf(id), ...around.marksOf(id)],
    overallMarks: () => [...json.overallMarks(), ...around.overallMarks()],
    critiqueOf: (id) => json.critiqueOf(id) ?? around.critiqueOf(id),
    assessment: () => json.assessment() ?? around.assessment(),
  };
}

/** Beyond it "out of" speaks of several scores added up. */
const LARGEST_SCALE = 100;

function settle(marks: readonly ScoreReading[], rubric: Rubric, missing: string): Verdict {
  const withheld = marks.find((mark) => mark.kind === "withheld");
  const scores = marks.flatMap((mark) => (mark.kind === "score" ? [mark.score] : []));
  const [first, ...others] = scores;
  if (!first) return unscored(withheld?.reason ?? missing);
  const different = others.find(({ value }) => value !== first.value);
  if (different) return unscored(`the reply gives two different scores, ${first.value} and ${different.value}`);
  const ceiling = first.outOf ?? rubric.scale.maximum;
  if (ceiling > Math.max(LARGEST_SCALE, rubric.scale.maximum))
    return unscored(`${first.value} out of ${ceiling} is a sum, not a score`);
  if (first.value < 0 || first.value > ceiling) return unscored(`${first.value} is outside the scale up to ${ceiling}`);
  return scored(first.value);
}

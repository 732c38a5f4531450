import { isScored, scored, unscored, type Verdict } from "../core/verdict.ts";
import { sumBy } from "../stats/distribution/sum-by.ts";
import { piecesOf } from "./connected/pieces.ts";
import { type GroundModel, standingOf } from "./ground.ts";
import type { Juror, Opinion } from "./juror.ts";
import type { PocketJudge } from "./pocket-judge.ts";
import type { PreparedText } from "./prepare-text.ts";
import { reasonNotToRead } from "./readable.ts";

const MINIMUM_WORDS = 150;
/** Outside its ground the range is this much wider. Set by hand: no grades of such texts exist to learn it from. */
const OUTSIDE_WIDENING = 1.3;

/** The grader as a juror: the judge of graded chapters, with the jury's refusals and ranges. */
export function graderJuror(judge: PocketJudge, ground: GroundModel): Juror {
  const { scale } = judge.rubric;
  const refuse = (words: number, reason: string): Opinion => ({
    juror: "grader",
    overall: unscored(reason),
    criteria: Object.fromEntries(judge.criteria.map(({ id }) => [id, unscored(reason)])),
    ground: "inside",
    caveat: null,
    words,
    chapters: [],
  });
  return {
    id: "grader",
    speaker: "a language-model grader",
    version: judge.version,
    scale,
    minimumWords: MINIMUM_WORDS,
    judge(chapters) {
      const pieces = piecesOf(chapters);
      const words = sumBy(pieces, ({ prose }) => prose.wordCount);
      const reason = reasonNotToRead(chapters, MINIMUM_WORDS);
      if (reason !== null) return refuse(words, reason);
      const standing = standingOf(ground, "grader", chapters);
      if (standing.ground === "far outside") return { ...refuse(words, standing.reason!), ground: standing.ground };
      const { overall, criteria, chapters: pieceSums } = judge.scorePrepared(pieces);
      const sums = pieces === chapters ? pieceSums : judge.scorePrepared(chapters).chapters;
      const widened = (verdict: Verdict): Verdict => {
        if (!isScored(verdict) || !verdict.interval || standing.ground === "inside") return verdict;
        const [low, high] = verdict.interval;
        const { score } = verdict;
        return scored(score, [
          Math.max(scale.minimum, score - OUTSIDE_WIDENING * (score - low)),
          Math.min(scale.maximum, score + OUTSIDE_WIDENING * (high - score)),
        ]);
      };
      return {
        juror: "grader",
        overall: widened(overall),
        criteria: Object.fromEntries(Object.entries(criteria).map(([id, verdict]) => [id, widened(verdict)])),
        ground: standing.ground,
        caveat: standing.reason,
        words,
        chapters: chapters.map(({ prose }, at) => (prose.wordCount < MINIMUM_WORDS ? null : sums[at]!)),
      };
    },
    explain(text: PreparedText) {
      if (reasonNotToRead([text], MINIMUM_WORDS) !== null) return null;
      return judge.sharesOfOverall(text);
    },
  };
}

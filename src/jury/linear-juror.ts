import { assetPath } from "../core/assets.ts";
import { scored, unscored, type Verdict } from "../core/verdict.ts";
import { sumBy } from "../stats/distribution/sum-by.ts";
import { piecesOf } from "./connected/pieces.ts";
import { type GroundModel, standingOf } from "./ground.ts";
import { halfWidth } from "./half-width.ts";
import type { Juror } from "./juror.ts";
import { readJuror } from "./juror-file.ts";
import { LinearJudge } from "./linear-judge.ts";
import type { PreparedText } from "./prepare-text.ts";
import { reasonNotToRead } from "./readable.ts";
import { storyLength } from "./story-length.ts";

type LinearJurorId = "crowd" | "editor";

const DESCRIPTIONS = {
  crowd: { speaker: "readers of short stories online", scale: { minimum: 0, maximum: 100 }, minimumWords: 120 },
  editor: { speaker: "professional editors", scale: { minimum: 1, maximum: 10 }, minimumWords: 40 },
} as const satisfies Record<LinearJurorId, Pick<Juror, "speaker" | "scale" | "minimumWords">>;

export const JUROR_FILE = "weights.bin";

/** A juror whose score is the mean over windows of a sum over n-grams. */
export function loadLinearJuror(id: LinearJurorId, ground: GroundModel, folder = assetPath("models", id)): Juror {
  const { model, head, digest } = readJuror(folder, JUROR_FILE, id);
  const linear = new LinearJudge(model);
  const { speaker, scale, minimumWords } = DESCRIPTIONS[id];
  const clip = (value: number) => Math.min(scale.maximum, Math.max(scale.minimum, value));

  const lengthShare = (words: number) => (head.storyLengthWeight ?? 0) * storyLength(words);
  const sumOf = ({ prose, counts }: PreparedText): number =>
    prose.wordCount === 0 ? 0 : linear.score(linear.read(prose, counts))[0]!;

  return {
    id,
    speaker,
    version: digest.slice(0, 12),
    scale,
    minimumWords,
    judge(chapters) {
      const pieces = piecesOf(chapters);
      const words = sumBy(pieces, ({ prose }) => prose.wordCount);
      const refuse = (reason: string) => refusal(id, words, unscored(reason));
      const reason = reasonNotToRead(chapters, minimumWords);
      if (reason !== null) return refuse(reason);
      const standing = standingOf(ground, id, chapters);
      if (standing.ground === "far outside") return { ...refuse(standing.reason!), ground: standing.ground };
      const sums = pieces.map(sumOf);
      const share = ({ prose }: PreparedText) => prose.wordCount / words;
      const score = pieces.reduce((sum, text, at) => sum + share(text) * sums[at]!, lengthShare(words));
      const half = halfWidth(head.misses, words, standing.ground);
      return {
        juror: id,
        overall: scored(clip(score), [clip(score - half), clip(score + half)]),
        criteria: {},
        ground: standing.ground,
        caveat: standing.reason,
        words,
        chapters: chapters.map((text, at) => {
          const own = text.prose.wordCount;
          if (own < minimumWords) return null;
          return clip((pieces === chapters ? sums[at]! : sumOf(text)) + lengthShare(own));
        }),
      };
    },
    explain(text) {
      if (reasonNotToRead([text], minimumWords) !== null) return null;
      const { shares, intercepts } = linear.breakDown(linear.read(text.prose, text.counts));
      return { intercept: intercepts[0]! + lengthShare(text.prose.wordCount), sentences: shares[0]! };
    },
  };
}

function refusal(juror: LinearJurorId, words: number, overall: Verdict) {
  return { juror, overall, criteria: {}, ground: "inside", caveat: null, words, chapters: [] } as const;
}

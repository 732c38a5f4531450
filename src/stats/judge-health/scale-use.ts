import { quantiles } from "../distribution.ts";
import { type Finding, type Judgement, unknownFinding } from "./judgement.ts";

const FEWEST = 20;
const NARROW = 0.2;
const CROWDED = 0.5;

export interface Scale {
  readonly minimum: number;
  readonly maximum: number;
}

/** How much of the scale does the judge use? A judge that gives almost everything 8 of 10 cannot tell texts apart. */
export function checkScaleUse(judgements: readonly Judgement[], scale: Scale | null): Finding {
  const scores = judgements.map(({ score }) => score).filter((score) => !Number.isNaN(score));
  if (scores.length < FEWEST) return unknownFinding("scale-use", `needs at least ${FEWEST} scores`);
  if (!scale) return unknownFinding("scale-use", "needs the ends of the scale: --scale 0,20");
  const [low, high] = quantiles(scores, [0.05, 0.95]);
  const used = (high! - low!) / (scale.maximum - scale.minimum);
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  const [favourite, times] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  const crowded = times / scores.length;
  const outside = scores.filter((score) => score < scale.minimum || score > scale.maximum).length;
  return {
    check: "scale-use",
    state: outside > 0 || used < NARROW / 2 || crowded > CROWDED ? "problem" : used < NARROW ? "watch" : "sound",
    n: scores.length,
    figure: { name: "share of the scale that nine of ten scores span", value: used, interval: null },
    message: `${counts.size} different scores; ${Math.round(crowded * 100)}% are ${favourite}.${outside > 0 ? ` ${outside} lie outside the scale.` : ""}`,
  };
}

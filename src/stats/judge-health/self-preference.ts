import { seededRandom } from "../../core/random.ts";
import { mean, standardDeviation } from "../distribution.ts";
import { drawPositions, percentileBootstrap } from "../resampling.ts";
import { defined, notDefined } from "../statistic.ts";
import { byItem, type Finding, type HealthOptions, type Judgement, unknownFinding } from "./judgement.ts";

const NOTICEABLE = 0.2;
/** Texts by the judge, and texts by others. */
export const FEWEST_TEXTS = 3;

/**
 * Whether a writer is the judge, however either is written: `gpt-4.1` wrote what the judge `openai:gpt-4.1 · summary` judges.
 * A judge's name may be followed by its method after a middle dot.
 */
export function isWriter(writer: string | null, judge: string): boolean {
  const model = (name: string) =>
    name
      .split(" · ")[0]!
      .replace(/@https?:.*$/, "")
      .replace(/^[a-z-]+:/, "")
      .toLowerCase();
  return writer !== null && model(writer) === model(judge);
}

/**
 * Does the judge favour what it wrote itself? How far it rates a text above the other judges, on its own texts less on
 * everybody else's, in standard deviations of its scores: a model that truly writes better is rated better by all.
 */
export function checkSelfPreference(judge: string, all: readonly Judgement[], options: HealthOptions): Finding {
  const texts = [...byItem(all).values()].flatMap((group) => {
    const mine = group.filter((judgement) => judgement.judge === judge && !Number.isNaN(judgement.score));
    const others = group.filter((judgement) => judgement.judge !== judge && !Number.isNaN(judgement.score));
    const writer = group.find((judgement) => judgement.writer !== null)?.writer;
    if (mine.length === 0 || others.length === 0 || writer === undefined || writer === null) return [];
    const lead = mean(mine.map(({ score }) => score)) - mean(others.map(({ score }) => score));
    return [{ own: isWriter(writer, judge), lead, score: mean(mine.map(({ score }) => score)) }];
  });
  const own = texts.filter((text) => text.own).length;
  if (own < FEWEST_TEXTS || texts.length - own < FEWEST_TEXTS) {
    return unknownFinding(
      "self-preference",
      'needs texts with a "writer", some of them by the judge itself, that other judges scored too',
    );
  }
  const spread = standardDeviation(texts.map(({ score }) => score));
  if (spread === 0) return unknownFinding("self-preference", "the judge gives every text the same score");
  const preference = (positions: ArrayLike<number>) => {
    const drawn = Array.from(positions, (position) => texts[position]!);
    const leads = (mine: boolean) => drawn.filter((text) => text.own === mine).map(({ lead }) => lead);
    const [onOwn, onOthers] = [leads(true), leads(false)];
    if (onOwn.length === 0 || onOthers.length === 0) return notDefined("no text of either kind was drawn");
    return defined((mean(onOwn) - mean(onOthers)) / spread);
  };
  const observed = preference(texts.map((_, position) => position));
  if (observed.value === null) return unknownFinding("self-preference", observed.reason);
  const { interval } = percentileBootstrap<ArrayLike<number>>({
    draw: drawPositions(texts.length),
    statistic: preference,
    random: seededRandom(options.seed),
    resamples: options.resamples,
  });
  const clear = interval !== null && interval[0] > 0;
  return {
    check: "self-preference",
    state: clear && observed.value > NOTICEABLE ? "problem" : clear ? "watch" : "sound",
    n: texts.length,
    figure: { name: "lead on own texts, in standard deviations", value: observed.value, interval },
    message: `${own} of the texts are the judge's own; other judges scored all of them too.`,
  };
}

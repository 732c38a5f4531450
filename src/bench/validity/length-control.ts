import { spearman } from "../../stats/correlation/spearman.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { studentQuantile } from "../../stats/special/student-t.ts";
import { isDefined, type Statistic } from "../../stats/statistic.ts";
import { averageChapters, groupByNovel } from "../population/novel-scores.ts";
import { compositeOf, placer } from "../population/place-on-population.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { ScoredChapter } from "../scored-chapter.ts";
import type { BenchWords } from "../words/bench-words.ts";
import type { Leaderboard } from "../writers/leaderboard.ts";

export interface LengthControl {
  /** Does a longer text score higher? Over all texts, and over the writers' means. */
  readonly acrossTexts: Statistic;
  readonly acrossWriters: Statistic;
  /**
   * Points of composite per doubling of the length, within writers, so that better writers who write more do not count. Null
   * where it cannot be told from nothing: texts of nearly one length give any slope by chance.
   */
  readonly perDoubling: number | null;
  /** Each writer's level once every text is brought to the common length; empty where length has no known effect. */
  readonly adjustedLevels: ReadonlyMap<string, number>;
}

interface Text {
  readonly writer: string;
  readonly composite: number;
  readonly logLength: number;
}

/**
 * The open question of the paper's section 5.4, answered from data: the slope of composite on log₂ length within writers
 * (fixed effects), and the leaderboard with that slope taken out.
 */
export function lengthControl(chapters: readonly ScoredChapter[], population: ReferencePopulation): LengthControl {
  const texts = measured(chapters, population);
  const writers = new Map<string, Text[]>();
  for (const text of texts) writers.set(text.writer, [...(writers.get(text.writer) ?? []), text]);
  const writerMeans = [...writers.values()].map((own) => ({
    composite: mean(own.map((text) => text.composite)),
    logLength: mean(own.map((text) => text.logLength)),
  }));
  const slope = withinWriterSlope([...writers.values()]);
  const common = texts.length === 0 ? 0 : mean(texts.map((text) => text.logLength));
  const { percentile } = placer(population);
  const adjustedLevels = new Map(
    slope === null
      ? []
      : [...writers].map(([writer, own]) => [
          writer,
          mean(own.map((text) => percentile(text.composite - slope * (text.logLength - common)))),
        ]),
  );
  const columns = (rows: readonly { composite: number; logLength: number }[]) =>
    [rows.map((row) => row.logLength), rows.map((row) => row.composite)] as const;
  return {
    acrossTexts: spearman(...columns(texts)),
    acrossWriters: spearman(...columns(writerMeans)),
    perDoubling: slope,
    adjustedLevels,
  };
}

/** A correlation this strong, in either direction, is worth a warning beside the leaderboard. */
const STRONG = 0.3;

/** What length may have done to the order: names the writer whose level it moves most. Nothing where no slope is known. */
export function lengthWarning(
  control: LengthControl,
  { rows }: Pick<Leaderboard, "rows">,
  { warnings }: BenchWords,
): string[] {
  const { acrossTexts, perDoubling, adjustedLevels } = control;
  if (!isDefined(acrossTexts) || Math.abs(acrossTexts.value) < STRONG || perDoubling === null) return [];
  const moves = rows
    .map(({ writer, level }) => ({ writer, level, adjusted: adjustedLevels.get(writer) ?? level }))
    .sort((left, right) => Math.abs(right.adjusted - right.level) - Math.abs(left.adjusted - left.level));
  const [most] = moves;
  const moved =
    most && Math.abs(most.adjusted - most.level) >= 0.05
      ? { writer: most.writer, from: most.level.toFixed(1), to: most.adjusted.toFixed(1) }
      : null;
  return [warnings.length(acrossTexts.value.toFixed(2), moved)];
}

function measured(chapters: readonly ScoredChapter[], population: ReferencePopulation): Text[] {
  return [...groupByNovel(chapters).values()].flatMap((group) => {
    const scores = averageChapters(group, population.dimensions.length);
    const words = group.flatMap((chapter) => (chapter.words === null || chapter.words <= 0 ? [] : [chapter.words]));
    if (words.length === 0 || !scores.every((score) => score !== null)) return [];
    const logLength = Math.log2(mean(words));
    return [{ writer: group[0]!.writer, composite: compositeOf(scores, population), logLength }];
  });
}

/** The slope with fixed effects of writers, where its 95 % interval leaves out 0. */
function withinWriterSlope(groups: readonly (readonly Text[])[]): number | null {
  let covariance = 0;
  let lengths = 0;
  let scores = 0;
  let degreesOfFreedom = -1;
  for (const texts of groups) {
    const centre = {
      length: mean(texts.map((text) => text.logLength)),
      score: mean(texts.map((text) => text.composite)),
    };
    degreesOfFreedom += texts.length - 1;
    for (const text of texts) {
      covariance += (text.logLength - centre.length) * (text.composite - centre.score);
      lengths += (text.logLength - centre.length) ** 2;
      scores += (text.composite - centre.score) ** 2;
    }
  }
  if (lengths <= 1e-12 || degreesOfFreedom < 1) return null;
  const slope = covariance / lengths;
  const error = Math.sqrt(Math.max(0, scores - slope * covariance) / degreesOfFreedom / lengths);
  return Math.abs(slope) > studentQuantile(degreesOfFreedom) * error ? slope : null;
}

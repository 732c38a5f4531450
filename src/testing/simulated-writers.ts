import type { Random } from "../core/random.ts";
import { normalDraw, normalPair } from "../stats/resampling.ts";
import { normalCumulative } from "../stats/special/normal.ts";

/** One row of scores as a judge would give them, in the order of the dimensions. */
export interface SimulatedChapter {
  readonly novel: string;
  readonly writer: string;
  readonly chapter: number;
  readonly words: number;
  readonly scores: readonly number[];
}

/** How much of a score is the novel, the prompt, the chapter and the judge's noise in a dimension: standard deviations. */
export interface SimulatedNoise {
  /** Human novels differ this much. */
  readonly human: number;
  /** Prompts (novels to be rewritten) differ this much, for all writers alike: what pairing takes out. */
  readonly prompt: number;
  /** A writer's own luck with a prompt. */
  readonly writer: number;
  readonly chapter: number;
  readonly dimension: number;
  /** `skewed`: a writer's luck is exponential instead of normal, with the same deviation. */
  readonly shape?: "normal" | "skewed";
}

export const SIMULATED_NOISE: SimulatedNoise = { human: 1, prompt: 0.6, writer: 0.5, chapter: 0.6, dimension: 0.4 };

export interface SimulatedSize {
  readonly novels: number;
  readonly chapters: number;
  readonly dimensions: number;
}

/** Human novels whose true quality is standard normal: a population on which a writer's true level is known. */
export function simulatedHumans(size: SimulatedSize, noise: SimulatedNoise, random: Random): SimulatedChapter[] {
  return Array.from({ length: size.novels }, (_, novel) => {
    const quality = noise.human * normalDraw(random);
    return chaptersOf({ novel: `human ${novel}`, writer: `author ${novel}` }, quality, size, noise, random);
  }).flat();
}

/** Writers of known quality who all write from the same prompts. */
export function simulatedWriters(
  qualities: Readonly<Record<string, number>>,
  size: SimulatedSize,
  noise: SimulatedNoise,
  random: Random,
): SimulatedChapter[] {
  const prompts = Array.from({ length: size.novels }, () => noise.prompt * normalDraw(random));
  return Object.entries(qualities).flatMap(([writer, quality]) =>
    prompts.flatMap((prompt, novel) => {
      const luck = noise.writer * (noise.shape === "skewed" ? -Math.log(1 - random()) - 1 : normalDraw(random));
      return chaptersOf({ novel: `prompt ${novel}`, writer }, quality + prompt + luck, size, noise, random);
    }),
  );
}

/** What judges drawn at random make of writers: standard deviations. */
export interface SimulatedJudges {
  readonly judges: number;
  /** Of all writers of a board against human novels. */
  readonly common: number;
  /** Of one writer against the others. */
  readonly bias: number;
  /** Of one chapter, in the judge's composite. */
  readonly noise: number;
}

/** Human novels as a panel scores them: a judge's composite in the place of a dimension. */
export function panelOfHumans(
  size: SimulatedSize,
  noise: SimulatedNoise,
  { judges, noise: ofJudge }: SimulatedJudges,
  random: Random,
): SimulatedChapter[] {
  return simulatedHumans({ ...size, dimensions: judges }, { ...noise, dimension: ofJudge }, random);
}

/** Writers as a panel of judges drawn at random scores them. */
export function panelOfWriters(
  qualities: Readonly<Record<string, number>>,
  size: SimulatedSize,
  noise: SimulatedNoise,
  { judges, common, bias, noise: ofJudge }: SimulatedJudges,
  random: Random,
): SimulatedChapter[] {
  const all = Array.from({ length: judges }, () => common * normalDraw(random));
  const own = new Map(
    Object.keys(qualities).map((writer) => [writer, all.map((shift) => shift + bias * normalDraw(random))]),
  );
  const chapters = simulatedWriters(
    qualities,
    { ...size, dimensions: judges },
    { ...noise, dimension: ofJudge },
    random,
  );
  return chapters.map((chapter) => ({
    ...chapter,
    scores: chapter.scores.map((score, judge) => score + own.get(chapter.writer)![judge]!),
  }));
}

/** The level that infinitely many novels of such a writer would have in an infinite population, 0–100. */
export function trueLevel(quality: number, size: SimulatedSize, noise: SimulatedNoise): number {
  const within = (noise.chapter ** 2 + noise.dimension ** 2 / size.dimensions) / size.chapters;
  const spread = noise.human ** 2 + noise.prompt ** 2 + noise.writer ** 2 + 2 * within;
  return 100 * normalCumulative(quality / Math.sqrt(spread));
}

/** Plain loops: an evaluation draws a hundred million of these scores. */
function chaptersOf(
  names: { readonly novel: string; readonly writer: string },
  quality: number,
  size: SimulatedSize,
  noise: SimulatedNoise,
  random: Random,
): SimulatedChapter[] {
  const chapters: SimulatedChapter[] = [];
  for (let chapter = 1; chapter <= size.chapters; chapter++) {
    const level = 3 + quality + noise.chapter * normalDraw(random);
    const scores = new Array<number>(size.dimensions);
    for (let dimension = 0; dimension < size.dimensions; dimension += 2) {
      const [first, second] = normalPair(random);
      scores[dimension] = level + noise.dimension * first;
      if (dimension + 1 < size.dimensions) scores[dimension + 1] = level + noise.dimension * second;
    }
    chapters.push({ novel: names.novel, writer: names.writer, chapter, words: 1000, scores });
  }
  return chapters;
}

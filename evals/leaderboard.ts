/**
 * Is a leaderboard right about what it claims? Simulated writers of known quality, so that the truth is known.
 *
 *   npx tsx evals/leaderboard.ts [LEADERBOARDS=200] [one-judge|judges]
 *
 * Judges need 2,000 leaderboards (an hour of a busy machine): with 200 a rate of 3 % cannot be told from 5 %.
 *
 * Prints the family-wise false positives of the groups (some pair of equal writers told apart), the power to tell writers
 * that differ, and the coverage of the 95 % intervals of levels: for one judge, and for 3, 5 and 10 judges with random biases who
 * are drawn again for every board, with the judges as a sample and as they are. Levels are drawn as often as on a real board: the
 * ends of 200 draws lie too near together, which costs an interval a hundredth of its coverage.
 */
import { buildPopulation } from "../src/bench/population/build-population.ts";
import type { ReferencePopulation } from "../src/bench/population/reference-population.ts";
import { compareWriters, toldApart } from "../src/bench/writers/compare-writers.ts";
import { judgeSample } from "../src/bench/writers/judge-sample.ts";
import { placedNovels } from "../src/bench/writers/placed-novels.ts";
import { writerLevels } from "../src/bench/writers/writer-level.ts";
import { type Random, seededRandom } from "../src/core/random.ts";
import { mean, standardDeviation, wilsonInterval } from "../src/stats/distribution.ts";
import { normalCumulative } from "../src/stats/special/normal.ts";
import {
  panelOfHumans,
  panelOfWriters,
  SIMULATED_NOISE,
  type SimulatedJudges,
  type SimulatedNoise,
  simulatedHumans,
  simulatedWriters,
  trueLevel,
} from "../src/testing/simulated-writers.ts";

const boards = Number(process.argv[2] ?? 200);
const CHAPTERS = 5;
const DIMENSIONS = 8;
const HUMANS = 400;
const JUDGES = [3, 5, 10];
/** Levels take nearly all of the time. Fixed judges only show what becomes of boards that take their judges for all there are. */
const [LEVELS_ON, FIXED_ON] = [400, 100];
const SKEWED: SimulatedNoise = { ...SIMULATED_NOISE, shape: "skewed" };

function populationOf(novels: number, random: Random) {
  const size = { novels, chapters: CHAPTERS, dimensions: DIMENSIONS };
  return buildPopulation(simulatedHumans(size, SIMULATED_NOISE, random), {
    id: "simulated",
    description: "simulated novels",
    judge: { id: "simulated", version: "1" },
    rubric: { id: "simulated", version: 1, hash: "0" },
    dimensions: Array.from({ length: DIMENSIONS }, (_, index) => `d${index}`),
  }).population;
}

function percent(hits: number, cases: number): string {
  const [low, high] = wilsonInterval(hits, cases, 0.95);
  return `${((100 * hits) / cases).toFixed(1)} % (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}), ${hits} of ${cases}`;
}

/** Coverage over boards. Writers of one board share its judges and its human novels, so boards are what is counted. */
function coverage(shares: readonly number[]): string {
  const error = (1.96 * standardDeviation(shares)) / Math.sqrt(shares.length);
  const [low, high] = [mean(shares) - error, Math.min(1, mean(shares) + error)];
  return `${(100 * mean(shares)).toFixed(1)} % (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`;
}

/** Qualities in two equal teams and one that stands apart: false pairs and true pairs on the same board. */
function teams(writers: number, gap: number): Record<string, number> {
  return Object.fromEntries(
    Array.from({ length: writers }, (_, index) => [`writer ${index}`, index % 2 === 0 ? 0 : gap]),
  );
}

/** The first three writers have only their first novels; null for all. */
function withFew<Chapter extends { readonly writer: string; readonly novel: string }>(
  chapters: readonly Chapter[],
  few: number | null,
): readonly Chapter[] {
  const isBrief = (writer: string) => ["writer 0", "writer 1", "writer 2"].includes(writer);
  return few === null
    ? chapters
    : chapters.filter(({ writer, novel }) => !isBrief(writer) || Number(novel.split(" ")[1]) < few);
}

function panelPopulation(judges: SimulatedJudges, random: Random): ReferencePopulation {
  const size = { novels: HUMANS, chapters: CHAPTERS, dimensions: judges.judges };
  const names = Array.from({ length: judges.judges }, (_, index) => `judge ${index}`);
  const rubric = { id: "simulated", version: 1, hash: "0" };
  const { population } = buildPopulation(panelOfHumans(size, SIMULATED_NOISE, judges, random), {
    ...{ id: "simulated", description: "simulated novels", judge: { id: "panel", version: "1" }, rubric },
    dimensions: names,
    weighting: "equal",
  });
  const panel = names.map((id) => ({
    ...{ judge: { id }, rubric, dimensions: ["composite"], means: [0], deviations: [1], weights: [1] },
  }));
  return { ...population, panel };
}

/** What infinitely many novels, chapters and judges of the same kind would give. */
function trueLevelOfPanel(quality: number, { judges, common, bias, noise }: SimulatedJudges): number {
  const { human, prompt, writer, chapter } = SIMULATED_NOISE;
  const within = (chapter ** 2 + noise ** 2 / judges) / CHAPTERS;
  const spread = human ** 2 + prompt ** 2 + writer ** 2 + 2 * within + (common ** 2 + bias ** 2) / judges;
  return 100 * normalCumulative(quality / Math.sqrt(spread));
}

function oneJudge(): void {
  console.log(`Family-wise false positives and power over ${boards} leaderboards each (target: at most 5 %)`);
  for (const [label, writers, novels, gap, noise, few = null] of [
    ["10 equal writers, 10 novels", 10, 10, 0, SIMULATED_NOISE],
    ["10 equal writers, 100 novels", 10, 100, 0, SIMULATED_NOISE],
    ["30 equal writers, 12 novels", 30, 12, 0, SIMULATED_NOISE],
    ["10 equal writers, 12 novels, skewed luck", 10, 12, 0, SKEWED],
    ["two teams of 5, 0.5 apart, 12 novels", 10, 12, 0.5, SIMULATED_NOISE],
    ["two teams of 5, 0.5 apart, 30 novels", 10, 30, 0.5, SIMULATED_NOISE],
    ["two teams of 5, 0.5 apart, 100 novels", 10, 100, 0.5, SIMULATED_NOISE],
    ["two teams of 5, 1.0 apart, 12 novels", 10, 12, 1, SIMULATED_NOISE],
    ["6 equal writers, 30 novels, three have 2", 6, 30, 0, SIMULATED_NOISE, 2],
    ["6 equal writers, 30 novels, three have 3", 6, 30, 0, SIMULATED_NOISE, 3],
    ["6 equal writers, 30 novels, three have 4", 6, 30, 0, SIMULATED_NOISE, 4],
  ] as const satisfies readonly (readonly [string, number, number, number, SimulatedNoise, number?])[]) {
    const random = seededRandom(7);
    const population = populationOf(100, random);
    const qualities = teams(writers, gap);
    let wrongBoards = 0;
    let found = 0;
    let real = 0;
    for (let board = 0; board < boards; board++) {
      const size = { novels, chapters: CHAPTERS, dimensions: DIMENSIONS };
      const chapters = withFew(simulatedWriters(qualities, size, noise, random), few);
      const comparisons = compareWriters(placedNovels(chapters, population), random);
      const differ = toldApart(comparisons);
      let isWrong = false;
      for (const { first, second } of comparisons.pairs) {
        if (qualities[first] === qualities[second]) isWrong ||= differ(first, second);
        else {
          real++;
          if (differ(first, second)) found++;
        }
      }
      if (isWrong) wrongBoards++;
    }
    const power = real === 0 ? "" : `; power ${((100 * found) / real).toFixed(1)} %`;
    console.log(`  ${label.padEnd(42)} ${percent(wrongBoards, boards)}${power}`);
  }

  const qualities = { poor: -1.2, middling: 0, good: 1, excellent: 2 };
  const trials = boards * 2;
  console.log(`\nCoverage of 95 % intervals of levels over ${trials} populations each (target: 93–97 %)`);
  for (const novels of [30, 100, 1000]) {
    for (const written of [10, 30, 100]) {
      const random = seededRandom(novels + written);
      const size = { novels: written, chapters: CHAPTERS, dimensions: DIMENSIONS };
      const inside = new Map(Object.keys(qualities).map((writer) => [writer, 0]));
      const shares: number[] = [];
      for (let trial = 0; trial < trials; trial++) {
        const population = populationOf(novels, random);
        const chapters = simulatedWriters(qualities, size, SIMULATED_NOISE, random);
        const levels = writerLevels(placedNovels(chapters, population), population, random);
        const held = levels.filter(({ writer, interval }) => {
          const truth = trueLevel(qualities[writer as keyof typeof qualities], size, SIMULATED_NOISE);
          return interval[0] <= truth && truth <= interval[1];
        });
        for (const { writer } of held) inside.set(writer, inside.get(writer)! + 1);
        shares.push(held.length / levels.length);
      }
      const each = [...inside].map(([writer, hits]) => `${writer} ${((100 * hits) / trials).toFixed(1)}`).join(", ");
      console.log(
        `  population ${String(novels).padStart(4)}, ${String(written).padStart(3)} novels written: ${coverage(shares)} (${each})`,
      );
    }
  }

  const writers = { "writer 0": -1.2, "writer 1": 0, "writer 2": 1.5, "writer 3": 0, "writer 4": 1 };
  console.log(`\nThe same for three writers of one novel each, beside two writers of ten (population 100)`);
  {
    const random = seededRandom(3);
    const size = { novels: 10, chapters: CHAPTERS, dimensions: DIMENSIONS };
    const shares: number[] = [];
    for (let trial = 0; trial < trials; trial++) {
      const population = populationOf(100, random);
      const chapters = withFew(simulatedWriters(writers, size, SIMULATED_NOISE, random), 1);
      const levels = writerLevels(placedNovels(chapters, population), population, random);
      const brief = levels.filter(({ novels }) => novels === 1);
      const held = brief.filter(({ writer, interval }) => {
        const truth = trueLevel(writers[writer as keyof typeof writers], size, SIMULATED_NOISE);
        return interval[0] <= truth && truth <= interval[1];
      });
      shares.push(held.length / brief.length);
    }
    console.log(`  ${coverage(shares)}`);
  }
}

/** Judges are drawn again for every board, as are the human novels. */
function sampledJudges(): void {
  const [levelsEvery, fixedEvery] = [LEVELS_ON, FIXED_ON].map((most) => Math.ceil(boards / most)) as [number, number];
  console.log(
    `${boards} boards each, levels on one in ${levelsEvery}, fixed judges on one in ${fixedEvery}; target: false differences at most 5 %, coverage 93–97 %`,
  );
  for (const [label, writers, novels, gap, bias] of [
    ["10 equal writers, 30 novels, biases of 0.3", 10, 30, 0, 0.3],
    ["10 equal writers, 30 novels, no biases", 10, 30, 0, 0],
    ["4 equal writers, 12 novels, biases of 0.3", 4, 12, 0, 0.3],
    ["two teams of 5, 0.5 apart, 30 novels, biases of 0.15", 10, 30, 0.5, 0.15],
    ["two teams of 5, 1.0 apart, 30 novels, biases of 0.3", 10, 30, 1, 0.3],
  ] as const) {
    console.log(`\n${label}`);
    for (const judges of JUDGES) {
      const panel = { judges, common: bias, bias, noise: 0.4 };
      const random = seededRandom(11 + judges);
      const qualities = teams(writers, gap);
      const count = {
        wrong: 0,
        wrongFixed: 0,
        found: 0,
        foundFixed: 0,
        real: 0,
        realFixed: 0,
      };
      const [differences, levels]: [number[], number[]] = [[], []];
      for (let board = 0; board < boards; board++) {
        const population = panelPopulation(panel, random);
        const scale = mean(population.deviations);
        const size = { novels, chapters: CHAPTERS, dimensions: judges };
        const chapters = panelOfWriters(qualities, size, SIMULATED_NOISE, panel, random);
        const placed = placedNovels(chapters, population);
        const sample = judgeSample(placed, population);
        const across = compareWriters(placed, random, "en", sample);
        const isFixedToo = board % fixedEvery === 0;
        const differ = toldApart(across);
        const differFixed = isFixedToo ? toldApart(compareWriters(placed, random, "en")) : () => false;
        let [isWrong, isWrongFixed, inside] = [false, false, 0];
        for (const { first, second, interval } of across.pairs) {
          const truth = (qualities[first]! - qualities[second]!) / scale;
          if (interval && interval[0] <= truth && truth <= interval[1]) inside++;
          if (truth === 0) {
            isWrong ||= differ(first, second);
            isWrongFixed ||= differFixed(first, second);
          } else {
            count.real++;
            if (differ(first, second)) count.found++;
            if (isFixedToo) count.realFixed++;
            if (differFixed(first, second)) count.foundFixed++;
          }
        }
        if (isWrong) count.wrong++;
        if (isWrongFixed) count.wrongFixed++;
        differences.push(inside / across.pairs.length);
        if (board % levelsEvery > 0) continue;
        const placedLevels = writerLevels(placed, population, random, { judges: sample });
        const held = placedLevels.filter(({ writer, interval }) => {
          const truth = trueLevelOfPanel(qualities[writer]!, panel);
          return interval[0] <= truth && truth <= interval[1];
        });
        levels.push(held.length / placedLevels.length);
      }
      const power =
        count.real === 0
          ? ""
          : `; power ${((100 * count.found) / count.real).toFixed(1)} % (judges fixed: ${((100 * count.foundFixed) / count.realFixed).toFixed(1)} %)`;
      console.log(
        `  ${String(judges).padStart(2)} judges: false differences ${percent(count.wrong, boards)}, judges fixed ${percent(count.wrongFixed, Math.ceil(boards / fixedEvery))}; coverage of differences ${coverage(differences)}, of levels ${coverage(levels)}${power}`,
      );
    }
  }
}

const part = process.argv[3] ?? "all";
if (part !== "judges") oneJudge();
if (part !== "one-judge") sampledJudges();

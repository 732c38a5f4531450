/**
 * Are a board's claims right when its judges are drawn again? Simulated writers of known quality and judges with random biases:
 * towards all writers of a board, and towards single writers.
 *
 *   npx tsx evals/judge-sample.ts [BOARDS=200]
 *
 * Prints, for panels of 3, 5 and 10 judges, the family-wise false differences and the power with the judges as a sample and with
 * the judges as they are, and the coverage of the 95 % intervals of differences and of levels.
 */
import { buildPopulation } from "../src/bench/population/build-population.ts";
import type { ReferencePopulation } from "../src/bench/population/reference-population.ts";
import { compareWriters, toldApart } from "../src/bench/writers/compare-writers.ts";
import { judgeSample } from "../src/bench/writers/judge-sample.ts";
import { placedNovels } from "../src/bench/writers/placed-novels.ts";
import { writerLevels } from "../src/bench/writers/writer-level.ts";
import { type Random, seededRandom } from "../src/core/random.ts";
import { mean, wilsonInterval } from "../src/stats/distribution.ts";
import { normalCumulative } from "../src/stats/special/normal.ts";
import {
  panelOfHumans,
  panelOfWriters,
  SIMULATED_NOISE,
  type SimulatedJudges,
} from "../src/testing/simulated-writers.ts";

const boards = Number(process.argv[2] ?? 200);
const CHAPTERS = 5;
const HUMANS = 400;
const JUDGES = [3, 5, 10];

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

function percent(hits: number, cases: number): string {
  const [low, high] = wilsonInterval(hits, cases, 0.95);
  return `${((100 * hits) / cases).toFixed(1)} % (${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})`;
}

/** Half of the writers stand this far above the others. */
function teams(writers: number, gap: number): Record<string, number> {
  return Object.fromEntries(
    Array.from({ length: writers }, (_, index) => [`writer ${index}`, index % 2 === 0 ? 0 : gap]),
  );
}

/** What infinitely many novels, chapters and judges of the same kind would give. */
function trueLevel(quality: number, { judges, common, bias, noise }: SimulatedJudges): number {
  const { human, prompt, writer, chapter } = SIMULATED_NOISE;
  const within = (chapter ** 2 + noise ** 2 / judges) / CHAPTERS;
  const spread = human ** 2 + prompt ** 2 + writer ** 2 + 2 * within + (common ** 2 + bias ** 2) / judges;
  return 100 * normalCumulative(quality / Math.sqrt(spread));
}

console.log(`${boards} boards each; target: false differences at most 5 %, coverage 93–97 %`);
for (const [label, writers, novels, gap, bias] of [
  ["10 equal writers, 30 novels, biases of 0.3", 10, 30, 0, 0.3],
  ["10 equal writers, 30 novels, no biases", 10, 30, 0, 0],
  ["4 equal writers, 12 novels, biases of 0.3", 4, 12, 0, 0.3],
  ["16 equal writers, 60 novels, biases of 0.3", 16, 60, 0, 0.3],
  ["two teams of 5, 0.5 apart, 30 novels, biases of 0.15", 10, 30, 0.5, 0.15],
  ["two teams of 5, 1.0 apart, 30 novels, biases of 0.3", 10, 30, 1, 0.3],
  ["two teams of 5, 1.0 apart, 100 novels, biases of 0.3", 10, 100, 1, 0.3],
] as const) {
  console.log(`\n${label}`);
  for (const judges of JUDGES) {
    const panel = { judges, common: bias, bias, noise: 0.4 };
    const random = seededRandom(11 + judges);
    const population = panelPopulation(panel, random);
    const scale = mean(population.deviations);
    const qualities = teams(writers, gap);
    const count = {
      wrong: 0,
      wrongFixed: 0,
      found: 0,
      foundFixed: 0,
      real: 0,
      inside: 0,
      pairs: 0,
      level: 0,
      levels: 0,
    };
    for (let board = 0; board < boards; board++) {
      const size = { novels, chapters: CHAPTERS, dimensions: judges };
      const chapters = panelOfWriters(qualities, size, SIMULATED_NOISE, panel, random);
      const placed = placedNovels(chapters, population);
      const sample = judgeSample(placed, population);
      const across = compareWriters(placed, random, "en", sample);
      const fixed = compareWriters(placed, random, "en");
      const [differ, differFixed] = [toldApart(across), toldApart(fixed)];
      let [isWrong, isWrongFixed] = [false, false];
      for (const { first, second, interval } of across.pairs) {
        const truth = (qualities[first]! - qualities[second]!) / scale;
        count.pairs++;
        if (interval && interval[0] <= truth && truth <= interval[1]) count.inside++;
        if (truth === 0) {
          isWrong ||= differ(first, second);
          isWrongFixed ||= differFixed(first, second);
        } else {
          count.real++;
          if (differ(first, second)) count.found++;
          if (differFixed(first, second)) count.foundFixed++;
        }
      }
      if (isWrong) count.wrong++;
      if (isWrongFixed) count.wrongFixed++;
      // Levels take a second for a board of 24 writers: a part of the boards is enough.
      if (board % 4 > 0) continue;
      for (const { writer, interval } of writerLevels(placed, population, random, { resamples: 300, judges: sample })) {
        const truth = trueLevel(qualities[writer]!, panel);
        count.levels++;
        if (interval[0] <= truth && truth <= interval[1]) count.level++;
      }
    }
    const power =
      count.real === 0
        ? ""
        : `; power ${((100 * count.found) / count.real).toFixed(1)} % (judges fixed: ${((100 * count.foundFixed) / count.real).toFixed(1)} %)`;
    console.log(
      `  ${String(judges).padStart(2)} judges: false differences ${percent(count.wrong, boards)}, judges fixed ${percent(count.wrongFixed, boards)}; coverage of differences ${percent(count.inside, count.pairs)}, of levels ${percent(count.level, count.levels)}${power}`,
    );
  }
}

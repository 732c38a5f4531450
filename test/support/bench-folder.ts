import { mkdir, writeFile } from "node:fs/promises";
import { benchFiles } from "../../src/bench/bench-folder.ts";
import { buildPopulation } from "../../src/bench/population/build-population.ts";
import { type Random, seededRandom } from "../../src/core/random.ts";
import { scored } from "../../src/core/verdict.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { rubricHash } from "../../src/criteria/rubric.ts";

const JUDGE = "simulated";
const NOVELS = 40;
const CHAPTERS = 6;

/** A benchmark folder as `fabula bench` leaves it, with made-up scores: a population and a few writers placed on it. */
export async function writeBenchFolder(folder: string, writers: Readonly<Record<string, number>>): Promise<void> {
  const rubric = await loadRubric("novel-bench-en");
  const random = seededRandom(5);
  const files = benchFiles(folder);
  await mkdir(folder, { recursive: true });
  const novels = Array.from({ length: NOVELS }, (_, index) => {
    const level = 2 + 2 * random();
    return {
      novel: `novel-${index}`,
      writer: `author-${index}`,
      scores: rubric.criteria.map(() => around(level, random)),
    };
  });
  const { population } = buildPopulation(
    novels.map((novel) => ({ ...novel, chapter: 1, words: 1000 })),
    {
      id: "made-up",
      description: "made-up novels",
      judge: { id: JUDGE, version: "1" },
      rubric: { id: rubric.id, version: rubric.version, hash: rubricHash(rubric) },
      dimensions: rubric.criteria.map(({ id }) => id),
    },
  );
  await writeFile(files.population(JUDGE), JSON.stringify(population));
  for (const [writer, level] of Object.entries(writers)) {
    const rows = Array.from({ length: 8 * CHAPTERS }, (_, index) => ({
      novel: `story-${Math.floor(index / CHAPTERS)}`,
      writer,
      chapter: 1 + (index % CHAPTERS),
      words: 1000,
      scores: Object.fromEntries(rubric.criteria.map(({ id }) => [id, scored(around(level, random))])),
    }));
    await writeFile(files.writerScores(writer, JUDGE), rows.map((row) => JSON.stringify(row)).join("\n"));
  }
}

function around(level: number, random: Random): number {
  return Math.min(5, Math.max(1, level + (random() - 0.5) * 1.5));
}

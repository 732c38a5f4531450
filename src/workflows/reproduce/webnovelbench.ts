import { alignScores } from "../../bench/align-scores.ts";
import { readScores } from "../../bench/read-scores.ts";
import { leaderboard } from "../../bench/writers/leaderboard.ts";
import { seededRandom } from "../../core/random.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { populationFromScores } from "../bench/population.ts";
import type { Paper, PaperData } from "./paper.ts";
import type { ReproduceRequest } from "./reproduce-request.ts";
import { figureOf, type ReproducedFigure } from "./reproduction.ts";

/** The weights of the dimensions, what the first component explains, and where models stand on the human distribution. */
export async function reproduceWebNovelBench(
  paper: Paper,
  data: PaperData,
  request: ReproduceRequest,
): Promise<ReproducedFigure[]> {
  const rubric = await loadRubric("novel-bench-zh");
  request.onProgress({ stage: "Reading scores", done: 0, total: null });
  const { population } = populationFromScores(await readScores(data.path("population.jsonl"), rubric), {
    id: "released",
    description: "the released scores of human novels",
    judge: { id: "released", version: "1" },
    rubric,
  });
  const novels = population.novels.length;
  const weights = rubric.criteria.map(({ id, name }, at) =>
    figureOf(paper, `weight-${at + 1}`, {
      place: "Table 1",
      name: `weight of ${name}`,
      value: population.weights[population.dimensions.indexOf(id)] ?? null,
      n: novels,
    }),
  );
  const explained = figureOf(paper, "explained", {
    place: "§5.1",
    name: "share of variance that the first component explains",
    value: population.explainedVariance[0] ?? null,
    n: novels,
  });
  const [models] = data.paths("models.jsonl");
  if (models === undefined) return [...weights, explained];
  const chapters = alignScores(await readScores(models, rubric), rubric, population);
  const { rows } = leaderboard(chapters, population, seededRandom(request.seed));
  const board = rows.map(({ writer, level, interval, novels: placed }) =>
    figureOf(paper, `level-${writer}`, {
      place: "Figure 3",
      name: `${writer}: percentile among the human novels`,
      value: level,
      interval,
      n: placed,
    }),
  );
  return [...weights, explained, ...board];
}

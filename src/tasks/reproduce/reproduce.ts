import { alignScores, readScores } from "../../bench/read-scores.ts";
import { leaderboard } from "../../bench/writers/leaderboard.ts";
import { FabulaError } from "../../core/errors.ts";
import { seededRandom } from "../../core/random.ts";
import { readTable } from "../../core/table/read-table.ts";
import { nameColumn, numberColumn, type Table } from "../../core/table/table.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { mean } from "../../stats/distribution.ts";
import { systemAgreement } from "../../stats/meta-evaluation/agreement.ts";
import { populationFromScores } from "../bench/population.ts";
import { reproduceLiteraryQa } from "./literaryqa.ts";
import { reproduceLongStoryEval } from "./longstoryeval.ts";
import { openRelease, type Release } from "./longstoryeval-release.ts";
import {
  type Findings,
  figureOf,
  type ReproducedFigure,
  type ReproduceRequest,
  type Reproduction,
} from "./longstoryeval-tables.ts";
import { loadPaper, openData, type Paper, type PaperData, type PaperName } from "./paper.ts";
import { reproducePerse } from "./perse.ts";

const CRITERIA = ["Relevance", "Coherence", "Empathy", "Surprise", "Engagement", "Complexity"];

interface RatedStory {
  readonly system: string;
  /** For each criterion, a rating from each annotator. */
  readonly ratings: Readonly<Record<string, readonly number[]>>;
}

/**
 * System-level correlations of metrics with people, by criterion, and how far each annotator agrees with the others.
 */
async function reproduceHanna(paper: Paper, data: PaperData, request: ReproduceRequest): Promise<ReproducedFigure[]> {
  request.onProgress({ stage: "Reading annotations", done: 0, total: null });
  const stories = storiesOf(await readTable(data.path("hanna_stories_annotations.csv")));
  const ids = [...stories.keys()];
  const options = {
    resamples: 1000,
    seed: request.seed,
    confidence: 0.95,
    interval: "percentile",
    over: "both",
  } as const;
  const correlate = (place: string, name: string, human: readonly number[], metric: readonly number[]) => {
    const { kendall, n } = systemAgreement(
      {
        human: Float64Array.from(human),
        metric: Float64Array.from(metric),
        system: ids.map((id) => stories.get(id)!.system),
        item: null,
      },
      options,
    );
    return figureOf(paper, name, { place, name, value: kendall.value, interval: kendall.interval, n });
  };
  const ratingsOf = (id: string, criterion: string) => stories.get(id)!.ratings[criterion] ?? [];
  const averages = (criterion: string, drop = 0) =>
    ids.map((id) => {
      const kept = ratingsOf(id, criterion).slice(drop);
      return kept.length === 0 ? Number.NaN : mean(kept);
    });
  const ceilings = CRITERIA.map((criterion) =>
    correlate(
      "annotators",
      `${criterion}: one annotator against the mean of the others, system-level Kendall τ`,
      averages(criterion, 1),
      ids.map((id) => ratingsOf(id, criterion)[0] ?? Number.NaN),
    ),
  );
  const [metrics] = data.paths("metrics.csv");
  if (metrics === undefined) return ceilings;
  const table = await readTable(metrics);
  const rowOf = new Map(nameColumn(table, "Story ID").map((id, row) => [id, row]));
  const names = Object.keys(table.rows[0] ?? {}).filter((name) => name !== "Story ID");
  return [
    ...ceilings,
    ...names.flatMap((name) => {
      const scores = numberColumn(table, name);
      return CRITERIA.map((criterion) =>
        correlate(
          "system level",
          `${name} with ${criterion}, Kendall τ`,
          averages(criterion),
          ids.map((id) => scores[rowOf.get(id) ?? -1] ?? Number.NaN),
        ),
      );
    }),
  ];
}

function storiesOf(table: Table): Map<string, RatedStory> {
  const [ids, systems] = [nameColumn(table, "Story ID"), nameColumn(table, "Model")];
  const columns = CRITERIA.map((criterion) => [criterion, numberColumn(table, criterion)] as const);
  const stories = new Map<string, { system: string; ratings: Record<string, number[]> }>();
  for (const [row, id] of ids.entries()) {
    const story = stories.get(id) ?? { system: systems[row]!, ratings: {} };
    for (const [criterion, scores] of columns) {
      if (Number.isNaN(scores[row]!)) continue;
      story.ratings[criterion] ??= [];
      story.ratings[criterion].push(scores[row]!);
    }
    stories.set(id, story);
  }
  return stories;
}

type Reproducer<Found> = (
  paper: Paper,
  data: PaperData,
  request: ReproduceRequest,
  release: Release | null,
) => Promise<Found>;

const REPRODUCERS: Readonly<Record<PaperName, Reproducer<Findings>>> = {
  longstoryeval: reproduceLongStoryEval,
  literaryqa: reproduceLiteraryQa,
  hanna: figuresAlone(reproduceHanna),
  webnovelbench: figuresAlone(reproduceWebNovelBench),
  perse: reproducePerse,
};

function figuresAlone(reproducer: Reproducer<ReproducedFigure[]>): Reproducer<Findings> {
  return async (...given) => ({ figures: await reproducer(...given), differences: [] });
}

/**
 * Computes a paper's figures from its released data, each beside the printed value, with the differences; asks a
 * judge if one is given.
 */
export async function reproduce(name: PaperName, request: ReproduceRequest): Promise<Reproduction> {
  const paper = await loadPaper(name);
  request.onProgress({ stage: "Checking files", done: 0, total: null });
  const release = name === "longstoryeval" || name === "perse" ? await openRelease(request) : null;
  if (request.set !== undefined && release === null) {
    throw new FabulaError(
      "E_DATA_MISSING",
      `"${request.folder}" is no checkout of LongStoryEval's release, which names its test books: leave --set out.`,
    );
  }
  try {
    return await reproduceFrom(name, paper, release, request);
  } finally {
    await release?.close();
  }
}

async function reproduceFrom(
  name: PaperName,
  paper: Paper,
  release: Release | null,
  request: ReproduceRequest,
): Promise<Reproduction> {
  const data = await openData(paper, release?.converted ?? request.folder);
  const { figures, differences: found, ...asked } = await REPRODUCERS[name](paper, data, request, release);
  const others = (release ? [] : data.checked).filter(({ isKnown }) => isKnown === false).map(({ file }) => file);
  const differences = [
    ...(others.length > 0
      ? [
          `${others.join(", ")}: not the ${others.length === 1 ? "file" : "files"} that our own figures were measured with, by checksum.`,
        ]
      : []),
    ...(name === "literaryqa" ? cellsApart(figures) : []),
    ...found,
    ...paper.files.flatMap(({ name: file, without }) => (data.paths(file).length === 0 && without ? [without] : [])),
    ...paper.differences,
  ];
  return { paper: paper.title, files: data.checked, figures, differences, ...asked };
}

/** A figure counts as different from the printed one if it is further away than this by every rule. */
const APART = 0.0005;

function cellsApart(figures: readonly ReproducedFigure[]): string[] {
  const apart = figures.flatMap(({ name, rule, value, printed }) =>
    rule === undefined || value === null || printed === null || Math.abs(value - printed) <= APART
      ? []
      : // A digit more than the limit has: −0.00053 is beyond it, which −0.0005 would not show.
        [`${name} ${(value - printed).toFixed(5).replace("-", "−")}`],
  );
  return apart.length === 0 ? [] : [`More than ${APART} from the printed figure by every rule: ${apart.join("; ")}.`];
}

/** The weights of the dimensions, what the first component explains, and where models stand on the human distribution. */
async function reproduceWebNovelBench(
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

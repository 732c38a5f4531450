import { readTable } from "../../core/table/read-table.ts";
import { nameColumn, numberColumn, type Table } from "../../core/table/table.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { systemAgreement } from "../../stats/meta-evaluation/agreement.ts";
import type { Paper, PaperData } from "./paper.ts";
import type { ReproduceRequest } from "./reproduce-request.ts";
import { figureOf, type ReproducedFigure } from "./reproduction.ts";

const CRITERIA = ["Relevance", "Coherence", "Empathy", "Surprise", "Engagement", "Complexity"];

interface RatedStory {
  readonly system: string;
  /** By criterion, a rating from each annotator. */
  readonly ratings: Readonly<Record<string, readonly number[]>>;
}

/** System-level correlations of metrics with people, by criterion, and how far one annotator agrees with the others. */
export async function reproduceHanna(
  paper: Paper,
  data: PaperData,
  request: ReproduceRequest,
): Promise<ReproducedFigure[]> {
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
      { ...options, over: "items" },
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

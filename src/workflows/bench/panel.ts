import { benchFiles, scoreRowSchema } from "../../bench/bench-folder.ts";
import { buildPopulation } from "../../bench/population/build-population.ts";
import type { NovelExclusion } from "../../bench/population/novel-scores.ts";
import { NovelSums } from "../../bench/population/novel-sums.ts";
import { panelRecipe, seatComposite, seatOf } from "../../bench/population/panel.ts";
import { anchorsOn } from "../../bench/population/place-anchors.ts";
import { compositeOf } from "../../bench/population/place-on-population.ts";
import type { PanelSeat, ReferencePopulation } from "../../bench/population/reference-population.ts";
import { singleChapterDistribution } from "../../bench/population/single-chapters.ts";
import { type ChapterScorer, scoreRow } from "../../bench/scoring/chapter-scorer.ts";
import { jsonLines } from "../../core/json-lines.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { genresOf, withGenres } from "./folder/folder-facts.ts";
import { rubricInNames } from "./folder/rubric-of-folder.ts";

export interface PanelOptions {
  readonly folder: string;
  readonly id: string;
  readonly description: string;
  readonly anchors: string | null;
}

/** The panel's population, out of the scores that its judges have just given. */
export async function buildPanel(
  populations: readonly ReferencePopulation[],
  scorers: readonly ChapterScorer[],
  { folder, id, description, anchors }: PanelOptions,
): Promise<{ population: ReferencePopulation; excluded: readonly NovelExclusion[] }> {
  const files = benchFiles(folder);
  const seats = populations.map(seatOf);
  const recipe = panelRecipe(populations, { id, description });
  const scoresOf = async ({ judge, rubric }: PanelSeat) =>
    files.scores(judge.id, await rubricInNames(folder, judge.id, rubric.id));
  const anchorScoresOf = async ({ judge, rubric }: PanelSeat) =>
    files.anchorScores(judge.id, await rubricInNames(folder, judge.id, rubric.id));
  const chapters = new PanelChapters(seats.length);
  const sums = await composites(seats, scorers, scoresOf, recipe.dimensions, chapters);
  const { population, excluded } = buildPopulation(sums, recipe);
  const { language } = populations[0]!;
  const singleChapters = singleChapterDistribution(chapters.composites(population));
  const whole = {
    ...population,
    ...(singleChapters && { singleChapters }),
    ...(language !== undefined && { language }),
    novels: withGenres(population.novels, await genresOf(folder)),
    panel: seats,
    warnings: [...new Set([...population.warnings, ...populations.flatMap(({ warnings }) => warnings)])],
  };
  if (anchors === null) return { population: whole, excluded };
  const classics = await composites(seats, scorers, anchorScoresOf, recipe.dimensions);
  return { population: { ...whole, anchors: anchorsOn(population, classics) }, excluded };
}

/**
 * Each judge's composites, summed novel by novel, one file after the other. A row adds to its judge's dimension alone, so
 * the files need not be in step; a novel without a score of some judge ends up excluded, with the reason.
 */
async function composites(
  seats: readonly PanelSeat[],
  scorers: readonly ChapterScorer[],
  fileOf: (seat: PanelSeat) => Promise<string>,
  dimensions: readonly string[],
  chapters: PanelChapters | null = null,
): Promise<NovelSums> {
  const sums = new NovelSums(dimensions);
  for (const [index, seat] of seats.entries()) {
    const order = orderOf(seat, scorers[index]!.rubric);
    for await (const row of jsonLines(await fileOf(seat), scoreRowSchema)) {
      const numbers = scoreRow(row.scores, scorers[index]!.rubric);
      const composite = seatComposite(
        seat,
        order.map((at) => numbers[at] ?? null),
      );
      chapters?.add(index, row, composite);
      const scores = seats.map((_, position) => (position === index ? composite : null));
      sums.add({ ...row, scores }, index > 0 || row.repeat > 1);
    }
  }
  return sums;
}

function orderOf(seat: PanelSeat, rubric: Rubric): number[] {
  return seat.dimensions.map((dimension) => rubric.criteria.findIndex(({ id }) => id === dimension));
}

/** What every judge gave each chapter, as composites: a single chapter is placed among single chapters by a panel too. */
class PanelChapters {
  readonly #seats: number;
  readonly #chapters = new Map<string, { readonly sums: Float64Array; readonly counts: Float64Array }>();

  constructor(seats: number) {
    this.#seats = seats;
  }

  add(
    seat: number,
    { novel, chapter }: { readonly novel: string; readonly chapter: number },
    composite: number | null,
  ) {
    if (composite === null) return;
    const key = `${novel}\u0000${chapter}`;
    const known = this.#chapters.get(key) ?? {
      sums: new Float64Array(this.#seats),
      counts: new Float64Array(this.#seats),
    };
    this.#chapters.set(key, known);
    known.sums[seat]! += composite;
    known.counts[seat]!++;
  }

  /** The panel's composites of the chapters that every judge scored. */
  composites(population: ReferencePopulation): number[] {
    return [...this.#chapters.values()].flatMap(({ sums, counts }) =>
      counts.every((count) => count > 0)
        ? [
            compositeOf(
              Array.from(sums, (sum, seat) => sum / counts[seat]!),
              population,
            ),
          ]
        : [],
    );
  }
}

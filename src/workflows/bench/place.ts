import { seatComposite } from "../../bench/population/panel.ts";
import { placer } from "../../bench/population/place-on-population.ts";
import type { PanelSeat, ReferencePopulation } from "../../bench/population/reference-population.ts";
import { type ChapterScorer, rangeRows, scoreRow } from "../../bench/scoring/chapter-scorer.ts";
import { FabulaError } from "../../core/errors.ts";
import { scored, unscored, type Verdict } from "../../core/verdict.ts";
import { assertJudgeOf } from "./scorer.ts";

type Verdicts = Readonly<Record<string, Verdict>>;

export interface PlacedText {
  readonly id: string;
  /** Who is speaking, and what must be said beside the percentile; for the embedded grader only. */
  readonly speaker?: string;
  readonly caveat?: string | null;
  /** Percentile among the population, 0–100, with its range where the judge gives one; none outside what a juror learnt from. */
  readonly percentile: Verdict;
  /** Among which novels, and how many. */
  readonly reference: string;
  readonly composite: number | null;
  /** The judge's verdicts; with a panel each judge's composite. */
  readonly dimensions: Verdicts;
  /** What each judge of a panel said, and where it alone places the text. */
  readonly judges?: Readonly<Record<string, { readonly percentile: Verdict; readonly dimensions: Verdicts }>>;
}

/** Places texts, one after another, on a population that the same judge, or the same panel, has built. */
export function textPlacer(scorers: readonly ChapterScorer[], population: ReferencePopulation) {
  for (const scorer of scorers) assertJudgeOf(population, scorer);
  const seats = population.panel;
  if (seats) {
    const missing = seats.find(({ judge }) => !scorers.some(({ id }) => id === judge.id));
    if (missing) {
      throw new FabulaError(
        "E_POPULATION_JUDGE",
        `The population "${population.id}" was judged by a panel: ${missing.judge.id} is missing.`,
      );
    }
  }
  const place = seats ? panelPlacer(scorers, seats, population) : judgePlacer(scorers[0]!, population);
  return async (id: string, text: string, signal: AbortSignal): Promise<PlacedText> => ({
    id,
    ...(await place(text, signal)),
    reference: `${population.novels.length} novels: ${population.description}`,
  });
}

type Place = (text: string, signal: AbortSignal) => Promise<Omit<PlacedText, "id" | "reference">>;

function judgePlacer(scorer: ChapterScorer, population: ReferencePopulation): Place {
  const { place } = placer(population);
  return async (text, signal) => {
    const dimensions = await scorer.score(text, 0, signal);
    const placement = place(inOrder(dimensions, scorer, population.dimensions));
    const caveat = scorer.caveat?.(text) ?? null;
    const percentile = (): Verdict => {
      if (!placement) return unscored(reasonIn(dimensions));
      if (caveat !== null) return unscored(caveat);
      const range = rangeRows(dimensions, scorer.rubric);
      if (!range) return scored(placement.percentile);
      const [low, high] = [range.low, range.high].map((row) => place(ordered(row, scorer, population.dimensions)));
      return scored(placement.percentile, [low!.percentile, high!.percentile]);
    };
    return {
      ...(scorer.speaker !== undefined && { speaker: scorer.speaker, caveat }),
      percentile: percentile(),
      composite: placement?.composite ?? null,
      dimensions,
    };
  };
}

function panelPlacer(
  scorers: readonly ChapterScorer[],
  seats: readonly PanelSeat[],
  population: ReferencePopulation,
): Place {
  const { place, dimensionPercentile } = placer(population);
  return async (text, signal) => {
    const opinions = await Promise.all(
      seats.map(async (seat, index) => {
        const scorer = scorers.find(({ id }) => id === seat.judge.id)!;
        const dimensions = await scorer.score(text, 0, signal);
        const composite = seatComposite(seat, inOrder(dimensions, scorer, seat.dimensions));
        const reason = unscored(`${seat.judge.id}: ${reasonIn(dimensions)}`);
        return {
          judge: seat.judge.id,
          composite,
          verdict: composite === null ? reason : scored(composite),
          percentile: composite === null ? reason : scored(dimensionPercentile(index, composite)),
          dimensions,
        };
      }),
    );
    const placement = place(opinions.map(({ composite }) => composite));
    const gap = opinions.find(({ verdict }) => verdict.kind === "unscored")?.verdict;
    return {
      percentile: placement ? scored(placement.percentile) : (gap ?? unscored("a judge gave no score")),
      composite: placement?.composite ?? null,
      dimensions: Object.fromEntries(opinions.map(({ judge, verdict }) => [judge, verdict])),
      judges: Object.fromEntries(
        opinions.map(({ judge, percentile, dimensions }) => [judge, { percentile, dimensions }]),
      ),
    };
  };
}

function inOrder(verdicts: Verdicts, scorer: ChapterScorer, dimensions: readonly string[]): (number | null)[] {
  return ordered(scoreRow(verdicts, scorer.rubric), scorer, dimensions);
}

function ordered(
  row: readonly (number | null)[],
  { rubric }: ChapterScorer,
  dimensions: readonly string[],
): (number | null)[] {
  return dimensions.map((dimension) => row[rubric.criteria.findIndex(({ id }) => id === dimension)] ?? null);
}

function reasonIn(verdicts: Verdicts): string {
  const gap = Object.values(verdicts).find((verdict) => verdict.kind === "unscored");
  return gap?.kind === "unscored" ? gap.reason : "a dimension has no score";
}

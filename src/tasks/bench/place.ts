import { memberComposite } from "../../bench/population/panel.ts";
import { peersOf, placer, singleChapterPercentile } from "../../bench/population/place-on-population.ts";
import type { PanelMember, ReferencePopulation } from "../../bench/population/reference-population.ts";
import { type ChapterScorer, rangeRows, scoreRow } from "../../bench/scoring.ts";
import { FabulaError } from "../../core/errors.ts";
import { isScored, scored, unscored, type Verdict } from "../../core/verdict.ts";
import { languageName } from "../../jury/readable.ts";
import { mean } from "../../stats/distribution.ts";
import { detectLanguage } from "../../text/language.ts";
import { countWords } from "../../text/words.ts";
import { assertBasisOf, assertJudgeOf } from "./scorer.ts";

type Verdicts = Readonly<Record<string, Verdict>>;

export interface PlacedText {
  readonly id: string;
  /** For the embedded grader only: who is speaking, and what must be said beside the percentile. */
  readonly speaker?: string;
  readonly caveat?: string | null;
  /**
   * Percentile among the population, 0–100, with its range if the judge gives one; unscored for texts unlike those a
   * juror learnt from.
   */
  readonly percentile: Verdict;
  /** Chapters that were scored, and whether the text stands among single chapters or among novels. */
  readonly chapters: number;
  readonly among: "single chapters" | "novels";
  /** Which novels the text is compared with, and how many they are. */
  readonly reference: string;
  /** Whether the text scores above every text of the reference; then that is all the percentile says. */
  readonly abovePopulation: boolean;
  readonly composite: number | null;
  /** The judge's verdicts, averaged over the chapters; for a panel, each judge's composite. */
  readonly dimensions: Verdicts;
  /** For a panel, what each judge said and where its scores alone place the text. */
  readonly judges?: Readonly<Record<string, { readonly percentile: Verdict; readonly dimensions: Verdicts }>>;
}

/** A judge would also score seven words, but the score would mean nothing. Each Han character counts as a word. */
const LEAST_WORDS = 100;

/** Why a text cannot be placed on a population; null if it can. */
export function whyNotPlaced(
  chapters: readonly string[],
  { id, language }: Pick<ReferencePopulation, "id" | "language">,
): string | null {
  const text = chapters.join("\n\n");
  const words = countWords(text);
  if (words < LEAST_WORDS)
    return `the text has ${words} ${words === 1 ? "word" : "words"}, and at least ${LEAST_WORDS} are needed to place it among novels`;
  const found = detectLanguage(text);
  if (language === undefined || found === null || found === language) return null;
  return `the text is in ${languageName(found)} and the novels of "${id}" are in ${languageName(language)}: place it on a population in its own language`;
}

/** The result for a text that cannot be placed. */
export function notPlaced(
  id: string,
  chapters: readonly string[],
  reason: string,
  { novels }: ReferencePopulation,
): PlacedText {
  return {
    id,
    percentile: unscored(reason),
    chapters: chapters.length,
    among: chapters.length === 1 ? "single chapters" : "novels",
    reference: `${novels.length} novels`,
    abovePopulation: false,
    composite: null,
    dimensions: {},
  };
}

/**
 * Places texts, one after another, on a population built by the same judge or panel. A novel is given as its chapters
 * and placed among novels; its range is widened if it has fewer chapters than they do. A single chapter is placed
 * among single chapters.
 */
export function textPlacer(scorers: readonly ChapterScorer[], population: ReferencePopulation) {
  for (const scorer of scorers) assertJudgeOf(population, scorer);
  const members = population.panel;
  const missing = members?.find(({ judge }) => !scorers.some(({ id }) => id === judge.id));
  if (missing) {
    throw new FabulaError(
      "E_POPULATION_JUDGE",
      `The population "${population.id}" was judged by a panel: ${missing.judge.id} is missing.`,
    );
  }
  let checked: Promise<unknown> | null = null;
  const { novels, singleChapters, description } = population;
  const about = description === "" ? "" : `: ${description}`;
  return async (id: string, text: string | readonly string[], signal: AbortSignal): Promise<PlacedText> => {
    checked ??= Promise.all(scorers.map((scorer) => assertBasisOf(population, scorer, isSampled(population))));
    await checked;
    const chapters = typeof text === "string" ? [text] : text;
    const isSingle = chapters.length === 1 && singleChapters !== undefined;
    const { peers, note } = peersOf(chapters.length, population);
    const place = members ? panelPlacer(scorers, members, peers, isSingle) : judgePlacer(scorers[0]!, peers, isSingle);
    const placed = await place(chapters, signal);
    const top = isSingle ? singleChapters.quantiles.at(-1)! : highestOf(peers);
    return {
      id,
      ...placed,
      chapters: chapters.length,
      among: isSingle ? "single chapters" : "novels",
      reference: isSingle
        ? `${singleChapters.count} single chapters of ${novels.length} novels${about}`
        : `${novels.length} novels${about}${note === null ? "" : ` (${note})`}`,
      abovePopulation: placed.composite !== null && placed.composite > top,
    };
  };
}

function highestOf({ novels }: ReferencePopulation): number {
  return novels.reduce((top, { composite }) => Math.max(top, composite), Number.NEGATIVE_INFINITY);
}

/** Whether the scores were made by repeated scoring, which uses another temperature than a single scoring. */
function isSampled({ settings, panel }: ReferencePopulation): boolean {
  const stated = settings ?? panel?.find((member) => member.settings !== undefined)?.settings;
  return stated !== undefined && !/^temperature 0\b(?!\.)/.test(stated);
}

type Place = (
  chapters: readonly string[],
  signal: AbortSignal,
) => Promise<Pick<PlacedText, "speaker" | "caveat" | "percentile" | "composite" | "dimensions" | "judges">>;

function judgePlacer(scorer: ChapterScorer, population: ReferencePopulation, isSingle: boolean): Place {
  const { place } = placer(population);
  const percentileOf = percentiles(population, isSingle);
  return async (chapters, signal) => {
    const dimensions = await verdictsOf(scorer, chapters, isSampled(population), signal);
    const placement = place(inOrder(dimensions, scorer, population.dimensions));
    const caveat = commonCaveat(scorer, chapters);
    const percentile = (): Verdict => {
      if (!placement) return unscored(reasonIn(dimensions));
      if (caveat !== null) return unscored(caveat);
      const range = rangeRows(dimensions, scorer.rubric);
      if (!range) return scored(percentileOf(placement.composite));
      const [low, high] = [range.low, range.high].map((row) => ordered(row, scorer, population.dimensions));
      // For a dimension where a high score is bad, the highest score gives the lowest percentile.
      const end = (one: typeof low, other: typeof low) =>
        place(population.weights.map((weight, at) => (weight < 0 ? other : one)![at]!))!.composite;
      return scored(percentileOf(placement.composite), [percentileOf(end(low, high)), percentileOf(end(high, low))]);
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
  members: readonly PanelMember[],
  population: ReferencePopulation,
  isSingle: boolean,
): Place {
  const { place, dimensionPercentile } = placer(population);
  const percentileOf = percentiles(population, isSingle);
  return async (chapters, signal) => {
    const opinions = await Promise.all(
      members.map(async (member, index) => {
        const scorer = scorers.find(({ id }) => id === member.judge.id)!;
        const dimensions = await verdictsOf(scorer, chapters, isSampled(population), signal);
        const composite = memberComposite(member, inOrder(dimensions, scorer, member.dimensions));
        const reason = unscored(`${member.judge.id}: ${reasonIn(dimensions)}`);
        const caveat = commonCaveat(scorer, chapters);
        const percentile = (): Verdict => {
          if (composite === null) return reason;
          if (caveat !== null) return unscored(`${member.judge.id}: ${caveat}`);
          return scored(dimensionPercentile(index, composite));
        };
        return {
          judge: member.judge.id,
          speaker: scorer.speaker,
          caveat,
          composite,
          verdict: composite === null ? reason : scored(composite),
          percentile: percentile(),
          dimensions,
        };
      }),
    );
    const placement = place(opinions.map(({ composite }) => composite));
    // If one judge gives no percentile, neither does the panel.
    const gap = opinions.find(({ percentile }) => percentile.kind === "unscored")?.percentile;
    const grader = opinions.find(({ speaker }) => speaker !== undefined);
    return {
      ...(grader?.speaker !== undefined && { speaker: grader.speaker, caveat: grader.caveat }),
      percentile: gap ?? (placement ? scored(percentileOf(placement.composite)) : unscored("a judge gave no score")),
      composite: placement?.composite ?? null,
      dimensions: Object.fromEntries(opinions.map(({ judge, verdict }) => [judge, verdict])),
      judges: Object.fromEntries(
        opinions.map(({ judge, percentile, dimensions }) => [judge, { percentile, dimensions }]),
      ),
    };
  };
}

function percentiles(population: ReferencePopulation, isSingle: boolean): (composite: number) => number {
  const { singleChapters } = population;
  return isSingle && singleChapters
    ? (composite) => singleChapterPercentile(singleChapters, composite)
    : placer(population).percentile;
}

async function verdictsOf(
  scorer: ChapterScorer,
  chapters: readonly string[],
  isRepeated: boolean,
  signal: AbortSignal,
): Promise<Verdicts> {
  const all: Verdicts[] = [];
  for (const chapter of chapters) all.push(await scorer.score(chapter, isRepeated ? 1 : 0, signal));
  return meanVerdicts(all);
}

/** The caveat that applies to most of the chapters. */
function commonCaveat(scorer: ChapterScorer, chapters: readonly string[]): string | null {
  const caveats = chapters.flatMap((chapter) => scorer.caveat?.(chapter) ?? []);
  return 2 * caveats.length > chapters.length ? caveats[0]! : null;
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

/** Combines the chapters' verdicts: for each dimension the mean over the chapters that have a score. */
function meanVerdicts(all: readonly Verdicts[]): Verdicts {
  const [first = {}] = all;
  if (all.length === 1) return first;
  return Object.fromEntries(
    Object.keys(first).map((dimension) => [dimension, meanOf(all.flatMap((verdicts) => verdicts[dimension] ?? []))]),
  );
}

function meanOf(verdicts: readonly Verdict[]): Verdict {
  const known = verdicts.filter(isScored);
  if (known.length === 0) return verdicts[0]!;
  const score = mean(known.map((verdict) => verdict.score));
  const ranges = known.flatMap(({ interval }) => (interval ? [interval] : []));
  if (ranges.length < known.length) return scored(score);
  return scored(score, [mean(ranges.map(([low]) => low)), mean(ranges.map(([, high]) => high))]);
}

import { mean, sum } from "../../stats/distribution.ts";
import { studentInterval } from "../../stats/special/student-t.ts";
import type { ScoredChapter } from "../population/novel-scores.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import type { WriterNovels } from "./placed-novels.ts";

/**
 * Fewer judges do not show how other judges would differ: with two, a single difference would have to represent all.
 */
export const LEAST_JUDGES = 3;

/** One part of an estimate's variance, with its degrees of freedom. */
export interface VariancePart {
  readonly variance: number;
  readonly degrees: number;
}

/** The standard error of a sum of parts, with Satterthwaite's degrees of freedom. */
export function summedVariance(parts: readonly VariancePart[]): { readonly error: number; readonly degrees: number } {
  const total = sum(parts.map(({ variance }) => variance));
  if (!(total > 0)) return { error: 0, degrees: 1 };
  const inverse = sum(parts.map(({ variance, degrees }) => variance ** 2 / degrees));
  return { error: Math.sqrt(total), degrees: total ** 2 / inverse };
}

/** What the judges of a panel imply for other judges; the design is writer × novel × judge. */
export interface JudgeSample {
  readonly judges: number;
  /** How much a judge's view of one writer differs from its view of all, in standard deviations of the population. */
  readonly writerByJudge: VariancePart;
  /** How much judges differ about all writers of the board, relative to the human novels. */
  readonly judge: VariancePart;
  /** How many judges a writer's scores are based on; those of its own family are left out. */
  judgesOf(writer: string): number;
  /** The part of the variance of the difference between two writers that comes from judges. */
  ofDifference(one: string, other: string): VariancePart;
  /** The parts of the variance of a writer's composite that come from judges. */
  ofComposite(writer: string): readonly VariancePart[];
}

/** A judge's scores that do not count, because the writer is of its family. */
export interface OwnFamilyCell {
  readonly writer: string;
  /** Its index in the panel. */
  readonly member: number;
}

/**
 * Estimates how far judges differ, from a panel of at least three. Null for fewer, or if there are too few writers to
 * separate a judge's view of one of them from its view of all.
 */
export function judgeSample(
  writers: readonly WriterNovels[],
  population: ReferencePopulation,
  own: readonly OwnFamilyCell[] = [],
): JudgeSample | null {
  const panel = population.panel?.length ?? 0;
  const placed = writers.filter(({ novels }) => novels.length > 0);
  const left = leftOut(own);
  const cells = placed.flatMap(({ writer, novels }) =>
    Array.from({ length: panel }, (_, member) => ({
      ...{ writer, member },
      value: mean(novels.map(({ scores }) => onScale(scores[member]!, population, member))),
    })).filter((cell) => !left(cell.writer, cell.member)),
  );
  // A judge whose family wrote everything contributes nothing here.
  const withScores = new Set(cells.map(({ member }) => member));
  const members = withScores.size;
  if (members < LEAST_JUDGES || placed.length < 2) return null;
  const { judges: effects, residuals } = additiveFit(cells, panel);
  const judges = effects.filter((_, member) => withScores.has(member));
  const degrees = cells.length - placed.length - members + 1;
  if (degrees < 1) return null;
  const writerByJudge = { variance: sum(residuals.map((rest) => rest ** 2)) / degrees, degrees };
  const centre = mean(judges);
  const judge = { variance: sum(judges.map((effect) => (effect - centre) ** 2)) / (members - 1), degrees: members - 1 };
  const counts = new Map(
    placed.map(({ writer }) => [writer, cells.filter((cell) => cell.writer === writer).length] as const),
  );
  const judgesOf = (writer: string) => counts.get(writer) ?? members;
  const share = 1 - 1 / placed.length;
  return {
    judges: members,
    writerByJudge,
    judge,
    judgesOf,
    ofDifference: (one, other) => ({
      variance: writerByJudge.variance * (1 / judgesOf(one) + 1 / judgesOf(other)),
      degrees,
    }),
    ofComposite: (writer) => [
      { variance: judge.variance / judgesOf(writer), degrees: judge.degrees },
      { variance: (share * writerByJudge.variance) / judgesOf(writer), degrees },
    ],
  };
}

function leftOut(own: readonly OwnFamilyCell[]): (writer: string, member: number) => boolean {
  const keys = new Set(own.map(({ writer, member }) => `${writer}\n${member}`));
  return (writer, member) => keys.has(`${writer}\n${member}`);
}

/** A judge's composite in standard deviations of the human novels, as scored by that judge. */
function onScale(score: number, { means, deviations }: ReferencePopulation, member: number): number {
  return deviations[member]! > 0 ? (score - means[member]!) / deviations[member]! : 0;
}

interface Cell {
  readonly writer: string;
  readonly member: number;
  readonly value: number;
}

const ROUNDS = 60;

/** Fits writer effects plus judge effects by least squares over the available cells. */
function additiveFit(cells: readonly Cell[], members: number) {
  const writers = new Map<string, number>();
  const judges = Array.from({ length: members }, () => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const byWriter = new Map<string, number[]>();
    const byMember = judges.map((): number[] => []);
    for (const { writer, member, value } of cells) {
      const known = byWriter.get(writer) ?? [];
      known.push(value - judges[member]!);
      byWriter.set(writer, known);
    }
    for (const [writer, values] of byWriter) writers.set(writer, mean(values));
    for (const { writer, member, value } of cells) byMember[member]!.push(value - writers.get(writer)!);
    for (const [member, values] of byMember.entries()) judges[member] = values.length === 0 ? 0 : mean(values);
  }
  return {
    writers,
    judges,
    residuals: cells.map(({ writer, member, value }) => value - writers.get(writer)! - judges[member]!),
  };
}

/** How much higher a judge places writers of its own family than expected from the other judges' scores. */
export interface OwnFamilyAdvantage {
  readonly judge: string;
  readonly writers: readonly string[];
  /** In standard deviations of the human novels. */
  readonly advantage: number;
  /** 95 %; null if too few other scores show how far judges differ anyway. */
  readonly interval: readonly [number, number] | null;
}

export interface FairChapters {
  readonly chapters: readonly ScoredChapter[];
  readonly own: readonly OwnFamilyCell[];
  readonly advantages: readonly OwnFamilyAdvantage[];
}

/**
 * A panel's chapters without the scores that judges gave writers of their own family. Each such score is replaced by
 * what the other judges' scores of the chapter predict for this judge, so that it has no effect. A writer who has
 * only judges of its own family keeps them.
 */
export function withoutOwnFamily(
  chapters: readonly ScoredChapter[],
  population: ReferencePopulation,
  familyOf: (name: string) => string | null,
): FairChapters {
  const panel = population.panel ?? [];
  const families = panel.map(({ judge }) => familyOf(judge.id));
  const names = [...new Set(chapters.map(({ writer }) => writer))];
  const own = names.flatMap((writer): OwnFamilyCell[] => {
    const family = familyOf(writer);
    const members = families.flatMap((judgesFamily, member) =>
      family !== null && judgesFamily === family ? [member] : [],
    );
    return members.length === panel.length ? [] : members.map((member) => ({ writer, member }));
  });
  if (own.length === 0) return { chapters, own, advantages: [] };
  const left = leftOut(own);
  const cells = cellMeans(chapters, population);
  const fair = cells.filter(({ writer, member }) => !left(writer, member));
  const fit = additiveFit(fair, panel.length);
  const replaced = chapters.map((chapter) => {
    const others = chapter.scores.flatMap((score, member) =>
      score === null || left(chapter.writer, member) ? [] : [onScale(score, population, member) - fit.judges[member]!],
    );
    if (others.length === 0) return chapter;
    return {
      ...chapter,
      scores: chapter.scores.map((score, member) =>
        left(chapter.writer, member)
          ? population.means[member]! + population.deviations[member]! * (mean(others) + fit.judges[member]!)
          : score,
      ),
    };
  });
  return { chapters: replaced, own, advantages: advantagesOf(cells, fair, fit, population, left) };
}

/** Each writer's mean by each judge, over the novels; chapters are averaged within novels first. */
function cellMeans(chapters: readonly ScoredChapter[], population: ReferencePopulation): Cell[] {
  const values = new Map<string, Map<string, number[]>>();
  for (const { writer, novel, scores } of chapters) {
    for (const [member, score] of scores.entries()) {
      if (score === null) continue;
      const key = `${writer}\n${member}`;
      const novels = values.get(key) ?? new Map<string, number[]>();
      values.set(key, novels);
      const known = novels.get(novel) ?? [];
      novels.set(novel, known);
      known.push(onScale(score, population, member));
    }
  }
  return [...values].map(([key, novels]) => {
    const at = key.lastIndexOf("\n");
    return {
      writer: key.slice(0, at),
      member: Number(key.slice(at + 1)),
      value: mean([...novels.values()].map((own) => mean(own))),
    };
  });
}

function advantagesOf(
  cells: readonly Cell[],
  fair: readonly Cell[],
  { writers, judges, residuals }: ReturnType<typeof additiveFit>,
  population: ReferencePopulation,
  left: ReturnType<typeof leftOut>,
): OwnFamilyAdvantage[] {
  const degrees = fair.length - writers.size - judges.length + 1;
  const spread = degrees < 1 ? 0 : sum(residuals.map((rest) => rest ** 2)) / degrees;
  return population.panel!.flatMap(({ judge }, member) => {
    const own = cells.filter((cell) => cell.member === member && left(cell.writer, member) && writers.has(cell.writer));
    if (own.length === 0) return [];
    const advantage = mean(own.map(({ writer, value }) => value - writers.get(writer)! - judges[member]!));
    const others = fair.filter((cell) => cell.member === member).length;
    const judgesOfOne = mean(own.map(({ writer }) => fair.filter((cell) => cell.writer === writer).length));
    // The cell's own variance, plus the uncertainty of the writer's and the judge's means.
    const variance = spread * ((1 + 1 / judgesOfOne) / own.length + 1 / Math.max(1, others));
    return [
      {
        judge: judge.id,
        writers: own.map(({ writer }) => writer),
        advantage,
        interval: degrees < 1 || variance === 0 ? null : studentInterval(advantage, Math.sqrt(variance), degrees),
      },
    ];
  });
}

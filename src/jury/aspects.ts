import { readFile } from "node:fs/promises";
import { z } from "zod";
import { assetPath } from "../core/assets.ts";
import { isScored, scored, unscored, type Verdict } from "../core/verdict.ts";
import { mean } from "../stats/distribution.ts";
import type { Grader, GraderExamination, GraderVerdicts } from "./grader.ts";

const mapSchema = z.strictObject({
  from: z.literal("grader"),
  to: z.literal("long-story"),
  aspects: z.record(z.string(), z.array(z.string()).min(1)),
  unscored: z.record(z.string(), z.string().min(1)),
});

/** Which criteria of the grader correspond to which aspect, and why the other aspects have none. */
export type AspectMap = z.infer<typeof mapSchema>;

/**
 * Loads the map from the grader's criteria to the aspects of a long story.
 *
 * @example
 * ```ts
 * const map = await loadAspectMap();
 * console.log(map.aspects.characters); // ["nuanced-characters"]
 * console.log(map.unscored.themes); // why the grader is silent on themes
 * ```
 */
export async function loadAspectMap(): Promise<AspectMap> {
  const { parse } = await import("yaml");
  return mapSchema.parse(parse(await readFile(assetPath("criteria", "grader-to-long-story.yaml"), "utf8")));
}

/**
 * Aspect verdicts from criterion verdicts, still on the grader's scale, and always with higher as better: the mean
 * of the aspect's criteria, faults turned round. The interval is the mean of theirs, which is right when they err
 * together, as they largely do, and too wide when they do not.
 *
 * @example
 * ```ts
 * const [judge, map] = await Promise.all([loadGrader(), loadAspectMap()]);
 * const { plot } = aspectVerdicts(judge, map, judge.score(text));
 * if (plot && isScored(plot)) console.log(plot.score, plot.interval);
 * ```
 */
export function aspectVerdicts(judge: Grader, map: AspectMap, verdicts: GraderVerdicts): Record<string, Verdict> {
  const spoken = Object.entries(map.aspects).map(([aspect, criteria]): [string, Verdict] => {
    const given = criteria.map((id) => turned(judge, id, verdicts.criteria[id]!));
    const known = given.filter(isScored);
    const gap = given.find((verdict) => verdict.kind === "unscored");
    if (known.length < given.length) return [aspect, gap ?? unscored("nothing was judged")];
    const meanOf = (value: (verdict: (typeof known)[number]) => number) => mean(known.map(value));
    return [
      aspect,
      scored(
        meanOf(({ score }) => score),
        [
          meanOf(({ score, interval }) => interval?.[0] ?? score),
          meanOf(({ score, interval }) => interval?.[1] ?? score),
        ],
      ),
    ];
  });
  const silent = Object.entries(map.unscored).map(([aspect, reason]): [string, Verdict] => [aspect, unscored(reason)]);
  return Object.fromEntries([...spoken, ...silent]);
}

/**
 * Each sentence's share of an aspect, positive where it speaks for the text. The list is empty for a text that is not
 * scored, and aspects that the map leaves unscored are absent.
 *
 * @example
 * ```ts
 * const [judge, map] = await Promise.all([loadGrader(), loadAspectMap()]);
 * const examination = judge.examine(text);
 * const { writing } = aspectShares(judge, map, examination);
 * examination.sentences.forEach(({ start, end }, at) => console.log(writing?.[at], text.slice(start, end)));
 * ```
 */
export function aspectShares(
  judge: Grader,
  map: AspectMap,
  examination: GraderExamination,
): Record<string, Float64Array> {
  return Object.fromEntries(
    Object.entries(map.aspects).map(([aspect, criteria]) => {
      const shares = new Float64Array(examination.sentences.length);
      for (const id of criteria) {
        const sign = isFault(judge, id) ? -1 : 1;
        examination.shares[id]?.forEach((share, sentence) => {
          shares[sentence] = shares[sentence]! + (sign * share) / criteria.length;
        });
      }
      return [aspect, shares];
    }),
  );
}

function isFault(judge: Grader, id: string): boolean {
  return judge.criteria.find((criterion) => criterion.id === id)?.better === "lower";
}

function turned(judge: Grader, id: string, verdict: Verdict): Verdict {
  if (!isScored(verdict) || !isFault(judge, id)) return verdict;
  const { minimum, maximum } = judge.rubric.scale;
  const turn = (value: number) => minimum + maximum - value;
  return scored(turn(verdict.score), verdict.interval && [turn(verdict.interval[1]), turn(verdict.interval[0])]);
}

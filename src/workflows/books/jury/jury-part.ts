import { HUNDRED, rescaleVerdict } from "../../../core/scale.ts";
import { isScored, type Verdict } from "../../../core/verdict.ts";
import type { JurorResult, JuryPart } from "../../../judge/jury-part.ts";
import type { Juror, JurorId, Opinion } from "../../../jury/juror.ts";
import { loadPocketJudge } from "../../../jury/pocket-judge.ts";
import { loadPocketReference } from "../../../jury/reference.ts";
import { empiricalDistribution } from "../../../stats/distribution/empirical-distribution.ts";

export interface HeardJuror {
  readonly juror: Juror;
  readonly opinion: Opinion;
}

/** What the jurors said, for an evaluation; the first of them gives the headline. */
export async function juryPart(heard: readonly HeardJuror[]): Promise<JuryPart> {
  const jurors = await Promise.all(heard.map(jurorResult));
  return { headline: heard[0]!.juror.id, jurors, apart: pairsApart(jurors) };
}

async function jurorResult({ juror, opinion }: HeardJuror): Promise<JurorResult> {
  const { id, speaker, version, scale } = juror;
  return {
    id,
    speaker,
    version,
    scale: { ...scale },
    overall: opinion.overall,
    ground: opinion.ground,
    caveat: opinion.caveat,
    criteria: id === "grader" ? await gradersCriteria(opinion) : [],
    ...(await placeOf(juror, opinion)),
  };
}

async function gradersCriteria({ criteria }: Opinion): Promise<JurorResult["criteria"]> {
  const { criteria: known } = await loadPocketJudge();
  return known.map(({ id, name, better }) => ({ id, name, better, verdict: criteria[id]! }));
}

/** A percentile only where the juror knows its way, and only among books that this version of it has scored. */
async function placeOf(
  { id, version }: Juror,
  { overall, ground }: Opinion,
): Promise<Pick<JurorResult, "percentile" | "noPercentile">> {
  const none = (reason: string) => ({ percentile: null, noPercentile: reason });
  if (!isScored(overall)) return none("there is no score to place");
  if (ground !== "inside") return none("the book is outside what this juror learnt from");
  const reference = id === "grader" ? await loadPocketReference() : null;
  if (reference?.judgeVersion !== version) return none(`no published novels have been scored by the ${id}`);
  const { percentile } = empiricalDistribution(reference.overall);
  const [low, high] = overall.interval ?? [overall.score, overall.score];
  const named = `${reference.overall.length} novels in the public domain, mostly before 1930`;
  return { percentile: { low: percentile(low), high: percentile(high), reference: named }, noPercentile: null };
}

function pairsApart(jurors: readonly JurorResult[]): [JurorId, JurorId][] {
  return jurors.flatMap((left, at) =>
    jurors.slice(at + 1).flatMap((right): [JurorId, JurorId][] => {
      const [one, other] = [hundredths(left.overall, left.scale), hundredths(right.overall, right.scale)];
      if (one === null || other === null) return [];
      return one[1] < other[0] || other[1] < one[0] ? [[left.id, right.id]] : [];
    }),
  );
}

/** The range of a score, moved to a scale of 0 to 100. */
function hundredths(verdict: Verdict, scale: JurorResult["scale"]): readonly [number, number] | null {
  const moved = rescaleVerdict(verdict, scale, HUNDRED);
  return isScored(moved) ? (moved.interval ?? [moved.score, moved.score]) : null;
}

import type { JudgeStanding } from "../../../api/votes.ts";
import { groupBy } from "../../../core/group-by.ts";
import { mean } from "../../../stats/distribution/mean.ts";
import { median } from "../../../stats/distribution/quantile.ts";
import { itemAgreement } from "../../../stats/meta-evaluation/agreement.ts";
import type { DisputedAspect } from "./disagreements.ts";
import type { Seat } from "./seats.ts";

const SEED = 1;
/** Fewer verdicts give no interval that means anything: four stand in the same order by chance one time in twenty-four. */
const FEWEST_VERDICTS = 10;
const MOST_RESAMPLES = 400;
const MOST_RESAMPLED_VALUES = 400_000;

interface Beside {
  readonly seat: Seat;
  readonly own: number;
  readonly median: number;
}

/**
 * How each judge's scores go with the median of all judges on the same aspects of the same books; who goes least with it, first.
 * The median, since one judge that errs would spoil a mean of the others for everybody.
 */
export function judgeStandings(aspects: readonly DisputedAspect[]): JudgeStanding[] {
  const rows = aspects.flatMap(({ sides }) => {
    const middle = median(sides.map(({ score }) => score.score));
    return sides.map(({ seat, score }): Beside => ({ seat, own: score.score, median: middle }));
  });
  const standings = [...groupBy(rows, ({ seat }) => seat.way).values()].map(standingOf);
  return standings
    .map((standing) => ({ ...standing, standsApart: standings.length > 2 && liesBelow(standing, standings) }))
    .sort((left, right) => (left.correlation?.value ?? 2) - (right.correlation?.value ?? 2));
}

function standingOf(rows: readonly Beside[]): JudgeStanding {
  const { name, judge, evaluationId } = rows[0]!.seat;
  const resamples = Math.min(MOST_RESAMPLES, Math.floor(MOST_RESAMPLED_VALUES / rows.length));
  const { spearman } = itemAgreement(
    {
      human: Float64Array.from(rows, ({ median }) => median),
      metric: Float64Array.from(rows, ({ own }) => own),
      system: null,
      item: null,
    },
    { resamples, seed: SEED, confidence: 0.95, interval: "percentile", over: "items" },
  );
  return {
    name,
    judge,
    evaluationId,
    verdicts: rows.length,
    standsApart: false,
    books: new Set(rows.map(({ seat }) => seat.bookId)).size,
    correlation:
      spearman.value === null
        ? null
        : { value: spearman.value, interval: rows.length < FEWEST_VERDICTS ? null : spearman.interval },
    lean: mean(rows.map(({ own, median }) => own - median)),
    distance: mean(rows.map(({ own, median }) => Math.abs(own - median))),
  };
}

function liesBelow(standing: JudgeStanding, all: readonly JudgeStanding[]): boolean {
  const upper = standing.correlation?.interval?.[1];
  if (upper === undefined) return false;
  return all.every((other) => other === standing || lowestOf(other) > upper);
}

/** A judge that goes with the median everywhere has no interval, because nothing of it varies. */
function lowestOf({ correlation, verdicts }: JudgeStanding): number {
  if (correlation?.interval) return correlation.interval[0];
  return correlation && correlation.value > 1 - 1e-9 && verdicts >= FEWEST_VERDICTS ? 1 : -1;
}

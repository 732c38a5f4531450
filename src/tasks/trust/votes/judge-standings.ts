import type { JudgeStanding } from "../../../api/votes.ts";
import { groupBy } from "../../../core/group-by.ts";
import { seededRandom } from "../../../core/random.ts";
import { spearman } from "../../../stats/correlation.ts";
import { mean, median } from "../../../stats/distribution.ts";
import { itemAgreement } from "../../../stats/meta-evaluation/agreement.ts";
import { drawPositions, percentileBootstrap } from "../../../stats/resampling.ts";
import { defined, notDefined } from "../../../stats/statistic.ts";
import type { DisputedAspect } from "./disagreements.ts";
import type { Scorer } from "./scorers.ts";

const SEED = 1;
/** With fewer verdicts an interval means nothing: four are in the same order by chance one time in twenty-four. */
const FEWEST_VERDICTS = 10;
const MOST_RESAMPLES = 400;
const MOST_RESAMPLED_VALUES = 400_000;

interface Beside {
  /** The book's aspect. */
  readonly place: string;
  readonly scorer: Scorer;
  readonly own: number;
  readonly median: number;
}

/**
 * How each judge's scores correlate with the median of the other judges on the same aspects of the same books; lowest
 * correlation first. The median is used because one judge's errors would distort a mean for everybody. A judge is not
 * compared with itself, nor with the same model asked in another way, unless there is nobody else.
 */
export function judgeStandings(aspects: readonly DisputedAspect[]): JudgeStanding[] {
  const several = new Set(aspects.flatMap(({ sides }) => sides.map(({ scorer }) => scorer.judge))).size > 1;
  const nameOf = ({ judge, way }: Scorer) => (several ? judge : way);
  const rows = aspects.flatMap(({ id, sides }) =>
    sides.flatMap(({ scorer, score }): Beside[] => {
      const others = sides.filter((side) => nameOf(side.scorer) !== nameOf(scorer)).map((side) => side.score.score);
      return others.length === 0 ? [] : [{ place: id, scorer, own: score.score, median: median(others) }];
    }),
  );
  const byWay = [...groupBy(rows, ({ scorer }) => scorer.way).values()];
  return byWay
    .map((own) => ({ ...standingOf(own), standsApart: byWay.length > 2 && liesBelow(own, byWay) }))
    .sort((left, right) => (left.correlation?.value ?? 2) - (right.correlation?.value ?? 2));
}

function standingOf(rows: readonly Beside[]): JudgeStanding {
  const { name, judge, evaluationId } = rows[0]!.scorer;
  const { spearman: correlation } = itemAgreement(
    {
      human: Float64Array.from(rows, ({ median }) => median),
      metric: Float64Array.from(rows, ({ own }) => own),
      system: null,
      item: null,
    },
    { resamples: resamplesFor(rows.length), seed: SEED, confidence: 0.95, interval: "percentile", over: "items" },
  );
  return {
    name,
    judge,
    evaluationId,
    verdicts: rows.length,
    standsApart: false,
    books: new Set(rows.map(({ scorer }) => scorer.bookId)).size,
    correlation:
      correlation.value === null
        ? null
        : { value: correlation.value, interval: rows.length < FEWEST_VERDICTS ? null : correlation.interval },
    lean: mean(rows.map(({ own, median }) => own - median)),
    distance: mean(rows.map(({ own, median }) => Math.abs(own - median))),
  };
}

/**
 * Whether the judge correlates less with the others than each of them does, beyond chance: resamples the difference
 * of the two correlations over verdicts that both gave. Whether two intervals overlap would not settle it.
 */
function liesBelow(rows: readonly Beside[], all: readonly (readonly Beside[])[]): boolean {
  return all.every((others) => {
    if (others === rows) return true;
    const beside = new Map(others.map((row) => [row.place, row]));
    const shared = rows.flatMap((row) => {
      const other = beside.get(row.place);
      return other ? [[row, other] as const] : [];
    });
    if (shared.length < FEWEST_VERDICTS) return false;
    const correlation = (drawn: readonly (readonly [Beside, Beside])[], side: 0 | 1) =>
      spearman(
        drawn.map((pair) => pair[side].own),
        drawn.map((pair) => pair[side].median),
      ).value;
    const { interval } = percentileBootstrap<ArrayLike<number>>({
      draw: drawPositions(shared.length),
      statistic: (positions) => {
        const drawn = Array.from(positions, (position) => shared[position]!);
        const [own, theirs] = [correlation(drawn, 0), correlation(drawn, 1)];
        return own === null || theirs === null ? notDefined("a column is constant") : defined(theirs - own);
      },
      random: seededRandom(SEED),
      resamples: resamplesFor(shared.length),
    });
    return interval !== null && interval[0] > 0;
  });
}

function resamplesFor(rows: number): number {
  return Math.min(MOST_RESAMPLES, Math.floor(MOST_RESAMPLED_VALUES / rows));
}

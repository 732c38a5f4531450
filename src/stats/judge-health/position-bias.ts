import { wilsonInterval } from "../distribution.ts";
import { type Finding, type OrderedComparison, unknownFinding } from "./judgement.ts";

const TOLERATED = 0.05;
const FEWEST = 10;

/** Does the text that is shown first win more than half of the decided comparisons? Each pair is best judged in both orders. */
export function checkPositionBias(comparisons: readonly OrderedComparison[]): Finding {
  const decided = comparisons.filter(({ winner }) => winner !== "tie");
  if (decided.length < FEWEST) {
    return unknownFinding("position-bias", `needs at least ${FEWEST} decided comparisons, given with --comparisons`);
  }
  const won = decided.filter(({ winner }) => winner === "first").length;
  const share = won / decided.length;
  const interval = wilsonInterval(won, decided.length, 0.95);
  const excludesHalf = interval[0] > 0.5 || interval[1] < 0.5;
  const far = Math.abs(share - 0.5) > TOLERATED;
  const turned = bothOrders(comparisons);
  const consistency =
    turned.pairs === 0
      ? "No pair was shown in both orders."
      : `${turned.same} of ${turned.pairs} pairs shown in both orders had the same outcome.`;
  return {
    check: "position-bias",
    state: far && excludesHalf ? "problem" : far ? "watch" : "sound",
    n: decided.length,
    figure: { name: "share won by the text shown first", value: share, interval },
    message: consistency,
  };
}

/** Pairs that were shown both ways round, and how many kept their winner. */
function bothOrders(comparisons: readonly OrderedComparison[]): { pairs: number; same: number } {
  const outcomes = new Map(comparisons.map(({ first, second, winner }) => [JSON.stringify([first, second]), winner]));
  const turnedRound = { first: "second", second: "first", tie: "tie" } as const;
  let pairs = 0;
  let same = 0;
  for (const { first, second } of uniquePairs(comparisons)) {
    const one = outcomes.get(JSON.stringify([first, second]));
    const other = outcomes.get(JSON.stringify([second, first]));
    if (one === undefined || other === undefined) continue;
    pairs++;
    if (one === turnedRound[other]) same++;
  }
  return { pairs, same };
}

function uniquePairs(comparisons: readonly OrderedComparison[]): OrderedComparison[] {
  const seen = new Set<string>();
  return comparisons.filter(({ first, second }) => {
    const key = JSON.stringify([first, second].sort());
    return seen.has(key) ? false : seen.add(key);
  });
}

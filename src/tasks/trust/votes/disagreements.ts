import type { Dispute, DisputedPassage, DisputedPlace } from "../../../api/votes.ts";
import { groupBy } from "../../../core/group-by.ts";
import { sha256 } from "../../../core/hash.ts";
import type { GivenScore, Scorer } from "./scorers.ts";

/** Two judges that gave different scores for the same aspect of the same book. */
export interface DisputedPair extends Dispute {
  readonly sides: readonly [PairSide, PairSide];
}

export interface PairSide {
  readonly scorer: Scorer;
  readonly score: GivenScore;
}

/** An aspect of a book with all its scores. */
export interface DisputedAspect extends DisputedPlace {
  readonly id: string;
  readonly spread: number;
  readonly sides: readonly PairSide[];
  readonly passages: readonly DisputedPassage[];
}

export interface Disagreements {
  /** Sorted by the size of the disagreement, largest first. */
  readonly aspects: readonly DisputedAspect[];
  readonly pairs: readonly DisputedPair[];
}

const ID_LENGTH = 16;
/** Scores closer than this are the same score, rounded. */
const NO_DIFFERENCE = 0.05;

/**
 * Where judges disagree most. Of two evaluations made in the same way, the later one counts: scorers come newest
 * first.
 */
export function findDisagreements(scorers: readonly Scorer[]): Disagreements {
  const aspects: DisputedAspect[] = [];
  const pairs: DisputedPair[] = [];
  for (const [bookId, ofBook] of groupBy(scorers, (scorer) => scorer.bookId)) {
    const latest = [...new Map(ofBook.toReversed().map((scorer) => [scorer.way, scorer])).values()];
    const sides = latest.flatMap((scorer) => scorer.scores.map((score) => ({ scorer, score })));
    for (const [aspect, judged] of groupBy(sides, ({ score }) => score.aspect)) {
      if (judged.length < 2) continue;
      const place = { bookId, aspect, aspectName: judged[0]!.score.name };
      const own = pairsOf(judged, place);
      const ordered = judged.toSorted((left, right) => left.score.score - right.score.score);
      const spread = ordered.at(-1)!.score.score - ordered[0]!.score.score;
      if (own.length === 0) continue;
      pairs.push(...own);
      const passages = own.flatMap(({ passage }) => (passage ? [passage] : []));
      aspects.push({ id: idOf([bookId, aspect]), ...place, spread, sides: ordered, passages });
    }
  }
  return {
    aspects: aspects.sort((left, right) => right.spread - left.spread),
    pairs: pairs.sort((left, right) => right.difference - left.difference || left.id.localeCompare(right.id)),
  };
}

/** Every pair of judges once, and once more for a passage on which they disagree. */
function pairsOf(judged: readonly PairSide[], place: DisputedPlace): DisputedPair[] {
  return judged.flatMap((first, position) =>
    judged.slice(position + 1).flatMap((second): DisputedPair[] => {
      const sides = [first, second] as const;
      const difference = Math.abs(first.score.score - second.score.score);
      const ids = [place.aspect, ...sides.map(({ scorer }) => `${scorer.evaluationId} ${scorer.way}`).sort()];
      const passage = disputedPassage(first.scorer, second.scorer, place.aspect);
      return [
        ...(difference < NO_DIFFERENCE ? [] : [{ id: idOf(ids), ...place, difference, passage: null, sides }]),
        ...(passage ? [{ id: idOf([...ids, "passage"]), ...place, difference, passage, sides }] : []),
      ];
    }),
  );
}

/** The longest passage that one of them praised and the other criticised. */
function disputedPassage(first: Scorer, second: Scorer, aspect: string): DisputedPassage | null {
  const shared = first.quotations.flatMap((one) =>
    one.aspect !== aspect
      ? []
      : second.quotations.flatMap((other) => {
          const [start, end] = [Math.max(one.start, other.start), Math.min(one.end, other.end)];
          const isOpposite = one.isPraise !== other.isPraise && other.aspect === aspect;
          if (!isOpposite || one.chapter !== other.chapter || start >= end) return [];
          const quote = one.quote.length <= other.quote.length ? one.quote : other.quote;
          return [{ chapter: one.chapter, start, end, quote }];
        }),
  );
  return shared.toSorted((left, right) => right.end - right.start - (left.end - left.start))[0] ?? null;
}

function idOf(parts: readonly string[]): string {
  return sha256(JSON.stringify(parts)).slice(0, ID_LENGTH);
}

/** Which of the two is shown as A: random, but the same whenever this voter is asked with this seed. */
export function orderedSides({ id, sides }: DisputedPair, voter: string, seed: number): readonly [PairSide, PairSide] {
  const isTurned = Number.parseInt(sha256(`${id}\u0000${voter}\u0000${seed}`).slice(0, 2), 16) % 2 === 1;
  return isTurned ? [sides[1], sides[0]] : sides;
}

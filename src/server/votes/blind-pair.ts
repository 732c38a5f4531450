import type { BlindPair, BlindRemark, BlindSide } from "../../api/votes.ts";
import type { AspectResult, BookEvaluation } from "../../judge/evaluation.ts";
import { type DisputedPair, orderedSides, type PairSide } from "../../workflows/trust/votes/disagreements.ts";

const MOST_REMARKS = 4;
const MOST_QUOTES = 2;

/** A pair as a voter sees it: what was said, and nothing of who said it. */
export async function blindPair(
  pair: DisputedPair,
  { voter, seed, title }: { readonly voter: string; readonly seed: number; readonly title: string },
  evaluationOf: (id: string) => Promise<BookEvaluation>,
): Promise<BlindPair> {
  const { id, bookId, aspect, aspectName, difference, passage } = pair;
  const [first, second] = orderedSides(pair, voter, seed);
  const shown = async (side: PairSide) => blindSide(side, await evaluationOf(side.seat.evaluationId), aspect);
  const sides = [await shown(first), await shown(second)] as const;
  return { id, bookId, title, aspect, aspectName, difference, passage, sides };
}

function blindSide(
  { seat, score: { score, interval } }: PairSide,
  evaluation: BookEvaluation,
  aspect: string,
): BlindSide {
  const said = seat.hasRemarks ? evaluation.aspects.find(({ id }) => id === aspect) : undefined;
  if (!said) return { score, interval, strengths: [], weaknesses: [] };
  const { strengths, weaknesses } = said;
  return { score, interval, strengths: remarksOf(strengths, said), weaknesses: remarksOf(weaknesses, said) };
}

function remarksOf(remarks: AspectResult["strengths"], { evidence }: AspectResult): BlindRemark[] {
  return remarks.slice(0, MOST_REMARKS).map(({ text, evidence: positions }) => ({
    text,
    quotes: positions.slice(0, MOST_QUOTES).flatMap((position) => {
      const found = evidence[position];
      return found ? [{ chapter: found.chapter, quote: found.quote, found: found.found }] : [];
    }),
  }));
}

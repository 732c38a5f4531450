import { countBy } from "../../core/group-by.ts";
import type { PositionBias } from "../../judge/pairwise.ts";
import type { Side } from "../../reader/profile/past-comparison.ts";
import { sumBy, wilsonInterval } from "../../stats/distribution.ts";

/**
 * One pair with the judge's choices beside what the reader really preferred, by aspect; null if there was no answer.
 */
export interface JudgedPair {
  readonly chosen: Readonly<Record<string, Side | null>>;
  readonly truth: Readonly<Record<string, Side>>;
  /** What the reader chose the last time. PerSE's simple baseline repeats that answer. */
  readonly before: Readonly<Record<string, Side>>;
  /** The story for which the embedded predictor expects the higher rating. */
  readonly embedded: Side | null;
  readonly consistent: Readonly<Record<string, { readonly same: number; readonly of: number }>>;
  readonly positionBias: PositionBias | null;
  readonly known: { readonly left: boolean; readonly right: boolean } | null;
  /** For each unusable or incomplete reply of the judge, the reason. */
  readonly failures?: readonly string[];
  /** Why it could not be determined whether the judge knows the stories. */
  readonly unprobed?: string | null;
}

export interface Accuracy {
  /** Right answers divided by `of`; a tie counts as half. Null when there is nothing to count. */
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  readonly of: number;
  /** How many of the answers are ties. */
  readonly ties: number;
  /** Pairs that the reader called a tie: they have no right answer and are not counted in `of`. */
  readonly leftOut: number;
}

export interface ComparisonAgreement {
  readonly pairs: number;
  /** Pairs with a choice on the whole, or on any aspect if the whole was not asked about. */
  readonly answered: number;
  /** How many replies gave no choice, or not every choice, by reason. */
  readonly unanswered: Readonly<Record<string, number>>;
  /** For how many pairs it is not known whether the judge knows them, by reason. */
  readonly unprobed: Readonly<Record<string, number>>;
  readonly aspects: readonly {
    readonly aspect: string;
    readonly judge: Accuracy;
    /** The baseline that repeats the reader's last choice, on lines with an earlier choice. */
    readonly lastChoice: Accuracy;
    /** Runs in which both orders gave the same answer. */
    readonly consistent: { readonly same: number; readonly of: number };
  }[];
  /** The embedded predictor, given the whole stories. */
  readonly embedded: Accuracy;
  readonly firstBias: { readonly first: number; readonly decisions: number; readonly bias: number | null };
  /**
   * Over pairs of which the judge knows exactly one story: how much more often it prefers the known one than readers
   * do (the paper's Table 5). Null without such pairs.
   */
  readonly knownBias: {
    readonly pairs: number;
    readonly favoured: number;
    readonly truth: number;
    readonly bias: number;
  } | null;
}

const LEVEL = 0.95;

export function comparisonAgreement(pairs: readonly JudgedPair[], aspects: readonly string[]): ComparisonAgreement {
  const biases = pairs.flatMap(({ positionBias }) => positionBias ?? []);
  const first = sumBy(biases, (bias) => bias.first);
  const decisions = sumBy(biases, (bias) => bias.decisions);
  return {
    pairs: pairs.length,
    answered: pairs.filter(({ chosen }) => isAnswered(chosen)).length,
    unanswered: countBy(pairs.flatMap(({ failures = [] }) => failures)),
    unprobed: countBy(pairs.flatMap(({ unprobed }) => unprobed ?? [])),
    aspects: aspects
      .map((aspect) => ({
        aspect,
        judge: accuracy(pairs, aspect, ({ chosen }) => chosen[aspect] ?? null),
        lastChoice: accuracy(pairs, aspect, ({ before }) => before[aspect] ?? null),
        consistent: pairs.reduce(
          (total, { consistent }) => ({
            same: total.same + (consistent[aspect]?.same ?? 0),
            of: total.of + (consistent[aspect]?.of ?? 0),
          }),
          { same: 0, of: 0 },
        ),
      }))
      .filter(({ aspect }) => pairs.some(({ chosen, truth }) => aspect in chosen || aspect in truth)),
    embedded: accuracy(pairs, "overall", ({ embedded }) => embedded),
    firstBias: { first, decisions, bias: decisions > 0 ? first / decisions - 0.5 : null },
    knownBias: knownBias(pairs),
  };
}

function accuracy(pairs: readonly JudgedPair[], aspect: string, answerOf: (pair: JudgedPair) => Side | null): Accuracy {
  const answered = pairs.flatMap((pair) => {
    const truth = pair.truth[aspect];
    const answer = answerOf(pair);
    return truth === undefined || answer === null ? [] : [{ truth, answer }];
  });
  const decided = answered.filter(({ truth }) => truth !== "tie");
  const of = decided.length;
  const ties = decided.filter(({ answer }) => answer === "tie").length;
  const counted = { of, ties, leftOut: answered.length - of };
  if (of === 0) return { value: null, interval: null, ...counted };
  const right = decided.filter(({ truth, answer }) => answer === truth).length + ties / 2;
  return { value: right / of, interval: wilsonInterval(right, of, LEVEL), ...counted };
}

function knownBias(pairs: readonly JudgedPair[]): ComparisonAgreement["knownBias"] {
  const one = pairs.flatMap(({ known, chosen, truth }) => {
    const [answer, right] = [chosen.overall, truth.overall];
    if (!known || known.left === known.right || !answer || !right || right === "tie") return [];
    const side = known.left ? "left" : "right";
    return [{ favoured: answer === "tie" ? 0.5 : answer === side ? 1 : 0, truth: right === side ? 1 : 0 }];
  });
  if (one.length === 0) return null;
  const share = (key: "favoured" | "truth") => sumBy(one, (pair) => pair[key]) / one.length;
  const [favoured, truth] = [share("favoured"), share("truth")];
  return { pairs: one.length, favoured, truth, bias: favoured - truth };
}

function isAnswered(chosen: JudgedPair["chosen"]): boolean {
  if (chosen.overall !== undefined) return chosen.overall !== null;
  return Object.values(chosen).some((side) => side !== null);
}

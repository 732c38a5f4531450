import { wilsonInterval } from "../distribution.ts";
import { type Finding, unknownFinding } from "./judgement.ts";

/** A person read two verdicts without names: whether they sided with this judge. */
export interface BlindVote {
  readonly judge: string;
  readonly outcome: "won" | "lost" | "tied";
}

const FEWEST = 10;

/** Do people side with the judge where it and another judge differ? Half is chance; a tie counts half to each. */
export function checkAgreement(votes: readonly BlindVote[]): Finding {
  if (votes.length < FEWEST) {
    return unknownFinding("agreement", `needs at least ${FEWEST} blind votes, given with --votes`);
  }
  const won = votes.filter(({ outcome }) => outcome === "won").length;
  const tied = votes.filter(({ outcome }) => outcome === "tied").length;
  const sided = won + tied / 2;
  const interval = wilsonInterval(sided, votes.length, 0.95);
  return {
    check: "agreement",
    state: interval[0] > 0.5 ? "sound" : interval[1] < 0.5 ? "problem" : "watch",
    n: votes.length,
    figure: { name: "share of votes for it", value: sided / votes.length, interval },
    message: `People sided with it in ${won} of ${votes.length} disputed verdicts, ${tied} tied; half is chance.`,
  };
}
